<?php
/**
 * The shop's charges.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

// The plugin's own table must be read without a cache.
// phpcs:disable WordPress.DB.DirectDatabaseQuery

/**
 * Stores a row per charge: its order, the facts applied to the order, and the time of the next check. An order gets a new
 * charge if the customer returns after the last one ended.
 */
final class Momo_Kiosk_Charges {

	/** The version of the table's schema. */
	const VERSION = '1';

	/** Seconds to check an ended charge. After that, networks no longer reverse payments. */
	const WATCHED_FOR = 35 * DAY_IN_SECONDS;

	/** Registers the table as $wpdb->momo_kiosk_charges, on each site of a network. */
	public static function register() {
		global $wpdb;
		$wpdb->tables[]           = 'momo_kiosk_charges';
		$wpdb->momo_kiosk_charges = $wpdb->prefix . 'momo_kiosk_charges';
		add_action( 'init', array( __CLASS__, 'create_table' ), 5 );
	}

	/** Creates or upgrades the table if necessary. */
	public static function create_table() {
		global $wpdb;
		if ( self::VERSION === get_option( 'momo_kiosk_table' ) ) {
			return;
		}
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$table = $wpdb->momo_kiosk_charges;
		dbDelta(
			"CREATE TABLE $table (
				reference varchar(32) NOT NULL,
				order_id bigint(20) unsigned NOT NULL,
				livemode tinyint(1) NOT NULL,
				state varchar(20) NOT NULL,
				amount bigint(20) unsigned NOT NULL,
				page varchar(255) NOT NULL,
				told longtext NOT NULL,
				created_at int(10) unsigned NOT NULL,
				expires_at int(10) unsigned NOT NULL,
				ended_at int(10) unsigned DEFAULT NULL,
				next_look_at int(10) unsigned DEFAULT NULL,
				taken_until int(10) unsigned NOT NULL DEFAULT 0,
				PRIMARY KEY  (reference),
				KEY order_id (order_id),
				KEY next_look_at (next_look_at)
			) {$wpdb->get_charset_collate()};"
		);
		if ( $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) ) {
			update_option( 'momo_kiosk_table', self::VERSION );
		}
	}

	/**
	 * Stores a new charge.
	 *
	 * @param int   $order_id The order.
	 * @param array $charge   The new charge, as returned by the API.
	 * @return bool False if the database rejected it.
	 */
	public static function add( $order_id, array $charge ) {
		global $wpdb;
		$wpdb->query(
			$wpdb->prepare(
				"INSERT IGNORE INTO {$wpdb->momo_kiosk_charges} (reference, order_id, livemode, state, amount, page, told, created_at, expires_at, next_look_at) VALUES (%s, %d, %d, %s, %d, %s, %s, %d, %d, %d)",
				$charge['reference'],
				$order_id,
				$charge['livemode'] ? 1 : 0,
				'pending',
				Momo_Kiosk_Money::from_api( $charge['amount'] ),
				$charge['authorization_url'],
				'[]',
				time(),
				strtotime( $charge['expires_at'] ),
				time() + 10 * MINUTE_IN_SECONDS
			)
		);
		return null !== self::find( $charge['reference'] );
	}

	/**
	 * Finds a charge.
	 *
	 * @param string $reference Such as MK-4071932685.
	 * @return object|null
	 */
	public static function find( $reference ) {
		global $wpdb;
		return $wpdb->get_row( $wpdb->prepare( "SELECT * FROM {$wpdb->momo_kiosk_charges} WHERE reference = %s", $reference ) );
	}

	/**
	 * Lists an order's charges, newest first.
	 *
	 * @param int $order_id The order.
	 * @return object[]
	 */
	public static function of_order( $order_id ) {
		global $wpdb;
		return $wpdb->get_results( $wpdb->prepare( "SELECT * FROM {$wpdb->momo_kiosk_charges} WHERE order_id = %d ORDER BY created_at DESC, reference DESC", $order_id ) );
	}

	/**
	 * Returns true if an order's charge is pending and did not expire more than a day ago.
	 *
	 * @param int $order_id The order.
	 * @return bool
	 */
	public static function is_awaited( $order_id ) {
		foreach ( self::of_order( $order_id ) as $row ) {
			if ( 'pending' === $row->state && time() < (int) $row->expires_at + DAY_IN_SECONDS ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns true if an order's customer was reminded.
	 *
	 * @param int $order_id The order.
	 * @return bool
	 */
	public static function is_reminded( $order_id ) {
		foreach ( self::of_order( $order_id ) as $row ) {
			if ( in_array( 'reminded', self::told( $row ), true ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Records that a fact was applied to the order.
	 *
	 * @param object $row  The charge's row, which is updated too.
	 * @param string $fact The fact's name.
	 */
	public static function tell( $row, $fact ) {
		global $wpdb;
		$told      = self::told( $row );
		$told[]    = $fact;
		$row->told = wp_json_encode( $told );
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->momo_kiosk_charges} SET told = %s WHERE reference = %s", $row->told, $row->reference ) );
	}

	/**
	 * Returns the facts applied to the order.
	 *
	 * @param object $row The charge's row.
	 * @return string[]
	 */
	public static function told( $row ) {
		$told = json_decode( $row->told, true );
		return is_array( $told ) ? $told : array();
	}

	/**
	 * Stores a charge's state and the time of the next check.
	 *
	 * @param object $row    The charge's row.
	 * @param array  $charge The charge, as returned by the API.
	 */
	public static function saw( $row, array $charge ) {
		global $wpdb;
		$state    = $charge['status'];
		$ended_at = 'pending' === $state ? null : ( $row->ended_at && $row->state === $state ? (int) $row->ended_at : time() );
		$doubt    = Momo_Kiosk_Plan::is_suspected( self::told( $row ) ) ? 'suspected' : 'unverified';
		$next     = self::next_look( 'success' !== $state || Momo_Kiosk_Plan::is_verified( $charge ) ? $state : $doubt, (int) $row->created_at, $ended_at, time() );
		$wpdb->update(
			$wpdb->momo_kiosk_charges,
			array(
				'state'        => $state,
				'ended_at'     => $ended_at,
				'next_look_at' => $next,
				'taken_until'  => 0,
			),
			array( 'reference' => $row->reference )
		);
	}

	/**
	 * Returns the time of a charge's next check. A pending charge is checked after ten minutes, and at least hourly. An ended
	 * charge may be paid late or reversed, so it is checked ever less often until no network reverses payments. An
	 * unverified payment is checked more often, because its order is waiting. A suspected one is checked at least hourly: a
	 * person may end the suspicion, and another may follow.
	 *
	 * @param string   $state      The charge's state, or `unverified` or `suspected` if its payment is not verified.
	 * @param int      $created_at When the charge was created.
	 * @param int|null $ended_at   When the charge ended, or null.
	 * @param int      $now        The current time. All times are in seconds since 1970.
	 * @return int|null Null for never.
	 */
	public static function next_look( $state, $created_at, $ended_at, $now ) {
		if ( 'pending' === $state ) {
			return $now + min( HOUR_IN_SECONDS, max( 10 * MINUTE_IN_SECONDS, intdiv( $now - $created_at, 4 ) ) );
		}
		if ( 'reversed' === $state || $now - $ended_at > self::WATCHED_FOR ) {
			return null;
		}
		$is_in_doubt = in_array( $state, array( 'unverified', 'suspected' ), true );
		$later       = max( $is_in_doubt ? 10 * MINUTE_IN_SECONDS : HOUR_IN_SECONDS, intdiv( $now - $ended_at, 4 ) );
		return $now + ( 'suspected' === $state ? min( HOUR_IN_SECONDS, $later ) : $later );
	}

	/**
	 * Schedules a charge's next check.
	 *
	 * @param string   $reference The charge.
	 * @param int|null $at        In seconds since 1970; null for never.
	 */
	public static function look_at( $reference, $at ) {
		global $wpdb;
		$wpdb->update(
			$wpdb->momo_kiosk_charges,
			array(
				'next_look_at' => $at,
				'taken_until'  => 0,
			),
			array( 'reference' => $reference )
		);
	}

	/** Makes every unpaid charge due for a check. */
	public static function look_at_unpaid_now() {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->momo_kiosk_charges} SET next_look_at = %d WHERE state IN ('pending', 'expired', 'cancelled') AND next_look_at IS NOT NULL", time() - 1 ) );
	}

	/**
	 * Takes the charge whose check is most overdue. Concurrent sweeps take different charges. If the check fails, the charge
	 * is due again after ten minutes.
	 *
	 * @return object|null Null if none is due.
	 */
	public static function take_due() {
		global $wpdb;
		while ( true ) {
			$row = $wpdb->get_row( $wpdb->prepare( "SELECT * FROM {$wpdb->momo_kiosk_charges} WHERE next_look_at <= %d AND taken_until <= %d ORDER BY next_look_at LIMIT 1", time(), time() ) );
			if ( ! $row ) {
				return null;
			}
			$taken = $wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->momo_kiosk_charges} SET taken_until = %d WHERE reference = %s AND taken_until = %d", time() + 10 * MINUTE_IN_SECONDS, $row->reference, $row->taken_until ) );
			if ( $taken ) {
				return $row;
			}
		}
	}

	/**
	 * Lists charges that were paid after their order was deleted.
	 *
	 * @return string[] Their references.
	 */
	public static function without_order() {
		global $wpdb;
		return $wpdb->get_col( "SELECT reference FROM {$wpdb->momo_kiosk_charges} WHERE told LIKE '%\"without_order\"%' ORDER BY created_at DESC LIMIT 20" );
	}
}
