<?php
/**
 * The payment gateway.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** The WooCommerce gateway for mobile money. */
final class Momo_Kiosk_Gateway extends WC_Payment_Gateway {

	const ID = 'momo_kiosk';

	/**
	 * The current refund, which WooCommerce does not pass to gateways.
	 *
	 * @var WC_Order_Refund|null
	 */
	public static $refund;

	/** Sets the name and features. */
	public function __construct() {
		$this->id                 = self::ID;
		$this->method_title       = __( 'Momo Kiosk', 'momo-kiosk' );
		$this->method_description = __( 'Customers pay by mobile money to your own MoMo number, on the page of your Momo Kiosk.', 'momo-kiosk' );
		$this->has_fields         = false;
		$this->supports           = array( 'products', 'refunds' );
		// Maximum charge in cedis.
		$this->max_amount = 100000;
		$this->init_form_fields();
		$this->init_settings();
		$this->title       = $this->get_option( 'title' );
		$this->description = self::words_at_checkout( $this->get_option( 'description' ) );
		add_action( 'woocommerce_update_options_payment_gateways_' . $this->id, array( $this, 'process_admin_options' ) );
	}

	/**
	 * Returns the description below the gateway's name at the checkout.
	 *
	 * @param string $description The configured description.
	 * @return string
	 */
	private static function words_at_checkout( $description ) {
		return Momo_Kiosk_Settings::is_live() ? $description : trim( $description . ' ' . __( 'TEST MODE: no money is paid.', 'momo-kiosk' ) );
	}

	/** Defines the settings. */
	public function init_form_fields() {
		$this->form_fields = array(
			'enabled'     => array(
				'title'   => __( 'Enable', 'momo-kiosk' ),
				'label'   => __( 'Offer mobile money to customers', 'momo-kiosk' ),
				'type'    => 'checkbox',
				'default' => 'no',
			),
			'title'       => array(
				'title'       => __( 'Title', 'momo-kiosk' ),
				'type'        => 'text',
				'default'     => __( 'Mobile money (MoMo)', 'momo-kiosk' ),
				'description' => __( 'What customers choose at checkout.', 'momo-kiosk' ),
				'desc_tip'    => true,
			),
			'description' => array(
				'title'   => __( 'Description', 'momo-kiosk' ),
				'type'    => 'textarea',
				'default' => __( 'Pay from your phone by MTN MoMo, Telecel Cash or AT Money. The next page shows the number to pay to.', 'momo-kiosk' ),
			),
			'address'     => array(
				'title'       => __( 'Address of Momo Kiosk', 'momo-kiosk' ),
				'type'        => 'text',
				'placeholder' => 'https://pay.example.com',
				'description' => __( 'Where the service runs. Ask the person who runs it.', 'momo-kiosk' ),
			),
			'testmode'    => array(
				'title'       => __( 'Test mode', 'momo-kiosk' ),
				'label'       => __( 'Use the test key', 'momo-kiosk' ),
				'type'        => 'checkbox',
				'default'     => 'yes',
				'description' => __( 'No money is involved: the payment page has buttons for what a customer may do.', 'momo-kiosk' ),
			),
			'test_key'    => array(
				'title'       => __( 'Test key', 'momo-kiosk' ),
				'type'        => 'password',
				'placeholder' => 'sk_test_…',
			),
			'live_key'    => array(
				'title'       => __( 'Live key', 'momo-kiosk' ),
				'type'        => 'password',
				'placeholder' => 'sk_live_…',
				'description' => __( 'If the key has a scope, the scope must include charges:read, charges:write, refunds:write, receipts:read, webhooks:read and webhooks:write.', 'momo-kiosk' ),
			),
			'minutes'     => array(
				'title'             => __( 'Time to pay', 'momo-kiosk' ),
				'type'              => 'number',
				'default'           => (string) Momo_Kiosk_Settings::DEFAULT_MINUTES,
				'custom_attributes' => array(
					'min' => '5',
					'max' => '10080',
				),
				'description'       => __( 'In minutes, from 5 to 10080 (a week). The goods are reserved for this time.', 'momo-kiosk' ),
			),
			'unverified'  => array(
				'title'       => __( 'Payments that are not verified', 'momo-kiosk' ),
				'label'       => __( 'Set the order to processing', 'momo-kiosk' ),
				'type'        => 'checkbox',
				'default'     => 'no',
				'description' => __( 'Tick this only if somebody checks your MoMo balance before each order leaves, because the text about such a payment may be forged. Otherwise, the order is on hold until its payment is verified. Orders with downloads, or with nothing to deliver, are always on hold until then.', 'momo-kiosk' ),
			),
			'replace'     => array(
				'title'       => __( 'Webhook', 'momo-kiosk' ),
				'label'       => __( 'Replace the webhook', 'momo-kiosk' ),
				'type'        => 'checkbox',
				'default'     => 'no',
				'description' => __( 'Tick this only if your Momo Kiosk posts its events to another program, and this shop should receive them instead.', 'momo-kiosk' ),
			),
		);
	}

	/**
	 * Returns true if the gateway is offered to customers.
	 *
	 * @return bool
	 */
	public function is_available() {
		return parent::is_available() && '' === Momo_Kiosk_Settings::obstacle();
	}

	/**
	 * Returns true if a required setting is missing.
	 *
	 * @return bool
	 */
	public function needs_setup() {
		return '' !== Momo_Kiosk_Settings::obstacle();
	}

	/**
	 * Sends the customer to the payment page.
	 *
	 * @param int $order_id The order.
	 * @return array The result for WooCommerce.
	 */
	public function process_payment( $order_id ) {
		try {
			return array(
				'result'   => 'success',
				'redirect' => Momo_Kiosk_Orders::page( wc_get_order( $order_id ) ),
			);
		} catch ( Momo_Kiosk_Api_Error $error ) {
			Momo_Kiosk_Orders::log( "Order $order_id could not be charged ({$error->api_code}): " . $error->getMessage() );
			wc_add_notice( __( 'Mobile money cannot be paid at the moment. Nothing was charged: please try again in a minute, or choose another way to pay.', 'momo-kiosk' ), 'error' );
		} catch ( Exception $error ) {
			wc_add_notice( $error->getMessage(), 'error' );
		}
		return array( 'result' => 'failure' );
	}

	/**
	 * Records the merchant's refund with the service.
	 *
	 * @param int        $order_id The order.
	 * @param float|null $amount   The amount in cedis.
	 * @param string     $reason   The merchant's reason.
	 * @return true|WP_Error
	 */
	public function process_refund( $order_id, $amount = null, $reason = '' ) {
		$pesewas = Momo_Kiosk_Money::pesewas( wc_format_decimal( $amount ) );
		if ( ! $pesewas ) {
			return new WP_Error( 'momo_kiosk', __( 'Enter an amount in cedis, with at most two decimals.', 'momo-kiosk' ) );
		}
		if ( ! self::$refund || self::$refund->get_parent_id() !== (int) $order_id ) {
			return new WP_Error( 'momo_kiosk', __( 'Refund it from the order itself, because only then does the refund have a number.', 'momo-kiosk' ) );
		}
		try {
			Momo_Kiosk_Orders::refund( wc_get_order( $order_id ), self::$refund, $pesewas, (string) $reason );
			return true;
		} catch ( Exception $error ) {
			return new WP_Error( 'momo_kiosk', $error->getMessage() );
		}
	}

	/** Shows the settings page. */
	public function admin_options() {
		$obstacle = 'yes' === $this->enabled ? Momo_Kiosk_Settings::obstacle() : '';
		if ( '' !== $obstacle ) {
			echo '<div class="notice notice-warning inline"><p>' . esc_html( $obstacle ) . '</p></div>';
		}
		parent::admin_options();
		$check = wp_nonce_url( add_query_arg( 'momo_kiosk_check', '1', Momo_Kiosk_Admin::settings_url() ), 'momo_kiosk_check' );
		echo '<p id="momo-kiosk-check"><a class="button" href="' . esc_url( $check ) . '#momo-kiosk-check">' . esc_html__( 'Check the connection both ways', 'momo-kiosk' ) . '</a> ' . esc_html__( 'The check uses the saved settings.', 'momo-kiosk' ) . '</p>';
		if ( isset( $_GET['momo_kiosk_check'], $_GET['_wpnonce'] ) && wp_verify_nonce( sanitize_key( $_GET['_wpnonce'] ), 'momo_kiosk_check' ) ) {
			foreach ( Momo_Kiosk_Check::results() as $result ) {
				$kind = true === $result['is_good'] ? 'success' : ( null === $result['is_good'] ? 'warning' : 'error' );
				echo '<div class="notice notice-' . esc_attr( $kind ) . ' inline"><p>' . esc_html( $result['words'] ) . '</p></div>';
			}
		}
	}

	/**
	 * Stores the settings and sets the service's webhook.
	 *
	 * @return bool
	 */
	public function process_admin_options() {
		$is_saved = parent::process_admin_options();
		update_option( 'momo_kiosk_home', Momo_Kiosk_Settings::home(), false );
		Momo_Kiosk_Trouble::forget();
		$replace = 'yes' === $this->get_option( 'replace' );
		// The permission to replace the webhook applies only once.
		$this->update_option( 'replace', 'no' );
		foreach ( array( true, false ) as $live ) {
			if ( '' === Momo_Kiosk_Settings::get( 'address' ) || '' === Momo_Kiosk_Settings::key( $live ) ) {
				continue;
			}
			$which = $live ? __( 'Live key', 'momo-kiosk' ) : __( 'Test key', 'momo-kiosk' );
			try {
				$elsewhere = Momo_Kiosk_Webhook::connect( $live, $replace );
				if ( null === $elsewhere ) {
					/* translators: %s: which key. */
					WC_Admin_Settings::add_message( sprintf( __( '%s: Momo Kiosk posts its events to this shop.', 'momo-kiosk' ), $which ) );
				} else {
					/* translators: 1: which key, 2: an address. */
					WC_Admin_Settings::add_error( sprintf( __( '%1$s: Momo Kiosk posts its events to %2$s, which was not changed. This shop learns of payments only from its hourly check. To receive the events here, tick “Replace the webhook” and save again.', 'momo-kiosk' ), $which, $elsewhere ) );
				}
			} catch ( Momo_Kiosk_Api_Error $error ) {
				/* translators: 1: which key, 2: what the service said. */
				WC_Admin_Settings::add_error( sprintf( __( '%1$s: Momo Kiosk said: %2$s', 'momo-kiosk' ), $which, $error->getMessage() ) );
			}
		}
		return $is_saved;
	}

	/**
	 * Validates the service's address.
	 *
	 * @param string $key   The field.
	 * @param string $value The submitted value.
	 * @return string
	 * @throws Exception If invalid. WooCommerce shows the message and keeps the old value.
	 */
	public function validate_address_field( $key, $value ) {
		$value = untrailingslashit( trim( wp_unslash( (string) $value ) ) );
		if ( '' !== $value && ! Momo_Kiosk_Settings::is_good_address( $value ) ) {
			throw new Exception( __( 'Address of Momo Kiosk: enter only its beginning, such as https://pay.example.com. The address of this machine (http://localhost) is accepted only if WP_ENVIRONMENT_TYPE is “local”.', 'momo-kiosk' ) );
		}
		return esc_url_raw( $value );
	}

	/**
	 * Validates the test key.
	 *
	 * @param string $key   The field.
	 * @param string $value The submitted value.
	 * @return string
	 */
	public function validate_test_key_field( $key, $value ) {
		return self::valid_key( $value, 'sk_test_' );
	}

	/**
	 * Validates the live key.
	 *
	 * @param string $key   The field.
	 * @param string $value The submitted value.
	 * @return string
	 */
	public function validate_live_key_field( $key, $value ) {
		return self::valid_key( $value, 'sk_live_' );
	}

	/**
	 * Validates a key.
	 *
	 * @param string $value  The submitted value.
	 * @param string $prefix The key's prefix.
	 * @return string
	 * @throws Exception If invalid. WooCommerce shows the message and keeps the old value.
	 */
	private static function valid_key( $value, $prefix ) {
		$value = trim( wp_unslash( (string) $value ) );
		if ( '' !== $value && ! preg_match( '/^' . $prefix . '[A-Za-z0-9_-]+$/D', $value ) ) {
			/* translators: %s: how a key begins. */
			throw new Exception( sprintf( __( 'This key does not begin with %s. Copy the whole key that you received from the person who runs Momo Kiosk.', 'momo-kiosk' ), $prefix ) );
		}
		return $value;
	}

	/**
	 * Validates the time to pay: 5 minutes to a week.
	 *
	 * @param string $key   The field.
	 * @param string $value The submitted value.
	 * @return string
	 * @throws Exception If invalid. WooCommerce shows the message and keeps the old value.
	 */
	public function validate_minutes_field( $key, $value ) {
		$value = trim( wp_unslash( (string) $value ) );
		if ( ! preg_match( '/^\d{1,5}$/D', $value ) || (int) $value < 5 || (int) $value > 10080 ) {
			throw new Exception( __( 'Time to pay: enter minutes, from 5 to 10080.', 'momo-kiosk' ) );
		}
		return $value;
	}
}
