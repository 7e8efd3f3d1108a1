<?php
/**
 * The API of Momo Kiosk.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Calls the API with one of the shop's keys. */
final class Momo_Kiosk_Api {

	/** Attempts at a request whose answer asks to wait a moment. */
	const TRIES = 3;

	/** The longest wait, in seconds, between tries: a customer is waiting. */
	const LONGEST_WAIT = 2;

	/**
	 * Such as https://pay.example.com.
	 *
	 * @var string
	 */
	private $address;

	/**
	 * The secret key.
	 *
	 * @var string
	 */
	private $key;

	/**
	 * The timeout of one answer, in seconds.
	 *
	 * @var int
	 */
	private $timeout;

	/**
	 * True for live charges, false for tests.
	 *
	 * @var bool
	 */
	private $live;

	/**
	 * Chooses the key for live charges or for tests.
	 *
	 * @param bool $live    Which.
	 * @param int  $timeout The timeout of one answer, in seconds.
	 */
	public function __construct( $live, $timeout = 15 ) {
		$this->address = untrailingslashit( trim( Momo_Kiosk_Settings::get( 'address' ) ) );
		$this->key     = Momo_Kiosk_Settings::key( $live );
		$this->timeout = $timeout;
		$this->live    = (bool) $live;
	}

	/**
	 * Reads.
	 *
	 * @param string $path Such as /api/v1/webhook.
	 * @return array The answer's data.
	 * @throws Momo_Kiosk_Api_Error If the answer is an error, or there is none.
	 */
	public function get( $path ) {
		return $this->request( 'GET', $path );
	}

	/**
	 * Changes. A repeat with the same idempotency key has no second effect.
	 *
	 * @param string      $method          POST or PUT.
	 * @param string      $path            Such as /api/v1/transaction/initialize.
	 * @param array|null  $body            Becomes JSON.
	 * @param string|null $idempotency_key Up to 255 characters.
	 * @return array The answer's data.
	 * @throws Momo_Kiosk_Api_Error If the answer is an error, or there is none.
	 */
	public function send( $method, $path, $body = null, $idempotency_key = null ) {
		return $this->request( $method, $path, $body, $idempotency_key );
	}

	/**
	 * Makes a request, and records for the merchant if the service answers and accepts the key.
	 *
	 * @param string      $method          GET, POST, PUT or DELETE.
	 * @param string      $path            Below the address.
	 * @param array|null  $body            Becomes JSON.
	 * @param string|null $idempotency_key Of a POST.
	 * @return array The answer's data.
	 * @throws Momo_Kiosk_Api_Error If the answer is an error, or there is none.
	 */
	private function request( $method, $path, $body = null, $idempotency_key = null ) {
		try {
			$data = $this->request_patiently( $method, $path, $body, $idempotency_key );
			Momo_Kiosk_Trouble::see( $this->live, '' );
			return $data;
		} catch ( Momo_Kiosk_Api_Error $error ) {
			if ( 'not_set' !== $error->api_code ) {
				Momo_Kiosk_Trouble::see( $this->live, $error->api_code, $error->getMessage() );
			}
			throw $error;
		}
	}

	/**
	 * Makes a request, and retries it if the answer asks to wait a moment.
	 *
	 * @param string      $method          GET, POST, PUT or DELETE.
	 * @param string      $path            Below the address.
	 * @param array|null  $body            Becomes JSON.
	 * @param string|null $idempotency_key Of a POST.
	 * @return array The answer's data.
	 * @throws Momo_Kiosk_Api_Error If the answer is an error, or there is none.
	 */
	private function request_patiently( $method, $path, $body, $idempotency_key ) {
		$is_safe = 'POST' !== $method || null !== $idempotency_key;
		for ( $tries_left = $is_safe ? self::TRIES - 1 : 0; $tries_left > 0; $tries_left-- ) {
			try {
				return $this->request_once( $method, $path, $body, $idempotency_key );
			} catch ( Momo_Kiosk_Api_Error $error ) {
				// A request that timed out is not retried while somebody waits.
				if ( ! $error->is_passing() || 'unreachable' === $error->api_code || $error->retry_after > self::LONGEST_WAIT ) {
					throw $error;
				}
				// Spreads the retries of requests that were refused together.
				usleep( max( 1, $error->retry_after ) * wp_rand( 600000, 1000000 ) );
			}
		}
		return $this->request_once( $method, $path, $body, $idempotency_key );
	}

	/**
	 * Makes one request.
	 *
	 * @param string      $method          GET, POST, PUT or DELETE.
	 * @param string      $path            Below the address.
	 * @param array|null  $body            Becomes JSON.
	 * @param string|null $idempotency_key Of a POST.
	 * @return array The answer's data.
	 * @throws Momo_Kiosk_Api_Error If the answer is an error, or there is none.
	 */
	private function request_once( $method, $path, $body, $idempotency_key ) {
		if ( '' === $this->key || ! Momo_Kiosk_Settings::is_good_address( $this->address ) ) {
			throw new Momo_Kiosk_Api_Error( 'not_set', __( 'The address or the key of Momo Kiosk is not set.', 'momo-kiosk' ) );
		}
		$arguments = array(
			'method'      => $method,
			'timeout'     => $this->timeout,
			// A redirect could pass the key to another server.
			'redirection' => 0,
			'user-agent'  => 'momo-kiosk-woocommerce/' . MOMO_KIOSK_VERSION,
			'headers'     => array_filter(
				array(
					'Authorization'   => 'Bearer ' . $this->key,
					'Accept'          => 'application/json',
					'Content-Type'    => null === $body ? null : 'application/json',
					'Idempotency-Key' => $idempotency_key,
				)
			),
		);
		if ( null !== $body ) {
			$arguments['body'] = wp_json_encode( $body );
		}
		// WordPress refuses addresses inside a network, including this machine's own, which developers use.
		$answer = Momo_Kiosk_Settings::is_on_this_machine( $this->address )
			? wp_remote_request( $this->address . $path, $arguments )
			: wp_safe_remote_request( $this->address . $path, $arguments );
		if ( is_wp_error( $answer ) ) {
			throw new Momo_Kiosk_Api_Error( 'unreachable', $answer->get_error_message() );
		}
		$status = (int) wp_remote_retrieve_response_code( $answer );
		$parsed = json_decode( wp_remote_retrieve_body( $answer ), true );
		if ( $status >= 200 && $status < 300 && is_array( $parsed ) && isset( $parsed['data'] ) && is_array( $parsed['data'] ) ) {
			return $parsed['data'];
		}
		self::refuse( $status, is_array( $parsed ) ? $parsed : array(), (int) wp_remote_retrieve_header( $answer, 'retry-after' ) );
	}

	/**
	 * Throws an answer's error.
	 *
	 * @param int   $status      The HTTP status.
	 * @param array $parsed      The body.
	 * @param int   $retry_after In seconds.
	 * @throws Momo_Kiosk_Api_Error Always.
	 */
	private static function refuse( $status, array $parsed, $retry_after ) {
		$code = isset( $parsed['code'] ) && is_string( $parsed['code'] ) ? $parsed['code'] : '';
		if ( '' === $code ) {
			// The answer comes from a proxy before the service, or from no Momo Kiosk at all.
			$code = 429 === $status ? 'too_many_requests' : ( $status >= 500 ? 'busy' : 'no_momo_kiosk' );
		}
		$message = isset( $parsed['message'] ) && is_string( $parsed['message'] )
			? $parsed['message']
			/* translators: %d: an HTTP status, such as 404. */
			: sprintf( __( 'The response (%d) is not from a Momo Kiosk. Check the address.', 'momo-kiosk' ), $status );
		$fields = array();
		foreach ( isset( $parsed['errors'] ) && is_array( $parsed['errors'] ) ? $parsed['errors'] : array() as $error ) {
			$fields[] = isset( $error['field'] ) ? (string) $error['field'] : '';
		}
		throw new Momo_Kiosk_Api_Error( $code, $message, $fields, $retry_after );
	}
}
