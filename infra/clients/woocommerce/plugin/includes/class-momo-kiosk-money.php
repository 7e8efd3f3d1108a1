<?php
/**
 * Amounts.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Converts amounts without rounding: the shop's decimal strings, the API's JSON numbers and whole pesewas. */
final class Momo_Kiosk_Money {

	/**
	 * Converts a decimal amount to pesewas.
	 *
	 * @param mixed $decimal An order's amount, such as "36", "36.50" or "36.5000".
	 * @return int|null Null if it is not an amount, or has a fraction of a pesewa.
	 */
	public static function pesewas( $decimal ) {
		if ( ! preg_match( '/^(\d{1,12})(?:\.(\d{0,2})0*)?$/D', (string) $decimal, $found ) ) {
			return null;
		}
		return (int) $found[1] * 100 + (int) str_pad( isset( $found[2] ) ? $found[2] : '', 2, '0' );
	}

	/**
	 * Converts an API amount to pesewas. API amounts have at most two decimals.
	 *
	 * @param mixed $number Such as 36, 36.5 or null.
	 * @return int Zero if it is not a number.
	 */
	public static function from_api( $number ) {
		return is_int( $number ) || is_float( $number ) ? (int) round( $number * 100 ) : 0;
	}

	/**
	 * Formats an amount for the API.
	 *
	 * @param int $pesewas Whole pesewas.
	 * @return string Such as "36.50".
	 */
	public static function decimal( $pesewas ) {
		return sprintf( '%d.%02d', intdiv( $pesewas, 100 ), $pesewas % 100 );
	}

	/**
	 * Formats an amount for people.
	 *
	 * @param int $pesewas Whole pesewas.
	 * @return string Such as "GHS 36.50".
	 */
	public static function words( $pesewas ) {
		return 'GHS ' . self::decimal( $pesewas );
	}
}
