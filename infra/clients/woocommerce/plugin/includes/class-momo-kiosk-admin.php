<?php
/**
 * The shop's administration.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Links, actions and messages in the shop's administration. */
final class Momo_Kiosk_Admin {

	/** Registers the hooks. */
	public static function register() {
		add_filter( 'plugin_action_links_' . plugin_basename( MOMO_KIOSK_FILE ), array( __CLASS__, 'link_settings' ) );
		add_filter( 'woocommerce_debug_tools', array( __CLASS__, 'offer_look' ) );
		add_filter( 'woocommerce_order_actions', array( __CLASS__, 'offer_look_at_order' ), 10, 2 );
		add_action( 'woocommerce_order_action_momo_kiosk_look', array( __CLASS__, 'look_at_order' ) );
		add_action( 'admin_notices', array( __CLASS__, 'warn_of_copy' ) );
		add_action( 'admin_notices', array( __CLASS__, 'warn_of_trouble' ) );
		add_filter( 'woocommerce_email_classes', array( __CLASS__, 'offer_email' ) );
		add_action( 'admin_init', array( __CLASS__, 'suggest_privacy' ) );
	}

	/**
	 * Returns the URL of the gateway's settings.
	 *
	 * @return string
	 */
	public static function settings_url() {
		return admin_url( 'admin.php?page=wc-settings&tab=checkout&section=momo_kiosk' );
	}

	/**
	 * Adds a link to the settings in the list of plugins.
	 *
	 * @param string[] $links The links.
	 * @return string[]
	 */
	public static function link_settings( $links ) {
		array_unshift( $links, '<a href="' . esc_url( self::settings_url() ) . '">' . esc_html__( 'Settings', 'momo-kiosk' ) . '</a>' );
		return $links;
	}

	/**
	 * Adds the hourly check as a tool under WooCommerce, Status, Tools.
	 *
	 * @param array[] $tools The tools.
	 * @return array[]
	 */
	public static function offer_look( $tools ) {
		$tools['momo_kiosk_look'] = array(
			'name'     => __( 'Unpaid mobile-money orders', 'momo-kiosk' ),
			'button'   => __( 'Check now', 'momo-kiosk' ),
			'desc'     => __( 'Asks Momo Kiosk about every order that is not paid. This also happens automatically at least every hour.', 'momo-kiosk' ),
			'callback' => array( __CLASS__, 'look' ),
		);
		return $tools;
	}

	/**
	 * Checks unpaid orders within the time limit of a request. A scheduled action checks the rest.
	 *
	 * @return string The result.
	 */
	public static function look() {
		Momo_Kiosk_Charges::look_at_unpaid_now();
		$count = Momo_Kiosk_Schedule::sweep( 15 );
		/* translators: %d: a number. */
		return sprintf( _n( '%d charge was checked. If there are more, the shop continues automatically.', '%d charges were checked. If there are more, the shop continues automatically.', $count, 'momo-kiosk' ), $count );
	}

	/**
	 * Adds a check to an order's actions.
	 *
	 * @param string[]      $actions The actions.
	 * @param WC_Order|null $order   The order.
	 * @return string[]
	 */
	public static function offer_look_at_order( $actions, $order = null ) {
		if ( $order instanceof WC_Order && Momo_Kiosk_Charges::of_order( $order->get_id() ) ) {
			$actions['momo_kiosk_look'] = __( 'Ask Momo Kiosk whether it is paid', 'momo-kiosk' );
		}
		return $actions;
	}

	/**
	 * Checks the charges of one order.
	 *
	 * @param WC_Order $order The order.
	 */
	public static function look_at_order( $order ) {
		foreach ( Momo_Kiosk_Charges::of_order( $order->get_id() ) as $row ) {
			try {
				$state = Momo_Kiosk_Orders::look( $row->reference );
				/* translators: 1: a reference such as MK-4071932685, 2: a state such as success. */
				Momo_Kiosk_Orders::note( $order, sprintf( __( 'Momo Kiosk reports for %1$s: %2$s.', 'momo-kiosk' ), $row->reference, $state ) );
			} catch ( Exception $error ) {
				Momo_Kiosk_Orders::note( $order, $row->reference . ': ' . $error->getMessage() );
			}
		}
	}

	/**
	 * Adds the reminder to WooCommerce's e-mails.
	 *
	 * @param WC_Email[] $emails The e-mails.
	 * @return WC_Email[]
	 */
	public static function offer_email( $emails ) {
		require_once __DIR__ . '/class-momo-kiosk-email.php';
		$emails['Momo_Kiosk_Email'] = new Momo_Kiosk_Email();
		return $emails;
	}

	/** Shows a notice on all admin pages when mobile money does not work. */
	public static function warn_of_trouble() {
		foreach ( current_user_can( 'manage_woocommerce' ) ? Momo_Kiosk_Trouble::all() : array() as $words ) {
			printf( '<div class="notice notice-error"><p>%s <a href="%s">%s</a></p></div>', esc_html( $words ), esc_url( self::settings_url() ), esc_html__( 'Settings', 'momo-kiosk' ) );
		}
	}

	/** Warns that the shop's URL has changed. A copy of a shop must not act for the original. */
	public static function warn_of_copy() {
		if ( Momo_Kiosk_Settings::is_copy() && current_user_can( 'manage_woocommerce' ) ) {
			printf(
				'<div class="notice notice-warning"><p>%s <a href="%s">%s</a></p></div>',
				esc_html(
					sprintf(
						/* translators: 1: an address, 2: another address. */
						__( 'Momo Kiosk was set up at %1$s, but this is %2$s. Because this may be a copy of the shop, it cancels no charges and does not change the webhook. If the shop has moved, save the settings.', 'momo-kiosk' ),
						get_option( 'momo_kiosk_home' ),
						Momo_Kiosk_Settings::home()
					)
				),
				esc_url( self::settings_url() ),
				esc_html__( 'Settings', 'momo-kiosk' )
			);
		}
	}

	/** Suggests text for the shop's privacy policy. */
	public static function suggest_privacy() {
		wp_add_privacy_policy_content(
			'Momo Kiosk',
			'<p>' . esc_html__( 'If you pay by mobile money, we pass your name, e-mail address, phone number and order number to our payment service, which uses them to recognise your payment.', 'momo-kiosk' ) . '</p>'
		);
	}
}
