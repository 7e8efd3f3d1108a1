<?php
// Refunds that are repeated, deleted or get no response, and orders paid another way.
require '/test/woocommerce.php';

$GLOBALS['actions'] = array();

function as_enqueue_async_action( $hook, $arguments, $group ) {
	$GLOBALS['actions'][] = array( $hook, $arguments );
}

function wc_get_is_paid_statuses() {
	return array( 'processing', 'completed' );
}

require '/plugin/includes/class-momo-kiosk-schedule.php';

/** Refunds GHS 5.00 in the shop under this number. A failed refund is removed. */
function refund( $id ) {
	$refund = new WC_Order_Refund( $id );
	try {
		Momo_Kiosk_Orders::refund( new WC_Order(), $refund, 500, 'Torn' );
		$GLOBALS['refunds'][ $id ] = $refund;
		return $refund->get_meta( Momo_Kiosk_Orders::REFUND );
	} catch ( Momo_Kiosk_Api_Error $error ) {
		Momo_Kiosk_Orders::note_deleted_refund( null, $refund );
		return $error->api_code;
	}
}

function delete_refund( $id ) {
	same( "deleting refund $id is not prevented", null, Momo_Kiosk_Orders::note_deleted_refund( null, $GLOBALS['refunds'][ $id ] ) );
	unset( $GLOBALS['refunds'][ $id ] );
}

function noted() {
	return count( Momo_Kiosk_Api::$charge['refunds'] );
}

$paid = array(
	'status'         => 'processing',
	'transaction_id' => '62841953770',
	'state'          => 'success',
	'told'           => '["paid"]',
);
shop( $paid );
Momo_Kiosk_Api::anew();
same( 'a refund is recorded', 'R1', refund( 101 ) );
same( 'a second refund of the same amount is recorded separately', 'R2', refund( 102 ) );
same( 'both refunds are recorded', 2, noted() );
delete_refund( 102 );
same( 'a deleted refund is noted on the order', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'The refund of GHS 5.00 was deleted in the shop' ) );
same( 'a repeated refund reuses the deleted one', 'R2', refund( 103 ) );
same( 'a repeated refund is not recorded twice', 2, noted() );
Momo_Kiosk_Api::$charge['refunds'][1]['status'] = 'withdrawn';
delete_refund( 103 );
same( 'a refund after a withdrawn one is recorded separately', 'R3', refund( 104 ) );
Momo_Kiosk_Api::$charge['refunds'][0]['status'] = 'sent';
delete_refund( 101 );
same( 'a refund after a sent one is recorded separately', 'R4', refund( 105 ) );

shop( $paid );
Momo_Kiosk_Api::anew();
Momo_Kiosk_Api::$is_silent = true;
same( 'a refund with a lost response is reported as unreachable', 'unreachable', refund( 201 ) );
same( 'a refund with a lost response leaves no note in the shop', array( array(), array() ), array( $GLOBALS['refunds'], $GLOBALS['db']['notes'] ) );
Momo_Kiosk_Api::$is_silent = false;
same( 'a retried refund uses the first attempt’s record', 'R1', refund( 202 ) );
same( 'a retried refund is recorded once', 1, noted() );

/** Sets an order's status and runs the plugin's actions. */
function becomes( $from, $to ) {
	$GLOBALS['actions']       = array();
	$GLOBALS['db']['status'] = $to;
	Momo_Kiosk_Schedule::cancel_charges_if_paid( 7, $from, $to );
	foreach ( $GLOBALS['actions'] as $action ) {
		Momo_Kiosk_Schedule::cancel( ...$action[1] );
	}
	return Momo_Kiosk_Api::$charge['status'];
}

shop( array( 'payment_method' => 'cod' ) );
Momo_Kiosk_Api::anew( 'pending' );
same( 'an order on hold for another payment method keeps its charge', 'pending', becomes( 'pending', 'on-hold' ) );
same( 'an order paid another way cancels its charge', 'cancelled', becomes( 'on-hold', 'processing' ) );
same( 'a cancelled charge is noted on the order', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'was cancelled, and its page says not to pay' ) );
shop( array( 'payment_method' => 'cod' ) );
Momo_Kiosk_Api::anew();
becomes( 'pending', 'processing' );
same( 'a charge paid before its cancellation stays paid', 'success', Momo_Kiosk_Api::$charge['status'] );
same( 'the note on a paid charge mentions a possible duplicate', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'which may be a second one' ) );
shop( array( 'told' => '["begun:paid:pending"]' ) );
becomes( 'pending', 'processing' );
same( 'an order’s own payment cancels nothing', array(), $GLOBALS['actions'] );
