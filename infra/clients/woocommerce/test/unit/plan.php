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

/** Returns an order that waits for payment. */
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

same( 'nothing is done while nothing has arrived', '', done( charge(), order() ) );
same( 'a payment pays the order', 'paid=pay', done( paid(), order() ) );
same( 'once', '', done( paid(), order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );
same( 'the order keeps the network’s id', '62841953770', Momo_Kiosk_Plan::steps( paid(), order(), array() )[0]['transaction_id'] );
$by_it = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) );
same( 'if the process died after the order was paid, WooCommerce does what was left', 'paid=pay', done( paid(), $by_it, array( 'begun:paid:pending' ) ) );
same( 'also where a person has given it another status since', 'paid=pay', done( paid(), array_merge( $by_it, array( 'status' => 'shipped', 'is_paid' => false ) ), array( 'begun:paid:pending' ) ) );
same( 'but for one that was refunded since', 'paid=note', done( paid(), array_merge( $by_it, array( 'status' => 'refunded', 'is_paid' => false ) ), array( 'begun:paid:pending' ) ) );
$often = array_fill( 0, Momo_Kiosk_Plan::MAX_TRIES, 'begun:paid:pending' );
same( 'where WooCommerce never ends, a person has to look', 'paid=note', done( paid(), $by_it, $often ) );
same( 'and is told so', true, false !== strpos( notes( paid(), $by_it, $often ), 'WooCommerce was interrupted 20 times' ) );
same( 'what was begun is known by its fact', 'cancelled', Momo_Kiosk_Plan::begun( 'paid', array( 'part:1', 'begun:disputed:conflict:processing', 'begun:paid:cancelled', 'begun:paid:processing' ) ) );
same( 'and not by another’s', '', Momo_Kiosk_Plan::begun( 'paid', array( 'paid', 'begun:disputed:conflict:processing' ) ) );

foreach ( array( 'pending', 'failed', 'cancelled', 'on-hold', 'checkout-draft' ) as $status ) {
	same( "an order that is $status is paid by a payment", 'paid=pay', done( paid(), order( array( 'status' => $status ) ) ) );
}
foreach ( array( 'refunded', 'trash', 'wc-custom' ) as $status ) {
	same( "an order that is $status is not, and its notes say so", 'paid=note', done( paid(), order( array( 'status' => $status ) ) ) );
}
same( 'a reopened order says so', true, false !== strpos( notes( paid(), order( array( 'status' => 'cancelled' ) ) ), 'The order was already cancelled, and has been reopened.' ) );
same( 'a late payment of goods that are gone does not reopen it, and says why', 'paid=hold_without_stock', done( paid(), order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ) ) );
same( 'by name', true, false !== strpos( notes( paid(), order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ) ), 'out of stock: Last basket' ) );

$paid_by_other = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => 'pi_1' ) );
same( 'a second payment changes nothing', 'paid=note', done( paid(), $paid_by_other ) );
same( 'and its id does not replace the first', '', Momo_Kiosk_Plan::steps( paid(), $paid_by_other, array() )[0]['transaction_id'] );
$marked = order( array( 'status' => 'processing', 'is_paid' => true ) );
same( 'an order that somebody marked as paid may be paid twice: its note says so', true, false !== strpos( notes( paid(), $marked ), 'this may be a second one' ) );
same( 'as of one that was paid another way, which does not get the id', '', Momo_Kiosk_Plan::steps( paid(), array_merge( $marked, array( 'is_ours' => false ) ), array() )[0]['transaction_id'] );
same( 'an order that a person marked as paid gets the id', '62841953770', Momo_Kiosk_Plan::steps( paid(), order( array( 'status' => 'processing', 'is_paid' => true ) ), array() )[0]['transaction_id'] );

same( 'an order that has become dearer is for a person', 'paid=hold', done( paid(), order( array( 'total' => 3601 ) ) ) );
same( 'one that has become cheaper is paid', 'paid=pay', done( paid(), order( array( 'total' => 3599 ) ) ) );
same( 'one in another currency is for a person', 'paid=hold', done( paid(), order( array( 'currency' => 'USD' ) ) ) );
same( 'one whose total is no amount is for a person', 'paid=hold', done( paid(), order( array( 'total' => null ) ) ) );
same( 'too much is paid, and noted', 'paid=pay overpaid=note', done( paid( array( 'overpaid' => 1, 'amount_paid' => 37 ) ), order() ) );
same( 'a smaller payment that a person assigned is paid, and noted', 'paid=pay underpaid=note', done( paid( array( 'amount_paid' => 35.5 ) ), order() ) );

// Unverified money may be forged: no note suggests a refund, and no order ships automatically.
$of_it    = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => '62841953770' ) );
$unproven = array( 'proof' => array( 'state' => 'unproven', 'why' => 'balance_gap' ) );
$forged   = paid( $unproven );
$first    = 'Check your MoMo balance first: this payment is not verified. ';
same( 'money that is not verified holds the order', 'unverified:62841953770=hold', done( $forged, order() ) );
same( 'also while it is being checked', 'unverified:62841953770=hold', done( paid( array( 'proof' => array( 'state' => 'checking', 'why' => null ) ) ), order() ) );
same( 'and where the service does not know', 'unverified:62841953770=hold', done( paid( array( 'proof' => null ) ), order() ) );
same( 'the order keeps its id', '62841953770', Momo_Kiosk_Plan::steps( $forged, order(), array() )[0]['transaction_id'] );
same( 'and its note says to look before anything else', 0, strpos( notes( $forged, order() ), $first . 'The network’s text says that GHS 36.00 arrived from KOFI MENSAH' ) );
same( 'once', '', done( $forged, order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'unverified:62841953770' ) ) );
same( 'verified later it pays the order', 'paid=pay', done( paid( array( 'proof' => payment()['proof'] ) ), order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'unverified:62841953770' ) ) );
same( 'once a person has set the order to processing, nothing more is said of it', '', done( $forged, $of_it, array( 'unverified:62841953770' ) ) );
same( 'as the shop has set, it pays the order', 'unverified:62841953770=pay', done( $forged, order( array( 'needs_proof' => false ) ) ) );
same( 'with the same words first', 0, strpos( notes( $forged, order( array( 'needs_proof' => false ) ) ), $first ) );
same( 'if the process died then, WooCommerce does what was left', 'unverified:62841953770=pay', done( $forged, array_merge( $of_it, array( 'needs_proof' => false ) ), array( 'begun:unverified:62841953770:pending' ) ) );
same( 'where WooCommerce never ends, a person has to look', 'unverified:62841953770=note', done( $forged, $of_it, array_fill( 0, Momo_Kiosk_Plan::MAX_TRIES, 'begun:unverified:62841953770:pending' ) ) );
same( 'verified later it changes no status', 'paid=pay', done( paid(), $of_it, array( 'unverified:62841953770' ) ) );
$by_first = array_merge( $of_it, array( 'transaction_id' => '62840004821' ) );
$full     = array_fill( 0, 5, array( 'transaction_id' => '…1111' ) );
$told     = array( 'id:62840004821', 'begun:unverified:62841953770:pending', 'unverified:62841953770' );
foreach ( array( 'is listed' => array( array( 'transaction_id' => '…4821' ) ), 'is not listed' => $full, 'has no list' => array() ) as $kind => $listed ) {
	$replaced = paid( array( 'second_payments' => $listed ) );
	same( "a payment that a verified one replaced, which $kind: the order is paid", 'paid=pay', done( $replaced, $by_first, $told ) );
	same( "$kind: the order keeps the id of that one", '62841953770', Momo_Kiosk_Plan::steps( $replaced, $by_first, $told )[0]['transaction_id'] );
	same( "$kind: no note tells to send money back", 0, preg_match( '/send back/', notes( $replaced, $by_first, $told ) ) );
}
same( 'an order that other money paid is not by it', 1, preg_match( '/send back/', notes( paid(), $by_first ) ) );
foreach ( array( 'on hold' => array( 'id:62841953770', 'begun:unverified:62841953770:pending', 'unverified:62841953770' ), 'only noted' => array( 'unverified:62841953770' ) ) as $kind => $told ) {
	same( "one that was $kind while unverified, and other money paid, has two payments", 1, preg_match( '/send back/', notes( paid(), $by_first, $told ) ) );
	same( "$kind: it keeps the id of the other", '', Momo_Kiosk_Plan::steps( paid(), $by_first, $told )[0]['transaction_id'] );
}
same( 'not an order that has become dearer', 'unverified:62841953770=hold', done( $forged, order( array( 'needs_proof' => false, 'total' => 3601 ) ) ) );
same( 'nor one in doubt', 'unverified:62841953770=hold disputed:forged=hold', done( array_merge( $forged, array( 'disputed' => array( 'why' => 'forged' ) ) ), order( array( 'needs_proof' => false ) ) ) );
same( 'goods that are gone are not taken from the stock', 'unverified:62841953770=hold_without_stock', done( $forged, order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ) ) );
same( 'a test is always verified', 'paid=pay', done( paid( array( 'livemode' => false, 'proof' => null ) ), order( array( 'is_live' => false ) ) ) );

same( 'a service that is older says it of the payment', 'unverified:62841953770=hold', done( paid( array( 'payment' => payment( $unproven ) ) ), order() ) );
same( 'or of a part', 'part:1=note unverified:62841953770=hold', done( paid( array( 'parts' => array( payment( array_merge( $unproven, array( 'amount' => 18, 'transaction_id' => '1' ) ) ) ) ) ), order() ) );
same( 'and of one that it does not know', 'unverified:62841953770=hold', done( paid( array( 'payment' => payment( array( 'proof' => null ) ) ) ), order() ) );

// All notes about money, for verified and unverified payments.
$ended  = static function ( $status ) {
	return charge( array( 'status' => $status, 'amount_paid' => 18 ) );
};
$refund = array( 'refunds' => array( array( 'refund_id' => 'R1', 'status' => 'noted', 'amount' => 12.5, 'transaction_id' => null ) ) );
$other  = order( array( 'status' => 'processing', 'is_paid' => true, 'transaction_id' => 'pi_1' ) );
foreach ( array(
	'too much'               => array( paid( array( 'overpaid' => 1, 'amount_paid' => 37 ) ), order(), array() ),
	'a second payment'       => array( paid(), $other, array() ),
	'one of a marked order'  => array( paid(), order( array( 'status' => 'processing', 'is_paid' => true ) ), array() ),
	'goods that are gone'    => array( paid(), order( array( 'status' => 'cancelled', 'missing' => array( 'Last basket' ) ) ), array() ),
	'parts of what expired'  => array( $ended( 'expired' ), order(), array() ),
	'parts of a cancelled'   => array( $ended( 'cancelled' ), order(), array() ),
	'a noted refund'         => array( paid( $refund ), $of_it, array( 'paid', 'unverified:62841953770' ) ),
) as $kind => list( $charge, $order, $told ) ) {
	$verified = notes( array_merge( $charge, array( 'proof' => payment()['proof'] ) ), $order, $told );
	$other_by = notes( array_merge( $charge, $unproven ), $order, $told );
	same( "$kind: verified money may be sent back", 1, preg_match( '/send (it|the money|back)|send it/i', $verified ) );
	same( "$kind: no note on verified money says to look first", false, strpos( $verified, $first ) );
	same( "$kind: the note on other money says to look first", 0, strpos( $other_by, $first ) );
	same( "$kind: and never to send it back", 0, preg_match( '/\bsend/i', $other_by ) );
}
same( 'a refund has a proof of its own', 0, strpos( notes( paid( array( 'proof' => payment()['proof'], 'refunds' => array( array_merge( $refund['refunds'][0], $unproven ) ) ) ), $of_it, array( 'paid' ) ), $first ) );
same( 'a part that is not verified says so', 0, strpos( notes( charge( array( 'amount_paid' => 18, 'parts' => array( payment( array_merge( $unproven, array( 'amount' => 18 ) ) ) ) ) ), order() ), $first . 'A part has arrived' ) );
foreach ( array( 'expired', 'cancelled', 'reversed' ) as $status ) {
	$over = charge( array( 'status' => $status, 'amount_paid' => 18, 'proof' => payment()['proof'] ) );
	$gone = notes( array_merge( $over, array( 'held' => array( 'amount' => 0, 'proof' => null ) ) ), order() );
	same( "$status: what left since is neither sent back nor said to remain", 0, preg_match( '/\bsend|assign|18\.00/i', $gone ) );
	$doubt = notes( array_merge( $over, array( 'held' => array_merge( array( 'amount' => 18 ), $unproven ) ) ), order() );
	same( "$status: what is in doubt since is looked into first", array( true, 0 ), array( false !== strpos( $doubt, $first ), preg_match( '/\bsend/i', $doubt ) ) );
	$some = notes( array_merge( $over, $unproven, array( 'held' => array( 'amount' => 5, 'proof' => payment()['proof'] ) ) ), order() );
	same( "$status: only what is still held is named", array( true, false ), array( false !== strpos( $some, 'GHS 5.00' ), strpos( $some, $first ) ) );
}
same( 'expired: parts that are all gone keep no order waiting', 'expired=note', done( charge( array( 'status' => 'expired', 'amount_paid' => 18, 'held' => array( 'amount' => 0, 'proof' => null ) ) ), order() ) );
same( 'what remains of a charge that was taken back, too', true, false !== strpos( notes( paid( array_merge( $unproven, array( 'status' => 'reversed', 'amount_paid' => 18 ) ) ), $of_it, array( 'paid' ) ), "Do not deliver. {$first}You still have GHS 18.00 of this charge" ) );
$held = array( 'id' => 'H1', 'livemode' => true, 'amount' => 777, 'payer_name' => null, 'suggested_reference' => 'MK-4071932685', 'reason' => 'already_paid', 'proof' => payment()['proof'] );
same( 'a held payment that is verified can be assigned', array( 'held:H1', true ), array( Momo_Kiosk_Plan::held( $held )['fact'], false !== strpos( Momo_Kiosk_Plan::held( $held )['note'], 'assign it' ) ) );
$step = Momo_Kiosk_Plan::held( array_merge( $held, $unproven ) );
same( 'another is looked for first, and may be told of again', array( 'held_unverified:H1', 0, false ), array( $step['fact'], strpos( $step['note'], $first ), strpos( $step['note'], 'assign' ) ) );

same( 'a test does not pay an order of a live shop', 'paid=note', done( paid( array( 'livemode' => false ) ), order() ) );
same( 'it does in test mode', 'paid=pay', done( paid( array( 'livemode' => false ) ), order( array( 'is_live' => false ) ) ) );
same( 'a live payment counts while the shop tries something in test mode', 'paid=pay', done( paid(), order( array( 'is_live' => false ) ) ) );

$part = charge( array( 'parts' => array( payment( array( 'amount' => 18, 'transaction_id' => '1' ) ) ), 'amount_paid' => 18 ) );
same( 'a part is noted', 'part:1=note', done( $part, order() ) );
same( 'once', '', done( $part, order(), array( 'part:1' ) ) );
same( 'with its sum', true, false !== strpos( notes( $part, order() ), 'GHS 18.00, which makes GHS 18.00 of GHS 36.00 in total (MTN, 1)' ) );
same( 'the last one pays the order', 'paid=pay', done( paid( array( 'parts' => $part['parts'] ) ), order(), array( 'part:1' ) ) );

same( 'an expired charge is noted, and the order left to WooCommerce', 'expired=note', done( charge( array( 'status' => 'expired' ) ), order() ) );
same( 'with parts it is for a person', 'expired=hold', done( charge( array( 'status' => 'expired', 'amount_paid' => 18 ) ), order() ) );
same( 'unless the order is paid', 'expired=note', done( charge( array( 'status' => 'expired', 'amount_paid' => 18 ) ), $paid_by_other ) );
same( 'a cancelled one is noted', 'cancelled=note', done( charge( array( 'status' => 'cancelled' ) ), order( array( 'status' => 'cancelled' ) ) ) );
same( 'a payment after the end still pays', 'paid=pay', done( paid(), order( array( 'status' => 'cancelled' ) ), array( 'expired' ) ) );

$left = order( array( 'waits_seconds' => 600 ) );
same( 'who has not paid after ten minutes is reminded', 'reminded=remind', done( charge(), $left ) );
same( 'not sooner', '', done( charge(), order( array( 'waits_seconds' => 599 ) ) ) );
same( 'once', '', done( charge(), array_merge( $left, array( 'is_reminded' => true ) ) ) );
same( 'also if the time to pay was shorter', 'reminded=remind expired=note', done( charge( array( 'status' => 'expired' ) ), $left ) );
same( 'not of what is paid', 'paid=pay', done( paid(), $left ) );
same( 'nor after a part', 'part:1=note', done( $part, $left ) );
foreach ( array( 'failed', 'cancelled', 'on-hold', 'processing' ) as $status ) {
	same( "nor of an order that is $status", '', done( charge(), array_merge( $left, array( 'status' => $status ) ) ) );
}
same( 'nor of one that is paid another way', '', done( charge(), array_merge( $left, array( 'is_ours' => false ) ) ) );
same( 'nor of a test, once the shop is live', '', done( charge( array( 'livemode' => false ) ), $left ) );

$disputed = array( 'disputed' => array( 'at' => '', 'why' => 'conflict' ) );
same( 'a payment in doubt holds the order', 'disputed:conflict=hold', done( paid( $disputed ), $of_it, array( 'paid' ) ) );
same( 'once, whatever a person then decides', '', done( paid( $disputed ), $of_it, array( 'paid', 'disputed:conflict' ) ) );
same( 'in doubt from the first, it is never delivered', 'paid=hold disputed:conflict=hold', done( paid( $disputed ), order() ) );
same( 'the order of another payment is not touched', 'disputed:conflict=note', done( paid( $disputed ), $paid_by_other, array( 'paid' ) ) );
same( 'nor one that a person refunded', 'disputed:conflict=note', done( paid( $disputed ), order( array( 'status' => 'refunded', 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );

$reversed = paid( array( 'status' => 'reversed', 'amount_paid' => 0 ) );
foreach ( array( 'processing', 'completed', 'on-hold' ) as $status ) {
	same( "a payment taken back fails an order that is $status", 'reversed=fail', done( $reversed, order( array( 'status' => $status, 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );
}
same( 'even if its payment was never heard of', 'reversed=fail', done( $reversed, order() ) );
same( 'not the order of another payment', 'reversed=note', done( $reversed, $paid_by_other, array( 'paid' ) ) );
same( 'not one that a person cancelled', 'reversed=note', done( $reversed, order( array( 'status' => 'cancelled', 'transaction_id' => '62841953770' ) ), array( 'paid' ) ) );
same( 'a test taken back touches no live shop', 'reversed=note', done( array_merge( $reversed, array( 'livemode' => false ) ), order() ) );

$refund = static function ( $status ) {
	return paid( array( 'refunds' => array( array( 'refund_id' => 'R1', 'status' => $status, 'amount' => 12.5, 'transaction_id' => 'sent' === $status ? '99' : null ) ) ) );
};
same( 'a refund is noted', 'refund:R1:noted=note', done( $refund( 'noted' ), $of_it, array( 'paid' ) ) );
same( 'and again when it is sent', 'refund:R1:sent=note', done( $refund( 'sent' ), $of_it, array( 'paid', 'refund:R1:noted' ) ) );
same( 'with whom it goes to', true, false !== strpos( notes( $refund( 'noted' ), $of_it, array( 'paid' ) ), 'GHS 12.50 is recorded at Momo Kiosk. No money has moved yet: send it from your phone. The payer is KOFI MENSAH.' ) );
same( 'and with the network’s id', true, false !== strpos( notes( $refund( 'sent' ), $of_it, array( 'paid' ) ), 'The network’s id is 99.' ) );

$known = array( 'refunds' => array( array( 'refund_id' => 'R1', 'status' => 'noted', 'amount' => 12.5 ), array( 'refund_id' => 'R2', 'status' => 'sent', 'amount' => 5 ) ) );
same( 'a refund that is noted already, and is no other of the shop’s, is this one', 'R1', Momo_Kiosk_Plan::noted_refund( paid( $known ), 1250, array( '', 'R2' ) ) );
same( 'a second one of the same amount is another', '', Momo_Kiosk_Plan::noted_refund( paid( $known ), 1250, array( 'R1' ) ) );
same( 'and so is one of another amount', '', Momo_Kiosk_Plan::noted_refund( paid( $known ), 1251, array() ) );
same( 'or one whose money was sent', '', Momo_Kiosk_Plan::noted_refund( paid( $known ), 500, array() ) );

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
	same( 'seen ' . implode( ', ', $seen ) . ': each fact is told once', count( array_unique( $told ) ), count( $told ) );
	same( 'seen ' . implode( ', ', $seen ) . ': the order ends held', 'on-hold', $now['status'] );
}

$unmarked = charge( array( 'unmarked_at' => '2026-11-25T12:00:00.000Z' ) );
$step     = 'unmarked:2026-11-25T12:00:00.000Z';
foreach ( array( 'processing', 'completed' ) as $status ) {
	same( "a mark that was undone: an order that is $status is held", "$step=hold", done( $unmarked, order( array( 'status' => $status, 'is_paid' => true, 'transaction_id' => 'CASH123456789012' ) ), array( 'unverified:62841953770' ) ) );
}
same( 'a mark that was undone: an order on hold has a note', "$step=note", done( $unmarked, order( array( 'status' => 'on-hold' ) ), array( 'unverified:62841953770' ) ) );
same( 'a mark that was undone is told once', '', done( $unmarked, order( array( 'status' => 'on-hold' ) ), array( 'unverified:62841953770', $step ) ) );
same( 'a mark that was undone before the shop saw it is not told', '', done( $unmarked, order( array( 'status' => 'processing' ) ) ) );
same( 'paid after a mark was undone: the order goes on', 'paid=pay', done( paid( array( 'unmarked_at' => '2026-11-25T12:00:00.000Z' ) ), order( array( 'status' => 'on-hold' ) ), array( 'unverified:62841953770', $step ) ) );

// After an undone mark, a second mark or an unverified payment is noted like the first, even with the same id.
$undone = array( 'unmarked_at' => '2026-11-25T12:00:00.000Z' );
$before = array( 'id:CASH123456789012', 'unverified:CASH123456789012', $step );
$waits  = order( array( 'status' => 'on-hold', 'transaction_id' => 'CASH123456789012' ) );
$again  = 'unverified:62841953770@2026-11-25T12:00:00.000Z';
same( 'paid unverified after a mark was undone: the order is held, with a note', "$again=hold", done( array_merge( $forged, $undone ), $waits, $before ) );
same( 'and the order has the new id', '62841953770', Momo_Kiosk_Plan::steps( array_merge( $forged, $undone ), $waits, $before )[0]['transaction_id'] );
same( 'once', '', done( array_merge( $forged, $undone ), $waits, array_merge( $before, array( $again ) ) ) );
same( 'marked again with the same id after a mark was undone: the order is held, with a note', "$again=hold", done( array_merge( $forged, $undone ), order( array( 'status' => 'on-hold', 'transaction_id' => '62841953770' ) ), array( 'id:62841953770', 'unverified:62841953770', $step ) ) );
same( 'what was begun for the first is not begun for the second', '', Momo_Kiosk_Plan::begun( $again, array( 'begun:unverified:62841953770:pending' ) ) );
same( 'nor the other way round', '', Momo_Kiosk_Plan::begun( 'unverified:62841953770', array( "begun:$again:pending" ) ) );

$cash = payment( array_merge( $unproven, array( 'transaction_id' => 'CASH123456789012', 'marked' => array( 'how' => 'cash', 'at' => '2026-11-25T12:00:00.000Z' ) ) ) );
same( 'cash has no message: a person says so', 0, strpos( notes( paid( array_merge( $unproven, array( 'payment' => $cash ) ) ), order() ), 'Count your cash first: this payment is not verified. Somebody recorded at Momo Kiosk that KOFI MENSAH paid GHS 36.00 in cash (CASH123456789012)' ) );
$transfer = payment( array_merge( $unproven, array( 'marked' => array( 'how' => 'transfer', 'at' => '2026-11-25T12:00:00.000Z' ) ) ) );
same( 'nor has a transfer that a person typed', 0, strpos( notes( paid( array_merge( $unproven, array( 'payment' => $transfer ) ) ), order() ), $first . 'Somebody recorded at Momo Kiosk that GHS 36.00 arrived from KOFI MENSAH' ) );
same( 'an unverified payment that is too small says so', true, false !== strpos( notes( paid( array_merge( $unproven, array( 'amount_paid' => 0.01 ) ) ), order() ), 'That is GHS 35.99 too little' ) );
same( 'and one that is enough does not', false, strpos( notes( $forged, order() ), 'too little' ) );
