<?php
// Orders paid with unverified money, before and after verification.
require '/test/woocommerce.php';

/** Returns the outcome for an order of these goods whose payment has this proof. */
function became( $goods, $setting, $proof ) {
	shop( array( 'goods' => $goods ) );
	Momo_Kiosk_Api::anew();
	$GLOBALS['options'][ Momo_Kiosk_Settings::OPTION ]['unverified'] = $setting;
	return seen( $proof );
}

/** Checks the same order again after its payment's proof changed. */
function seen( $proof ) {
	Momo_Kiosk_Api::$charge['proof'] = array( 'state' => $proof );
	Momo_Kiosk_Orders::look( 'MK-1' );
	return $GLOBALS['db']['status'];
}

foreach ( array( 'unproven', 'checking' ) as $proof ) {
	same( "$proof: the order is on hold", 'on-hold', became( 'physical', 'no', $proof ) );
	same( "$proof: its goods are kept", array( 0, 0 ), array( $GLOBALS['db']['stock_kente'], $GLOBALS['db']['stock_basket'] ) );
	same( "$proof: verified, it is processing", 'processing', seen( 'proven' ) );
	same( "$proof: and its goods were taken once", array( 0, 0 ), array( $GLOBALS['db']['stock_kente'], $GLOBALS['db']['stock_basket'] ) );
	same( "$proof: as the shop has set, what a person packs is processing", 'processing', became( 'physical', 'yes', $proof ) );
	foreach ( array( 'virtual' => 'completed', 'mixed' => 'processing' ) as $goods => $status ) {
		same( "$proof: what leaves by itself ($goods) is on hold, whatever the shop has set", 'on-hold', became( $goods, 'yes', $proof ) );
		same( "$proof: verified, it is $status", $status, seen( 'proven' ) );
	}
}
same( 'verified from the first, what leaves by itself leaves', 'completed', became( 'virtual', 'no', 'proven' ) );

became( 'physical', 'no', 'unproven' );
$GLOBALS['db']['status'] = 'cancelled';
same( 'an order that a person cancelled stays that while nothing is verified', 'cancelled', seen( 'unproven' ) );
same( 'a person who asks is told that it is not', 'success, not verified', Momo_Kiosk_Orders::look( 'MK-1' ) );
same( 'verified, it is reopened', 'processing', seen( 'proven' ) );
same( 'and says so', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'The order was already cancelled, and has been reopened.' ) );
same( 'a person who asks is told no more', 'success', Momo_Kiosk_Orders::look( 'MK-1' ) );

foreach ( array( 'yes' => 'processing', 'no' => 'on-hold' ) as $setting => $status ) {
	same( "unverified: $setting: an order is $status by a payment that is not verified", $status, became( 'physical', $setting, 'unproven' ) );
	Momo_Kiosk_Api::$charge['payment']['transaction_id'] = '62840004821';
	Momo_Kiosk_Api::$charge['second_payments']           = array();
	$noted                                               = count( $GLOBALS['db']['notes'] );
	same( "unverified: $setting: one that is verified takes its place, and pays the order", 'processing', seen( 'proven' ) );
	same( "unverified: $setting: the order has its id", '62840004821', $GLOBALS['db']['transaction_id'] );
	same( "unverified: $setting: no note says to send it back", 0, preg_match( '/send/', implode( ' ', array_slice( $GLOBALS['db']['notes'], $noted ) ) ) );
}
