<?php
/**
 * The reminder e-mail.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Reminds customers who left before paying. The merchant can change or disable it among WooCommerce's e-mails. */
final class Momo_Kiosk_Email extends WC_Email {

	/** Sets the name and description. */
	public function __construct() {
		$this->id             = 'momo_kiosk_reminder';
		$this->customer_email = true;
		$this->title          = __( 'Mobile money: the payment page', 'momo-kiosk' );
		$this->description    = __( 'Sent once to customers who chose mobile money and have not paid ten minutes later. It contains a link to the payment page.', 'momo-kiosk' );
		$this->placeholders   = array( '{order_number}' => '' );
		parent::__construct();
	}

	/**
	 * Returns the default subject.
	 *
	 * @return string
	 */
	public function get_default_subject() {
		return __( 'Your order {order_number} at {site_title} is waiting for your payment', 'momo-kiosk' );
	}

	/**
	 * Returns the default heading.
	 *
	 * @return string
	 */
	public function get_default_heading() {
		return __( 'Pay for your order', 'momo-kiosk' );
	}

	/**
	 * Sends the e-mail.
	 *
	 * @param WC_Order $order The order.
	 * @return bool True if it was sent.
	 */
	public function trigger( $order ) {
		$this->setup_locale();
		$this->object                         = $order;
		$this->recipient                      = $order->get_billing_email();
		$this->placeholders['{order_number}'] = $order->get_order_number();

		$is_sent = $this->is_enabled() && $this->get_recipient()
			&& $this->send( $this->get_recipient(), $this->get_subject(), $this->get_content(), $this->get_headers(), $this->get_attachments() );
		$this->restore_locale();
		return $is_sent;
	}

	/**
	 * Returns the content as HTML.
	 *
	 * @return string
	 */
	public function get_content_html() {
		list( $before, $after ) = $this->paragraphs();
		return WC()->mailer()->wrap_message(
			$this->get_heading(),
			'<p>' . esc_html( $before ) . '</p><p><a href="' . esc_url( $this->address() ) . '">' . esc_html__( 'Open the payment page', 'momo-kiosk' ) . '</a></p><p>' . esc_html( $after ) . '</p>' . wp_kses_post( $this->get_additional_content() )
		);
	}

	/**
	 * Returns the content as plain text.
	 *
	 * @return string
	 */
	public function get_content_plain() {
		list( $before, $after ) = $this->paragraphs();
		return implode( "\n\n", array_filter( array( $before, $this->address(), $after, wp_strip_all_tags( $this->get_additional_content() ) ) ) );
	}

	/**
	 * Returns the paragraphs before and after the URL.
	 *
	 * @return string[] Two.
	 */
	private function paragraphs() {
		return array(
			sprintf(
				/* translators: 1: an order's number, 2: an amount. */
				__( 'Your order %1$s for %2$s is waiting for your payment by mobile money. This page shows the number to pay to:', 'momo-kiosk' ),
				$this->object->get_order_number(),
				Momo_Kiosk_Money::words( (int) Momo_Kiosk_Money::pesewas( $this->object->get_total() ) )
			),
			__( 'If you have already paid, do not pay again. Enter the transaction ID of your payment on the same page.', 'momo-kiosk' ),
		);
	}

	/**
	 * Returns the URL that redirects to the payment page while the order is unpaid.
	 *
	 * @return string
	 */
	private function address() {
		return Momo_Kiosk_Receiver::address( 'momo_kiosk_pay', $this->object );
	}
}
