<?php
/**
 * Fakes of the WordPress functions that the tests need.
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

function untrailingslashit( $text ) {
	return rtrim( $text, '/' );
}

function set_url_scheme( $url, $scheme ) {
	return preg_replace( '#^https?://#', "$scheme://", $url );
}

function add_filter( $hook, $callback, $priority = 10, $arguments = 1 ) {
	$GLOBALS['hooks'][ $hook ][] = $callback;
}

function remove_filter( $hook, $callback, $priority = 10 ) {
	$GLOBALS['hooks'][ $hook ] = array_filter(
		isset( $GLOBALS['hooks'][ $hook ] ) ? $GLOBALS['hooks'][ $hook ] : array(),
		static function ( $one ) use ( $callback ) {
			return $one !== $callback;
		}
	);
}

function home_url( $path = '' ) {
	$url = get_option( 'home' ) . ( $path ? '/' . ltrim( $path, '/' ) : '' );
	foreach ( isset( $GLOBALS['hooks']['home_url'] ) ? $GLOBALS['hooks']['home_url'] : array() as $filter ) {
		$url = $filter( $url, $path );
	}
	return $url;
}

$GLOBALS['environment_type'] = 'production';
$GLOBALS['options']          = array( 'home' => 'https://shop.example.com' );
$GLOBALS['results']          = array();

/** Records whether two values are equal. */
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
