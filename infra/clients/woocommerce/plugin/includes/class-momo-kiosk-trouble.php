<?php
/**
 * Trouble with the service.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Records if the service answers and accepts the shop's keys, and otherwise notifies the merchant by a notice and by e-mail. */
final class Momo_Kiosk_Trouble {

	/** Seconds without an answer before the merchant is notified. A refused key is reported at once. */
	const PATIENCE = HOUR_IN_SECONDS;

	/** Codes for no answer of the service, or only one of a proxy before it. */
	const SILENCE = array( 'unreachable', 'no_momo_kiosk', 'internal', 'busy' );

	/**
	 * Records a request's outcome. Any answer but a refused key ends the trouble.
	 *
	 * @param bool   $live    With the key for live charges or for tests.
	 * @param string $code    The API's code; empty if all went well.
	 * @param string $message What it said.
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

	/** Forgets troubles after the settings were saved, which may have fixed them. */
	public static function forget() {
		delete_option( 'momo_kiosk_trouble' );
	}

	/**
	 * The troubles that the merchant must know now.
	 *
	 * @return string[] Sentences, by the key's kind: "live" or "test".
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

	/** E-mails the merchant once about each trouble that persists. */
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
	 * @param bool  $live    Of the live key or the test key.
	 * @param array $trouble What is kept.
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
	 * The stored trouble of a key.
	 *
	 * @param bool $live Of the live key or the test key.
	 * @return array|null Its `is_key` (or else: no answer), `since`, `words` and `is_told`; null if all is well.
	 */
	private static function of( $live ) {
		$kept = get_option( 'momo_kiosk_trouble' );
		return isset( $kept[ self::which( $live ) ] ) ? $kept[ self::which( $live ) ] : null;
	}

	/**
	 * Stores or clears a trouble.
	 *
	 * @param bool       $live    Of the live key or the test key.
	 * @param array|null $trouble What is to be kept; null if all is well.
	 */
	private static function keep( $live, $trouble ) {
		$kept = get_option( 'momo_kiosk_trouble' );
		update_option( 'momo_kiosk_trouble', array_filter( array_merge( is_array( $kept ) ? $kept : array(), array( self::which( $live ) => $trouble ) ) ) );
	}

	/**
	 * A key's kind.
	 *
	 * @param bool $live Of the live key or the test key.
	 * @return string
	 */
	private static function which( $live ) {
		return $live ? 'live' : 'test';
	}
}
