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
 * Makes all changes to orders. Each change holds the order's lock, reads the charge from the API, and only then acts,
 * so that an event, its double, the hourly check and the returning customer may come at once and in any order.
 */
final class Momo_Kiosk_Orders {

	/** Seconds for which goods stay reserved after a charge expires, because the API notices that some minutes later. */
	const NOTICED_WITHIN = 15 * MINUTE_IN_SECONDS;

	/** Seconds that a payment page must remain open to be shown to a returning customer. */
	const WORTH_RETURNING_TO = 5 * MINUTE_IN_SECONDS;

	/** The meta key of a refund's id at the service. */
	const REFUND = '_momo_kiosk_refund';

	/**
	 * Checks a charge at the API and updates its order.
	 *
	 * @param string $reference    The charge.
	 * @param int    $patience     For how many seconds to wait for whoever has the order, and for the answer.
	 * @return string The charge's state, and whether its money is not verified; "" if it is none of this shop's.
	 * @throws Momo_Kiosk_Api_Error If the API does not say, or somebody else has the order for too long: ask again later.
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
						// Tests are deleted after a month. The settings may also name another service or merchant by mistake.
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
	 * The payment page of an order: the earlier one if it is still valid, or a new one.
	 *
	 * @param WC_Order $order The order.
	 * @return string An address. Of the order itself if it turns out to be paid.
	 * @throws Momo_Kiosk_Api_Error If the API does not say.
	 * @throws Exception If the goods cannot be reserved, or the amount cannot be asked for.
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
					if ( 'success' === $charge['status'] && self::fresh( $id )->is_paid() ) {
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
				$order->add_order_note(
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
	 * Cancels a charge whose order was cancelled or paid another way, so that its page says not to pay. Either this or a payment wins.
	 *
	 * @param string $reference The charge.
	 * @throws Momo_Kiosk_Api_Error If the API does not say.
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
	 * Records a refund with the service, which moves no money.
	 *
	 * @param WC_Order        $order  The order.
	 * @param WC_Order_Refund $refund The shop's refund.
	 * @param int             $amount In pesewas.
	 * @param string          $reason The merchant's.
	 * @throws Momo_Kiosk_Api_Error If the API refuses.
	 * @throws Exception If no payment of the order is known.
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
	 * Notes on an order that a refund was deleted: only a person knows if its money was sent.
	 *
	 * @param mixed           $check  What others decided; it is not changed.
	 * @param WC_Order_Refund $refund The refund.
	 * @return mixed
	 */
	public static function note_deleted_refund( $check, $refund ) {
		$order = $refund->get_meta( self::REFUND ) ? wc_get_order( $refund->get_parent_id() ) : null;
		if ( null === $check && $order ) {
			$order->add_order_note(
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
	 * The service's ids of the refunds that an order has.
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
	 * Notes on an order that a payment meant for it is held.
	 *
	 * @param object $row     The charge's row.
	 * @param array  $receipt As the API tells it.
	 * @throws Momo_Kiosk_Api_Error If somebody else has the order for too long.
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
					$order->add_order_note( $step['note'] );
					Momo_Kiosk_Charges::tell( $row, $step['fact'] );
				}
			}
		);
	}

	/**
	 * Writes to the log of WooCommerce, Status, Logs. Nothing about a customer.
	 *
	 * @param string $message A sentence.
	 */
	public static function log( $message ) {
		wc_get_logger()->warning( $message, array( 'source' => 'momo-kiosk' ) );
	}

	/**
	 * An idempotency key for a request of this shop.
	 *
	 * @param array $parts What tells it from others.
	 * @return string
	 */
	private static function key( array $parts ) {
		return 'woo-' . hash( 'sha256', wp_json_encode( array( Momo_Kiosk_Settings::home(), wp_salt(), $parts ) ) );
	}

	/**
	 * Creates a charge. Customer details that the service refuses are left out, so that the sale is not lost.
	 *
	 * @param Momo_Kiosk_Api $api    Of live charges or of tests.
	 * @param WC_Order       $order  The order.
	 * @param int            $amount In pesewas.
	 * @param int            $before How many charges the order had.
	 * @return array The new charge.
	 * @throws Momo_Kiosk_Api_Error If the API refuses.
	 */
	private static function make( $api, $order, $amount, $before ) {
		$body     = array_filter(
			array(
				'amount'             => Momo_Kiosk_Money::decimal( $amount ),
				'currency'           => $order->get_currency(),
				'customer_name'      => mb_substr( trim( $order->get_formatted_billing_full_name() ), 0, 100 ),
				'email'              => $order->get_billing_email(),
				// The checkout block asks for the phone with the delivery address.
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
	 * The address to return to after paying, where the charge is checked before the order is shown.
	 *
	 * @param WC_Order $order The order.
	 * @return string Empty if the service would not go there: live charges return to https only.
	 */
	private static function return_url( $order ) {
		$url  = Momo_Kiosk_Receiver::address( 'momo_kiosk_return', $order );
		$test = ! Momo_Kiosk_Settings::is_live() && Momo_Kiosk_Settings::is_on_this_machine( $url );
		return 0 === strpos( $url, 'https://' ) || $test ? $url : '';
	}

	/**
	 * Reserves the goods while the charge can be paid, if the shop reserves goods for unpaid orders.
	 *
	 * @param WC_Order $order The order.
	 * @throws Exception If they are not there: its message is for the customer.
	 */
	private static function reserve( $order ) {
		if ( ! absint( get_option( 'woocommerce_hold_stock_minutes' ) ) || 'yes' !== get_option( 'woocommerce_manage_stock' ) ) {
			return;
		}
		if ( $order->get_data_store()->get_stock_reduced( $order->get_id() ) ) {
			// The first payment was reversed, and the goods stayed reserved.
			return;
		}
		$minutes = intdiv( Momo_Kiosk_Settings::expires_in() + self::NOTICED_WITHIN, MINUTE_IN_SECONDS );
		try {
			( new ReserveStock() )->reserve_stock_for_order( $order, $minutes );
		} catch ( ReserveStockException $error ) {
			// WooCommerce mistakes an unchanged row for missing goods if the customer presses twice in a second.
			( new ReserveStock() )->reserve_stock_for_order( $order, $minutes + 1 );
		}
	}

	/**
	 * Cancels a charge and updates its order. Needs the order's lock.
	 *
	 * @param Momo_Kiosk_Api $api Of live charges or of tests.
	 * @param object         $row The charge's row.
	 * @throws Momo_Kiosk_Api_Error If the API does not say.
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
	 * Takes the steps that follow from a charge. Needs the order's lock.
	 *
	 * @param object $row    The charge's row.
	 * @param array  $charge As the API tells it.
	 * @throws Exception If the order could not be changed: the look is repeated.
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
	 * Takes one step.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param array    $step  Of Momo_Kiosk_Plan.
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
				// The goods are taken when a person sets the order to processing.
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
				$order->add_order_note( $step['note'] );
		}
	}

	/**
	 * Sets an order to paid. A paid order keeps its status; WooCommerce only completes unfinished work.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param array    $step  Of Momo_Kiosk_Plan.
	 * @throws Exception If WooCommerce did not take it.
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
		$order->add_order_note( $step['note'] );
	}

	/**
	 * Gives an order a status and says why.
	 *
	 * @param WC_Order $order  The order.
	 * @param object   $row    The charge's row.
	 * @param array    $step   Of Momo_Kiosk_Plan.
	 * @param string   $status The status.
	 * @throws Exception If WooCommerce did not take it.
	 */
	private static function set_status( $order, $row, array $step, $status ) {
		if ( $order->has_status( $status ) && '' === Momo_Kiosk_Plan::begun( $step['fact'], Momo_Kiosk_Charges::told( $row ) ) ) {
			$order->add_order_note( $step['note'] );
			return;
		}
		if ( 'on-hold' === $status ) {
			self::take_stock( $order );
		}
		self::change(
			$order,
			$row,
			$step['fact'],
			static function () use ( $order, $step, $status ) {
				if ( ! $order->update_status( $status, $step['note'] ) ) {
					throw new Exception( esc_html( "Order {$order->get_id()} could not be set to $status." ) );
				}
			}
		);
	}

	/**
	 * E-mails the customer the way back to the page to pay on, unless the merchant has disabled that.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param array    $step  Of Momo_Kiosk_Plan.
	 */
	private static function remind( $order, $row, array $step ) {
		self::change(
			$order,
			$row,
			$step['fact'],
			static function () use ( $order, $step ) {
				$emails = WC()->mailer()->get_emails();
				if ( isset( $emails['Momo_Kiosk_Email'] ) && $emails['Momo_Kiosk_Email']->trigger( $order ) ) {
					$order->add_order_note( $step['note'] );
				}
			}
		);
	}

	/**
	 * Changes an order completely, even if the process dies. WooCommerce saves the new status before it sends e-mails
	 * and calls other plugins. So the previous status is recorded first, and a later process that finds the record
	 * repeats the change from there. An e-mail that was sent is not repeated.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The charge's row.
	 * @param string   $fact  Why.
	 * @param callable $work  What WooCommerce is to do.
	 */
	private static function change( $order, $row, $fact, $work ) {
		$before = Momo_Kiosk_Plan::begun( $fact, Momo_Kiosk_Charges::told( $row ) );
		if ( '' === $before ) {
			$before = $order->get_status();
		}
		Momo_Kiosk_Charges::tell( $row, "begun:$fact:$before" );
		// The earlier status is only in this process; the database is not changed.
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
	 * Takes an order's goods from the stock unless they are taken already. WooCommerce takes an item's goods and then
	 * marks the item; one transaction holds both, so that a process that dies in between has taken nothing. It sends
	 * e-mails about the stock only after the last item.
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
			// Ends the transaction of an item that failed halfway, if any.
			wc_transaction_query( 'rollback' );
		}
	}

	/**
	 * Runs work with a filter that WooCommerce applies last.
	 *
	 * @param string   $hook   Its name.
	 * @param callable $filter The filter.
	 * @param callable $work   What to do.
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
	 * The facts about an order for the plan.
	 *
	 * @param WC_Order $order The order.
	 * @param object   $row   The row of the charge that is looked at.
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
	 * Lists an order's goods that are out of stock, unless the stock was taken already.
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
	 * @param int $id The order.
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
	 * @param int      $patience For how many seconds to wait.
	 * @param callable $work     What to do.
	 * @return mixed What it returns.
	 * @throws Momo_Kiosk_Api_Error If somebody else has the order for longer.
	 */
	private static function with_lock( $order_id, $patience, $work ) {
		global $wpdb;
		// Lock names are shared by all shops on the database server. The server frees a dead process's lock.
		$name = 'momo_kiosk_' . substr( md5( DB_NAME . $wpdb->prefix ), 0, 12 ) . "_$order_id";
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- a lock is neither cached nor a row.
		$answer = $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, %d)', $name, $patience ) );
		if ( '0' === (string) $answer ) {
			throw new Momo_Kiosk_Api_Error( 'busy', __( 'Another request is working on this order.', 'momo-kiosk' ) );
		}
		// Null: a database with one process at a time, such as SQLite in WordPress Playground, has no locks and needs none.
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
