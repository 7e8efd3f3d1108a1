<?php
/**
 * What the tested parts need of WordPress: each does what WordPress documents, for the arguments of these tests.
 *
 * @package Momo_Kiosk
 */

define( 'ABSPATH', '/' );
define( 'MINUTE_IN_SECONDS', 60 );
define( 'HOUR_IN_SECONDS', 3600 );
define( 'DAY_IN_SECONDS', 86400 );

error_reporting( E_ALL );
set_error_handler(
	static function ( $level, $message, $file, $line ) {
		throw new ErrorException( $message, 0, $level, $file, $line );
	}
);

function __( $text, $domain ) {
	return $text;
}

function wp_parse_url( $url, $component = -1 ) {
	return parse_url( $url, $component );
}

function wp_get_environment_type() {
	return $GLOBALS['environment_type'];
}

function absint( $value ) {
	return abs( (int) $value );
}

function get_option( $name ) {
	return isset( $GLOBALS['options'][ $name ] ) ? $GLOBALS['options'][ $name ] : false;
}

$GLOBALS['environment_type'] = 'production';
$GLOBALS['options']          = array();
$GLOBALS['results']          = array();

/** Notes whether two values are the same. */
function same( $claim, $expected, $actual ) {
	$GLOBALS['results'][] = array(
		'claim'    => $claim,
		'is_so'    => $expected === $actual,
		'expected' => var_export( $expected, true ),
		'actual'   => var_export( $actual, true ),
	);
}

foreach ( array( 'money', 'signature', 'plan', 'settings', 'charges' ) as $part ) {
	require "/plugin/includes/class-momo-kiosk-$part.php";
}
