<?php
/**
 * Background work.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Runs the plugin's actions in Action Scheduler. */
final class Momo_Kiosk_Schedule {

	/** The group of the plugin's actions. */
	const GROUP = 'momo-kiosk';

	/** Checks one charge. */
	const LOOK = 'momo_kiosk_look';

	/** Cancels one charge. */
	const CANCEL = 'momo_kiosk_cancel';

	/** Checks due charges. */
	const SWEEP = 'momo_kiosk_sweep';

	/** Checks due charges once, earlier than scheduled. */
	const SWEEP_SOON = 'momo_kiosk_sweep_soon';

	/** Lists held payments. */
	const HELD = 'momo_kiosk_held';

	/** Seconds between checks of due charges. An unpaid charge is due at least hourly. */
	const INTERVAL = 10 * MINUTE_IN_SECONDS;

	/** Registers the actions. */
	public static function register() {
		add_action( 'init', array( __CLASS__, 'start' ), 20 );
		add_action( self::LOOK, array( __CLASS__, 'look' ) );
		add_action( self::CANCEL, array( __CLASS__, 'cancel' ) );
		add_action( self::SWEEP, array( __CLASS__, 'sweep' ), 10, 0 );
		add_action( self::SWEEP_SOON, array( __CLASS__, 'sweep' ), 10, 0 );
		add_action( self::HELD, array( __CLASS__, 'note_held' ), 10, 0 );
		add_filter( 'woocommerce_cancel_unpaid_order', array( __CLASS__, 'keep_awaited' ), 10, 2 );
		add_action( 'woocommerce_order_status_cancelled', array( __CLASS__, 'cancel_charges' ) );
		add_action( 'woocommerce_trash_order', array( __CLASS__, 'cancel_charges' ) );
		add_action( 'woocommerce_delete_order', array( __CLASS__, 'cancel_charges' ) );
		add_action( 'woocommerce_order_status_changed', array( __CLASS__, 'cancel_charges_if_paid' ), 10, 3 );
	}

	/** Schedules the next sweep, but not on customers' pages, because the query would slow them down. */
	public static function start() {
		if ( ( is_admin() || wp_doing_cron() ) && function_exists( 'as_has_scheduled_action' ) && ! as_has_scheduled_action( self::SWEEP, null, self::GROUP ) ) {
			as_schedule_recurring_action( time(), self::INTERVAL, self::SWEEP, array(), self::GROUP, true );
		}
	}

	/** Removes all actions when the plugin is deactivated. */
	public static function stop() {
		if ( function_exists( 'as_unschedule_all_actions' ) ) {
			as_unschedule_all_actions( '', array(), self::GROUP );
		}
	}

	/**
	 * Schedules a charge's check as soon as possible.
	 *
	 * @param string $reference The charge.
	 * @return int The action's id.
	 */
	public static function look_soon( $reference ) {
		return as_enqueue_async_action( self::LOOK, array( $reference ), self::GROUP );
	}

	/**
	 * Schedules a check of a charge a minute after an event. The service sends `wallet.reversal_suspected` before it notes the
	 * doubt on the charges.
	 *
	 * @param string $reference The charge.
	 */
	public static function look_in_a_minute( $reference ) {
		as_schedule_single_action( time() + MINUTE_IN_SECONDS, self::LOOK, array( $reference ), self::GROUP );
	}

	/**
	 * Runs an action at once if the server lets a process continue after its response. Otherwise, the action waits for
	 * Action Scheduler, which runs on the next visit to the shop.
	 *
	 * @param int $action The action's id.
	 */
	public static function do_after_answer( $action ) {
		foreach ( array( 'fastcgi_finish_request', 'litespeed_finish_request' ) as $finish ) {
			if ( $action && is_callable( $finish ) ) {
				$finish();
				ActionScheduler::runner()->process_action( $action, 'Momo Kiosk' );
				return;
			}
		}
	}

	/**
	 * Checks a charge after an event.
	 *
	 * @param string $reference The charge.
	 */
	public static function look( $reference ) {
		try {
			Momo_Kiosk_Orders::look( $reference );
		} catch ( Momo_Kiosk_Api_Error $error ) {
			self::try_again( $reference, $error );
		}
	}

	/**
	 * Cancels the charge of an order that was cancelled or paid another way.
	 *
	 * @param string $reference The charge.
	 */
	public static function cancel( $reference ) {
		try {
			Momo_Kiosk_Orders::cancel( $reference );
		} catch ( Momo_Kiosk_Api_Error $error ) {
			if ( $error->is_passing() ) {
				as_schedule_single_action( time() + max( MINUTE_IN_SECONDS, $error->retry_after ), self::CANCEL, array( $reference ), self::GROUP );
			}
			Momo_Kiosk_Orders::log( "$reference could not be cancelled: " . $error->getMessage() );
		}
	}

	/**
	 * Checks due charges for a limited time. Another action continues with the rest.
	 *
	 * @param int $seconds The time limit. Action Scheduler allows 30 seconds.
	 * @return int The number of checked charges.
	 */
	public static function sweep( $seconds = 20 ) {
		$until = microtime( true ) + $seconds;
		$count = 0;
		Momo_Kiosk_Webhook::tend();
		Momo_Kiosk_Trouble::tell();
		if ( ! get_transient( 'momo_kiosk_held' ) ) {
			set_transient( 'momo_kiosk_held', 1, HOUR_IN_SECONDS );
			self::note_held();
		}
		while ( microtime( true ) < $until ) {
			$row = Momo_Kiosk_Charges::take_due();
			if ( ! $row ) {
				return $count;
			}
			try {
				Momo_Kiosk_Orders::look( $row->reference );
				++$count;
			} catch ( Momo_Kiosk_Api_Error $error ) {
				self::try_again( $row->reference, $error );
				if ( $error->is_passing() && 'busy' !== $error->api_code ) {
					return $count;
				}
			} catch ( Throwable $error ) {
				// Another plugin may fail when an order is paid. The charge is checked again later.
				Momo_Kiosk_Orders::log( "{$row->reference}: " . $error->getMessage() );
			}
		}
		self::sweep_at( time() );
		return $count;
	}

	/**
	 * Notes held payments on their orders.
	 */
	public static function note_held() {
		foreach ( array( true, false ) as $live ) {
			if ( '' === Momo_Kiosk_Settings::key( $live ) || Momo_Kiosk_Settings::is_live() !== $live ) {
				continue;
			}
			try {
				$list = ( new Momo_Kiosk_Api( $live ) )->get( '/api/v1/receipt?status=held&per_page=100' );
			} catch ( Momo_Kiosk_Api_Error $error ) {
				// Without the scope for receipts, held payments are shown only on Momo Kiosk's dashboard.
				if ( 'forbidden' !== $error->api_code ) {
					Momo_Kiosk_Orders::log( 'Held payments could not be listed: ' . $error->getMessage() );
				}
				self::list_held_again( $error );
				continue;
			}
			foreach ( $list['receipts'] as $receipt ) {
				$row = $receipt['suggested_reference'] ? Momo_Kiosk_Charges::find( $receipt['suggested_reference'] ) : null;
				if ( ! $row ) {
					continue;
				}
				try {
					Momo_Kiosk_Orders::note_held( $row, $receipt );
				} catch ( Momo_Kiosk_Api_Error $error ) {
					// Another process has locked the order. Continue with the next one.
					self::list_held_again( $error );
				}
			}
		}
	}

	/**
	 * Schedules the listing of held payments, unless one is waiting. A running one does not count, because its list may be
	 * outdated.
	 *
	 * @return int The action's id, or 0 if one was waiting.
	 */
	public static function list_held_soon() {
		return self::is_waiting( self::HELD ) ? 0 : as_enqueue_async_action( self::HELD, array(), self::GROUP );
	}

	/**
	 * Keeps WooCommerce from cancelling an unpaid order while the customer may be paying.
	 *
	 * @param bool     $cancel The filter's value.
	 * @param WC_Order $order  The order.
	 * @return bool
	 */
	public static function keep_awaited( $cancel, $order ) {
		return $cancel && ! Momo_Kiosk_Charges::is_awaited( $order->get_id() );
	}

	/**
	 * Cancels the charges of an order that was cancelled or paid another way.
	 *
	 * @param int $order_id The order.
	 */
	public static function cancel_charges( $order_id ) {
		foreach ( Momo_Kiosk_Charges::of_order( $order_id ) as $row ) {
			// Keep the charge that paid the order.
			if ( 'pending' === $row->state && ! Momo_Kiosk_Plan::has_begun_paying( Momo_Kiosk_Charges::told( $row ) ) ) {
				as_enqueue_async_action( self::CANCEL, array( $row->reference ), self::GROUP );
			}
		}
	}

	/**
	 * Cancels the charges of an order that was marked as paid another way.
	 *
	 * @param int    $order_id The order.
	 * @param string $from     The old status.
	 * @param string $to       The new status.
	 */
	public static function cancel_charges_if_paid( $order_id, $from, $to ) {
		if ( in_array( $to, wc_get_is_paid_statuses(), true ) ) {
			self::cancel_charges( $order_id );
		}
	}

	/**
	 * Schedules a retry after an API error.
	 *
	 * @param string               $reference The charge.
	 * @param Momo_Kiosk_Api_Error $error     The error.
	 */
	private static function try_again( $reference, $error ) {
		if ( ! $error->is_passing() ) {
			// If the key is invalid, the hourly check continues once the key is corrected.
			Momo_Kiosk_Charges::look_at( $reference, time() + HOUR_IN_SECONDS );
			Momo_Kiosk_Orders::log( "$reference could not be looked at: " . $error->getMessage() );
			return;
		}
		$at = time() + max( 'unreachable' === $error->api_code ? MINUTE_IN_SECONDS : 1, $error->retry_after );
		Momo_Kiosk_Charges::look_at( $reference, $at );
		self::sweep_at( $at );
	}

	/**
	 * Lists held payments again in a minute.
	 *
	 * @param Momo_Kiosk_Api_Error $error The error.
	 */
	private static function list_held_again( $error ) {
		if ( $error->is_passing() && ! self::is_waiting( self::HELD ) ) {
			as_schedule_single_action( time() + max( MINUTE_IN_SECONDS, $error->retry_after ), self::HELD, array(), self::GROUP );
		}
	}

	/**
	 * Schedules a sweep, unless one is waiting.
	 *
	 * @param int $at The time in seconds since 1970.
	 */
	private static function sweep_at( $at ) {
		if ( ! self::is_waiting( self::SWEEP_SOON ) ) {
			as_schedule_single_action( $at, self::SWEEP_SOON, array(), self::GROUP );
		}
	}

	/**
	 * Returns true if an action is waiting.
	 *
	 * @param string $hook The action's hook.
	 * @return bool
	 */
	private static function is_waiting( $hook ) {
		return (bool) as_get_scheduled_actions(
			array(
				'hook'     => $hook,
				'group'    => self::GROUP,
				'status'   => ActionScheduler_Store::STATUS_PENDING,
				'per_page' => 1,
			),
			'ids'
		);
	}
}
