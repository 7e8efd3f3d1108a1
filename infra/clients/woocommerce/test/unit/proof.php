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
	same( "$proof: the stock is reserved", array( 0, 0 ), array( $GLOBALS['db']['stock_kente'], $GLOBALS['db']['stock_basket'] ) );
	same( "$proof: the order is processed after verification", 'processing', seen( 'proven' ) );
	same( "$proof: the stock is reduced once", array( 0, 0 ), array( $GLOBALS['db']['stock_kente'], $GLOBALS['db']['stock_basket'] ) );
	same( "$proof: physical goods are processed if the shop allows it", 'processing', became( 'physical', 'yes', $proof ) );
	foreach ( array( 'virtual' => 'completed', 'mixed' => 'processing' ) as $goods => $status ) {
		same( "$proof: $goods goods are on hold even if the shop allows them", 'on-hold', became( $goods, 'yes', $proof ) );
		same( "$proof: an order of $goods goods is $status after verification", $status, seen( 'proven' ) );
	}
}
same( 'a verified payment completes an order of virtual goods', 'completed', became( 'virtual', 'no', 'proven' ) );

became( 'physical', 'no', 'unproven' );
$GLOBALS['db']['status'] = 'cancelled';
same( 'a cancelled order stays cancelled while its payment is unverified', 'cancelled', seen( 'unproven' ) );
same( 'a status request returns that the payment is not verified', 'success, not verified', Momo_Kiosk_Orders::look( 'MK-1' ) );
$sent = $GLOBALS['db'];
same( 'a cancelled order stays cancelled after verification', 'cancelled', seen( 'proven' ) );
same( 'a cancelled order sends no e-mail after verification', array( $sent['mail_new_order'], $sent['mail_customer'] ), array( $GLOBALS['db']['mail_new_order'], $GLOBALS['db']['mail_customer'] ) );
same( 'the note on a cancelled order says that it stays cancelled', true, false !== strpos( end( $GLOBALS['db']['notes'] ), 'The order stays cancelled, because somebody changed it' ) );
same( 'a status request returns success after verification', 'success', Momo_Kiosk_Orders::look( 'MK-1' ) );

foreach ( array( 'yes' => 'processing', 'no' => 'on-hold' ) as $setting => $status ) {
	same( "unverified=$setting: an unverified payment leaves the order $status", $status, became( 'physical', $setting, 'unproven' ) );
	Momo_Kiosk_Api::$charge['payment']['transaction_id'] = '62840004821';
	Momo_Kiosk_Api::$charge['second_payments']           = array();
	$noted                                               = count( $GLOBALS['db']['notes'] );
	same( "unverified=$setting: a verified replacement pays the order", 'processing', seen( 'proven' ) );
	same( "unverified=$setting: the order gets the replacement’s id", '62840004821', $GLOBALS['db']['transaction_id'] );
	same( "unverified=$setting: no note asks for a return of money", 0, preg_match( '/send/', implode( ' ', array_slice( $GLOBALS['db']['notes'], $noted ) ) ) );
}

became( 'physical', 'yes', 'unproven' );
$GLOBALS['db']['status'] = 'on-hold';
same( 'an order that a person put on hold stays on hold after verification', 'on-hold', seen( 'proven' ) );

became( 'physical', 'no', 'unproven' );
Momo_Kiosk_Api::$charge['refunds'] = array( array( 'refund_id' => 'R1', 'status' => 'sent', 'amount' => 36, 'transaction_id' => '99' ) );
same( 'a refunded order stays on hold after verification', 'on-hold', seen( 'proven' ) );

// WooCommerce shows a note as HTML, and a payer chooses the name in a payment's text.
$GLOBALS['refunds'] = array();
foreach ( array( 'proven' => 'processing', 'unproven' => 'on-hold' ) as $proof => $status ) {
	shop();
	Momo_Kiosk_Api::anew();
	Momo_Kiosk_Api::$charge['payment']['payer_name'] = '<a href="https://evil.example">KOFI</a>';
	$GLOBALS['options'][ Momo_Kiosk_Settings::OPTION ]['unverified'] = 'no';
	same( "$proof: an order whose payer has HTML in the name becomes $status", $status, seen( $proof ) );
	same( "$proof: the note shows HTML in a payer's name as text", array( false, true ), array( strpos( implode( $GLOBALS['db']['notes'] ), '<' ), false !== strpos( implode( $GLOBALS['db']['notes'] ), '&lt;a href=&quot;https://evil.example' ) ) );
}
