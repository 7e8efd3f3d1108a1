<?php
// A held payment is noted later if the order is locked or the API fails.
final class ActionScheduler_Store {
	const STATUS_PENDING = 'pending';
}

final class Momo_Kiosk_Api_Error extends Exception {
	public $api_code;
	public $retry_after = 0;

	public function __construct( $api_code ) {
		parent::__construct( $api_code );
		$this->api_code = $api_code;
	}

	public function is_passing() {
		return 'forbidden' !== $this->api_code;
	}
}

final class Momo_Kiosk_Api {
	public static $list;

	public function get( $path ) {
		if ( is_string( self::$list ) ) {
			throw new Momo_Kiosk_Api_Error( self::$list );
		}
		return array(
			'receipts' => array_map(
				static function ( $reference ) {
					return array( 'suggested_reference' => $reference );
				},
				self::$list
			),
		);
	}
}

final class Momo_Kiosk_Orders {
	public static $busy  = array();
	public static $noted = array();

	public static function note_held( $row, $receipt ) {
		if ( in_array( $row->reference, self::$busy, true ) ) {
			throw new Momo_Kiosk_Api_Error( 'busy' );
		}
		self::$noted[] = $row->reference;
	}

	public static function log( $message ) {
	}
}

$GLOBALS['actions'] = array();

function as_get_scheduled_actions( $query, $format ) {
	return array_keys(
		array_filter(
			$GLOBALS['actions'],
			static function ( $action ) use ( $query ) {
				return $action['hook'] === $query['hook'] && $action['status'] === $query['status'];
			}
		)
	);
}

function as_schedule_single_action( $at, $hook, $arguments, $group ) {
	$GLOBALS['actions'][ count( $GLOBALS['actions'] ) + 1 ] = array(
		'hook'   => $hook,
		'status' => 'pending',
		'in'     => $at - time(),
	);
	return count( $GLOBALS['actions'] );
}

function as_enqueue_async_action( $hook, $arguments, $group ) {
	return as_schedule_single_action( time(), $hook, $arguments, $group );
}

$GLOBALS['wpdb'] = new class() {
	public $momo_kiosk_charges = 'charges';

	public function prepare( $query, $reference ) {
		return $reference;
	}

	public function get_row( $reference ) {
		return 'MK-OTHER' === $reference ? null : (object) array( 'reference' => $reference );
	}
};

require '/plugin/includes/class-momo-kiosk-schedule.php';
$GLOBALS['options'][ Momo_Kiosk_Settings::OPTION ] = array(
	'testmode' => 'yes',
	'test_key' => 'sk_test_x',
);

function listed( $list, $busy = array() ) {
	Momo_Kiosk_Api::$list     = $list;
	Momo_Kiosk_Orders::$busy  = $busy;
	Momo_Kiosk_Orders::$noted = array();
	$GLOBALS['actions']       = array();
	Momo_Kiosk_Schedule::note_held();
	return array( Momo_Kiosk_Orders::$noted, count( $GLOBALS['actions'] ) );
}

same( 'notes held payments of this shop only', array( array( 'MK-1', 'MK-2' ), 0 ), listed( array( 'MK-1', 'MK-OTHER', null, 'MK-2' ) ) );
same( 'notes the other payments if one order is locked, and retries', array( array( 'MK-1', 'MK-3' ), 1 ), listed( array( 'MK-1', 'MK-2', 'MK-3' ), array( 'MK-2' ) ) );
$in = $GLOBALS['actions'][1]['in'];
same( 'retries in a minute', true, $in >= 59 && $in <= 61 );
same( 'retries once for several locked orders', array( array(), 1 ), listed( array( 'MK-1', 'MK-2' ), array( 'MK-1', 'MK-2' ) ) );
same( 'retries if the API is unreachable', array( array(), 1 ), listed( 'unreachable' ) );
same( 'does not retry if the key lacks permission', array( array(), 0 ), listed( 'forbidden' ) );

same( 'an event schedules a listing', 1, Momo_Kiosk_Schedule::list_held_soon() );
same( 'a second event schedules no second listing', 0, Momo_Kiosk_Schedule::list_held_soon() );
$GLOBALS['actions'][1]['status'] = 'in-progress';
same( 'an event during a listing schedules another one', 2, Momo_Kiosk_Schedule::list_held_soon() );
