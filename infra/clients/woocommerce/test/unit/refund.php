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

/** Deletes a refund. */
function delete_refund( $id ) {
	same( "whether refund $id may be deleted is for others to say", null, Momo_Kiosk_Orders::note_deleted_refund( null, $GLOBALS['refunds'][ $id ] ) );
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
same( 'a refund', 'R1', refund( 101 ) );
same( 'and a second one of the same amount', 'R2', refund( 102 ) );
same( 'are two', 2, noted() );
delete_refund( 102 );
same( 'one that is deleted in the shop is noted on the order', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'The refund of GHS 5.00 was deleted in the shop' ) );
same( 'made again it is the one that waits there', 'R2', refund( 103 ) );
same( 'which stays one', 2, noted() );
Momo_Kiosk_Api::$charge['refunds'][1]['status'] = 'withdrawn';
delete_refund( 103 );
same( 'after one that will not be sent it is another', 'R3', refund( 104 ) );
Momo_Kiosk_Api::$charge['refunds'][0]['status'] = 'sent';
delete_refund( 101 );
same( 'and after one that was sent', 'R4', refund( 105 ) );

shop( $paid );
Momo_Kiosk_Api::anew();
Momo_Kiosk_Api::$is_silent = true;
same( 'a refund whose answer is lost', 'unreachable', refund( 201 ) );
same( 'is none in the shop, and of that nothing is noted', array( array(), array() ), array( $GLOBALS['refunds'], $GLOBALS['db']['notes'] ) );
Momo_Kiosk_Api::$is_silent = false;
same( 'pressed again', 'R1', refund( 202 ) );
same( 'it is one', 1, noted() );

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
same( 'an order that is on hold for another payment keeps its charge', 'pending', becomes( 'pending', 'on-hold' ) );
same( 'paid another way it ends its charge', 'cancelled', becomes( 'on-hold', 'processing' ) );
same( 'which is noted', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'was cancelled, and its page says not to pay' ) );
shop( array( 'payment_method' => 'cod' ) );
Momo_Kiosk_Api::anew();
becomes( 'pending', 'processing' );
same( 'where the payment was faster', 'success', Momo_Kiosk_Api::$charge['status'] );
same( 'the note says so', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'which may be a second one' ) );
shop( array( 'told' => '["begun:paid:pending"]' ) );
becomes( 'pending', 'processing' );
same( 'its own payment ends nothing', array(), $GLOBALS['actions'] );
