<?php
/**
 * Trouble with the service.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Records trouble with the service or the shop's keys, and notifies the merchant by a notice and by e-mail. */
final class Momo_Kiosk_Trouble {

	/** Seconds without a response before the merchant is notified. A rejected key is reported at once. */
	const PATIENCE = HOUR_IN_SECONDS;

	/** Codes for no response, or for a response that came from a proxy. */
	const SILENCE = array( 'unreachable', 'no_momo_kiosk', 'internal', 'busy' );

	/**
	 * Records a request's outcome. Any response except a rejected key ends the trouble.
	 *
	 * @param bool   $live    True for the live key.
	 * @param string $code    The API's error code, or empty.
	 * @param string $message The API's message.
	 */
	public static function see( $live, $code, $message = '' ) {
		$known = self::of( $live );
		if ( 'unauthorized' !== $code && ! in_array( $code, self::SILENCE, true ) ) {
			if ( $known ) {
				self::keep( $live, null );
			}
			return;
		}
		$is_key = 'unauthorized' === $code;
		if ( ! $known || $known['is_key'] !== $is_key ) {
			self::keep(
				$live,
				array(
					'is_key'  => $is_key,
					'since'   => time(),
					'words'   => $message,
					'is_told' => false,
				)
			);
		}
	}

	/** Clears all trouble after the settings were saved. */
	public static function forget() {
		delete_option( 'momo_kiosk_trouble' );
	}

	/**
	 * Returns messages about the current trouble.
	 *
	 * @return string[] Messages keyed by kind of key: "live" or "test".
	 */
	public static function all() {
		$all = array();
		// A live shop does not use its test key.
		foreach ( Momo_Kiosk_Settings::is_live() ? array( true ) : array( true, false ) as $live ) {
			$trouble = self::of( $live );
			if ( $trouble && ( $trouble['is_key'] || time() - $trouble['since'] >= self::PATIENCE ) ) {
				$all[ self::which( $live ) ] = self::words( $live, $trouble );
			}
		}
		return $all;
	}

	/** E-mails the merchant once about persistent trouble. */
	public static function tell() {
		foreach ( Momo_Kiosk_Settings::is_copy() ? array() : array_keys( self::all() ) as $which ) {
			$live = self::which( true ) === $which;
			if ( self::of( $live )['is_told'] ) {
				continue;
			}
			try {
				( new Momo_Kiosk_Api( $live ) )->get( '/api/v1/webhook' );
			} catch ( Momo_Kiosk_Api_Error $error ) {
				// The failure is recorded like any other.
				unset( $error );
			}
			$now = self::all();
			if ( ! isset( $now[ $which ] ) ) {
				continue;
			}
			/* translators: %s: the shop's name. */
			$subject = sprintf( __( '[%s] Mobile money does not work', 'momo-kiosk' ), wp_specialchars_decode( get_bloginfo( 'name' ), ENT_QUOTES ) );
			if ( wp_mail( get_option( 'admin_email' ), $subject, $now[ $which ] . "\n\n" . Momo_Kiosk_Admin::settings_url() ) ) {
				self::keep( $live, array_merge( self::of( $live ), array( 'is_told' => true ) ) );
			}
		}
	}

	/**
	 * Explains the trouble, its effect and the fix.
	 *
	 * @param bool  $live    True for the live key.
	 * @param array $trouble The stored trouble.
	 * @return string
	 */
	private static function words( $live, array $trouble ) {
		if ( ! $trouble['is_key'] ) {
			return sprintf(
				/* translators: 1: an address, 2: a time, 3: what was heard instead. */
				__( 'Momo Kiosk (%1$s) has not responded since %2$s: “%3$s” Until it responds, customers cannot pay by mobile money. Orders that were paid in the meantime will be found then. Ask the person who runs Momo Kiosk, and check its address.', 'momo-kiosk' ),
				Momo_Kiosk_Settings::get( 'address' ),
				wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $trouble['since'] ),
				$trouble['words']
			);
		}
		$format = $live
			/* translators: %s: what the service said. */
			? __( 'Momo Kiosk does not accept the live key: “%s” Until a valid key is saved, customers cannot pay by mobile money, and paid orders stay pending.', 'momo-kiosk' )
			/* translators: %s: what the service said. */
			: __( 'Momo Kiosk does not accept the test key: “%s” Until a valid key is saved, nobody can try to pay by mobile money.', 'momo-kiosk' );
		return sprintf( $format, $trouble['words'] );
	}

	/**
	 * Returns the stored trouble with a key.
	 *
	 * @param bool $live True for the live key.
	 * @return array|null `is_key` (false: no response), `since`, `words` and `is_told`, or null without trouble.
	 */
	private static function of( $live ) {
		$kept = get_option( 'momo_kiosk_trouble' );
		return isset( $kept[ self::which( $live ) ] ) ? $kept[ self::which( $live ) ] : null;
	}

	/**
	 * Stores or clears trouble with a key.
	 *
	 * @param bool       $live    True for the live key.
	 * @param array|null $trouble The trouble, or null to clear it.
	 */
	private static function keep( $live, $trouble ) {
		$kept = get_option( 'momo_kiosk_trouble' );
		update_option( 'momo_kiosk_trouble', array_filter( array_merge( is_array( $kept ) ? $kept : array(), array( self::which( $live ) => $trouble ) ) ) );
	}

	/**
	 * Returns a key's kind.
	 *
	 * @param bool $live True for the live key.
	 * @return string
	 */
	private static function which( $live ) {
		return $live ? 'live' : 'test';
	}
}
