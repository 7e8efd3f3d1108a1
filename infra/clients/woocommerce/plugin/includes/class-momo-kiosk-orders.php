<?php
/**
 * Orders and their charges.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

use Automattic\WooCommerce\Caches\OrderCache;
use Automattic\WooCommerce\Checkout\Helpers\ReserveStock;
use Automattic\WooCommerce\Checkout\Helpers\ReserveStockException;
use Automattic\WooCommerce\Utilities\OrderUtil;

/**
 * Makes all changes to orders. Each change holds the order's lock and reads the charge from the API first. Events, the
 * hourly check and returning customers may therefore coincide in any order.
 */
final class Momo_Kiosk_Orders {

	/** Seconds to keep goods reserved after a charge expires. The API reports the expiry a few minutes later. */
	const NOTICED_WITHIN = 15 * MINUTE_IN_SECONDS;

	/** Minimum remaining seconds to reuse a payment page. */
	const WORTH_RETURNING_TO = 5 * MINUTE_IN_SECONDS;

	/** The meta key for the service's refund id. */
	const REFUND = '_momo_kiosk_refund';

	/**
	 * Checks a charge at the API and updates its order.
	 *
	 * @param string $reference    The charge.
	 * @param int    $patience     Seconds to wait for the order's lock and for the response.
	 * @return string The charge's state, including whether its payment is unverified. Empty for another shop's charge.
	 * @throws Momo_Kiosk_Api_Error If the API fails or the order stays locked. Try again later.
	 */
	public static function look( $reference, $patience = 15 ) {
		$row = Momo_Kiosk_Charges::find( $reference );
		if ( ! $row ) {
			return '';
		}
		return self::with_lock(
			(int) $row->order_id,
			$patience,
			static function () use ( $reference, $patience ) {
				$row = Momo_Kiosk_Charges::find( $reference );
				$api = new Momo_Kiosk_Api( (bool) $row->livemode, $patience );
				try {
					$charge = $api->get( '/api/v1/transaction/verify/' . rawurlencode( $reference ) );
				} catch ( Momo_Kiosk_Api_Error $error ) {
					if ( 'not_found' === $error->api_code ) {
						// The charge may be a test that was deleted after a month, or the settings may be wrong.
						Momo_Kiosk_Charges::look_at( $reference, Momo_Kiosk_Charges::next_look( 'unknown', (int) $row->created_at, (int) $row->created_at, time() ) );
						self::log( "$reference is unknown to the Momo Kiosk and the key that are set now." );
						return (string) $row->state;
					}
					throw $error;
				}
				self::apply( $row, $charge );
				return $charge['status'] . ( Momo_Kiosk_Plan::is_verified( $charge ) ? '' : ', ' . __( 'not verified', 'momo-kiosk' ) );
			}
		);
	}

	/**
	 * Returns the URL of an order's payment page. Reuses the last page if it is still valid.
	 *
	 * @param WC_Order $order The order.
	 * @return string The URL, or the order's own URL if it is already paid or on hold.
	 * @throws Momo_Kiosk_Api_Error If the API fails.
	 * @throws Exception If the goods cannot be reserved or the amount is invalid.
	 */
	public static function page( $order ) {
		$id = $order->get_id();
		return self::with_lock(
			$id,
			15,
			static function () use ( $order, $id ) {
				$amount = Momo_Kiosk_Money::pesewas( $order->get_total() );
				if ( null === $amount ) {
					/* translators: %s: an amount. */
					throw new Exception( sprintf( __( '%s cannot be paid by mobile money: it has a fraction of a pesewa.', 'momo-kiosk' ), $order->get_total() ) );
				}
				self::reserve( $order );
				$api  = new Momo_Kiosk_Api( Momo_Kiosk_Settings::is_live() );
				$rows = Momo_Kiosk_Charges::of_order( $id );
				foreach ( $rows as $row ) {
					if ( 'pending' !== $row->state || Momo_Kiosk_Settings::is_live() !== (bool) $row->livemode ) {
						continue;
					}
					$charge = $api->get( '/api/v1/transaction/verify/' . $row->reference );
					self::apply( $row, $charge );
					// An order that is on hold was paid, but a person must check the payment or the amount.
					if ( ! self::fresh( $id )->needs_payment() ) {
						return self::fresh( $id )->get_checkout_order_received_url();
					}
					if ( 'pending' !== $charge['status'] ) {
						continue;
					}
					$has_time = (int) $row->expires_at > time() + self::WORTH_RETURNING_TO;
					if ( (int) $row->amount === $amount && ( $has_time || $charge['amount_paid'] > 0 ) ) {
						return $row->page;
					}
					// The page has an outdated amount, or would close while the customer pays.
					self::cancel_charge( $api, $row );
				}
				$charge = self::make( $api, $order, $amount, count( $rows ) );
				if ( ! Momo_Kiosk_Charges::add( $id, $charge ) ) {
					throw new Exception( __( 'The payment could not be prepared, because the database did not store it. Please try again.', 'momo-kiosk' ) );
				}
				$order->update_meta_data( '_momo_kiosk_reference', $charge['reference'] );
				$order->save_meta_data();
				self::note(
					$order,
					sprintf(
						/* translators: 1: an amount, 2: a reference such as MK-4071932685, 3: a time. */
						__( 'The customer can pay %1$s as %2$s until %3$s.', 'momo-kiosk' ),
						Momo_Kiosk_Money::words( $amount ),
						$charge['reference'],
						wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), strtotime( $charge['expires_at'] ) )
					) . ( $charge['livemode'] ? '' : ' ' . __( 'This is a test: no money is involved.', 'momo-kiosk' ) )
				);
				return $charge['authorization_url'];
			}
		);
	}

	/**
	 * Cancels the charge of an order that was cancelled or paid another way, unless the charge is paid first.
	 *
	 * @param string $reference The charge.
	 * @throws Momo_Kiosk_Api_Error If the API fails.
	 */
	public static function cancel( $reference ) {
		$row = Momo_Kiosk_Charges::find( $reference );
		if ( ! $row || Momo_Kiosk_Settings::is_copy() ) {
			return;
		}
		self::with_lock(
			(int) $row->order_id,
			15,
			static function () use ( $reference ) {
				$row   = Momo_Kiosk_Charges::find( $reference );
				$order = self::fresh( (int) $row->order_id );
				if ( 'pending' === $row->state && ( ! $order || $order->is_paid() || $order->has_status( array( 'cancelled', 'trash' ) ) ) ) {
					self::cancel_charge( new Momo_Kiosk_Api( (bool) $row->livemode ), $row );
				}
			}
		);
	}

	/**
	 * Records a refund with the service. Moves no money.
	 *
	 * @param WC_Order        $order  The order.
	 * @param WC_Order_Refund $refund The shop's refund.
	 * @param int             $amount The amount in pesewas.
	 * @param string          $reason The merchant's reason.
	 * @throws Momo_Kiosk_Api_Error If the API rejects the request.
	 * @throws Exception If the order has no payment.
	 */
	public static function refund( $order, $refund, $amount, $reason ) {
		self::with_lock(
			$order->get_id(),
			15,
			static function () use ( $order, $refund, $amount, $reason ) {
				foreach ( Momo_Kiosk_Charges::of_order( $order->get_id() ) as $row ) {
					if ( 'success' !== $row->state ) {
						continue;
					}
					$api  = new Momo_Kiosk_Api( (bool) $row->livemode );
					$body = array( 'amount' => Momo_Kiosk_Money::decimal( $amount ) );
					if ( '' !== $reason ) {
						$body['reason'] = mb_substr( $reason, 0, 200 );
					}
					$charge = $api->get( '/api/v1/transaction/verify/' . $row->reference );
					$noted  = Momo_Kiosk_Plan::noted_refund( $charge, $amount, self::refunds_of( $order ) );
					if ( '' === $noted ) {
						$charge = $api->send( 'POST', "/api/v1/transaction/{$row->reference}/refund", $body, self::key( array( 'refund', $row->reference, $refund->get_id() ) ) );
						$noted  = end( $charge['refunds'] )['refund_id'];
					}
					$refund->update_meta_data( self::REFUND, $noted );
					$refund->save_meta_data();
					self::apply( $row, $charge );
					return;
				}
				throw new Exception( __( 'No mobile-money payment for this order is known. Refund it by hand.', 'momo-kiosk' ) );
			}
		);
	}

	/**
	 * Notes on an order that a refund was deleted. Its money may have been sent.
	 *
	 * @param mixed           $check  The filter's value, returned unchanged.
	 * @param WC_Order_Refund $refund The refund.
	 * @return mixed
	 */
	public static function note_deleted_refund( $check, $refund ) {
		$order = $refund->get_meta( self::REFUND ) ? wc_get_order( $refund->get_parent_id() ) : null;
		if ( null === $check && $order ) {
			self::note(
				$order,
				sprintf(
					/* translators: %s: an amount. */
					__( 'The refund of %s was deleted in the shop, but is still recorded at Momo Kiosk. Withdraw it there, unless the money was sent or the order is refunded again.', 'momo-kiosk' ),
					Momo_Kiosk_Money::words( (int) Momo_Kiosk_Money::pesewas( $refund->get_amount() ) )
				)
			);
		}
		return $check;
	}

	/**
	 * Lists the service's ids of an order's refunds.
	 *
	 * @param WC_Order $order The order.
	 * @return string[]
	 */
	private static function refunds_of( $order ) {
		return array_map(
			static function ( $refund ) {
				return (string) $refund->get_meta( self::REFUND );
			},
			wc_get_orders(
				array(
					'type'   => 'shop_order_refund',
					'parent' => $order->get_id(),
					'limit'  => -1,
				)
			)
		);
	}

	/**
	 * Notes on an order that its payment is held for review.
	 *
	 * @param object $row     The charge's row.
	 * @param array  $receipt The receipt, as returned by the API.
	 * @throws Momo_Kiosk_Api_Error If the order stays locked.
	 */
	public static function note_held( $row, array $receipt ) {
		if ( in_array( Momo_Kiosk_Plan::held( $receipt )['fact'], Momo_Kiosk_Charges::told( $row ), true ) ) {
			return;
		}
		self::with_lock(
			(int) $row->order_id,
			15,
			static function () use ( $row, $receipt ) {
				$row   = Momo_Kiosk_Charges::find( $row->reference );
				$step  = Momo_Kiosk_Plan::held( $receipt );
				$order = self::fresh( (int) $row->order_id );
				if ( $order && ! in_array( $step['fact'], Momo_Kiosk_Charges::told( $row ), true ) ) {
					self::note( $order, $step['note'] );
					Momo_Kiosk_Charges::tell( $row, $step['fact'] );
				}
			}
		);
	}

	/**
	 * Adds a note to an order. WooCommerce shows a note as HTML, and a note may quote a payer's name.
	 *
	 * @param WC_Order $order The order.
	 * @param string   $note  Plain text.
	 */
	public static function note( $order, $note ) {
		$order->add_order_note( esc_html( $note ) );
	}

	/**
	 * Writes to the log under WooCommerce, Status, Logs. Never log customer data.
	 *
	 * @param string $message The message.
	 */
	public static function log( $message ) {
		wc_get_logger()->warning( $message, array( 'source' => 'momo-kiosk' ) );
	}

	/**
	 * Returns an idempotency key for this shop's request.
	 *
	 * @param array $parts Values that identify the request.
	 * @return string
	 */
	private static function key( array $parts ) {
		return 'woo-' . hash( 'sha256', wp_json_encode( array( Momo_Kiosk_Settings::home(), wp_salt(), $parts ) ) );
	}

	/**
	 * Creates a charge. Leaves out customer details that the service rejects.
	 *
	 * @param Momo_Kiosk_Api $api    The live or test API.
	 * @param WC_Order       $order  The order.
	 * @param int            $amount The amount in pesewas.
	 * @param int            $before Number of the order's earlier charges.
	 * @return array The new charge.
	 * @throws Momo_Kiosk_Api_Error If the API rejects the request.
	 */
	private static function make( $api, $order, $amount, $before ) {
		$body     = array_filter(
			array(
				'amount'             => Momo_Kiosk_Money::decimal( $amount ),
				'currency'           => $order->get_currency(),
				'customer_name'      => mb_substr( trim( $order->get_formatted_billing_full_name() ), 0, 100 ),
				'email'              => $order->get_billing_email(),
				// The checkout block stores the phone with the delivery address.
				'customer_phone'     => $order->get_billing_phone() ? $order->get_billing_phone() : $order->get_shipping_phone(),
				'callback_url'       => self::return_url( $order ),
				/* translators: 1: an order's number, 2: the shop's name. */
				'description'        => mb_substr( sprintf( __( 'Order %1$s, %2$s', 'momo-kiosk' ), $order->get_order_number(), wp_specialchars_decode( get_bloginfo( 'name' ), ENT_QUOTES ) ), 0, 500 ),
				'merchant_reference' => mb_substr( (string) $order->get_order_number(), 0, 100 ),
				'expires_in'         => Momo_Kiosk_Settings::expires_in(),
				'metadata'           => array(
					'woocommerce_order_id' => $order->get_id(),
					'shop'                 => Momo_Kiosk_Settings::home(),
				),
			)
		);
		$optional = array( 'customer_name', 'email', 'customer_phone', 'callback_url' );
		$post     = static function ( $body ) use ( $api, $order, $before ) {
			return $api->send( 'POST', '/api/v1/transaction/initialize', $body, self::key( array( 'charge', $order->get_id(), $before, $body ) ) );
		};
		try {
			return $post( $body );
		} catch ( Momo_Kiosk_Api_Error $error ) {
			$refused = array_intersect( $optional, $error->fields );
			if ( ! $refused || array_diff( $error->fields, $optional ) ) {
				throw $error;
			}
			return $post( array_diff_key( $body, array_flip( $refused ) ) );
		}
	}

	/**
	 * Returns the URL for the customer's return after paying. That page checks the charge before it
	 * shows the order.
	 *
	 * @param WC_Order $order The order.
	 * @return string Empty if the service would reject it: live charges require https.
	 */
	private static function return_url( $order ) {
		$url  = Momo_Kiosk_Receiver::address( 'momo_kiosk_return', $order );
		$test = ! Momo_Kiosk_Settings::is_live() && Momo_Kiosk_Settings::is_on_this_machine( $url );
		return 0 === strpos( $url, 'https://' ) || $test ? $url : '';
	}

	/**
	 * Reserves the goods while the charge can be paid, if the shop does so for unpaid orders.
	 *
	 * @param WC_Order $order The order.
	 * @throws Exception If goods are out of stock. The message is for the customer.
	 */
	private static function reserve( $order ) {
		if ( ! absint( get_option( 'woocommerce_hold_stock_minutes' ) ) || 'yes' !== get_option( 'woocommerce_manage_stock' ) ) {
			return;
		}
		if ( $order->get_data_store()->get_stock_reduced( $order->get_id() ) ) {
			// The stock is still reduced after a reversed payment.
			return;
		}
		$minutes = intdiv( Momo_Kiosk_Settings::expires_in() + self::NOTICED_WITHIN, MINUTE_IN_SECONDS );
		try {
			( new ReserveStock() )->reserve_stock_for_order( $order, $minutes );
		} catch ( ReserveStockException $error ) {
			// If the customer clicks twice in a second, WooCommerce mistakes the unchanged row for missing goods.
			( new ReserveStock() )->reserve_stock_for_order( $order, $minutes + 1 );
		}
	}

	/**
	 * Cancels a charge and updates its order. Requires the order's lock.
	 *
	 * @param Momo_Kiosk_Api $api The live or test API.
	 * @param object         $row The charge's row.
	 * @throws Momo_Kiosk_Api_Error If the API fails.
	 */
	private static function cancel_charge( $api, $row ) {
		try {
			$charge = $api->send( 'POST', "/api/v1/transaction/{$row->reference}/cancel", null, self::key( array( 'cancel', $row->reference ) ) );
		} catch ( Momo_Kiosk_Api_Error $error ) {
			if ( 'charge_not_pending' !== $error->api_code ) {
				throw $error;
			}
			$charge = $api->get( '/api/v1/transaction/verify/' . $row->reference );
		}
		self::apply( $row, $charge );
	}

	/**
	 * Applies a charge's steps to its order. Requires the order's lock.
	 *
	 * @param object $row    The charge's row.
	 * @param array  $charge The charge, as returned by the API.
	 * @throws Exception If the order could not be changed. The check is repeated later.
	 */
	private static function apply( $row, array $charge ) {
		$order = self::fresh( (int) $row->order_id );
		if ( ! $order ) {
			if ( 'success' === $charge['status'] && ! in_array( 'without_order', Momo_Kiosk_Charges::told( $row ), true ) ) {
				Momo_Kiosk_Charges::tell( $row, 'without_order' );
				self::log( "{$row->reference} was paid, but its order {$row->order_id} does not exist any more." );
			}
			Momo_Kiosk_Charges::saw( $row, $charge );
			return;
		}
		foreach ( Momo_Kiosk_Plan::steps( $charge, self::facts( $order, $row ), Momo_Kiosk_Charges::told( $row ) ) as $step ) {
			self::take( $order, $row, $step );
			Momo_Kiosk_Charges::tell( $row, $step['fact'] );
		}
		Momo_Kiosk_Charges::saw( $row, $charge );
	}

	/**
	 * Applies one step.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param array    $step  The step from Momo_Kiosk_Plan.
	 * @throws Exception If the order could not be changed.
	 */
	private static function take( $order, $row, array $step ) {
		if ( '' !== $step['transaction_id'] && $step['transaction_id'] !== $order->get_transaction_id() ) {
			Momo_Kiosk_Charges::tell( $row, Momo_Kiosk_Plan::given( $step['transaction_id'] ) );
			$order->set_transaction_id( $step['transaction_id'] );
			$order->save();
		}
		switch ( $step['do'] ) {
			case Momo_Kiosk_Plan::PAY:
				self::pay( $order, $row, $step );
				break;
			case Momo_Kiosk_Plan::HOLD:
				self::set_status( $order, $row, $step, 'on-hold' );
				break;
			case Momo_Kiosk_Plan::HOLD_WITHOUT_STOCK:
				// The stock is reduced when a person sets the order to processing.
				self::with_filter(
					'woocommerce_payment_complete_reduce_order_stock',
					'__return_false',
					static function () use ( $order, $row, $step ) {
						self::set_status( $order, $row, $step, 'on-hold' );
					}
				);
				break;
			case Momo_Kiosk_Plan::FAIL:
				self::set_status( $order, $row, $step, 'failed' );
				break;
			case Momo_Kiosk_Plan::REMIND:
				self::remind( $order, $row, $step );
				break;
			default:
				self::note( $order, $step['note'] );
		}
	}

	/**
	 * Marks an order as paid. For a paid order, WooCommerce only completes unfinished work.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param array    $step  The step from Momo_Kiosk_Plan.
	 * @throws Exception If WooCommerce rejects the change.
	 */
	private static function pay( $order, $row, array $step ) {
		$status = $order->get_status();
		self::take_stock( $order );
		self::with_filter(
			'woocommerce_payment_complete_order_status',
			static function ( $next ) use ( $status ) {
				return in_array( $status, Momo_Kiosk_Plan::UNPAID, true ) ? $next : $status;
			},
			static function () use ( $order, $row, $step ) {
				self::change(
					$order,
					$row,
					$step['fact'],
					static function () use ( $order, $step ) {
						$order->payment_complete( $step['transaction_id'] );
					}
				);
			}
		);
		if ( in_array( $order->get_status(), array( 'pending', 'failed', 'cancelled' ), true ) ) {
			throw new Exception( esc_html( "Order {$order->get_id()} could not be set to paid." ) );
		}
		Momo_Kiosk_Charges::tell( $row, Momo_Kiosk_Plan::moved( Momo_Kiosk_Plan::PAY ) );
		self::note( $order, $step['note'] );
	}

	/**
	 * Sets an order's status with a note.
	 *
	 * @param WC_Order $order  The order.
	 * @param object   $row    The charge's row.
	 * @param array    $step   The step from Momo_Kiosk_Plan.
	 * @param string   $status The status.
	 * @throws Exception If WooCommerce rejects the change.
	 */
	private static function set_status( $order, $row, array $step, $status ) {
		if ( $order->has_status( $status ) && '' === Momo_Kiosk_Plan::begun( $step['fact'], Momo_Kiosk_Charges::told( $row ) ) ) {
			self::note( $order, $step['note'] );
			return;
		}
		if ( 'on-hold' === $status ) {
			Momo_Kiosk_Charges::tell( $row, Momo_Kiosk_Plan::moved( Momo_Kiosk_Plan::HOLD ) );
			self::take_stock( $order );
		}
		self::change(
			$order,
			$row,
			$step['fact'],
			static function () use ( $order, $step, $status ) {
				if ( ! $order->update_status( $status, esc_html( $step['note'] ) ) ) {
					throw new Exception( esc_html( "Order {$order->get_id()} could not be set to $status." ) );
				}
			}
		);
	}

	/**
	 * E-mails the customer a link to the payment page, unless the merchant has disabled the reminder.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param array    $step  The step from Momo_Kiosk_Plan.
	 */
	private static function remind( $order, $row, array $step ) {
		self::change(
			$order,
			$row,
			$step['fact'],
			static function () use ( $order, $step ) {
				$emails = WC()->mailer()->get_emails();
				if ( isset( $emails['Momo_Kiosk_Email'] ) && $emails['Momo_Kiosk_Email']->trigger( $order ) ) {
					self::note( $order, $step['note'] );
				}
			}
		);
	}

	/**
	 * Changes an order completely, even if the process dies. WooCommerce saves the new status before it sends e-mails and
	 * calls other plugins. The previous status is therefore recorded first, and a later process repeats the change from
	 * there. E-mails are not sent twice.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param string   $fact  The fact that causes the change.
	 * @param callable $work  The change to the order.
	 */
	private static function change( $order, $row, $fact, $work ) {
		$before = Momo_Kiosk_Plan::begun( $fact, Momo_Kiosk_Charges::told( $row ) );
		if ( '' === $before ) {
			$before = $order->get_status();
		}
		Momo_Kiosk_Charges::tell( $row, "begun:$fact:$before" );
		// Restores the earlier status in memory only.
		$order->set_object_read( false );
		$order->set_status( $before );
		$order->set_object_read( true );
		self::with_filter(
			'woocommerce_mail_callback',
			static function ( $send, $email = null ) use ( $order, $row, $fact ) {
				if ( ! $email instanceof WC_Email || ! $email->object instanceof WC_Order || $email->object->get_id() !== $order->get_id() ) {
					return $send;
				}
				$sent = "mail:$fact:{$email->id}";
				if ( in_array( $sent, Momo_Kiosk_Charges::told( $row ), true ) ) {
					return '__return_true';
				}
				return static function ( ...$mail ) use ( $send, $row, $sent ) {
					$is_sent = $send( ...$mail );
					if ( $is_sent ) {
						Momo_Kiosk_Charges::tell( $row, $sent );
					}
					return $is_sent;
				};
			},
			$work
		);
	}

	/**
	 * Reduces the stock for an order, unless already done. A transaction per item covers both the reduction and
	 * WooCommerce's mark on the item. WooCommerce sends e-mails about the stock only after the last
	 * item.
	 *
	 * @param WC_Order $order The order.
	 */
	private static function take_stock( $order ) {
		$begin = static function ( $quantity ) {
			wc_transaction_query( 'start' );
			return $quantity;
		};
		$end   = static function () {
			wc_transaction_query( 'commit' );
		};
		add_filter( 'woocommerce_order_item_quantity', $begin, PHP_INT_MAX );
		add_action( 'woocommerce_reduce_order_item_stock', $end, PHP_INT_MIN );
		try {
			wc_maybe_reduce_stock_levels( $order->get_id() );
		} finally {
			remove_filter( 'woocommerce_order_item_quantity', $begin, PHP_INT_MAX );
			remove_action( 'woocommerce_reduce_order_item_stock', $end, PHP_INT_MIN );
			// Roll back an unfinished transaction, if any.
			wc_transaction_query( 'rollback' );
		}
	}

	/**
	 * Runs work with a temporary filter that is applied last.
	 *
	 * @param string   $hook   The filter's hook.
	 * @param callable $filter The filter.
	 * @param callable $work   The work to run.
	 */
	private static function with_filter( $hook, $filter, $work ) {
		add_filter( $hook, $filter, PHP_INT_MAX, 2 );
		try {
			$work();
		} finally {
			remove_filter( $hook, $filter, PHP_INT_MAX );
		}
	}

	/**
	 * Returns the facts about an order for the plan.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @return array
	 */
	private static function facts( $order, $row ) {
		return array(
			'status'         => $order->get_status(),
			'total'          => Momo_Kiosk_Money::pesewas( $order->get_total() ),
			'currency'       => $order->get_currency(),
			'is_paid'        => $order->is_paid(),
			'transaction_id' => (string) $order->get_transaction_id(),
			'missing'        => self::missing( $order ),
			'is_live'        => Momo_Kiosk_Settings::is_live(),
			'is_ours'        => Momo_Kiosk_Gateway::ID === $order->get_payment_method(),
			'needs_proof'    => 'yes' !== Momo_Kiosk_Settings::get( 'unverified' ) || ! $order->needs_processing() || $order->has_downloadable_item(),
			'waits_seconds'  => time() - (int) $row->created_at,
			'is_reminded'    => Momo_Kiosk_Charges::is_reminded( $order->get_id() ),
		);
	}

	/**
	 * Lists an order's goods that are out of stock, unless the stock was already reduced.
	 *
	 * @param WC_Order $order The order.
	 * @return string[] Their names.
	 */
	private static function missing( $order ) {
		$missing = array();
		$wanted  = array();
		if ( 'yes' !== get_option( 'woocommerce_manage_stock' ) || $order->get_data_store()->get_stock_reduced( $order->get_id() ) ) {
			return $missing;
		}
		foreach ( $order->get_items() as $item ) {
			$product = is_callable( array( $item, 'get_product' ) ) ? $item->get_product() : null;
			if ( ! $product || $item->get_meta( '_reduced_stock' ) || ! $product->managing_stock() || $product->backorders_allowed() ) {
				continue;
			}
			$stock_of            = $product->get_stock_managed_by_id();
			$wanted[ $stock_of ] = ( isset( $wanted[ $stock_of ] ) ? $wanted[ $stock_of ] : 0 ) + $item->get_quantity();
			if ( $wanted[ $stock_of ] > $product->get_stock_quantity() - wc_get_held_stock_quantity( $product, $order->get_id() ) ) {
				$missing[] = $item->get_name();
			}
		}
		return array_unique( $missing );
	}

	/**
	 * Loads an order from the database, bypassing caches.
	 *
	 * @param int $id The order's id.
	 * @return WC_Order|null
	 */
	private static function fresh( $id ) {
		if ( OrderUtil::custom_orders_table_usage_is_enabled() ) {
			wc_get_container()->get( OrderCache::class )->remove( $id );
			$store = WC_Data_Store::load( 'order' );
			if ( $store->has_callable( 'clear_cached_data' ) ) {
				$store->clear_cached_data( array( $id ) );
			}
		}
		clean_post_cache( $id );
		wp_cache_delete( WC_Order::generate_meta_cache_key( $id, 'orders' ), 'orders' );
		$order = wc_get_order( $id );
		return $order instanceof WC_Order ? $order : null;
	}

	/**
	 * Runs work on an order under its lock.
	 *
	 * @param int      $order_id The order.
	 * @param int      $patience Seconds to wait.
	 * @param callable $work     The work to run.
	 * @return mixed The result of the work.
	 * @throws Momo_Kiosk_Api_Error If the order stays locked.
	 */
	private static function with_lock( $order_id, $patience, $work ) {
		global $wpdb;
		// All shops on a database server share lock names. The server frees a dead process's lock.
		$name = 'momo_kiosk_' . substr( md5( DB_NAME . $wpdb->prefix ), 0, 12 ) . "_$order_id";
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- a lock is not a row, so there is nothing to cache.
		$answer = $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, %d)', $name, $patience ) );
		if ( '0' === (string) $answer ) {
			throw new Momo_Kiosk_Api_Error( 'busy', __( 'Another request is working on this order.', 'momo-kiosk' ) );
		}
		// Null if the database has no locks, such as SQLite in WordPress Playground, which runs one process at a time.
		try {
			return $work();
		} finally {
			if ( null !== $answer ) {
				// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- as above.
				$wpdb->query( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', $name ) );
			}
		}
	}
}
