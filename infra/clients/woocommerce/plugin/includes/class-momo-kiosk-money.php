<?php
/**
 * Amounts.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Amounts between the shop's decimal strings, the API's JSON numbers and whole pesewas, without rounding. */
final class Momo_Kiosk_Money {

	/**
	 * Whole pesewas of a decimal amount.
	 *
	 * @param mixed $decimal Such as "36", "36.50" or "36.5000": an amount of an order.
	 * @return int|null Null if it is no amount, or has a fraction of a pesewa.
	 */
	public static function pesewas( $decimal ) {
		if ( ! preg_match( '/^(\d{1,12})(?:\.(\d{0,2})0*)?$/D', (string) $decimal, $found ) ) {
			return null;
		}
		return (int) $found[1] * 100 + (int) str_pad( isset( $found[2] ) ? $found[2] : '', 2, '0' );
	}

	/**
	 * Whole pesewas of a number in the API's JSON, which has at most two decimals.
	 *
	 * @param mixed $number Such as 36, 36.5 or null.
	 * @return int Zero for what is no number.
	 */
	public static function from_api( $number ) {
		return is_int( $number ) || is_float( $number ) ? (int) round( $number * 100 ) : 0;
	}

	/**
	 * The decimal string that the API takes.
	 *
	 * @param int $pesewas Whole pesewas.
	 * @return string Such as "36.50".
	 */
	public static function decimal( $pesewas ) {
		return sprintf( '%d.%02d', intdiv( $pesewas, 100 ), $pesewas % 100 );
	}

	/**
	 * An amount as people read it.
	 *
	 * @param int $pesewas Whole pesewas.
	 * @return string Such as "GHS 36.50".
	 */
	public static function words( $pesewas ) {
		return 'GHS ' . self::decimal( $pesewas );
	}
}
