<?php
/**
 * The steps from a charge to its order.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/**
 * Decides the steps for an order from the API's charge and the order's state. Changes nothing itself. Each fact has a
 * name and is applied only once.
 */
final class Momo_Kiosk_Plan {

	/** Marks the order as paid. WooCommerce chooses between processing and completed. */
	const PAY = 'pay';

	/** Puts the order on hold for review. */
	const HOLD = 'hold';

	/** Puts the order on hold without reserving goods that are out of stock. */
	const HOLD_WITHOUT_STOCK = 'hold_without_stock';

	/** Sets the order to failed after a reversal. The order can then be paid again. */
	const FAIL = 'fail';

	/** E-mails the customer a link to the payment page. */
	const REMIND = 'remind';

	/** Only adds a note. */
	const NOTE = 'note';

	/** Steps that move an order. */
	const MOVES = array( self::PAY, self::HOLD, self::HOLD_WITHOUT_STOCK, self::FAIL );

	/** Statuses of unpaid orders. */
	const UNPAID = array( 'pending', 'failed', 'cancelled', 'on-hold', 'checkout-draft' );

	/** Seconds before the reminder. Most customers pay sooner. */
	const REMINDED_AFTER = 10 * MINUTE_IN_SECONDS;

	/** Maximum number of attempts to change an order. After that, something in the shop must be killing the process. */
	const MAX_TRIES = 20;

	/**
	 * Returns the steps to take, in order.
	 * @param array    $charge The charge, as returned by the API.
	 * @param array    $order  The order's `status`, `total` in pesewas (null if invalid), `currency`, `is_paid`,
	 * `transaction_id`, `missing` (goods that are out of stock), `is_live` (true for a live shop), `is_ours` (true if paid
	 * by this plugin), `needs_proof` (true if the order waits for a verified payment), `waits_seconds` (since the charge
	 * was created) and `is_reminded`.
	 * @param string[] $told   Names of the charge's facts applied so far.
	 * @return array[] Steps with `fact`, `do`, `note`, and a `transaction_id` for PAY and HOLD.
	 */
	public static function steps( array $charge, array $order, array $told ) {
		$order['is_decided'] = self::is_decided( $charge, $order, $told );
		if ( self::is_replaced( $charge, $order, $told ) ) {
			$order['transaction_id'] = (string) $charge['payment']['transaction_id'];
		}
		$steps = array_merge(
			self::parts( $charge, $told ),
			self::payment( $charge, $order, $told ),
			self::reminder( $charge, $order ),
			self::unmarked( $charge, $order, $told ),
			self::ending( $charge, $order ),
			self::doubts( $charge, $order, $told ),
			self::refunds( $charge )
		);
		$new = array_filter(
			$steps,
			static function ( $step ) use ( $told ) {
				return ! in_array( $step['fact'], $told, true );
			}
		);
		return array_values( $order['is_decided'] ? array_map( array( __CLASS__, 'as_note' ), $new ) : $new );
	}

	/**
	 * Returns true if the order may no longer be moved, because a person has decided about it: refunds cover the payment, or
	 * somebody has moved the order since this charge's payment did. Fulfilling an order is no such decision, and a pending
	 * order waits for a payment, whoever set it.
	 *
	 * @param array    $charge The charge.
	 * @param array    $order  The order.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return bool
	 */
	private static function is_decided( array $charge, array $order, array $told ) {
		if ( self::is_refunded( $charge ) ) {
			return true;
		}
		if ( ! in_array( self::given( $order['transaction_id'] ), $told, true ) || ! preg_grep( '/^(unverified:|paid)/', $told ) ) {
			return false;
		}
		$moves = preg_grep( '/^moved:/', $told );
		return 'on-hold' === $order['status']
			? self::moved( self::PAY ) === end( $moves )
			: ! in_array( $order['status'], array( 'pending', 'processing', 'completed' ), true );
	}

	/**
	 * Returns true if the recorded refunds cover the charge's payments. A reversed charge has no payments left.
	 *
	 * @param array $charge The charge.
	 * @return bool
	 */
	private static function is_refunded( array $charge ) {
		$refunded = 0;
		foreach ( $charge['refunds'] as $refund ) {
			$refunded += 'withdrawn' === $refund['status'] ? 0 : Momo_Kiosk_Money::from_api( $refund['amount'] );
		}
		$amount = Momo_Kiosk_Money::from_api( $charge['amount'] );
		$paid   = Momo_Kiosk_Money::from_api( $charge['amount_paid'] );
		return $refunded > 0 && $refunded >= ( $paid > 0 ? min( $amount, $paid ) : $amount );
	}

	/**
	 * Returns a step that only adds the note of a given step.
	 *
	 * @param array $step The step.
	 * @return array
	 */
	private static function as_note( array $step ) {
		return in_array( $step['do'], self::MOVES, true ) ? array_merge( $step, array( 'do' => self::NOTE ) ) : $step;
	}

	/**
	 * Names the fact that the plugin moved the order. The latest one shows whether the plugin or a person put it on hold.
	 *
	 * @param string $what PAY or HOLD.
	 * @return string
	 */
	public static function moved( $what ) {
		return "moved:$what";
	}

	/**
	 * Returns true if the order has the id of this charge's earlier payment, which another payment has replaced. The order
	 * is then paid by the new payment. An id from another charge or gateway means that other money paid the order.
	 *
	 * @param array    $charge The charge.
	 * @param array    $order  The order.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return bool
	 */
	private static function is_replaced( array $charge, array $order, array $told ) {
		return ! empty( $charge['payment'] )
			&& $order['transaction_id'] !== (string) $charge['payment']['transaction_id']
			&& in_array( self::given( $order['transaction_id'] ), $told, true );
	}

	/**
	 * Names the fact that an order has the id of this charge's payment.
	 *
	 * @param string $id The payment's transaction id.
	 * @return string
	 */
	public static function given( $id ) {
		return "id:$id";
	}

	/**
	 * Names the fact that a charge's payment is not verified. The name changes once the charge has lost a payment, so the
	 * fact is applied again.
	 *
	 * @param array    $charge The charge.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return string
	 */
	private static function unproven( array $charge, array $told ) {
		return self::since_undone( 'unverified:' . self::id( $charge ), $charge, $told );
	}

	/**
	 * Names the fact that a charge is paid. The name changes like that of an unverified payment: a payment may be removed
	 * after a person found its money.
	 *
	 * @param array    $charge The charge.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return string
	 */
	private static function settled( array $charge, array $told ) {
		return self::since_undone( 'paid', $charge, $told );
	}

	/**
	 * Names a fact so that it is applied again if the charge was paid after Momo Kiosk undid a payment. A charge that stayed
	 * paid by its other payments keeps the name by which the fact was applied.
	 *
	 * @param string   $fact   The fact's name while nothing is undone.
	 * @param array    $charge The charge. Older services do not return `unmarked_at`.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return string
	 */
	private static function since_undone( $fact, array $charge, array $told ) {
		if ( ! empty( $charge['unmarked_at'] ) && ! empty( $charge['paid_at'] ) && $charge['paid_at'] >= $charge['unmarked_at'] ) {
			return "$fact@{$charge['unmarked_at']}";
		}
		$earlier = preg_grep( '/^' . preg_quote( $fact, '/' ) . '(@|$)/', $told );
		return $earlier ? end( $earlier ) : $fact;
	}

	/**
	 * Returns the transaction id of a charge's payment.
	 *
	 * @param array $charge The charge.
	 * @return string Empty if there is none.
	 */
	private static function id( array $charge ) {
		return isset( $charge['payment']['transaction_id'] ) ? (string) $charge['payment']['transaction_id'] : '';
	}

	/**
	 * Returns true if a payment of the charge has begun to pay its order, and was not removed since.
	 *
	 * @param string[] $told Names of the facts applied so far.
	 * @return bool
	 */
	public static function has_begun_paying( array $told ) {
		$begun = preg_grep( '/^(begun:paid[@:]|unmarked:)/', $told );
		return $begun && 0 === strpos( end( $begun ), 'begun:' );
	}

	/**
	 * Returns a note about a held payment that was meant for this order.
	 *
	 * @param array $receipt The receipt, as returned by the API.
	 * @return array A step.
	 */
	public static function held( array $receipt ) {
		$note = sprintf(
			/* translators: 1: an amount, 2: the payer's name, 3: a reference such as MK-4071932685, 4: a word of the API such as charge_expired. */
			__( 'A payment of %1$s from %2$s that was meant for %3$s is held at Momo Kiosk (%4$s).', 'momo-kiosk' ),
			Momo_Kiosk_Money::words( Momo_Kiosk_Money::from_api( $receipt['amount'] ) ),
			$receipt['payer_name'] ? $receipt['payer_name'] : __( 'an unknown payer', 'momo-kiosk' ),
			$receipt['suggested_reference'],
			$receipt['reason']
		);
		if ( $receipt['livemode'] && ! self::is_proven( $receipt ) ) {
			return self::step( 'held_unverified:' . $receipt['id'], self::NOTE, self::look_first( $note ) );
		}
		$advice = 'already_paid' === $receipt['reason']
			? __( 'That charge is already paid, so this may be a second payment. Decide there what to do with it.', 'momo-kiosk' )
			: __( 'Check it there. If it belongs to this order, assign it. The order is then paid.', 'momo-kiosk' );
		return self::step( 'held:' . $receipt['id'], self::NOTE, $note . ' ' . $advice );
	}

	/**
	 * Returns true if all of a charge's money is verified. Always true for tests.
	 *
	 * @param array $charge The charge, as returned by the API. Older services return `proof` only for payments.
	 * @return bool
	 */
	public static function is_verified( array $charge ) {
		if ( ! $charge['livemode'] || Momo_Kiosk_Money::from_api( $charge['amount_paid'] ) <= 0 ) {
			return true;
		}
		if ( array_key_exists( 'proof', $charge ) ) {
			return self::is_proven( $charge );
		}
		foreach ( array_merge( $charge['parts'], array_filter( array( $charge['payment'] ) ) ) as $payment ) {
			if ( ! self::is_proven( $payment ) ) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns true if the service has verified the money. Unknown means unverified.
	 *
	 * @param array $owner A charge, payment, refund or receipt.
	 * @return bool
	 */
	private static function is_proven( array $owner ) {
		return isset( $owner['proof']['state'] ) && 'proven' === $owner['proof']['state'];
	}

	/**
	 * Returns true if the network may have reversed a verified payment without a text. Not even a shop that accepts
	 * unverified payments should deliver then.
	 *
	 * @param array $charge The charge. Older services do not return this reason.
	 * @return bool
	 */
	private static function may_be_reversed( array $charge ) {
		return isset( $charge['proof']['why'] ) && 'reversal_suspected' === $charge['proof']['why'];
	}

	/**
	 * Returns a note about unverified money. The note never suggests a refund, because the payment
	 * message may be forged.
	 *
	 * @param string $note    The note about the payment.
	 * @param bool   $is_cash True if marked as paid in cash.
	 * @return string
	 */
	private static function look_first( $note, $is_cash = false ) {
		if ( $is_cash ) {
			return __( 'Count your cash first: this payment is not verified.', 'momo-kiosk' ) . ' ' . $note;
		}
		return __( 'Check your MoMo balance first: this payment is not verified.', 'momo-kiosk' ) . ' ' . $note;
	}

	/**
	 * Returns the steps for partial payments. A part may also complete a payment that a person accepted as full.
	 *
	 * @param array    $charge The charge.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return array[]
	 */
	private static function parts( array $charge, array $told ) {
		$steps   = array();
		$is_paid = array() !== array_intersect( array( self::settled( $charge, $told ), self::unproven( $charge, $told ) ), $told );
		$all     = array_sum( array_map( array( 'Momo_Kiosk_Money', 'from_api' ), array_column( $charge['parts'], 'amount' ) ) );
		$sum     = $is_paid ? Momo_Kiosk_Money::from_api( $charge['amount_paid'] ) - $all : 0;
		foreach ( $charge['parts'] as $part ) {
			$sum += Momo_Kiosk_Money::from_api( $part['amount'] );
			$note = sprintf(
				/* translators: 1: an amount, 2: what has arrived in all, 3: the whole amount, 4: a network, 5: the network's id of the payment. */
				__( 'A part has arrived: %1$s, which makes %2$s of %3$s in total (%4$s, %5$s).', 'momo-kiosk' ),
				Momo_Kiosk_Money::words( Momo_Kiosk_Money::from_api( $part['amount'] ) ),
				Momo_Kiosk_Money::words( $sum ),
				Momo_Kiosk_Money::words( Momo_Kiosk_Money::from_api( $charge['amount'] ) ),
				$part['network'],
				$part['transaction_id']
			);
			$is_unverified = $charge['livemode'] && ! self::is_proven( $part );
			$steps[]       = self::step( 'part:' . $part['transaction_id'], self::NOTE, $is_unverified ? self::look_first( $note, 'cash' === self::marked( array( 'payment' => $part ) ) ) : $note );
		}
		return $steps;
	}

	/**
	 * Returns the steps for a payment that was not reversed.
	 *
	 * @param array    $charge The charge.
	 * @param array    $order  The order.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return array[]
	 */
	private static function payment( array $charge, array $order, array $told ) {
		if ( 'success' !== $charge['status'] ) {
			return array();
		}
		$id      = self::id( $charge );
		$is_told = in_array( self::settled( $charge, $told ), $told, true );
		if ( ! self::is_verified( $charge ) ) {
			return $is_told ? array() : array( self::unverified( $charge, $order, $told, $id ) );
		}
		$steps = $is_told ? array() : array( self::paid( $charge, $order, $told, $id ) );
		$over  = Momo_Kiosk_Money::from_api( $charge['overpaid'] );
		if ( $over > 0 ) {
			$steps[] = self::step(
				self::since_undone( 'overpaid', $charge, $told ),
				self::NOTE,
				/* translators: %s: an amount. */
				sprintf( __( 'The customer paid %s too much. This money is theirs: record a refund at Momo Kiosk, then send it back from your phone, or agree otherwise.', 'momo-kiosk' ), Momo_Kiosk_Money::words( $over ) )
			);
		}
		$under = Momo_Kiosk_Money::from_api( $charge['amount'] ) - Momo_Kiosk_Money::from_api( $charge['amount_paid'] );
		if ( $under > 0 ) {
			$steps[] = self::step(
				self::since_undone( 'underpaid', $charge, $told ),
				self::NOTE,
				/* translators: %s: an amount. */
				sprintf( __( 'The payment is %s less than the amount. Somebody assigned it by hand at Momo Kiosk.', 'momo-kiosk' ), Momo_Kiosk_Money::words( $under ) )
			);
		}
		return $steps;
	}

	/**
	 * Returns the steps for an unverified payment. Once the payment is verified, paid() decides again.
	 *
	 * @param array    $charge The charge.
	 * @param array    $order  The order.
	 * @param string[] $told   Names of the facts applied so far.
	 * @param string   $id     The payment's transaction id.
	 * @return array A step.
	 */
	private static function unverified( array $charge, array $order, array $told, $id ) {
		$fact = self::unproven( $charge, $told );
		$note = self::look_first( self::arrived( $charge, $id ), 'cash' === self::marked( $charge ) );
		$over = Momo_Kiosk_Money::from_api( $charge['overpaid'] );
		if ( $over > 0 ) {
			/* translators: %s: an amount. */
			$note .= ' ' . sprintf( __( 'That is %s too much.', 'momo-kiosk' ), Momo_Kiosk_Money::words( $over ) );
		}
		$under = Momo_Kiosk_Money::from_api( $charge['amount'] ) - Momo_Kiosk_Money::from_api( $charge['amount_paid'] );
		if ( $under > 0 ) {
			/* translators: %s: an amount. */
			$note .= ' ' . sprintf( __( 'That is %s too little, but somebody accepted it at Momo Kiosk.', 'momo-kiosk' ), Momo_Kiosk_Money::words( $under ) );
		}
		if ( $order['is_decided'] || $order['is_paid'] || ! in_array( $order['status'], self::UNPAID, true ) ) {
			$is_by_it = $id === $order['transaction_id'];
			if ( $order['is_decided'] || ! $is_by_it ) {
				/* translators: %s: a status of orders, such as refunded. */
				$note .= ' ' . sprintf( __( 'The order is already %s.', 'momo-kiosk' ), $order['status'] );
			}
			// The payment that paid the order was removed, and this one took its place before the plugin looked again.
			$is_in_place = $is_by_it && $order['needs_proof'] && ! empty( $charge['unmarked_at'] ) && ! in_array( "unmarked:{$charge['unmarked_at']}", $told, true ) && preg_grep( '/^(unverified:|paid)/', $told );
			$resumed     = $is_by_it && self::is_left( $fact, $order, $told ) ? self::PAY : self::NOTE;
			return self::step( $fact, $is_in_place ? self::HOLD : $resumed, $note, $is_by_it ? $id : '' );
		}
		$amount = Momo_Kiosk_Money::from_api( $charge['amount'] );
		if ( 'GHS' !== $order['currency'] || null === $order['total'] || $amount < $order['total'] ) {
			/* translators: %s: an amount. */
			$note .= ' ' . sprintf( __( 'The order has changed since then: %s was requested.', 'momo-kiosk' ), Momo_Kiosk_Money::words( $amount ) );
		} elseif ( $order['missing'] ) {
			/* translators: %s: names of products. */
			$note .= ' ' . sprintf( __( 'These are out of stock: %s.', 'momo-kiosk' ), implode( ', ', $order['missing'] ) );
		} elseif ( ! $order['needs_proof'] && ! $charge['disputed'] && ! self::may_be_reversed( $charge ) ) {
			return self::step( $fact, self::PAY, $note . ' ' . __( 'The order continues, as you have chosen in the settings.', 'momo-kiosk' ), $id );
		} else {
			$note .= ' ' . __( 'If the money is there, set the order to processing. The order also continues automatically once the payment is verified.', 'momo-kiosk' );
		}
		return self::step( $fact, $order['missing'] ? self::HOLD_WITHOUT_STOCK : self::HOLD, $note, $id );
	}

	/**
	 * Returns the steps for a paid charge.
	 *
	 * @param array    $charge The charge.
	 * @param array    $order  The order.
	 * @param string[] $told   Names of the facts applied so far.
	 * @param string   $id     The payment's transaction id.
	 * @return array A step.
	 */
	private static function paid( array $charge, array $order, array $told, $id ) {
		$arrived = self::arrived( $charge, $id );
		$fact    = self::settled( $charge, $told );
		if ( ! $charge['livemode'] && $order['is_live'] ) {
			return self::step( $fact, self::NOTE, $arrived . ' ' . __( 'This is a test without money, but the shop is no longer in test mode, so the order is not paid.', 'momo-kiosk' ) );
		}
		if ( $order['is_paid'] || ! in_array( $order['status'], self::UNPAID, true ) ) {
			return self::paid_already( $fact, $order, $told, $id, $arrived );
		}
		if ( $order['is_decided'] ) {
			/* translators: %s: a status of orders, such as cancelled. */
			return self::step( $fact, self::NOTE, $arrived . ' ' . sprintf( __( 'The order stays %s, because somebody changed it or recorded a refund since the payment. If you deliver after all, set the order to processing.', 'momo-kiosk' ), $order['status'] ), $id );
		}
		$amount = Momo_Kiosk_Money::from_api( $charge['amount'] );
		if ( 'GHS' !== $order['currency'] || null === $order['total'] || $amount < $order['total'] ) {
			return self::step(
				$fact,
				self::HOLD,
				$arrived . ' ' . sprintf(
					/* translators: %s: an amount. */
					__( 'The order has changed since then: %s was requested. Compare the amounts, then settle the difference with the customer, or set the order to processing.', 'momo-kiosk' ),
					Momo_Kiosk_Money::words( $amount )
				),
				$id
			);
		}
		if ( $charge['disputed'] ) {
			// The fact "disputed" adds a note with the reason.
			return self::step( $fact, self::HOLD, $arrived, $id );
		}
		if ( $order['missing'] ) {
			return self::step(
				$fact,
				self::HOLD_WITHOUT_STOCK,
				$arrived . ' ' . sprintf(
					/* translators: 1: names of products, 2: a status of orders, such as cancelled. */
					__( 'The order was already %2$s, and is not reopened automatically, because these are out of stock: %1$s. If you have them, set the order to processing. If not, send the money back.', 'momo-kiosk' ),
					implode( ', ', $order['missing'] ),
					$order['status']
				),
				$id
			);
		}
		if ( 'cancelled' === $order['status'] || 'failed' === $order['status'] ) {
			/* translators: %s: a status of orders, such as cancelled. */
			$arrived .= ' ' . sprintf( __( 'The order was already %s, and has been reopened.', 'momo-kiosk' ), $order['status'] );
		}
		if ( $amount > $order['total'] ) {
			/* translators: %s: an amount. */
			$arrived .= ' ' . sprintf( __( 'The order has been made smaller since then: %s was requested and paid.', 'momo-kiosk' ), Momo_Kiosk_Money::words( $amount ) );
		}
		return self::step( $fact, self::PAY, $arrived, $id );
	}

	/**
	 * Returns the steps for a payment of a paid order. The same payment resumes unfinished work.
	 *
	 * @param string   $fact    The name of the fact that the charge is paid.
	 * @param array    $order   The order.
	 * @param string[] $told    Names of the facts applied so far.
	 * @param string   $id      The payment's transaction id.
	 * @param string   $arrived The sentence about the payment.
	 * @return array A step.
	 */
	private static function paid_already( $fact, array $order, array $told, $id, $arrived ) {
		if ( $id === $order['transaction_id'] ) {
			$tries = self::tries( $fact, $told );
			if ( $tries >= self::MAX_TRIES ) {
				/* translators: %d: a number. */
				$arrived .= ' ' . sprintf( __( 'WooCommerce was interrupted %d times while it completed the order. Check that its stock was reduced and its e-mails were sent.', 'momo-kiosk' ), $tries );
			}
			return self::step( $fact, self::is_left( $fact, $order, $told ) ? self::PAY : self::NOTE, $arrived, $id );
		}
		if ( '' === $order['transaction_id'] && $order['is_ours'] && in_array( $order['status'], array( 'processing', 'completed' ), true ) ) {
			return self::step( $fact, self::NOTE, $arrived . ' ' . __( 'The order had already been marked as paid. If that was for a different payment, this may be a second one. Check in your MoMo wallet that both arrived and neither was reversed, then send back any excess.', 'momo-kiosk' ), $id );
		}
		return self::step(
			$fact,
			self::NOTE,
			/* translators: %s: a status of orders, such as refunded. */
			$arrived . ' ' . sprintf( __( 'The order is %s and does not need this payment, which may be a second one. Check in your MoMo wallet that both payments arrived and neither was reversed, then send back any excess.', 'momo-kiosk' ), $order['status'] )
		);
	}

	/**
	 * Returns true if WooCommerce may have unfinished work for a paid order.
	 *
	 * @param string   $fact  The fact that marked the order as paid.
	 * @param array    $order The order.
	 * @param string[] $told  Names of the facts applied so far.
	 * @return bool
	 */
	private static function is_left( $fact, array $order, array $told ) {
		return self::tries( $fact, $told ) < self::MAX_TRIES && ! in_array( $order['status'], array( 'refunded', 'trash' ), true );
	}

	/**
	 * Counts the attempts to change an order for a fact.
	 *
	 * @param string   $fact The fact.
	 * @param string[] $told Names of the facts applied so far.
	 * @return int
	 */
	private static function tries( $fact, array $told ) {
		return count( preg_grep( '/^begun:' . preg_quote( $fact, '/' ) . ':/', $told ) );
	}

	/**
	 * Returns an order's status before an unfinished change for this fact.
	 *
	 * @param string   $fact The fact.
	 * @param string[] $told Names of the facts applied so far.
	 * @return string Empty if no change was started.
	 */
	public static function begun( $fact, array $told ) {
		foreach ( $told as $one ) {
			if ( 0 === strpos( $one, "begun:$fact:" ) ) {
				return substr( $one, strlen( "begun:$fact:" ) );
			}
		}
		return '';
	}

	/**
	 * Finds an existing refund at the service for a new refund in the shop. The response may have been lost, or a person
	 * recorded the refund there.
	 *
	 * @param array    $charge The charge.
	 * @param int      $amount The amount in pesewas.
	 * @param string[] $known  Ids of the shop's other refunds.
	 * @return string The refund's id, or empty.
	 */
	public static function noted_refund( array $charge, $amount, array $known ) {
		foreach ( $charge['refunds'] as $refund ) {
			if ( 'noted' === $refund['status'] && Momo_Kiosk_Money::from_api( $refund['amount'] ) === $amount && ! in_array( $refund['refund_id'], $known, true ) ) {
				return $refund['refund_id'];
			}
		}
		return '';
	}

	/**
	 * Returns the reminder step for a customer who left before paying.
	 *
	 * @param array $charge The charge.
	 * @param array $order  The order.
	 * @return array[]
	 */
	private static function reminder( array $charge, array $order ) {
		$is_open = in_array( $charge['status'], array( 'pending', 'expired' ), true ) && Momo_Kiosk_Money::from_api( $charge['amount_paid'] ) <= 0;
		if ( ! $is_open || 'pending' !== $order['status'] || ! $order['is_ours'] || $order['is_reminded'] || $order['waits_seconds'] < self::REMINDED_AFTER || ( ! $charge['livemode'] && $order['is_live'] ) ) {
			return array();
		}
		return array( self::step( 'reminded', self::REMIND, __( 'The customer was e-mailed a link to the payment page.', 'momo-kiosk' ) ) );
	}

	/**
	 * Returns the steps for a charge whose mark as paid or unverified payment was undone in Momo Kiosk.
	 *
	 * @param array    $charge The charge. Older services do not return `unmarked_at`.
	 * @param array    $order  The order.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return array[]
	 */
	private static function unmarked( array $charge, array $order, array $told ) {
		if ( empty( $charge['unmarked_at'] ) || in_array( $charge['status'], array( 'success', 'reversed' ), true ) || ! preg_grep( '/^(unverified:|paid)/', $told ) ) {
			return array();
		}
		/* translators: %s: a reference such as MK-4071932685. */
		$note    = sprintf( __( 'The payment of %s was removed at Momo Kiosk, so it is not paid. Do not deliver.', 'momo-kiosk' ), $charge['reference'] );
		$is_open = in_array( $order['status'], array( 'processing', 'completed' ), true ) && ( $charge['livemode'] || ! $order['is_live'] );
		// Does not affect an order that another payment paid. Version 1.0.0 noted the ids of unverified payments only.
		$id      = $order['transaction_id'];
		$is_open = $is_open && ( '' === $id || array_intersect( array( self::given( $id ), "unverified:$id" ), $told ) );
		return array( self::step( 'unmarked:' . $charge['unmarked_at'], $is_open ? self::HOLD : self::NOTE, $note ) );
	}

	/**
	 * Returns the steps for a charge that ended unpaid.
	 *
	 * @param array $charge The charge.
	 * @param array $order  The order.
	 * @return array[]
	 */
	private static function ending( array $charge, array $order ) {
		if ( 'expired' !== $charge['status'] && 'cancelled' !== $charge['status'] ) {
			return array();
		}
		$left = self::still_held( $charge );
		$paid = Momo_Kiosk_Money::from_api( $left['amount_paid'] );
		$note = 'expired' === $charge['status']
			/* translators: %s: a reference such as MK-4071932685. */
			? sprintf( __( 'The time to pay %s is over. A payment that was made in time but is reported late still counts.', 'momo-kiosk' ), $charge['reference'] )
			/* translators: %s: a reference such as MK-4071932685. */
			: sprintf( __( '%s was cancelled, and its page says not to pay.', 'momo-kiosk' ), $charge['reference'] );
		if ( $paid <= 0 ) {
			return array( self::step( $charge['status'], self::NOTE, $note ) );
		}
		/* translators: %s: an amount. */
		$held = sprintf( __( '%s had already arrived and is held at Momo Kiosk.', 'momo-kiosk' ), Momo_Kiosk_Money::words( $paid ) );
		$note = self::is_verified( $left )
			? "$note $held " . __( 'Send it back, or assign it there.', 'momo-kiosk' )
			: self::look_first( "$note $held" );
		// Do not cancel an order while a payment for it is held.
		$is_waiting = ! $order['is_paid'] && in_array( $order['status'], array( 'pending', 'failed' ), true );
		return array( self::step( $charge['status'], $is_waiting ? self::HOLD : self::NOTE, $note ) );
	}

	/**
	 * Returns an ended charge with only the money that is still held. Some may have been reversed, assigned or
	 * refunded.
	 *
	 * @param array $charge The charge. Older services do not return the held amount.
	 * @return array
	 */
	private static function still_held( array $charge ) {
		if ( ! array_key_exists( 'held', $charge ) ) {
			return $charge;
		}
		$held = is_array( $charge['held'] ) ? $charge['held'] : array(
			'amount' => 0,
			'proof'  => null,
		);
		return array_merge(
			$charge,
			array(
				'amount_paid' => $held['amount'],
				'proof'       => $held['proof'],
			)
		);
	}

	/**
	 * Returns the steps for later disputes and reversals.
	 *
	 * @param array    $charge The charge.
	 * @param array    $order  The order.
	 * @param string[] $told   Names of the facts applied so far.
	 * @return array[]
	 */
	private static function doubts( array $charge, array $order, array $told ) {
		$steps = array();
		$id    = self::id( $charge );
		// Does not affect an order that another payment paid.
		$is_of_order = '' === $order['transaction_id'] || $id === $order['transaction_id'];
		$counts      = $is_of_order && ( $charge['livemode'] || ! $order['is_live'] );
		$is_told     = in_array( self::settled( $charge, $told ), $told, true );
		$is_open     = 'success' === $charge['status'] && ( in_array( $order['status'], array( 'processing', 'completed' ), true ) || ! $is_told );
		$what        = $counts && $is_open ? self::HOLD : self::NOTE;
		if ( $charge['disputed'] && ! in_array( 'disputed:' . $charge['disputed']['why'], $told, true ) ) {
			$steps[] = self::step( self::doubt( $charge['disputed'] ), $what, self::why_disputed( $charge['disputed']['why'] ) );
		}
		if ( ( $is_told || self::is_verified( $charge ) || self::may_be_reversed( $charge ) ) && 'success' === $charge['status'] && ! $charge['disputed'] ) {
			$steps = array_merge( $steps, self::suspicion( $charge, $told, $what ) );
		}
		if ( 'reversed' === $charge['status'] ) {
			$is_open = ! in_array( $order['status'], array( 'refunded', 'cancelled', 'trash' ), true );
			/* translators: %s: the network's id of the payment. */
			$note = sprintf( __( 'The network has reversed the payment (%s). Do not deliver.', 'momo-kiosk' ), '' === $id ? $charge['reference'] : $id );
			$left = self::still_held( $charge );
			/* translators: %s: an amount. */
			$rest    = sprintf( __( 'You still have %s of this charge.', 'momo-kiosk' ), Momo_Kiosk_Money::words( Momo_Kiosk_Money::from_api( $left['amount_paid'] ) ) );
			$note   .= ' ' . ( self::is_verified( $left ) ? $rest : self::look_first( $rest ) );
			$what    = $counts && $is_open ? self::FAIL : self::NOTE;
			if ( self::FAIL === $what ) {
				// WooCommerce does not restock a failed order: the customer can pay again, and the goods may have left the shop.
				$note .= ' ' . __( 'Goods that were taken out of stock for this order stay out of it. If you still have them, set the order to cancelled to put them back.', 'momo-kiosk' );
			}
			$steps[] = self::step( 'reversed', $what, $note );
		}
		return $steps;
	}

	/**
	 * Returns the steps for a paid charge whose money was verified and no longer is, or is again. Each time is a fact of its
	 * own.
	 *
	 * @param array    $charge The charge.
	 * @param string[] $told   Names of the facts applied so far.
	 * @param string   $what   The kind of step for a doubt.
	 * @return array[]
	 */
	private static function suspicion( array $charge, array $told, $what ) {
		$times = self::times_cleared( $told );
		if ( ! self::is_verified( $charge ) ) {
			return array( self::step( "suspected:$times", $what, self::look_first( __( 'The network may have reversed a payment without a text, or an unverified payment was added.', 'momo-kiosk' ) ) ) );
		}
		return self::is_suspected( $told ) ? array( self::step( "cleared:$times", self::NOTE, __( 'The payment is no longer in doubt.', 'momo-kiosk' ) ) ) : array();
	}

	/**
	 * Returns true if the order was told of a suspicion that has not ended.
	 *
	 * @param string[] $told Names of the facts applied so far.
	 * @return bool
	 */
	public static function is_suspected( array $told ) {
		return in_array( 'suspected:' . self::times_cleared( $told ), $told, true );
	}

	/**
	 * Counts the suspicions that have ended.
	 *
	 * @param string[] $told Names of the facts applied so far.
	 * @return int
	 */
	private static function times_cleared( array $told ) {
		return count( preg_grep( '/^cleared:/', $told ) );
	}

	/**
	 * Names the fact that a charge is disputed. Each dispute is a fact of its own, because a payment can be in doubt again
	 * after a person found its money. Version 1.0.0 named only the reason.
	 *
	 * @param array $disputed The dispute: `why` and `at`.
	 * @return string
	 */
	private static function doubt( array $disputed ) {
		return empty( $disputed['at'] ) ? "disputed:{$disputed['why']}" : "disputed:{$disputed['why']}@{$disputed['at']}";
	}

	/**
	 * Returns a sentence for a dispute's reason.
	 *
	 * @param string $why The API's reason code.
	 * @return string
	 */
	private static function why_disputed( $why ) {
		$check = ' ' . __( 'Check the wallet before you deliver.', 'momo-kiosk' );
		switch ( $why ) {
			case 'conflict':
				return __( 'The payment is in doubt: another text reported it with different details, so one of them is false.', 'momo-kiosk' ) . $check;
			case 'reversal':
				return __( 'The payment is in doubt: the network may have reversed it. A reversed payment stays in the wallet\'s list.', 'momo-kiosk' ) . $check;
			case 'forged':
				return __( 'The payment is in doubt: its text may be forged.', 'momo-kiosk' ) . $check;
			default:
				/* translators: %s: a word of the API. */
				return sprintf( __( 'The payment is in doubt (%s).', 'momo-kiosk' ), $why ) . $check;
		}
	}

	/**
	 * Returns the steps for recorded refunds. Momo Kiosk moves no money.
	 *
	 * @param array $charge The charge.
	 * @return array[]
	 */
	private static function refunds( array $charge ) {
		$steps = array();
		foreach ( $charge['refunds'] as $refund ) {
			$amount = Momo_Kiosk_Money::words( Momo_Kiosk_Money::from_api( $refund['amount'] ) );
			if ( 'sent' === $refund['status'] ) {
				/* translators: %s: an amount. */
				$note = sprintf( __( 'The refund of %s was sent.', 'momo-kiosk' ), $amount );
				if ( $refund['transaction_id'] ) {
					/* translators: %s: the network's id of a transfer. */
					$note .= ' ' . sprintf( __( 'The network’s id is %s.', 'momo-kiosk' ), $refund['transaction_id'] );
				}
			} elseif ( 'withdrawn' === $refund['status'] ) {
				/* translators: %s: an amount. */
				$note = sprintf( __( 'The refund of %s will not be sent.', 'momo-kiosk' ), $amount );
			} elseif ( ! ( array_key_exists( 'proof', $refund ) && $charge['livemode'] ? self::is_proven( $refund ) : self::is_verified( $charge ) ) ) {
				/* translators: %s: an amount. */
				$note = self::look_first( sprintf( __( 'A refund of %s is recorded at Momo Kiosk. No money has moved yet.', 'momo-kiosk' ), $amount ) );
			} else {
				/* translators: %s: an amount. */
				$note = sprintf( __( 'A refund of %s is recorded at Momo Kiosk. No money has moved yet: send it from your phone.', 'momo-kiosk' ), $amount );
				$to   = trim( ( isset( $charge['payment']['payer_name'] ) ? $charge['payment']['payer_name'] : '' ) . ' ' . ( isset( $charge['payment']['payer_phone'] ) ? $charge['payment']['payer_phone'] : '' ) );
				if ( '' !== $to ) {
					/* translators: %s: a payer's name and number. */
					$note .= ' ' . sprintf( __( 'The payer is %s.', 'momo-kiosk' ), $to );
				}
			}
			$steps[] = self::step( 'refund:' . $refund['refund_id'] . ':' . $refund['status'], self::NOTE, $note );
		}
		return $steps;
	}

	/**
	 * Returns how a person marked a charge as paid: `cash`, `transfer`, `text`, or empty.
	 *
	 * @param array $charge The charge. Older services do not return `marked`.
	 * @return string
	 */
	private static function marked( array $charge ) {
		return isset( $charge['payment']['marked']['how'] ) ? $charge['payment']['marked']['how'] : '';
	}

	/**
	 * Returns a sentence about a payment: verified, reported by its message, or marked by a person.
	 *
	 * @param array  $charge The charge.
	 * @param string $id     The payment's transaction id.
	 * @return string
	 */
	private static function arrived( array $charge, $id ) {
		if ( self::is_verified( $charge ) ) {
			/* translators: 1: an amount, 2: the payer's name, 3: a network, 4: the network's id of the payment, 5: a reference such as MK-4071932685. */
			$sentence = __( '%1$s arrived from %2$s (%3$s, %4$s) for %5$s.', 'momo-kiosk' );
		} elseif ( 'cash' === self::marked( $charge ) ) {
			/* translators: 1: an amount, 2: the payer's name, 4: a number of the payment, 5: a reference such as MK-4071932685. */
			$sentence = __( 'Somebody recorded at Momo Kiosk that %2$s paid %1$s in cash (%4$s) for %5$s.', 'momo-kiosk' );
		} elseif ( '' !== self::marked( $charge ) ) {
			/* translators: 1: an amount, 2: the payer's name, 3: a network, 4: the network's id of the payment, 5: a reference such as MK-4071932685. */
			$sentence = __( 'Somebody recorded at Momo Kiosk that %1$s arrived from %2$s (%3$s, %4$s) for %5$s.', 'momo-kiosk' );
		} else {
			/* translators: 1: an amount, 2: the payer's name, 3: a network, 4: the network's id of the payment, 5: a reference such as MK-4071932685. */
			$sentence = __( 'The network’s text says that %1$s arrived from %2$s (%3$s, %4$s) for %5$s.', 'momo-kiosk' );
		}
		return sprintf(
			$sentence,
			Momo_Kiosk_Money::words( Momo_Kiosk_Money::from_api( $charge['amount_paid'] ) ),
			isset( $charge['payment']['payer_name'] ) ? $charge['payment']['payer_name'] : __( 'an unknown payer', 'momo-kiosk' ),
			isset( $charge['payment']['network'] ) ? $charge['payment']['network'] : $charge['momo_network'],
			$id,
			$charge['reference']
		);
	}

	/**
	 * Builds a step.
	 *
	 * @param string $fact           The fact's name.
	 * @param string $what           The kind of step.
	 * @param string $note           The note for the order.
	 * @param string $transaction_id The transaction id to store on the order, or empty.
	 * @return array
	 */
	private static function step( $fact, $what, $note, $transaction_id = '' ) {
		return array(
			'fact'           => $fact,
			'do'             => $what,
			'note'           => $note,
			'transaction_id' => $transaction_id,
		);
	}
}
