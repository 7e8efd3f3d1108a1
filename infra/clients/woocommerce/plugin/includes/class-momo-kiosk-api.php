<?php
/**
 * The Momo Kiosk API.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Calls the API with one of the shop's keys. */
final class Momo_Kiosk_Api {

	/** Maximum number of attempts per request. */
	const TRIES = 3;

	/** Maximum wait before a retry, in seconds. A customer is waiting. */
	const LONGEST_WAIT = 2;

	/**
	 * The service's URL, such as https://pay.example.com.
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
	 * The timeout per attempt, in seconds.
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
	 * Selects the live or the test key.
	 *
	 * @param bool $live    True for the live key.
	 * @param int  $timeout The timeout per attempt, in seconds.
	 */
	public function __construct( $live, $timeout = 15 ) {
		$this->address = untrailingslashit( trim( Momo_Kiosk_Settings::get( 'address' ) ) );
		$this->key     = Momo_Kiosk_Settings::key( $live );
		$this->timeout = $timeout;
		$this->live    = (bool) $live;
	}

	/**
	 * Sends a GET request.
	 *
	 * @param string $path Such as /api/v1/webhook.
	 * @return array The response's data.
	 * @throws Momo_Kiosk_Api_Error If the request fails.
	 */
	public function get( $path ) {
		return $this->request( 'GET', $path );
	}

	/**
	 * Sends a request that changes data. An idempotency key makes it safe to repeat.
	 *
	 * @param string      $method          POST or PUT.
	 * @param string      $path            Such as /api/v1/transaction/initialize.
	 * @param array|null  $body            The body, sent as JSON.
	 * @param string|null $idempotency_key Up to 255 characters.
	 * @return array The response's data.
	 * @throws Momo_Kiosk_Api_Error If the request fails.
	 */
	public function send( $method, $path, $body = null, $idempotency_key = null ) {
		return $this->request( $method, $path, $body, $idempotency_key );
	}

	/**
	 * Makes a request and records any trouble with the service or the key.
	 *
	 * @param string      $method          GET, POST, PUT or DELETE.
	 * @param string      $path            The path below the service's URL.
	 * @param array|null  $body            The body, sent as JSON.
	 * @param string|null $idempotency_key The idempotency key of a POST.
	 * @return array The response's data.
	 * @throws Momo_Kiosk_Api_Error If the request fails.
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
	 * Makes a request. Retries once or twice if the service is briefly busy.
	 *
	 * @param string      $method          GET, POST, PUT or DELETE.
	 * @param string      $path            The path below the service's URL.
	 * @param array|null  $body            The body, sent as JSON.
	 * @param string|null $idempotency_key The idempotency key of a POST.
	 * @return array The response's data.
	 * @throws Momo_Kiosk_Api_Error If the request fails.
	 */
	private function request_patiently( $method, $path, $body, $idempotency_key ) {
		$is_safe = 'POST' !== $method || null !== $idempotency_key;
		for ( $tries_left = $is_safe ? self::TRIES - 1 : 0; $tries_left > 0; $tries_left-- ) {
			try {
				return $this->request_once( $method, $path, $body, $idempotency_key );
			} catch ( Momo_Kiosk_Api_Error $error ) {
				// A timeout is not retried while a customer is waiting.
				if ( ! $error->is_passing() || 'unreachable' === $error->api_code || $error->retry_after > self::LONGEST_WAIT ) {
					throw $error;
				}
				// Add jitter, so that rejected requests do not retry at the same time.
				usleep( max( 1, $error->retry_after ) * wp_rand( 600000, 1000000 ) );
			}
		}
		return $this->request_once( $method, $path, $body, $idempotency_key );
	}

	/**
	 * Makes one request.
	 *
	 * @param string      $method          GET, POST, PUT or DELETE.
	 * @param string      $path            The path below the service's URL.
	 * @param array|null  $body            The body, sent as JSON.
	 * @param string|null $idempotency_key The idempotency key of a POST.
	 * @return array The response's data.
	 * @throws Momo_Kiosk_Api_Error If the request fails.
	 */
	private function request_once( $method, $path, $body, $idempotency_key ) {
		if ( '' === $this->key || ! Momo_Kiosk_Settings::is_good_address( $this->address ) ) {
			throw new Momo_Kiosk_Api_Error( 'not_set', __( 'The address or the key of Momo Kiosk is not set.', 'momo-kiosk' ) );
		}
		$arguments = array(
			'method'      => $method,
			'timeout'     => $this->timeout,
			// A redirect could send the key to another server.
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
		// WordPress rejects local addresses, but developers use them.
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
	 * Throws the error of a response.
	 *
	 * @param int   $status      The HTTP status.
	 * @param array $parsed      The parsed body.
	 * @param int   $retry_after In seconds.
	 * @throws Momo_Kiosk_Api_Error Always.
	 */
	private static function refuse( $status, array $parsed, $retry_after ) {
		$code = isset( $parsed['code'] ) && is_string( $parsed['code'] ) ? $parsed['code'] : '';
		if ( '' === $code ) {
			// The response comes from a proxy or from another service.
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
