<?php
/**
 * Incoming requests.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Receives the service's events and returning customers. */
final class Momo_Kiosk_Receiver {

	/** Maximum event size in bytes. The service's events have a few thousand. */
	const MAX_BYTES = 262144;

	/** Maximum seconds a returning customer waits for the check. */
	const PATIENCE = 8;

	/** Registers the URLs. */
	public static function register() {
		add_action( 'woocommerce_api_momo_kiosk', array( __CLASS__, 'hear' ) );
		add_action( 'woocommerce_api_momo_kiosk_return', array( __CLASS__, 'welcome_back' ) );
		add_action( 'woocommerce_api_momo_kiosk_pay', array( __CLASS__, 'lead_to_page' ) );
	}

	/**
	 * Verifies an event, schedules its work and responds. The work reads the charge from the API, so events may arrive twice,
	 * late, or in any order.
	 */
	public static function hear() {
		$body      = file_get_contents( 'php://input', false, null, 0, self::MAX_BYTES + 1 );
		$is_signed = is_string( $body ) && strlen( $body ) <= self::MAX_BYTES && Momo_Kiosk_Signature::is_genuine(
			Momo_Kiosk_Webhook::secrets(),
			self::header( 'webhook-id' ),
			self::header( 'webhook-timestamp' ),
			self::header( 'webhook-signature' ),
			$body,
			time()
		);
		if ( ! $is_signed ) {
			self::answer( 401, 'Not signed with the secret of this webhook, or older than five minutes.' );
		}
		$event = json_decode( $body, true );
		$type  = isset( $event['type'] ) ? $event['type'] : '';
		$work  = 0;
		if ( 'webhook.test' === $type ) {
			update_option( 'momo_kiosk_heard', self::header( 'webhook-id' ), false );
		} elseif ( 'receipt.held' === $type ) {
			$work = Momo_Kiosk_Schedule::list_held_soon();
		} else {
			foreach ( self::references( $event ) as $reference ) {
				if ( 'wallet.reversal_suspected' === $type ) {
					Momo_Kiosk_Schedule::look_in_a_minute( $reference );
				} else {
					$work = Momo_Kiosk_Schedule::look_soon( $reference );
				}
			}
		}
		// The event belongs to another shop.
		self::answer( 204, '', $work );
	}

	/** Shows the order to a returning customer. Only the API decides whether it is paid. */
	public static function welcome_back() {
		$order = self::order();
		foreach ( Momo_Kiosk_Charges::of_order( $order->get_id() ) as $row ) {
			if ( 'success' === $row->state ) {
				continue;
			}
			try {
				Momo_Kiosk_Orders::look( $row->reference, self::PATIENCE );
			} catch ( Exception $error ) {
				// The check is repeated later. The customer need not wait.
				Momo_Kiosk_Schedule::look_soon( $row->reference );
			}
			break;
		}
		self::lead_to( $order->get_checkout_order_received_url() );
	}

	/** Redirects a customer from the reminder to the payment page while the order is unpaid. */
	public static function lead_to_page() {
		$order = self::order();
		if ( ! $order->needs_payment() ) {
			self::lead_to( $order->get_checkout_order_received_url() );
		}
		try {
			self::lead_to( Momo_Kiosk_Orders::page( $order ) );
		} catch ( Exception $error ) {
			Momo_Kiosk_Orders::log( "Order {$order->get_id()} has no page to pay on: " . $error->getMessage() );
			self::lead_to( $order->get_checkout_payment_url() );
		}
	}

	/**
	 * Returns a URL of this shop with the order's secret key.
	 *
	 * @param string   $name  The registered name.
	 * @param WC_Order $order The order.
	 * @return string
	 */
	public static function address( $name, $order ) {
		return add_query_arg(
			array(
				'order' => $order->get_id(),
				'key'   => $order->get_order_key(),
			),
			WC()->api_request_url( $name )
		);
	}

	/**
	 * Returns the references of this shop's charges that an event is about.
	 *
	 * @param mixed $event The event.
	 * @return string[]
	 */
	private static function references( $event ) {
		$data  = isset( $event['data'] ) && is_array( $event['data'] ) ? $event['data'] : array();
		$owned = isset( $data['may_be_reversed'] ) && is_array( $data['may_be_reversed'] ) ? $data['may_be_reversed'] : array();
		$named = array_column( array_merge( array( $data ), $owned ), 'reference' );
		return array_filter( array_filter( $named, 'is_string' ), array( 'Momo_Kiosk_Charges', 'find' ) );
	}

	/**
	 * Returns the order of a URL with its key. Redirects visitors without the key to the shop.
	 *
	 * @return WC_Order
	 */
	private static function order() {
		// phpcs:disable WordPress.Security.NonceVerification.Recommended -- the order's key replaces a nonce.
		$order = wc_get_order( isset( $_GET['order'] ) ? absint( $_GET['order'] ) : 0 );
		$key   = isset( $_GET['key'] ) ? sanitize_text_field( wp_unslash( $_GET['key'] ) ) : '';
		// phpcs:enable
		if ( ! $order instanceof WC_Order || ! hash_equals( $order->get_order_key(), $key ) ) {
			self::lead_to( wc_get_page_permalink( 'shop' ) );
		}
		return $order;
	}

	/**
	 * Ends the request with a redirect.
	 *
	 * @param string $address The shop's or a payment page's URL.
	 */
	private static function lead_to( $address ) {
		nocache_headers();
		// phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- the payment page is on the service's host.
		wp_redirect( $address );
		exit;
	}

	/**
	 * Returns a request header.
	 *
	 * @param string $name The name in lower case.
	 * @return string Empty if missing.
	 */
	private static function header( $name ) {
		$key = 'HTTP_' . strtoupper( str_replace( '-', '_', $name ) );
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- the signature covers the raw value.
		return isset( $_SERVER[ $key ] ) ? wp_unslash( $_SERVER[ $key ] ) : '';
	}

	/**
	 * Ends the request.
	 *
	 * @param int    $status The HTTP status.
	 * @param string $words  The message, shown in the service's list of events.
	 * @param int    $work   The action to run after the response, or 0.
	 */
	private static function answer( $status, $words = '', $work = 0 ) {
		nocache_headers();
		status_header( $status );
		header( 'Content-Type: text/plain; charset=utf-8' );
		echo esc_html( $words );
		Momo_Kiosk_Schedule::do_after_answer( $work );
		exit;
	}
}
