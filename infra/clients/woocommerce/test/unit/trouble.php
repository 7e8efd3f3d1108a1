<?php
// The merchant is notified when mobile money does not work. Only the service's responses are simulated.
define( 'MOMO_KIOSK_VERSION', '0' );
final class WP_Error {
	public function get_error_message() {
		return 'Connection refused';
	}
}

final class Momo_Kiosk_Admin {
	public static function settings_url() {
		return 'https://shop.example.com/settings';
	}
}

/** The service's HTTP status, or 0 for no response. */
$GLOBALS['answer'] = 200;
$GLOBALS['mails']  = array();

function wp_json_encode( $value ) {
	return json_encode( $value );
}

function wp_safe_remote_request( $address, $arguments ) {
	return 0 === $GLOBALS['answer'] ? new WP_Error() : $GLOBALS['answer'];
}

function is_wp_error( $answer ) {
	return $answer instanceof WP_Error;
}

function wp_remote_retrieve_response_code( $answer ) {
	return $answer;
}

function wp_remote_retrieve_header( $answer, $name ) {
	return '';
}

function wp_remote_retrieve_body( $answer ) {
	$codes = array(
		400 => 'invalid_request',
		401 => 'unauthorized',
		403 => 'forbidden',
		404 => 'not_found',
	);
	if ( 502 === $answer ) {
		return '<h1>Bad gateway</h1>';
	}
	return 200 === $answer ? '{"status":true,"data":{}}' : json_encode(
		array(
			'status'  => false,
			'code'    => $codes[ $answer ],
			'message' => 'The API key is unknown or was revoked.',
		)
	);
}

function wp_rand( $least, $most ) {
	return 1;
}

function update_option( $name, $value ) {
	$GLOBALS['options'][ $name ] = $value;
}

function delete_option( $name ) {
	unset( $GLOBALS['options'][ $name ] );
}

function get_bloginfo( $what ) {
	return 'Kente &amp; Co';
}

function wp_specialchars_decode( $text, $quotes ) {
	return htmlspecialchars_decode( $text, $quotes );
}

function wp_date( $format, $at ) {
	return gmdate( 'H:i', $at );
}

function wp_mail( $to, $subject, $text ) {
	$GLOBALS['mails'][] = "$to $subject: $text";
	return true;
}

foreach ( array( 'api-error', 'trouble', 'api' ) as $part ) {
	require "/plugin/includes/class-momo-kiosk-$part.php";
}

/** Calls the service, which responds as given. */
function ask( $answer, $live = true ) {
	$GLOBALS['answer'] = $answer;
	try {
		( new Momo_Kiosk_Api( $live ) )->get( '/api/v1/webhook' );
	} catch ( Momo_Kiosk_Api_Error $error ) {
		return $error->api_code;
	}
	return 'ok';
}

/** Resets the shop. */
function anew( $testmode = 'no' ) {
	$GLOBALS['mails']   = array();
	$GLOBALS['options'] = array(
		'home'                       => 'https://shop.example.com',
		'admin_email'                => 'owner@example.com',
		'date_format'                => '',
		'time_format'                => '',
		Momo_Kiosk_Settings::OPTION => array(
			'testmode' => $testmode,
			'address'  => 'https://pay.example.com',
			'live_key' => 'sk_live_x',
			'test_key' => 'sk_test_x',
		),
	);
}

/** Advances the clock. */
function pass( $seconds ) {
	foreach ( $GLOBALS['options']['momo_kiosk_trouble'] as $which => $trouble ) {
		$GLOBALS['options']['momo_kiosk_trouble'][ $which ]['since'] -= $seconds;
	}
}

anew();
ask( 200 );
Momo_Kiosk_Trouble::tell();
same( 'a working connection is not reported', array( array(), array() ), array( Momo_Kiosk_Trouble::all(), $GLOBALS['mails'] ) );

same( 'a rejected key is reported as unauthorized', 'unauthorized', ask( 401 ) );
$all = Momo_Kiosk_Trouble::all();
same( 'a rejected key causes a notice immediately', true, false !== strpos( $all['live'], 'does not accept the live key: “The API key is unknown or was revoked.”' ) );
Momo_Kiosk_Trouble::tell();
Momo_Kiosk_Trouble::tell();
ask( 401 );
Momo_Kiosk_Trouble::tell();
same( 'a rejected key causes one email', 1, count( $GLOBALS['mails'] ) );
same( 'the email to the owner includes instructions', true, 0 === strpos( $GLOBALS['mails'][0], 'owner@example.com [Kente & Co] Mobile money does not work: Momo Kiosk does not accept' ) && false !== strpos( $GLOBALS['mails'][0], 'https://shop.example.com/settings' ) );
ask( 200 );
same( 'a valid key ends the notice', array(), Momo_Kiosk_Trouble::all() );
ask( 401 );
Momo_Kiosk_Trouble::tell();
same( 'the next failure causes another email', 2, count( $GLOBALS['mails'] ) );
Momo_Kiosk_Trouble::forget();
same( 'saving the settings ends the notice', array(), Momo_Kiosk_Trouble::all() );

foreach ( array( 0 => 'no response', 502 => 'an error page' ) as $answered => $what ) {
	anew();
	ask( $answered );
	pass( 3500 );
	ask( $answered );
	Momo_Kiosk_Trouble::tell();
	same( "$what: a short outage is not reported", array( array(), array() ), array( Momo_Kiosk_Trouble::all(), $GLOBALS['mails'] ) );
	pass( 200 );
	Momo_Kiosk_Trouble::tell();
	same( "$what: an outage of an hour is reported", array( 1, 1 ), array( count( Momo_Kiosk_Trouble::all() ), count( $GLOBALS['mails'] ) ) );
	same( "$what: the notice includes the service’s address", true, false !== strpos( Momo_Kiosk_Trouble::all()['live'], 'https://pay.example.com' ) );
}

anew();
ask( 0 );
pass( 4000 );
$GLOBALS['answer'] = 200;
Momo_Kiosk_Trouble::tell();
same( 'an outage that ends before the email is not reported', array( array(), array() ), array( Momo_Kiosk_Trouble::all(), $GLOBALS['mails'] ) );

foreach ( array( 400, 403, 404 ) as $answered ) {
	anew();
	ask( 0 );
	ask( $answered );
	pass( 4000 );
	same( "the HTTP status $answered does not count as an outage", array(), Momo_Kiosk_Trouble::all() );
}

anew();
ask( 401, false );
same( 'a rejected test key is not reported in a live shop', array(), Momo_Kiosk_Trouble::all() );
anew( 'yes' );
ask( 401, false );
ask( 401, true );
same( 'both keys are reported in test mode', array( 'live', 'test' ), array_keys( Momo_Kiosk_Trouble::all() ) );
$GLOBALS['options']['momo_kiosk_home'] = 'https://another.example.com';
Momo_Kiosk_Trouble::tell();
same( 'a copy of the shop sends no emails', array(), $GLOBALS['mails'] );
