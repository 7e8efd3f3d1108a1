<?php
/**
 * An API error.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** Thrown if the API responds with an error or not at all. */
final class Momo_Kiosk_Api_Error extends Exception {

	/**
	 * The API's code, such as not_found, or "unreachable" without a response.
	 *
	 * @var string
	 */
	public $api_code;

	/**
	 * The invalid fields.
	 *
	 * @var string[]
	 */
	public $fields;

	/**
	 * Seconds to wait before a retry, or 0 if unknown.
	 *
	 * @var int
	 */
	public $retry_after;

	/**
	 * Stores the error.
	 *
	 * @param string   $api_code    The API's code.
	 * @param string   $message     The API's message.
	 * @param string[] $fields      The invalid fields.
	 * @param int      $retry_after In seconds.
	 */
	public function __construct( $api_code, $message, array $fields = array(), $retry_after = 0 ) {
		parent::__construct( $message );
		$this->api_code    = $api_code;
		$this->fields      = $fields;
		$this->retry_after = $retry_after;
	}

	/**
	 * Returns true if a retry may succeed.
	 *
	 * @return bool
	 */
	public function is_passing() {
		return in_array( $this->api_code, array( 'unreachable', 'too_many_requests', 'busy', 'internal' ), true );
	}
}
