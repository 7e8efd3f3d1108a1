<?php
// If a process dies while WooCommerce changes an order, the next process completes the change.
require '/test/woocommerce.php';
Momo_Kiosk_Api::anew();

/** Checks the charge in a process that dies before its n-th write (0: never). Returns true if the process died. */
function process( $dies_at ) {
	$GLOBALS['hooks']   = array();
	$GLOBALS['dies_at'] = $dies_at;
	try {
		Momo_Kiosk_Orders::look( 'MK-1' );
		return false;
	} catch ( Died $died ) {
		wc_transaction_query( 'rollback' );
		return true;
	}
}

/** Returns an order's outcome after processes died at these steps and another one checked it. */
function became( $total, array $deaths, $proof = 'proven' ) {
	shop( array( 'total' => $total ) );
	Momo_Kiosk_Api::$charge['proof'] = array( 'state' => $proof );
	$died = array();
	foreach ( $deaths as $death ) {
		$died[] = process( $death );
	}
	process( 0 );
	return array( in_array( false, $died, true ), $GLOBALS['db'] );
}

foreach ( array( array( '36', 'proven', 'processing' ), array( '40', 'proven', 'on-hold' ), array( '36', 'unproven', 'on-hold' ) ) as list( $total, $proof, $status ) ) {
	$wrong   = array();
	$doubled = array();
	$deaths  = array( array() );
	for ( $first = 1; ! became( $total, array( $first ), $proof )[0]; $first++ ) {
		$deaths[] = array( $first );
		for ( $second = 1; ! became( $total, array( $first, $second ), $proof )[0]; $second++ ) {
			$deaths[] = array( $first, $second );
		}
	}
	foreach ( $deaths as $at ) {
		list( , $db ) = became( $total, $at, $proof );
		if ( $status !== $db['status'] || '62841953770' !== $db['transaction_id'] || 'success' !== $db['state'] || ! $db['other_plugins'] || ! $db['notes'] ) {
			$wrong[] = 'the order: ' . implode( ', ', $at );
		}
		if ( 0 !== $db['stock_kente'] || 0 !== $db['stock_basket'] ) {
			$wrong[] = "stock {$db['stock_kente']}, {$db['stock_basket']}: " . implode( ', ', $at );
		}
		if ( $db['mail_new_order'] < 1 || $db['mail_customer'] < 1 ) {
			$wrong[] = 'e-mails: ' . implode( ', ', $at );
		}
		if ( 1 === count( $at ) && ( $db['mail_new_order'] > 1 || $db['mail_customer'] > 1 ) ) {
			$doubled[] = $at[0];
		}
	}
	same( "$proof, $status: the process can die at more than 200 points", true, count( $deaths ) > 200 );
	same( "$proof, $status: the next process completes the order and reduces the stock once", array(), $wrong );
	same( "$proof, $status: an email is duplicated only between sending and recording it", 2, count( $doubled ) );
	list( , $db ) = became( $total, array(), $proof );
	same( "$proof, $status: each email is sent once if no process dies", array( 1, 1 ), array( $db['mail_new_order'], $db['mail_customer'] ) );
}

// The plugin gives up if the process always dies.
became( '36', array_fill( 0, 40, 25 ) );
same( 'the order gets a note if every process dies', true, array() !== $GLOBALS['db']['notes'] && 'success' === $GLOBALS['db']['state'] );
