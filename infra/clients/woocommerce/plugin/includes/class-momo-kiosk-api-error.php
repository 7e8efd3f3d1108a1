<?php
/**
 * An error of the API.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** The API answered with an error, or not at all. */
final class Momo_Kiosk_Api_Error extends Exception {

	/**
	 * The API's code, such as not_found; "unreachable" if nothing answered.
	 *
	 * @var string
	 */
	public $api_code;

	/**
	 * The fields that were refused.
	 *
	 * @var string[]
	 */
	public $fields;

	/**
	 * Seconds after which to retry; 0 if unknown.
	 *
	 * @var int
	 */
	public $retry_after;

	/**
	 * Stores the answer.
	 *
	 * @param string   $api_code    The API's code.
	 * @param string   $message     What it says.
	 * @param string[] $fields      The fields that were refused.
	 * @param int      $retry_after In seconds.
	 */
	public function __construct( $api_code, $message, array $fields = array(), $retry_after = 0 ) {
		parent::__construct( $message );
		$this->api_code    = $api_code;
		$this->fields      = $fields;
		$this->retry_after = $retry_after;
	}

	/**
	 * Tells if the same request may succeed later.
	 *
	 * @return bool
	 */
	public function is_passing() {
		return in_array( $this->api_code, array( 'unreachable', 'too_many_requests', 'busy', 'internal' ), true );
	}
}
