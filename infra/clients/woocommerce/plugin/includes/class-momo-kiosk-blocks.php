<?php
/**
 * The checkout block.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** Offers the gateway in the checkout block. */
final class Momo_Kiosk_Blocks extends AbstractPaymentMethodType {

	/**
	 * The gateway's id, which the script uses too.
	 *
	 * @var string
	 */
	protected $name = Momo_Kiosk_Gateway::ID;

	/**
	 * The gateway.
	 *
	 * @var Momo_Kiosk_Gateway|null
	 */
	private $gateway;

	/** Loads the gateway. */
	public function initialize() {
		$gateways      = WC()->payment_gateways()->payment_gateways();
		$this->gateway = isset( $gateways[ $this->name ] ) ? $gateways[ $this->name ] : null;
	}

	/**
	 * Returns true if the gateway is offered to customers.
	 *
	 * @return bool
	 */
	public function is_active() {
		return $this->gateway && $this->gateway->is_available();
	}

	/**
	 * Returns the script that registers the gateway with the block.
	 *
	 * @return string[]
	 */
	public function get_payment_method_script_handles() {
		wp_register_script( 'momo-kiosk-blocks', plugins_url( 'assets/blocks.js', MOMO_KIOSK_FILE ), array( 'wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities' ), MOMO_KIOSK_VERSION, true );
		return array( 'momo-kiosk-blocks' );
	}

	/**
	 * Returns the data for the script.
	 *
	 * @return array
	 */
	public function get_payment_method_data() {
		return array(
			'title'       => $this->gateway ? $this->gateway->get_title() : '',
			'description' => $this->gateway ? $this->gateway->get_description() : '',
			'supports'    => $this->gateway ? array_values( $this->gateway->supports ) : array(),
		);
	}
}
