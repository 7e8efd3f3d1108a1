<?php
/**
 * The shop's settings.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** The gateway's settings, readable without WooCommerce's gateways. */
final class Momo_Kiosk_Settings {

	/** The option with the gateway's settings. */
	const OPTION = 'woocommerce_momo_kiosk_settings';

	/** Default minutes to pay. */
	const DEFAULT_MINUTES = 60;

	/**
	 * Returns a setting.
	 *
	 * @param string $name    The setting's key.
	 * @param string $instead The default.
	 * @return string
	 */
	public static function get( $name, $instead = '' ) {
		$settings = get_option( self::OPTION );
		return is_array( $settings ) && isset( $settings[ $name ] ) ? (string) $settings[ $name ] : $instead;
	}

	/**
	 * Returns true if new charges are live.
	 *
	 * @return bool
	 */
	public static function is_live() {
		return 'yes' !== self::get( 'testmode', 'yes' );
	}

	/**
	 * Returns the key for live or test charges.
	 *
	 * @param bool $live True for live charges.
	 * @return string Empty if missing.
	 */
	public static function key( $live ) {
		return trim( self::get( $live ? 'live_key' : 'test_key' ) );
	}

	/**
	 * Returns the seconds to pay a charge. The API allows five minutes to seven days.
	 *
	 * @return int
	 */
	public static function expires_in() {
		$minutes = absint( self::get( 'minutes' ) );
		return 60 * min( 7 * 24 * 60, max( 5, $minutes ? $minutes : self::DEFAULT_MINUTES ) );
	}

	/**
	 * Returns true if the settings were saved at another URL, so this may be a copy of the shop. A copy must not cancel the
	 * shop's charges or change its webhook.
	 *
	 * @return bool
	 */
	public static function is_copy() {
		$saved = get_option( 'momo_kiosk_home' );
		$home  = self::home();
		// Earlier versions saved a language's URL.
		return $saved && preg_replace( self::LANGUAGE, '', $saved ) !== $home && $saved !== $home;
	}

	/** URL suffixes that translation plugins add, such as /fr or /pt-br. */
	const LANGUAGE = '#(?<=[^/])/[a-z]{2}([-_][a-z]{2,4})?/?$#i';

	/**
	 * Returns the shop's URL without a language.
	 *
	 * @return string
	 */
	public static function home() {
		return self::in_no_language( 'home_url' );
	}

	/**
	 * Builds a URL without the language that Polylang or WPML adds to the path or host.
	 *
	 * @param callable $make Returns a URL of this shop.
	 * @return string
	 */
	public static function in_no_language( $make ) {
		$plain = static function ( $url, $path = '' ) {
			$home = set_url_scheme( untrailingslashit( get_option( 'home' ) ), wp_parse_url( $url, PHP_URL_SCHEME ) );
			return is_string( $path ) && '' !== $path ? $home . '/' . ltrim( $path, '/' ) : $home;
		};
		add_filter( 'home_url', $plain, PHP_INT_MAX, 2 );
		try {
			return $make();
		} finally {
			remove_filter( 'home_url', $plain, PHP_INT_MAX );
		}
	}

	/**
	 * Returns why customers are not offered mobile money, for the settings page.
	 *
	 * @return string Empty if they are.
	 */
	public static function obstacle() {
		if ( 'GHS' !== get_woocommerce_currency() ) {
			return sprintf(
				/* translators: %s: a currency's code, such as USD. */
				__( 'Customers are not offered mobile money: it is paid in Ghana cedis, and this shop’s currency is %s. Choose “Ghana cedi (GHS)” under WooCommerce, Settings, General.', 'momo-kiosk' ),
				get_woocommerce_currency()
			);
		}
		if ( '' === self::get( 'address' ) ) {
			return __( 'Customers are not offered mobile money yet: enter the address of your Momo Kiosk.', 'momo-kiosk' );
		}
		if ( '' === self::key( self::is_live() ) ) {
			return self::is_live()
				? __( 'Customers are not offered mobile money yet: enter the live key, or tick test mode.', 'momo-kiosk' )
				: __( 'Customers are not offered mobile money yet: enter the test key, or untick test mode.', 'momo-kiosk' );
		}
		return '';
	}

	/**
	 * Returns true if the service may be called at this URL: https, or http on this machine.
	 *
	 * @param string $address A URL, such as https://pay.example.com.
	 * @return bool
	 */
	public static function is_good_address( $address ) {
		$parts = wp_parse_url( $address );
		if ( ! $parts || ! isset( $parts['scheme'], $parts['host'] ) || isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) {
			return false;
		}
		if ( self::is_on_this_machine( $address ) ) {
			return in_array( wp_get_environment_type(), array( 'local', 'development' ), true );
		}
		return 'https' === $parts['scheme'];
	}

	/**
	 * Returns true if a URL is on this machine, as with `npm start`.
	 *
	 * @param string $address A URL.
	 * @return bool
	 */
	public static function is_on_this_machine( $address ) {
		return in_array( wp_parse_url( $address, PHP_URL_HOST ), array( 'localhost', '127.0.0.1' ), true );
	}
}
