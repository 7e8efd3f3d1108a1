<?php
/**
 * Webhook signatures.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Verifies events according to Standard Webhooks (https://www.standardwebhooks.com). */
final class Momo_Kiosk_Signature {

	/** Maximum difference between an event's time and the clock, in seconds. */
	const TOLERANCE = 300;

	/**
	 * Returns true if one of the secrets signed this body recently.
	 *
	 * @param string[] $secrets   The secrets, each beginning with whsec_.
	 * @param string   $id        The header webhook-id.
	 * @param string   $timestamp The header webhook-timestamp, in seconds.
	 * @param string   $signature The header webhook-signature: one or more, separated by spaces.
	 * @param string   $body      The raw body.
	 * @param int      $now       The current time, in seconds.
	 * @return bool
	 */
	public static function is_genuine( array $secrets, $id, $timestamp, $signature, $body, $now ) {
		if ( '' === $id || ! preg_match( '/^\d{1,12}$/D', $timestamp ) || abs( $now - (int) $timestamp ) > self::TOLERANCE ) {
			return false;
		}
		foreach ( $secrets as $secret ) {
			// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode -- secrets are in base64.
			$key = 0 === strpos( $secret, 'whsec_' ) ? base64_decode( substr( $secret, 6 ), true ) : false;
			if ( ! $key ) {
				continue;
			}
			// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- signatures are in base64.
			$expected = 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$timestamp.$body", $key, true ) );
			foreach ( explode( ' ', $signature ) as $given ) {
				if ( hash_equals( $expected, $given ) ) {
					return true;
				}
			}
		}
		return false;
	}
}
