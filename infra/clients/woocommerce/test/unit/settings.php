<?php
foreach ( array(
	'https://pay.example.com'       => true,
	'https://pay.example.com/stage' => true,
	'http://pay.example.com'        => false,
	'http://localhost:3000'         => false,
	'https://user@pay.example.com'  => false,
	'https://pay.example.com?x'     => false,
	'pay.example.com'               => false,
	'ftp://pay.example.com'         => false,
	''                              => false,
) as $address => $is_good ) {
	same( "the address “{$address}” of a live shop", $is_good, Momo_Kiosk_Settings::is_good_address( $address ) );
}
$GLOBALS['environment_type'] = 'local';
same( 'a local address is valid in a local environment', true, Momo_Kiosk_Settings::is_good_address( 'http://localhost:3000' ) );
same( 'no other HTTP address is valid in a local environment', false, Momo_Kiosk_Settings::is_good_address( 'http://192.168.1.5:3000' ) );
same( 'an address that only starts with localhost is invalid', false, Momo_Kiosk_Settings::is_good_address( 'http://localhost.evil.example' ) );

foreach ( array( '' => 3600, '60' => 3600, '1' => 300, '5' => 300, '10080' => 604800, '99999' => 604800, 'x' => 3600 ) as $minutes => $seconds ) {
	$GLOBALS['options'][ Momo_Kiosk_Settings::OPTION ] = array( 'minutes' => $minutes );
	same( "“{$minutes}” minutes are limited to the API’s range", $seconds, Momo_Kiosk_Settings::expires_in() );
}

// Times at which a charge is checked.
$now = 1000000000;
same( 'a new charge is checked after ten minutes', $now + 600, Momo_Kiosk_Charges::next_look( 'pending', $now, null, $now ) );
$looks = array();
for ( $at = $now, $until = $now + DAY_IN_SECONDS; $at < $until; $looks[] = $at - $before ) {
	$before = $at;
	$at     = Momo_Kiosk_Charges::next_look( 'pending', $now, null, $at );
}
same( 'a pending charge is checked at least hourly', 3600, max( $looks ) );
same( 'a charge that has just expired is checked hourly', $now + 3600, Momo_Kiosk_Charges::next_look( 'expired', $now - 3600, $now, $now ) );
$count = 0;
for ( $at = $now; null !== $at; $count++ ) {
	$at = Momo_Kiosk_Charges::next_look( 'success', $now, $now, $at );
}
same( 'a paid charge is checked less and less often', true, $count > 15 && $count < 35 );
same( 'a charge with an unverified payment is checked sooner', $now + 600, Momo_Kiosk_Charges::next_look( 'unverified', $now - 3600, $now, $now ) );
same( 'a suspected payment is checked hourly after a week', $now + 3600, Momo_Kiosk_Charges::next_look( 'suspected', $now - 604800, $now - 604800, $now ) );
same( 'a reversed charge is not checked', null, Momo_Kiosk_Charges::next_look( 'reversed', $now, $now, $now ) );

// A multilingual shop, where a plugin adds the visitor's language to each URL.
final class Languages {
	public function api_request_url( $name ) {
		return home_url( "/wc-api/$name/" );
	}
}

function WC() {
	return new Languages();
}

require '/plugin/includes/class-momo-kiosk-webhook.php';
$home = 'https://shop.example.com';

foreach ( array( "$home/fr", 'https://fr.shop.example.com', $home ) as $translated ) {
	$language = static function ( $url ) use ( $home, $translated ) {
		return str_replace( $home, $translated, $url );
	};
	add_filter( 'home_url', $language );
	$GLOBALS['options'] = array(
		'home'            => $home,
		'momo_kiosk_home' => $home,
	);
	same( "a shop at $translated is not a copy", array( false, $home ), array( Momo_Kiosk_Settings::is_copy(), Momo_Kiosk_Settings::home() ) );
	same( "a shop at $translated has one webhook", "$home/wc-api/momo_kiosk/", Momo_Kiosk_Webhook::url() );
	same( "a page URL keeps the language of $translated", "$translated/thanks", home_url( '/thanks' ) );
	remove_filter( 'home_url', $language );
}

foreach ( array(
	"$home/fr"                   => false,
	"$home/pt-br"                => false,
	'https://shop.example.org'   => true,
	"$home/staging"              => true,
	'https://fr.shop.example.com' => true,
) as $saved => $is_copy ) {
	$GLOBALS['options']['momo_kiosk_home'] = $saved;
	same( "settings saved at $saved belong to " . ( $is_copy ? 'another' : 'this' ) . ' shop', $is_copy, Momo_Kiosk_Settings::is_copy() );
}
$GLOBALS['options']['home'] = 'https://shop.example.com/gh';
$GLOBALS['options']['momo_kiosk_home'] = 'https://shop.example.com/gh';
same( 'a shop whose path resembles a language is not a copy', false, Momo_Kiosk_Settings::is_copy() );

require_once '/plugin/includes/class-momo-kiosk-api-error.php';

function update_option( $name, $value ) {
	$GLOBALS['options'][ $name ] = $value;
}

/** Simulates a service that supports only these events. */
final class Momo_Kiosk_Api {
	public static $known = array();
	public static $set   = array();

	public function __construct( $live ) {
	}

	public function send( $method, $path, $body ) {
		if ( array_diff( $body['events'], self::$known ) ) {
			throw new Momo_Kiosk_Api_Error( 'invalid_request', 'must be one of', array( 'events.0' ), 0 );
		}
		self::$set = $body['events'];
		return array( 'secret' => 'whsec' );
	}
}
$older = array_values( array_diff( Momo_Kiosk_Webhook::EVENTS, Momo_Kiosk_Webhook::NEWER ) );
foreach ( array( Momo_Kiosk_Webhook::EVENTS, $older ) as $known ) {
	Momo_Kiosk_Api::$known = $known;
	Momo_Kiosk_Webhook::connect( true, true );
	same( 'a service with ' . count( $known ) . ' events is sent all of them', $known, Momo_Kiosk_Api::$set );
}
