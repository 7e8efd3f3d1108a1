<?php
/**
 * What the API answers if it does not do what was asked.
 *
 * @package Momo_Kiosk
 */

defined( 'ABSPATH' ) || exit;

/** An answer that is an error, or no answer. */
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
	 * After how many seconds to ask again; 0 if that was not said.
	 *
	 * @var int
	 */
	public $retry_after;

	/**
	 * Keeps what was answered.
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
	 * Whether the same request may succeed later.
	 *
	 * @return bool
	 */
	public function is_passing() {
		return in_array( $this->api_code, array( 'unreachable', 'too_many_requests', 'busy', 'internal' ), true );
	}
}
