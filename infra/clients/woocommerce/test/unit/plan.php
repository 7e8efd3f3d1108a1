<?php
/** Returns a charge in the API's format, pending by default. */
function charge( array $changes = array() ) {
	return array_merge(
		array(
			'reference'    => 'MK-4071932685',
			'livemode'     => true,
			'status'       => 'pending',
			'amount'       => 36,
			'momo_network' => 'MTN',
			'amount_paid'  => 0,
			'overpaid'     => 0,
			'parts'        => array(),
			'payment'      => null,
			'disputed'     => null,
			'refunds'      => array(),
		),
		$changes
	);
}

/** Returns a paid charge. */
function paid( array $changes = array() ) {
	return charge(
		array_merge(
			array(
				'status'      => 'success',
				'amount_paid' => 36,
				'payment'     => payment(),
			),
			$changes
		)
	);
}

function payment( array $changes = array() ) {
	return array_merge(
		array(
			'network'        => 'MTN',
			'transaction_id' => '62841953770',
			'amount'         => 36,
			'payer_name'     => 'KOFI MENSAH',
			'payer_phone'    => null,
			'proof'          => array( 'state' => 'proven', 'why' => null ),
		),
		$changes
	);
}

/** Returns an order waiting for payment. */
function order( array $changes = array() ) {
	return array_merge(
		array(
			'status'         => 'pending',
			'total'          => 3600,
			'currency'       => 'GHS',
			'is_paid'        => false,
			'transaction_id' => '',
			'missing'        => array(),
			'is_live'        => true,
			'is_ours'        => true,
			'needs_proof'    => true,
			'waits_seconds'  => 0,
			'is_reminded'    => false,
		),
		$changes
	);
}

/** Returns the steps as "fact=do". */
function done( $charge, $order, $told = array() ) {
	return implode(
		' ',
		array_map(
			static function ( $step ) {
				return "{$step['fact']}={$step['do']}";
			},
			Momo_Kiosk_Plan::steps( $charge, $order, $told )
		)
	);
}

function notes( $charge, $order, $told = array() ) {
	return implode( ' | ', array_column( Momo_Kiosk_Plan::steps( $charge, $order, $told ), 'note' ) );
}

same( 'an unpaid charge changes nothing', '', done( charge(), order() ) );
same( 'a payment pays the order', 'paid=pay', done( paid(), order() ) );
same( 'a payment pays the order only once', '', done( paid(), order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );
same( 'a paid order has the network’s id', '62841953770', Momo_Kiosk_Plan::steps( paid(), order(), array() )[0]['transaction_id'] );
$by_it = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) );
same( 'a payment is completed after the process died', 'paid=pay', done( paid(), $by_it, array( 'begun:paid:pending' ) ) );
same( 'a payment is completed even if the status has changed', 'paid=pay', done( paid(), array_merge( $by_it, array( 'status' => 'shipped', 'is_paid' => false ) ), array( 'begun:paid:pending' ) ) );
same( 'a payment of a refunded order is only noted', 'paid=note', done( paid(), array_merge( $by_it, array( 'status' => 'refunded', 'is_paid' => false ) ), array( 'begun:paid:pending' ) ) );
$often = array_fill( 0, Momo_Kiosk_Plan::MAX_TRIES, 'begun:paid:pending' );
same( 'an interrupted payment is only noted after too many attempts', 'paid=note', done( paid(), $by_it, $often ) );
same( 'a note describes the interruptions', true, false !== strpos( notes( paid(), $by_it, $often ), 'WooCommerce was interrupted 20 times' ) );
same( 'finds the latest step begun for the same fact', 'cancelled', Momo_Kiosk_Plan::begun( 'paid', array( 'part:1', 'begun:disputed:conflict:processing', 'begun:paid:cancelled', 'begun:paid:processing' ) ) );
same( 'ignores steps begun for other facts', '', Momo_Kiosk_Plan::begun( 'paid', array( 'paid', 'begun:disputed:conflict:processing' ) ) );

foreach ( array( 'pending', 'failed', 'cancelled', 'on-hold', 'checkout-draft' ) as $status ) {
	same( "a payment pays an order with the status $status", 'paid=pay', done( paid(), order( array( 'status' => $status ) ) ) );
}
foreach ( array( 'refunded', 'trash', 'wc-custom' ) as $status ) {
	same( "a payment is only noted on an order with the status $status", 'paid=note', done( paid(), order( array( 'status' => $status ) ) ) );
}
same( 'a reopened order gets a note', true, false !== strpos( notes( paid(), order( array( 'status' => 'cancelled' ) ) ), 'The order was already cancelled, and has been reopened.' ) );
same( 'a late payment holds an order whose goods are out of stock', 'paid=hold_without_stock', done( paid(), order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ) ) );
same( 'the note lists the goods that are out of stock', true, false !== strpos( notes( paid(), order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ) ), 'out of stock: Last basket' ) );

$paid_by_other = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => 'pi_1' ) );
same( 'a second payment is only noted', 'paid=note', done( paid(), $paid_by_other ) );
same( 'a second payment does not replace the order’s id', '', Momo_Kiosk_Plan::steps( paid(), $paid_by_other, array() )[0]['transaction_id'] );
$marked = order( array( 'status' => 'processing', 'is_paid' => true ) );
same( 'a payment of an order marked as paid is noted as a possible duplicate', true, false !== strpos( notes( paid(), $marked ), 'this may be a second one' ) );
same( 'an order paid another way does not get the payment’s id', '', Momo_Kiosk_Plan::steps( paid(), array_merge( $marked, array( 'is_ours' => false ) ), array() )[0]['transaction_id'] );
same( 'an order marked as paid gets the payment’s id', '62841953770', Momo_Kiosk_Plan::steps( paid(), order( array( 'status' => 'processing', 'is_paid' => true ) ), array() )[0]['transaction_id'] );

same( 'a higher order total holds the order', 'paid=hold', done( paid(), order( array( 'total' => 3601 ) ) ) );
same( 'a lower order total does not hold the order', 'paid=pay', done( paid(), order( array( 'total' => 3599 ) ) ) );
same( 'a different currency holds the order', 'paid=hold', done( paid(), order( array( 'currency' => 'USD' ) ) ) );
same( 'an invalid order total holds the order', 'paid=hold', done( paid(), order( array( 'total' => null ) ) ) );
same( 'an overpayment is noted', 'paid=pay overpaid=note', done( paid( array( 'overpaid' => 1, 'amount_paid' => 37 ) ), order() ) );
same( 'an underpayment assigned by a person is noted', 'paid=pay underpaid=note', done( paid( array( 'amount_paid' => 35.5 ) ), order() ) );

// Unverified money may be forged: no note suggests a refund, and no order ships automatically.
$of_it    = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) );
$unproven = array( 'proof' => array( 'state' => 'unproven', 'why' => 'balance_gap' ) );
$forged   = paid( $unproven );
$first    = 'Check your MoMo balance first: this payment is not verified. ';
same( 'an unverified payment holds the order', 'unverified:62841953770=hold', done( $forged, order() ) );
same( 'a payment whose verification is pending holds the order', 'unverified:62841953770=hold', done( paid( array( 'proof' => array( 'state' => 'checking', 'why' => null ) ) ), order() ) );
same( 'a payment without a proof holds the order', 'unverified:62841953770=hold', done( paid( array( 'proof' => null ) ), order() ) );
same( 'a held order has the payment’s id', '62841953770', Momo_Kiosk_Plan::steps( $forged, order(), array() )[0]['transaction_id'] );
same( 'the note first warns that the payment is not verified', 0, strpos( notes( $forged, order() ), $first . 'The network’s text says that GHS 36.00 arrived from KOFI MENSAH' ) );
same( 'an unverified payment is noted once', '', done( $forged, order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'unverified:62841953770' ) ) );
same( 'a payment verified later pays the order', 'paid=pay', done( paid( array( 'proof' => payment()['proof'] ) ), order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'unverified:62841953770' ) ) );
same( 'an order released by a person is not held again', '', done( $forged, $of_it, array( 'unverified:62841953770' ) ) );
same( 'an unverified payment pays the order if the shop allows it', 'unverified:62841953770=pay', done( $forged, order( array( 'needs_proof' => false ) ) ) );
same( 'the note includes the warning if the shop allows unverified payments', 0, strpos( notes( $forged, order( array( 'needs_proof' => false ) ) ), $first ) );
same( 'an unverified payment is completed after the process died', 'unverified:62841953770=pay', done( $forged, array_merge( $of_it, array( 'needs_proof' => false ) ), array( 'begun:unverified:62841953770:pending' ) ) );
same( 'an interrupted unverified payment is only noted after too many attempts', 'unverified:62841953770=note', done( $forged, $of_it, array_fill( 0, Momo_Kiosk_Plan::MAX_TRIES, 'begun:unverified:62841953770:pending' ) ) );
same( 'verification of a paid order is recorded', 'paid=pay', done( paid(), $of_it, array( 'unverified:62841953770' ) ) );
$by_first = array_merge( $of_it, array( 'transaction_id' => '62840004821' ) );
$full     = array_fill( 0, 5, array( 'transaction_id' => '…1111' ) );
$told     = array( 'id:62840004821', 'begun:unverified:62841953770:pending', 'unverified:62841953770' );
foreach ( array( 'is listed' => array( array( 'transaction_id' => '…4821' ) ), 'is not listed' => $full, 'has no list' => array() ) as $kind => $listed ) {
	$replaced = paid( array( 'second_payments' => $listed ) );
	same( "a verified payment that replaced one which $kind pays the order", 'paid=pay', done( $replaced, $by_first, $told ) );
	same( "$kind: the order gets the verified payment’s id", '62841953770', Momo_Kiosk_Plan::steps( $replaced, $by_first, $told )[0]['transaction_id'] );
	same( "$kind: no note asks for a return of money", 0, preg_match( '/send back/', notes( $replaced, $by_first, $told ) ) );
}
same( 'a second payment is returned', 1, preg_match( '/send back/', notes( paid(), $by_first ) ) );
foreach ( array( 'on hold' => array( 'id:62841953770', 'begun:unverified:62841953770:pending', 'unverified:62841953770' ), 'only noted' => array( 'unverified:62841953770' ) ) as $kind => $told ) {
	same( "an unverified payment that was $kind: a later payment is a second one", 1, preg_match( '/send back/', notes( paid(), $by_first, $told ) ) );
	same( "$kind: the order keeps the other payment’s id", '', Momo_Kiosk_Plan::steps( paid(), $by_first, $told )[0]['transaction_id'] );
}
same( 'an unverified payment holds an order with a higher total', 'unverified:62841953770=hold', done( $forged, order( array( 'needs_proof' => false, 'total' => 3601 ) ) ) );
same( 'an unverified, disputed payment holds the order', 'unverified:62841953770=hold disputed:forged=hold', done( array_merge( $forged, array( 'disputed' => array( 'why' => 'forged' ) ) ), order( array( 'needs_proof' => false ) ) ) );
same( 'an unverified payment of goods out of stock does not reduce the stock', 'unverified:62841953770=hold_without_stock', done( $forged, order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ) ) );
same( 'a test payment counts as verified', 'paid=pay', done( paid( array( 'livemode' => false, 'proof' => null ) ), order( array( 'is_live' => false ) ) ) );

same( 'an older service reports the proof with the payment', 'unverified:62841953770=hold', done( paid( array( 'payment' => payment( $unproven ) ) ), order() ) );
same( 'an older service reports the proof with a partial payment', 'part:1=note unverified:62841953770=hold', done( paid( array( 'parts' => array( payment( array_merge( $unproven, array( 'amount' => 18, 'transaction_id' => '1' ) ) ) ) ) ), order() ) );
same( 'an older service reports an unknown proof with the payment', 'unverified:62841953770=hold', done( paid( array( 'payment' => payment( array( 'proof' => null ) ) ) ), order() ) );

// All notes about money, for verified and unverified payments.
$ended  = static function ( $status ) {
	return charge( array( 'status' => $status, 'amount_paid' => 18 ) );
};
$refund = array( 'refunds' => array( array( 'refund_id' => 'R1', 'status' => 'noted', 'amount' => 12.5, 'transaction_id' => null ) ) );
$other  = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => 'pi_1' ) );
foreach ( array(
	'an overpayment'         => array( paid( array( 'overpaid' => 1, 'amount_paid' => 37 ) ), order(), array() ),
	'a second payment'       => array( paid(), $other, array() ),
	'a marked order'         => array( paid(), order( array( 'status' => 'processing', 'is_paid' => true ) ), array() ),
	'goods out of stock'     => array( paid(), order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ), array() ),
	'an expired charge'      => array( $ended( 'expired' ), order(), array() ),
	'a cancelled charge'     => array( $ended( 'cancelled' ), order(), array() ),
	'a noted refund'         => array( paid( $refund ), $of_it, array( 'paid', 'unverified:62841953770' ) ),
) as $kind => list( $charge, $order, $told ) ) {
	$verified = notes( array_merge( $charge, array( 'proof' => payment()['proof'] ) ), $order, $told );
	$other_by = notes( array_merge( $charge, $unproven ), $order, $told );
	same( "$kind: a verified payment may be sent back", 1, preg_match( '/send (it|the money|back)|send it/i', $verified ) );
	same( "$kind: the note on a verified payment has no warning", false, strpos( $verified, $first ) );
	same( "$kind: the note on an unverified payment starts with a warning", 0, strpos( $other_by, $first ) );
	same( "$kind: the note on an unverified payment does not ask for a return", 0, preg_match( '/\bsend/i', $other_by ) );
}
same( 'the note on a refund depends on the refund’s own proof', 0, strpos( notes( paid( array( 'proof' => payment()['proof'], 'refunds' => array( array_merge( $refund['refunds'][0], $unproven ) ) ) ), $of_it, array( 'paid' ) ), $first ) );
same( 'the note on an unverified partial payment starts with a warning', 0, strpos( notes( charge( array( 'amount_paid' => 18, 'parts' => array( payment( array_merge( $unproven, array( 'amount' => 18 ) ) ) ) ) ), order() ), $first . 'A part has arrived' ) );
foreach ( array( 'expired', 'cancelled', 'reversed' ) as $status ) {
	$over = charge( array( 'status' => $status, 'amount_paid' => 18, 'proof' => payment()['proof'] ) );
	$gone = notes( array_merge( $over, array( 'held' => array( 'amount' => 0, 'proof' => null ) ) ), order() );
	same( "$status: the note does not mention money that is no longer held", 0, preg_match( '/\bsend|assign|18\.00/i', $gone ) );
	$doubt = notes( array_merge( $over, array( 'held' => array_merge( array( 'amount' => 18 ), $unproven ) ) ), order() );
	same( "$status: the note warns about held money that is unverified", array( true, 0 ), array( false !== strpos( $doubt, $first ), preg_match( '/\bsend/i', $doubt ) ) );
	$some = notes( array_merge( $over, $unproven, array( 'held' => array( 'amount' => 5, 'proof' => payment()['proof'] ) ) ), order() );
	same( "$status: the note states only the amount still held", array( true, false ), array( false !== strpos( $some, 'GHS 5.00' ), strpos( $some, $first ) ) );
}
same( 'an expired charge without held money does not hold the order', 'expired=note', done( charge( array( 'status' => 'expired', 'amount_paid' => 18, 'held' => array( 'amount' => 0, 'proof' => null ) ) ), order() ) );
same( 'the note on a reversed charge states the remaining amount', true, false !== strpos( notes( paid( array_merge( $unproven, array( 'status' => 'reversed', 'amount_paid' => 18 ) ) ), $of_it, array( 'paid' ) ), "Do not deliver. {$first}You still have GHS 18.00 of this charge" ) );
$held = array( 'id' => 'H1', 'livemode' => true, 'amount' => 777, 'payer_name' => null, 'suggested_reference' => 'MK-4071932685', 'reason' => 'charge_expired', 'proof' => payment()['proof'] );
same( 'a verified held payment can be assigned', array( 'held:H1', true ), array( Momo_Kiosk_Plan::held( $held )['fact'], false !== strpos( Momo_Kiosk_Plan::held( $held )['note'], 'assign it' ) ) );
same( 'a verified second payment cannot be assigned', array( false, true ), array_map( static function ( $words ) use ( $held ) { return false !== strpos( Momo_Kiosk_Plan::held( array_merge( $held, array( 'reason' => 'already_paid' ) ) )['note'], $words ); }, array( 'assign it', 'already paid' ) ) );
$step = Momo_Kiosk_Plan::held( array_merge( $held, $unproven ) );
same( 'the note on an unverified held payment starts with a warning', array( 'held_unverified:H1', 0, false ), array( $step['fact'], strpos( $step['note'], $first ), strpos( $step['note'], 'assign' ) ) );

same( 'a test payment does not pay an order of a live shop', 'paid=note', done( paid( array( 'livemode' => false ) ), order() ) );
same( 'a test payment pays an order in test mode', 'paid=pay', done( paid( array( 'livemode' => false ) ), order( array( 'is_live' => false ) ) ) );
same( 'a live payment pays an order while the shop is in test mode', 'paid=pay', done( paid(), order( array( 'is_live' => false ) ) ) );

$part = charge( array( 'parts' => array( payment( array( 'amount' => 18, 'transaction_id' => '1' ) ) ), 'amount_paid' => 18 ) );
same( 'a partial payment is noted', 'part:1=note', done( $part, order() ) );
same( 'a partial payment is noted once', '', done( $part, order(), array( 'part:1' ) ) );
same( 'the note on a partial payment states the amounts', true, false !== strpos( notes( $part, order() ), 'GHS 18.00, which makes GHS 18.00 of GHS 36.00 in total (MTN, 1)' ) );
same( 'the last partial payment pays the order', 'paid=pay', done( paid( array( 'parts' => $part['parts'] ) ), order(), array( 'part:1' ) ) );

$accepted = paid( array( 'amount_paid' => 20, 'payment' => payment( array( 'amount' => 20 ) ) ) );
$by_less  = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) );
$rest     = static function ( $amount ) use ( $accepted ) {
	return array_merge( $accepted, array( 'amount_paid' => 20 + $amount, 'overpaid' => max( 0, $amount - 16 ), 'parts' => array( payment( array( 'amount' => $amount, 'transaction_id' => '2' ) ) ) ) );
};
same( 'the rest of an accepted payment is noted', 'part:2=note', done( $rest( 16 ), $by_less, array( 'paid', 'underpaid' ) ) );
same( 'the note on the rest counts the accepted payment', true, false !== strpos( notes( $rest( 16 ), $by_less, array( 'paid', 'underpaid' ) ), 'GHS 16.00, which makes GHS 36.00 of GHS 36.00' ) );
same( 'the note on the rest counts an accepted payment that is not verified', true, false !== strpos( notes( $rest( 16 ), $by_less, array( 'unverified:62841953770' ) ), 'GHS 16.00, which makes GHS 36.00 of GHS 36.00' ) );
same( 'the rest’s excess is noted', 'part:2=note overpaid=note', done( $rest( 26 ), $by_less, array( 'paid', 'underpaid' ) ) );
same( 'the rest’s excess is noted once', '', done( $rest( 26 ), $by_less, array( 'paid', 'underpaid', 'part:2', 'overpaid' ) ) );
$removed = array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T12:05:00.000Z' );
same( 'an excess after a removed payment is noted again', 'paid@2026-11-25T12:00:00.000Z=pay overpaid@2026-11-25T12:00:00.000Z=note', done( paid( array_merge( $removed, array( 'overpaid' => 14, 'amount_paid' => 50 ) ) ), order(), array( 'paid', 'overpaid' ) ) );
same( 'a charge that pays its order is kept', true, Momo_Kiosk_Plan::has_begun_paying( array( 'begun:paid:pending', 'paid' ) ) );
same( 'a charge whose payment was removed is not kept', false, Momo_Kiosk_Plan::has_begun_paying( array( 'begun:paid:pending', 'paid', 'unmarked:2026-11-25T12:00:00.000Z' ) ) );
same( 'a charge that is paid again is kept', true, Momo_Kiosk_Plan::has_begun_paying( array( 'begun:paid:pending', 'unmarked:2026-11-25T12:00:00.000Z', 'begun:paid@2026-11-25T12:00:00.000Z:on-hold' ) ) );
same( 'an unpaid charge is not kept', false, Momo_Kiosk_Plan::has_begun_paying( array() ) );

same( 'an expired charge is noted', 'expired=note', done( charge( array( 'status' => 'expired' ) ), order() ) );
same( 'an expired, partly paid charge holds the order', 'expired=hold', done( charge( array( 'status' => 'expired', 'amount_paid' => 18 ) ), order() ) );
same( 'an expired, partly paid charge does not hold a paid order', 'expired=note', done( charge( array( 'status' => 'expired', 'amount_paid' => 18 ) ), $paid_by_other ) );
same( 'a cancelled charge is noted', 'cancelled=note', done( charge( array( 'status' => 'cancelled' ) ), order( array( 'status' => 'cancelled' ) ) ) );
same( 'a payment after the expiry pays the order', 'paid=pay', done( paid(), order( array( 'status' => 'cancelled' ) ), array( 'expired' ) ) );

$left = order( array( 'waits_seconds' => 600 ) );
same( 'the customer is reminded after ten minutes', 'reminded=remind', done( charge(), $left ) );
same( 'the customer is not reminded earlier', '', done( charge(), order( array( 'waits_seconds' => 599 ) ) ) );
same( 'the customer is reminded once', '', done( charge(), array_merge( $left, array( 'is_reminded' => true ) ) ) );
same( 'the customer is reminded even if the charge has expired', 'reminded=remind expired=note', done( charge( array( 'status' => 'expired' ) ), $left ) );
same( 'the customer is not reminded of a paid charge', 'paid=pay', done( paid(), $left ) );
same( 'the customer is not reminded of a partly paid charge', 'part:1=note', done( $part, $left ) );
foreach ( array( 'failed', 'cancelled', 'on-hold', 'processing' ) as $status ) {
	same( "the customer is not reminded of an order with the status $status", '', done( charge(), array_merge( $left, array( 'status' => $status ) ) ) );
}
same( 'the customer is not reminded of an order paid another way', '', done( charge(), array_merge( $left, array( 'is_ours' => false ) ) ) );
same( 'the customer of a live shop is not reminded of a test charge', '', done( charge( array( 'livemode' => false ) ), $left ) );

$disputed = array( 'disputed' => array( 'at' => '', 'why' => 'conflict' ) );
same( 'a disputed payment holds the order', 'disputed:conflict=hold', done( paid( $disputed ), $of_it, array( 'paid' ) ) );
same( 'a disputed payment holds the order once', '', done( paid( $disputed ), $of_it, array( 'paid', 'disputed:conflict' ) ) );
same( 'a payment disputed from the start holds the order', 'paid=hold disputed:conflict=hold', done( paid( $disputed ), order() ) );
$again = array( 'disputed' => array( 'at' => '2026-11-25T12:00:00.000Z', 'why' => 'conflict' ) );
same( 'a payment in doubt again holds the order again', 'disputed:conflict@2026-11-25T12:00:00.000Z=hold', done( paid( $again ), $of_it, array( 'paid', 'disputed:conflict@2026-11-24T12:00:00.000Z' ) ) );
same( 'a doubt noted by version 1.0.0 is not noted again', '', done( paid( $again ), $of_it, array( 'paid', 'disputed:conflict' ) ) );
$suspected = array( 'proof' => array( 'state' => 'unproven' ), 'livemode' => true );
$found     = array( 'proof' => payment()['proof'] );
same( 'a payment that may have been reversed holds the order', 'suspected:0=hold', done( paid( $suspected ), $of_it, array( 'paid' ) ) );
same( 'a payment that may have been reversed holds the order once', '', done( paid( $suspected ), $of_it, array( 'paid', 'suspected:0' ) ) );
same( 'a payment that a person found is no longer in doubt', 'cleared:0=note', done( paid( $found ), $of_it, array( 'paid', 'suspected:0' ) ) );
same( 'a payment that a person found is noted once', '', done( paid( $found ), $of_it, array( 'paid', 'suspected:0', 'cleared:0' ) ) );
same( 'a payment that may have been reversed again holds the order again', 'suspected:1=hold', done( paid( $suspected ), $of_it, array( 'paid', 'suspected:0', 'cleared:0' ) ) );
same( 'a payment that a person had found may have been reversed since', 'suspected:0=hold', done( paid( array_merge( $suspected, array( 'payment' => payment( array( 'proof' => array( 'state' => 'unproven' ) ) ) ) ) ), $of_it, array( 'paid' ) ) );
same( 'a payment that replaced a suspected one ends the suspicion', 'paid@2026-11-25T12:00:00.000Z=pay cleared:0=note', done( paid( array_merge( $found, array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T12:01:00.000Z' ) ) ), order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'paid', 'suspected:0' ) ) );
same( 'a payment that may have been reversed does not hold an order paid by another one', 'suspected:0=note', done( paid( $suspected ), $paid_by_other, array( 'paid' ) ) );
$late_claim = array( 'proof' => array( 'state' => 'unproven', 'why' => 'reversal_suspected' ), 'livemode' => true );
same( 'a payment suspected from the start holds the order of a shop that accepts unverified payments', 'unverified:62841953770=hold suspected:0=hold', done( paid( $late_claim ), order( array( 'needs_proof' => false ) ) ) );
same( 'a payment suspected from the start pays the order once a person finds it', 'paid=pay cleared:0=note', done( paid( $found ), order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'unverified:62841953770', 'suspected:0' ) ) );
same( 'a disputed payment is not suspected, too', 'disputed:conflict=hold', done( paid( array_merge( $suspected, $disputed ) ), $of_it, array( 'paid' ) ) );
same( 'a disputed payment does not hold an order paid by another one', 'disputed:conflict=note', done( paid( $disputed ), $paid_by_other, array( 'paid' ) ) );
same( 'a disputed payment does not hold a refunded order', 'disputed:conflict=note', done( paid( $disputed ), order( array( 'status' => 'refunded', 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );

$reversed = paid( array( 'status' => 'reversed', 'amount_paid' => 0 ) );
foreach ( array( 'processing', 'completed', 'on-hold' ) as $status ) {
	same( "a reversed payment fails an order with the status $status", 'reversed=fail', done( $reversed, order( array( 'status' => $status, 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );
}
same( 'a reversal of an unknown payment fails the order', 'reversed=fail', done( $reversed, order() ) );
same( 'a reversed payment does not fail an order paid by another one', 'reversed=note', done( $reversed, $paid_by_other, array( 'paid' ) ) );
same( 'a reversed payment does not fail a cancelled order', 'reversed=note', done( $reversed, order( array( 'status' => 'cancelled', 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );
same( 'a reversed test payment does not fail an order of a live shop', 'reversed=note', done( array_merge( $reversed, array( 'livemode' => false ) ), order() ) );

$refund = static function ( $status ) {
	return paid( array( 'refunds' => array( array( 'refund_id' => 'R1', 'status' => $status, 'amount' => 12.5, 'transaction_id' => 'sent' === $status ? '99' : null ) ) ) );
};
same( 'a refund is noted', 'refund:R1:noted=note', done( $refund( 'noted' ), $of_it, array( 'paid' ) ) );
same( 'a sent refund is noted again', 'refund:R1:sent=note', done( $refund( 'sent' ), $of_it, array( 'paid', 'refund:R1:noted' ) ) );
same( 'the note on a refund states the payer', true, false !== strpos( notes( $refund( 'noted' ), $of_it, array( 'paid' ) ), 'GHS 12.50 is recorded at Momo Kiosk. No money has moved yet: send it from your phone. The payer is KOFI MENSAH.' ) );
same( 'the note on a sent refund states the network’s id', true, false !== strpos( notes( $refund( 'sent' ), $of_it, array( 'paid' ) ), 'The network’s id is 99.' ) );

$known = array( 'refunds' => array( array( 'refund_id' => 'R1', 'status' => 'noted', 'amount' => 12.5 ), array( 'refund_id' => 'R2', 'status' => 'sent', 'amount' => 5 ) ) );
same( 'finds a recorded refund that belongs to no other order refund', 'R1', Momo_Kiosk_Plan::noted_refund( paid( $known ), 1250, array( '', 'R2' ) ) );
same( 'ignores a recorded refund of another order refund', '', Momo_Kiosk_Plan::noted_refund( paid( $known ), 1250, array( 'R1' ) ) );
same( 'ignores a recorded refund of another amount', '', Momo_Kiosk_Plan::noted_refund( paid( $known ), 1251, array() ) );
same( 'ignores a refund that was sent', '', Momo_Kiosk_Plan::noted_refund( paid( $known ), 500, array() ) );

// The order and number of the API's responses do not matter, because each fact is applied only once.
$history = array( charge(), $part, paid( array( 'parts' => $part['parts'] ) ), paid( array_merge( $disputed, array( 'parts' => $part['parts'] ) ) ), $refund( 'noted' ) );
foreach ( array( array( 0, 1, 2, 3 ), array( 2, 2, 2, 3 ), array( 3, 3, 3 ), array( 1, 1, 3, 3 ) ) as $seen ) {
	$told = array();
	$acts = array();
	$now  = order();
	foreach ( $seen as $at ) {
		foreach ( Momo_Kiosk_Plan::steps( $history[ $at ], $now, $told ) as $step ) {
			$told[] = $step['fact'];
			$acts[] = $step['do'];
			if ( 'pay' === $step['do'] ) {
				$now = $of_it;
			}
			if ( 'hold' === $step['do'] ) {
				$now = array_merge( $now, array( 'status' => 'on-hold', 'transaction_id' => '62841953770', 'is_paid' => false ) );
			}
		}
	}
	same( 'responses ' . implode( ', ', $seen ) . ': each fact is noted once', count( array_unique( $told ) ), count( $told ) );
	same( 'responses ' . implode( ', ', $seen ) . ': the order ends on hold', 'on-hold', $now['status'] );
}

$unmarked = charge( array( 'unmarked_at' => '2026-11-25T12:00:00.000Z' ) );
$step     = 'unmarked:2026-11-25T12:00:00.000Z';
foreach ( array( 'processing', 'completed' ) as $status ) {
	same( "an undone mark holds an order with the status $status", "$step=hold", done( $unmarked, order( array( 'status' => $status, 'is_paid' => true, 'transaction_id' => 'CASH123456789012' ) ), array( 'unverified:CASH123456789012' ) ) );
}
same( 'an undone mark is noted on an order on hold', "$step=note", done( $unmarked, order( array( 'status' => 'on-hold' ) ), array( 'unverified:62841953770' ) ) );
same( 'an undone mark is noted once', '', done( $unmarked, order( array( 'status' => 'on-hold' ) ), array( 'unverified:62841953770', $step ) ) );
same( 'a mark undone before the shop saw it is not noted', '', done( $unmarked, order( array( 'status' => 'processing' ) ) ) );
same( 'a payment after an undone mark pays the order', 'paid@2026-11-25T12:00:00.000Z=pay', done( paid( array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T12:05:00.000Z' ) ), order( array( 'status' => 'on-hold' ) ), array( 'unverified:62841953770', $step ) ) );

$found = array( 'id:62841953770', 'paid' );
same( 'a payment removed after a person found its money holds the order', "$step=hold", done( $unmarked, order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) ), $found ) );
$next = paid( array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T12:05:00.000Z', 'payment' => payment( array( 'transaction_id' => '77777777777' ) ) ) );
foreach ( array( 'on-hold', 'processing' ) as $status ) {
	$now = order( array( 'status' => $status, 'is_paid' => 'processing' === $status, 'transaction_id' => '62841953770' ) );
	same( "a payment after a removed one pays an order with the status $status", 'paid@2026-11-25T12:00:00.000Z=pay', done( $next, $now, array_merge( $found, array( $step ) ) ) );
}
foreach ( array( '77777777777', 'pi_card' ) as $other ) {
	$paid_otherwise = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => $other ) );
	same( "a removed payment does not hold an order that $other paid", "$step=note", done( $unmarked, $paid_otherwise, array( 'id:62841953770', 'unverified:62841953770' ) ) );
	same( "a removed payment that was only noted does not hold an order that $other paid", "$step=note", done( $unmarked, $paid_otherwise, array( 'unverified:62841953770' ) ) );
}
foreach ( array( 'cancelled', 'on-hold', 'processing' ) as $status ) {
	$now = order( array( 'status' => $status, 'is_paid' => 'processing' === $status, 'transaction_id' => '62841953770' ) );
	same( "a charge that stays paid without a removed payment leaves an order with the status $status", '', done( paid( array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T11:00:00.000Z' ) ), $now, $found ) );
	same( "an unverified charge that stays paid without a removed payment leaves an order with the status $status", '', done( array_merge( $forged, array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T11:00:00.000Z' ) ), $now, array( 'id:62841953770', 'unverified:62841953770' ) ) );
}
// The plugin never saw the charge without the removed payment.
$held = order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) );
same( 'a payment that takes the place of a removed one at once continues a held order', 'paid@2026-11-25T12:00:00.000Z=pay', done( $next, $held, array_merge( $found, array( 'disputed:reversal' ) ) ) );
same( 'a payment that takes the place of a removed one at once pays the order once', '', done( $next, order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '77777777777' ) ), array_merge( $found, array( 'id:77777777777', 'paid@2026-11-25T12:00:00.000Z' ) ) ) );
same( 'a payment whose id was stored before the process died still pays the order', 'paid@2026-11-25T12:00:00.000Z=pay', done( $next, order( array( 'status' => 'on-hold', 'transaction_id' => '77777777777' ) ), array_merge( $found, array( 'id:77777777777' ) ) ) );
same( 'a payment that took the place of a removed one leaves an order that the shop cancelled since', '', done( $next, order( array( 'status' => 'cancelled', 'transaction_id' => '77777777777' ) ), array_merge( $found, array( 'id:77777777777', 'paid@2026-11-25T12:00:00.000Z' ) ) ) );
same( 'a payment that takes the place of a second removed one at once continues a held order', 'paid@2026-11-26T12:00:00.000Z=pay', done( array_merge( $next, array( 'unmarked_at' => '2026-11-26T12:00:00.000Z', 'paid_at' => '2026-11-26T12:05:00.000Z' ) ), $held, array_merge( $found, array( $step, 'id:88888888888', 'paid@2026-11-25T12:00:00.000Z' ) ) ) );
same( 'a payment after a removed one pays the order once', '', done( $next, order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '77777777777' ) ), array_merge( $found, array( $step, 'id:77777777777', 'paid@2026-11-25T12:00:00.000Z' ) ) ) );
same( 'a charge whose payment has begun to pay its order is known', array( true, true, false ), array( Momo_Kiosk_Plan::has_begun_paying( array( 'begun:paid:pending' ) ), Momo_Kiosk_Plan::has_begun_paying( array( 'begun:paid@2026-11-25T12:00:00.000Z:pending' ) ), Momo_Kiosk_Plan::has_begun_paying( array( 'paid', 'begun:part:1' ) ) ) );

// After an undone mark, a second mark or an unverified payment is noted like the first, even with the same id.
$in_place = array_merge( $forged, array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T12:00:05.000Z', 'payment' => payment( array( 'transaction_id' => '77777777777', 'proof' => array( 'state' => 'unproven' ) ) ) ) );
$by_old   = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770', 'needs_proof' => true ) );
$paid_old = array( 'id:62841953770', 'paid' );
same( 'an unverified payment that takes the place of a removed one at once holds the order', 'unverified:77777777777@2026-11-25T12:00:00.000Z=hold', done( $in_place, $by_old, $paid_old ) );
same( 'an unverified payment that takes the place of a removed one holds the order once', '', done( $in_place, $by_old, array_merge( $paid_old, array( 'unverified:77777777777@2026-11-25T12:00:00.000Z' ) ) ) );
same( 'an unverified payment that takes the place of a removed one continues an order that needs no proof', 'unverified:77777777777@2026-11-25T12:00:00.000Z=pay', done( $in_place, array_merge( $by_old, array( 'needs_proof' => false ) ), $paid_old ) );

$undone = array( 'unmarked_at' => '2026-11-25T12:00:00.000Z', 'paid_at' => '2026-11-25T12:05:00.000Z' );
$before = array( 'id:CASH123456789012', 'unverified:CASH123456789012', $step );
$waits  = order( array( 'status' => 'on-hold', 'transaction_id' => 'CASH123456789012' ) );
$again  = 'unverified:62841953770@2026-11-25T12:00:00.000Z';
same( 'an unverified payment after an undone mark holds the order', "$again=hold", done( array_merge( $forged, $undone ), $waits, $before ) );
same( 'an order gets the id of the payment after an undone mark', '62841953770', Momo_Kiosk_Plan::steps( array_merge( $forged, $undone ), $waits, $before )[0]['transaction_id'] );
same( 'an unverified payment after an undone mark is noted once', '', done( array_merge( $forged, $undone ), $waits, array_merge( $before, array( $again ) ) ) );
same( 'a second mark with the same id holds the order', "$again=hold", done( array_merge( $forged, $undone ), order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'id:62841953770', 'unverified:62841953770', $step ) ) );
same( 'a step begun before the undone mark does not count after it', '', Momo_Kiosk_Plan::begun( $again, array( 'begun:unverified:62841953770:pending' ) ) );
same( 'a step begun after the undone mark does not count before it', '', Momo_Kiosk_Plan::begun( 'unverified:62841953770', array( "begun:$again:pending" ) ) );

$cash = payment( array_merge( $unproven, array( 'transaction_id' => 'CASH123456789012', 'marked' => array( 'how' => 'cash', 'at' => '2026-11-25T12:00:00.000Z' ) ) ) );
same( 'the note on a part in cash says to count the cash', 0, strpos( notes( charge( array( 'amount_paid' => 18, 'parts' => array( array_merge( $cash, array( 'amount' => 18 ) ) ) ) ), order() ), 'Count your cash first' ) );
same( 'the note on a cash payment states who recorded it', 0, strpos( notes( paid( array_merge( $unproven, array( 'payment' => $cash ) ) ), order() ), 'Count your cash first: this payment is not verified. Somebody recorded at Momo Kiosk that KOFI MENSAH paid GHS 36.00 in cash (CASH123456789012)' ) );
$transfer = payment( array_merge( $unproven, array( 'marked' => array( 'how' => 'transfer', 'at' => '2026-11-25T12:00:00.000Z' ) ) ) );
same( 'the note on a manually recorded transfer does not mention a message', 0, strpos( notes( paid( array_merge( $unproven, array( 'payment' => $transfer ) ) ), order() ), $first . 'Somebody recorded at Momo Kiosk that GHS 36.00 arrived from KOFI MENSAH' ) );
same( 'the note on an unverified payment states an underpayment', true, false !== strpos( notes( paid( array_merge( $unproven, array( 'amount_paid' => 0.01 ) ) ), order() ), 'That is GHS 35.99 too little' ) );
same( 'the note on a sufficient payment states no underpayment', false, strpos( notes( $forged, order() ), 'too little' ) );

// The plugin only writes notes once a person has changed the order after its payment.
$proven = array( 'proof' => payment()['proof'] );
$held   = array( 'unverified:62841953770', 'id:62841953770' );
$whole  = array( 'refunds' => array( array( 'refund_id' => 'R1', 'status' => 'sent', 'amount' => 36, 'transaction_id' => '99' ) ) );
$by     = static function ( $status ) {
	return order( array( 'status' => $status, 'is_paid' => in_array( $status, array( 'processing', 'completed' ), true ), 'transaction_id' => '62841953770' ) );
};
$rest   = charge( array( 'status' => 'expired', 'amount_paid' => 18, 'unmarked_at' => '2026-11-25T12:00:00.000Z' ) );
foreach ( array(
	'verified, cancelled and refunded'    => array( paid( array_merge( $proven, $whole ) ), 'cancelled', $held, 'paid=note refund:R1:sent=note' ),
	'verified after it was cancelled'     => array( paid( $proven ), 'cancelled', $held, 'paid=note' ),
	'verified after it was failed'        => array( paid( $proven ), 'failed', $held, 'paid=note' ),
	'verified after it was refunded'      => array( paid( $proven ), 'refunded', $held, 'paid=note' ),
	'verified after it was deleted'       => array( paid( $proven ), 'trash', $held, 'paid=note' ),
	'verified, on hold and refunded'      => array( paid( array_merge( $proven, $whole ) ), 'on-hold', $held, 'paid=note refund:R1:sent=note' ),
	'verified, held by a person'          => array( paid( $proven ), 'on-hold', array_merge( $held, array( 'moved:pay' ) ), 'paid=note' ),
	'verified, held by the plugin again'  => array( paid( $proven ), 'on-hold', array_merge( $held, array( 'moved:pay', 'moved:hold' ) ), 'paid=pay' ),
	'verified, on hold and part refunded' => array( $refund( 'sent' ), 'on-hold', $held, 'paid=pay refund:R1:sent=note' ),
	'verified, refund withdrawn'          => array( paid( array_merge( $proven, array( 'refunds' => array( array_merge( $whole['refunds'][0], array( 'status' => 'withdrawn' ) ) ) ) ) ), 'on-hold', $held, 'paid=pay refund:R1:withdrawn=note' ),
	'verified, waiting for a payment'     => array( paid( $proven ), 'pending', $held, 'paid=pay' ),
	'refunded before the shop saw it'     => array( paid( array_merge( $proven, $whole ) ), 'pending', array(), 'paid=note refund:R1:sent=note' ),
	'unverified and refunded at once'     => array( paid( array_merge( $unproven, $whole ) ), 'pending', array(), 'unverified:62841953770=note refund:R1:sent=note' ),
	'disputed after it was cancelled'     => array( paid( array_merge( $unproven, $disputed ) ), 'cancelled', $held, 'disputed:conflict=note' ),
	'disputed after it was failed'        => array( paid( array_merge( $unproven, $disputed ) ), 'failed', $held, 'disputed:conflict=note' ),
	'suspected after it was cancelled'    => array( paid( $late_claim ), 'cancelled', $held, 'suspected:0=note' ),
	'disputed after it was refunded'      => array( paid( array_merge( $proven, $disputed, $whole ) ), 'processing', array( 'id:62841953770', 'paid' ), 'disputed:conflict=note refund:R1:sent=note' ),
	'reversed after it was refunded'      => array( array_merge( $reversed, $whole ), 'processing', array( 'id:62841953770', 'paid' ), 'reversed=note refund:R1:sent=note' ),
	'reversed, with a status of the shop' => array( $reversed, 'shipped', array( 'id:62841953770', 'paid' ), 'reversed=note' ),
	'reversed after a person completed it' => array( $reversed, 'completed', array( 'id:62841953770', 'paid', 'moved:pay' ), 'reversed=fail' ),
	'paid by a new payment after it was cancelled' => array( $next, 'cancelled', array_merge( $found, array( $step ) ), 'paid@2026-11-25T12:00:00.000Z=note' ),
	'expired in part after it was failed' => array( $rest, 'failed', array_merge( $held, array( $step ) ), 'expired=note' ),
) as $kind => list( $charge, $status, $told, $expected ) ) {
	same( "an order that was $kind", $expected, done( $charge, $by( $status ), $told ) );
}
same( 'the note on a reversed charge says that its goods stay out of stock', true, false !== strpos( notes( $reversed, $by( 'processing' ), array( 'paid' ) ), 'stay out of it. If you still have them, set the order to cancelled to put them back.' ) );
same( 'the note on the reversed charge of a cancelled order does not mention stock', false, strpos( notes( $reversed, $by( 'cancelled' ), array( 'paid' ) ), 'stock' ) );
