<?php
// The customer presses “Pay” again before the shop has heard that the order's charge was paid.
require '/test/woocommerce.php';

/** Returns what the customer gets, and the order's status. Creating another charge fails, because its details are missing. */
function again( $total, array $charge ) {
	shop( array( 'total' => $total ) );
	Momo_Kiosk_Api::anew();
	Momo_Kiosk_Api::$charge = array_merge( Momo_Kiosk_Api::$charge, $charge );
	try {
		$got = Momo_Kiosk_Orders::page( new WC_Order() );
	} catch ( Error $error ) {
		$got = 'another payment page';
	}
	return array( $got, $GLOBALS['db']['status'] );
}

$unproven = array( 'proof' => array( 'state' => 'unproven', 'why' => 'not_anchored' ) );
$proven   = array( 'proof' => array( 'state' => 'proven' ) );
$disputed = array(
	'disputed' => array(
		'why' => 'reversal',
		'at'  => '2026-01-01T00:00:00.000Z',
	),
);
same( 'a verified payment leads to the order', array( 'the order', 'processing' ), again( '36', $proven ) );
same( 'an unverified payment leads to the order', array( 'the order', 'on-hold' ), again( '36', $unproven ) );
same( 'a disputed payment leads to the order', array( 'the order', 'on-hold' ), again( '36', $unproven + $disputed ) );
same( 'a payment of an order that costs more now leads to the order', array( 'the order', 'on-hold' ), again( '40', $proven ) );
foreach ( array( 'expired', 'cancelled' ) as $status ) {
	$unpaid = array(
		'status'      => $status,
		'amount_paid' => 0,
		'payment'     => null,
		'proof'       => null,
	);
	same( "an unpaid charge that is $status leads to another payment page", array( 'another payment page', 'pending' ), again( '36', $unpaid ) );
}
