<?php
/**
 * The service's webhook.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Manages the service's webhook if it belongs to this shop. */
final class Momo_Kiosk_Webhook {

	/** Events that affect orders. */
	const EVENTS = array( 'charge.partly_paid', 'charge.success', 'charge.expired', 'charge.cancelled', 'charge.reversed', 'charge.disputed', 'charge.refunded', 'receipt.held', 'charge.unmarked', 'wallet.reversal_suspected' );

	/** Events that older services reject, or that earlier versions of this plugin did not ask for. */
	const NEWER = array( 'charge.unmarked', 'wallet.reversal_suspected' );

	/**
	 * Returns the shop's URL for events.
	 *
	 * @return string
	 */
	public static function url() {
		return Momo_Kiosk_Settings::in_no_language(
			static function () {
				return WC()->api_request_url( 'momo_kiosk' );
			}
		);
	}

	/**
	 * Returns the secrets that may sign events.
	 *
	 * @return string[]
	 */
	public static function secrets() {
		return array_filter( array( (string) get_option( 'momo_kiosk_secret_live' ), (string) get_option( 'momo_kiosk_secret_test' ) ) );
	}

	/**
	 * Sets the service's webhook to this shop. Keeps a webhook to another URL unless `$replace` is true.
	 *
	 * @param bool $live    True for live charges.
	 * @param bool $replace True to replace a webhook to another URL.
	 * @return string|null The other URL, or null if the webhook leads here.
	 * @throws Momo_Kiosk_Api_Error If the API fails.
	 */
	public static function connect( $live, $replace ) {
		$api = new Momo_Kiosk_Api( $live );
		if ( ! $replace ) {
			try {
				$webhook = $api->get( '/api/v1/webhook' );
				if ( self::url() !== $webhook['url'] ) {
					return (string) $webhook['url'];
				}
			} catch ( Momo_Kiosk_Api_Error $error ) {
				if ( 'not_found' !== $error->api_code ) {
					throw $error;
				}
			}
		}
		try {
			$webhook = self::put( $api, self::EVENTS );
		} catch ( Momo_Kiosk_Api_Error $error ) {
			if ( 'invalid_request' !== $error->api_code || ! preg_grep( '/^events/', $error->fields ) ) {
				throw $error;
			}
			$webhook = self::put( $api, array_values( array_diff( self::EVENTS, self::NEWER ) ) );
		}
		update_option( $live ? 'momo_kiosk_secret_live' : 'momo_kiosk_secret_test', $webhook['secret'], false );
		return null;
	}

	/**
	 * Sets the webhook.
	 *
	 * @param Momo_Kiosk_Api $api    The service.
	 * @param string[]       $events The event types.
	 * @return array The webhook.
	 * @throws Momo_Kiosk_Api_Error If the API rejects it.
	 */
	private static function put( $api, array $events ) {
		return $api->send(
			'PUT',
			'/api/v1/webhook',
			array(
				'url'    => self::url(),
				'events' => $events,
			)
		);
	}

	/**
	 * Restores the shop's webhook daily if it was disabled or its secret was rotated.
	 */
	public static function tend() {
		if ( Momo_Kiosk_Settings::is_copy() || time() - (int) get_option( 'momo_kiosk_tended' ) < DAY_IN_SECONDS ) {
			return;
		}
		update_option( 'momo_kiosk_tended', time(), false );
		foreach ( array( true, false ) as $live ) {
			if ( get_option( $live ? 'momo_kiosk_secret_live' : 'momo_kiosk_secret_test' ) && Momo_Kiosk_Settings::key( $live ) ) {
				try {
					self::connect( $live, false );
				} catch ( Momo_Kiosk_Api_Error $error ) {
					Momo_Kiosk_Orders::log( 'The webhook could not be looked after: ' . $error->getMessage() );
				}
			}
		}
	}
}
