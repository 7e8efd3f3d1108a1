<?php
/**
 * Work that nobody waits for.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** What Action Scheduler does for the plugin, and what WooCommerce must not do meanwhile. */
final class Momo_Kiosk_Schedule {

	/** The group of the plugin's actions. */
	const GROUP = 'momo-kiosk';

	/** Looks at one charge. */
	const LOOK = 'momo_kiosk_look';

	/** Cancels one charge. */
	const CANCEL = 'momo_kiosk_cancel';

	/** Looks at the charges that are due. */
	const SWEEP = 'momo_kiosk_sweep';

	/** The same once, sooner. */
	const SWEEP_SOON = 'momo_kiosk_sweep_soon';

	/** Lists the payments that are held. */
	const HELD = 'momo_kiosk_held';

	/** How often the charges that are due are looked at, in seconds. Each is due at least hourly while it is unpaid. */
	const INTERVAL = 10 * MINUTE_IN_SECONDS;

	/** Connects the actions. */
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

	/** Sees to it that there is a next sweep. Customers' pages do not pay for the question. */
	public static function start() {
		if ( ( is_admin() || wp_doing_cron() ) && function_exists( 'as_has_scheduled_action' ) && ! as_has_scheduled_action( self::SWEEP, null, self::GROUP ) ) {
			as_schedule_recurring_action( time(), self::INTERVAL, self::SWEEP, array(), self::GROUP, true );
		}
	}

	/** Stops everything: the plugin is switched off. */
	public static function stop() {
		if ( function_exists( 'as_unschedule_all_actions' ) ) {
			as_unschedule_all_actions( '', array(), self::GROUP );
		}
	}

	/**
	 * Has a charge looked at as soon as possible.
	 *
	 * @param string $reference The charge.
	 * @return int The action.
	 */
	public static function look_soon( $reference ) {
		return as_enqueue_async_action( self::LOOK, array( $reference ), self::GROUP );
	}

	/**
	 * Does an action at once, where the server lets a process work on after its answer has gone out. Elsewhere, or if the
	 * process dies, the action waits for Action Scheduler, which a quiet shop runs only when its next visitor comes.
	 *
	 * @param int $action The action.
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
	 * Looks at one charge, because of an event.
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
	 * Cancels the charge of an order that was cancelled, or paid another way.
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
	 * Asks about every charge that is due, for some seconds, and goes on in another action if there are more.
	 *
	 * @param int $seconds For how long. Action Scheduler gives a run 30.
	 * @return int How many were asked about.
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
				// Another plugin may fail when an order is paid. The next order is not to suffer for it; this one is due again.
				Momo_Kiosk_Orders::log( "{$row->reference}: " . $error->getMessage() );
			}
		}
		self::sweep_at( time() );
		return $count;
	}

	/**
	 * Notes on orders the payments that are held for the merchant and were certainly meant for them.
	 */
	public static function note_held() {
		foreach ( array( true, false ) as $live ) {
			if ( '' === Momo_Kiosk_Settings::key( $live ) || Momo_Kiosk_Settings::is_live() !== $live ) {
				continue;
			}
			try {
				$list = ( new Momo_Kiosk_Api( $live ) )->get( '/api/v1/receipt?status=held&per_page=100' );
			} catch ( Momo_Kiosk_Api_Error $error ) {
				// A key's scope may not include receipts: then the dashboard of Momo Kiosk alone shows them.
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
					// Somebody else has the order, such as the look at its charge. The next one is not to suffer for it.
					self::list_held_again( $error );
				}
			}
		}
	}

	/**
	 * Has the payments that are held listed as soon as possible, unless that waits already. One that is being done does not count: its
	 * list may be older than what was held now.
	 *
	 * @return int The action; 0 if one was waiting.
	 */
	public static function list_held_soon() {
		return self::is_waiting( self::HELD ) ? 0 : as_enqueue_async_action( self::HELD, array(), self::GROUP );
	}

	/**
	 * WooCommerce cancels orders that are unpaid for some time: not while the customer may be paying.
	 *
	 * @param bool     $cancel What others decided.
	 * @param WC_Order $order  The order.
	 * @return bool
	 */
	public static function keep_awaited( $cancel, $order ) {
		return $cancel && ! Momo_Kiosk_Charges::is_awaited( $order->get_id() );
	}

	/**
	 * An order was cancelled, or paid another way: its page must not take money any more.
	 *
	 * @param int $order_id The order.
	 */
	public static function cancel_charges( $order_id ) {
		foreach ( Momo_Kiosk_Charges::of_order( $order_id ) as $row ) {
			// One whose payment this is needs no end.
			if ( 'pending' === $row->state && '' === Momo_Kiosk_Plan::begun( 'paid', Momo_Kiosk_Charges::told( $row ) ) ) {
				as_enqueue_async_action( self::CANCEL, array( $row->reference ), self::GROUP );
			}
		}
	}

	/**
	 * An order has another status: that of one which somebody or something else marked as paid, perhaps.
	 *
	 * @param int    $order_id The order.
	 * @param string $from     Its status before.
	 * @param string $to       Its status.
	 */
	public static function cancel_charges_if_paid( $order_id, $from, $to ) {
		if ( in_array( $to, wc_get_is_paid_statuses(), true ) ) {
			self::cancel_charges( $order_id );
		}
	}

	/**
	 * The API did not say: ask again.
	 *
	 * @param string               $reference The charge.
	 * @param Momo_Kiosk_Api_Error $error     What it said instead.
	 */
	private static function try_again( $reference, $error ) {
		if ( ! $error->is_passing() ) {
			// A key that is not valid, say: the next hourly look finds out whether it was corrected.
			Momo_Kiosk_Charges::look_at( $reference, time() + HOUR_IN_SECONDS );
			Momo_Kiosk_Orders::log( "$reference could not be looked at: " . $error->getMessage() );
			return;
		}
		$at = time() + max( 'unreachable' === $error->api_code ? MINUTE_IN_SECONDS : 1, $error->retry_after );
		Momo_Kiosk_Charges::look_at( $reference, $at );
		self::sweep_at( $at );
	}

	/**
	 * A payment that is held may not have been noted: list them again in a minute.
	 *
	 * @param Momo_Kiosk_Api_Error $error Why not.
	 */
	private static function list_held_again( $error ) {
		if ( $error->is_passing() && ! self::is_waiting( self::HELD ) ) {
			as_schedule_single_action( time() + max( MINUTE_IN_SECONDS, $error->retry_after ), self::HELD, array(), self::GROUP );
		}
	}

	/**
	 * One more sweep at this time, unless one is waiting already.
	 *
	 * @param int $at In seconds since 1970.
	 */
	private static function sweep_at( $at ) {
		if ( ! self::is_waiting( self::SWEEP_SOON ) ) {
			as_schedule_single_action( $at, self::SWEEP_SOON, array(), self::GROUP );
		}
	}

	/**
	 * Whether an action waits to be done.
	 *
	 * @param string $hook Which.
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
