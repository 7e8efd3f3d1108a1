<?php
/**
 * Plugin Name: Momo Kiosk for WooCommerce
 * Description: Customers pay by mobile money to your own MoMo number. Needs a Momo Kiosk service, which you or your developer run.
 * Version: 1.1.0
 * Requires at least: 6.5
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 9.0
 * WC tested up to: 11.0
 * License: MIT
 * License URI: https://opensource.org/license/mit
 * Text Domain: momo-kiosk
 * Domain Path: /languages
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

define( 'MOMO_KIOSK_VERSION', '1.1.0' );
define( 'MOMO_KIOSK_FILE', __FILE__ );

require_once __DIR__ . '/includes/class-momo-kiosk-money.php';
require_once __DIR__ . '/includes/class-momo-kiosk-signature.php';
require_once __DIR__ . '/includes/class-momo-kiosk-plan.php';
require_once __DIR__ . '/includes/class-momo-kiosk-settings.php';
require_once __DIR__ . '/includes/class-momo-kiosk-api-error.php';
require_once __DIR__ . '/includes/class-momo-kiosk-trouble.php';
require_once __DIR__ . '/includes/class-momo-kiosk-api.php';
require_once __DIR__ . '/includes/class-momo-kiosk-charges.php';
require_once __DIR__ . '/includes/class-momo-kiosk-orders.php';
require_once __DIR__ . '/includes/class-momo-kiosk-webhook.php';
require_once __DIR__ . '/includes/class-momo-kiosk-schedule.php';
require_once __DIR__ . '/includes/class-momo-kiosk-receiver.php';
require_once __DIR__ . '/includes/class-momo-kiosk-check.php';
require_once __DIR__ . '/includes/class-momo-kiosk-admin.php';

add_action( 'before_woocommerce_init', 'momo_kiosk_declare_compatibility' );
add_action( 'plugins_loaded', 'momo_kiosk_load' );
register_deactivation_hook( __FILE__, array( 'Momo_Kiosk_Schedule', 'stop' ) );

/** Declares compatibility with order tables (HPOS) and the checkout block. */
function momo_kiosk_declare_compatibility() {
	if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', __FILE__, true );
		\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', __FILE__, true );
	}
}

/** Registers the plugin's parts, if WooCommerce is active. */
function momo_kiosk_load() {
	if ( ! class_exists( 'WooCommerce' ) ) {
		return;
	}
	require_once __DIR__ . '/includes/class-momo-kiosk-gateway.php';

	add_action(
		'init',
		static function () {
			load_plugin_textdomain( 'momo-kiosk', false, dirname( plugin_basename( MOMO_KIOSK_FILE ) ) . '/languages' );
		},
		1
	);
	Momo_Kiosk_Charges::register();
	add_filter(
		'woocommerce_payment_gateways',
		static function ( $gateways ) {
			$gateways[] = 'Momo_Kiosk_Gateway';
			return $gateways;
		}
	);
	add_action(
		'woocommerce_blocks_payment_method_type_registration',
		static function ( $registry ) {
			require_once __DIR__ . '/includes/class-momo-kiosk-blocks.php';
			$registry->register( new Momo_Kiosk_Blocks() );
		}
	);
	add_action(
		'woocommerce_create_refund',
		static function ( $refund ) {
			Momo_Kiosk_Gateway::$refund = $refund;
		}
	);
	add_filter( 'woocommerce_pre_delete_order_refund', array( 'Momo_Kiosk_Orders', 'note_deleted_refund' ), PHP_INT_MAX, 2 );
	Momo_Kiosk_Receiver::register();
	Momo_Kiosk_Schedule::register();
	Momo_Kiosk_Admin::register();
}
