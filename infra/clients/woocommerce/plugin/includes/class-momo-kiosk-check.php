<?php
/**
 * The connection check.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Tests the connection in both directions and the shop's requirements. */
final class Momo_Kiosk_Check {

	/** Seconds to wait for the test event. */
	const WAITS = 12;

	/**
	 * Runs all checks in the order of their dependencies.
	 *
	 * @return array[] Results with `is_good` (null for information only) and `words`.
	 */
	public static function results() {
		$live     = Momo_Kiosk_Settings::is_live();
		$obstacle = Momo_Kiosk_Settings::obstacle();
		$results  = array();
		if ( '' !== $obstacle ) {
			$results[] = self::result( false, $obstacle );
		}
		if ( '' !== Momo_Kiosk_Settings::get( 'address' ) && '' !== Momo_Kiosk_Settings::key( $live ) ) {
			$results = array_merge( $results, self::there_and_back( $live ) );
		}
		$results[] = self::schedule();
		if ( $live && 0 !== strpos( Momo_Kiosk_Settings::home(), 'https://' ) ) {
			$results[] = self::result( null, __( 'The shop’s address is not https, so customers are not sent back to it after paying.', 'momo-kiosk' ) );
		}
		foreach ( Momo_Kiosk_Charges::without_order() as $reference ) {
			/* translators: %s: a reference such as MK-4071932685. */
			$results[] = self::result( null, sprintf( __( '%s was paid, but its order had been deleted. Check at Momo Kiosk whether the payment is verified. If it is, send the money back, or settle the matter with the customer.', 'momo-kiosk' ), $reference ) );
		}
		return $results;
	}

	/**
	 * Calls the service and requests a test event.
	 *
	 * @param bool $live True for the live key.
	 * @return array[]
	 */
	private static function there_and_back( $live ) {
		$api     = new Momo_Kiosk_Api( $live );
		$results = array();
		try {
			$api->get( '/api/v1/transaction?per_page=1' );
			$results[] = self::result( true, $live ? __( 'Momo Kiosk responds and accepts the live key.', 'momo-kiosk' ) : __( 'Momo Kiosk responds and accepts the test key.', 'momo-kiosk' ) );
			$webhook   = $api->get( '/api/v1/webhook' );
			if ( Momo_Kiosk_Webhook::url() !== $webhook['url'] ) {
				/* translators: %s: an address. */
				$results[] = self::result( false, sprintf( __( 'Momo Kiosk posts its events to %s, so this shop learns of payments only from its hourly check. To receive the events here, tick “Replace the webhook” and save.', 'momo-kiosk' ), $webhook['url'] ) );
				return $results;
			}
			if ( ! $webhook['enabled'] || ( is_array( $webhook['events'] ) && array_diff( Momo_Kiosk_Webhook::EVENTS, Momo_Kiosk_Webhook::NEWER, $webhook['events'] ) ) ) {
				$results[] = self::result( false, __( 'Momo Kiosk has stopped posting events to this shop, or does not post all the events that the shop needs. Save the settings to set the webhook again.', 'momo-kiosk' ) );
				return $results;
			}
			$event     = $api->send( 'POST', '/api/v1/webhook/test' );
			$results[] = self::is_heard( $event['id'] )
				? self::result( true, __( 'The test event of Momo Kiosk arrived here with a valid signature.', 'momo-kiosk' ) )
				: self::result(
					false,
					sprintf(
						/* translators: %s: an address. */
						__( 'The test event of Momo Kiosk did not arrive at %s, so this shop learns of payments only from its hourly check. Check whether a firewall, a security plugin or a password protects the shop. Then save the settings and check again.', 'momo-kiosk' ),
						Momo_Kiosk_Webhook::url()
					)
				);
		} catch ( Momo_Kiosk_Api_Error $error ) {
			$results[] = self::result(
				false,
				'not_found' === $error->api_code
					? __( 'No webhook is set. Save the settings to set it.', 'momo-kiosk' )
					/* translators: %s: what the service said. */
					: sprintf( __( 'Momo Kiosk said: %s', 'momo-kiosk' ), $error->getMessage() )
			);
		}
		return $results;
	}

	/**
	 * Waits for an event. Returns true if it arrives.
	 *
	 * @param string $id The event's id.
	 * @return bool
	 */
	private static function is_heard( $id ) {
		global $wpdb;
		for ( $tries = 4 * self::WAITS; $tries > 0; $tries-- ) {
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- another process writes the option, so this process's cache is stale.
			if ( $id === $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", 'momo_kiosk_heard' ) ) ) {
				return true;
			}
			usleep( 250000 );
		}
		return false;
	}

	/**
	 * Checks that the shop runs its scheduled work.
	 *
	 * @return array
	 */
	private static function schedule() {
		$next = as_next_scheduled_action( Momo_Kiosk_Schedule::SWEEP, null, Momo_Kiosk_Schedule::GROUP );
		if ( true === $next || ( $next && $next > time() - HOUR_IN_SECONDS ) ) {
			return self::result( true, __( 'The shop’s scheduled work runs: unpaid orders are checked every hour.', 'momo-kiosk' ) );
		}
		return self::result( false, __( 'The shop’s scheduled work is more than an hour late, so paid orders may stay pending. See WooCommerce, Status, Scheduled Actions, and have your host call wp-cron.php every minute.', 'momo-kiosk' ) );
	}

	/**
	 * Builds a result.
	 *
	 * @param bool|null $is_good True if the check passed; null for information only.
	 * @param string    $words   The message.
	 * @return array
	 */
	private static function result( $is_good, $words ) {
		return array(
			'is_good' => $is_good,
			'words'   => $words,
		);
	}
}
