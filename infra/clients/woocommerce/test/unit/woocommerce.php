<?php
// A fake WooCommerce for changes to orders. It saves, reduces stock, sends e-mails and sets its marks in the same order as
// WooCommerce 9 to 11. Also fakes the service with one paid charge.

/** Simulates the death of a process. */
final class Died extends Error {
}

/** The database and its state at the start of a transaction. */
$GLOBALS['db']     = array();
$GLOBALS['before'] = null;
$GLOBALS['hooks']  = array();

/** Runs before each lasting change. The process may die here. */
function lasting() {
	if ( 0 === --$GLOBALS['dies_at'] ) {
		throw new Died();
	}
}

function write( $name, $value ) {
	lasting();
	$GLOBALS['db'][ $name ] = $value;
}

function add_action( $hook, $callback, $priority = 10, $arguments = 1 ) {
	add_filter( $hook, $callback );
}

function remove_action( $hook, $callback, $priority = 10 ) {
	remove_filter( $hook, $callback );
}

function apply_filters( $hook, $value, ...$others ) {
	foreach ( isset( $GLOBALS['hooks'][ $hook ] ) ? $GLOBALS['hooks'][ $hook ] : array() as $callback ) {
		$value = $callback( $value, ...$others );
	}
	return $value;
}

function __return_true() {
	return true;
}

function __return_false() {
	return false;
}

function wc_transaction_query( $type ) {
	if ( 'rollback' === $type && null !== $GLOBALS['before'] ) {
		$GLOBALS['db'] = $GLOBALS['before'];
	}
	$GLOBALS['before'] = 'start' === $type ? $GLOBALS['db'] : null;
}

function wc_maybe_reduce_stock_levels( $order_id ) {
	if ( $GLOBALS['db']['stock_reduced'] || ! apply_filters( 'woocommerce_payment_complete_reduce_order_stock', true ) ) {
		return;
	}
	foreach ( array( 'kente', 'basket' ) as $item ) {
		if ( ! $GLOBALS['db'][ "reduced_$item" ] ) {
			$quantity = apply_filters( 'woocommerce_order_item_quantity', 1 );
			write( "stock_$item", $GLOBALS['db'][ "stock_$item" ] - $quantity );
			write( "reduced_$item", true );
			apply_filters( 'woocommerce_reduce_order_item_stock', null );
		}
	}
	write( 'stock_reduced', true );
}

class WC_Email {
	public $id;
	public $object;

	public function __construct( $id, $object ) {
		$this->id     = $id;
		$this->object = $object;
	}

	public function send() {
		return apply_filters( 'woocommerce_mail_callback', 'wp_mail', $this )( $this->id );
	}
}

function wp_mail( $id ) {
	write( "mail_$id", $GLOBALS['db'][ "mail_$id" ] + 1 );
	return true;
}

/** An order item with the last unit of its product. */
final class Item {
	private $name;

	public function __construct( $name ) {
		$this->name = $name;
	}

	public function get_product() {
		return $this;
	}

	public function get_meta( $name ) {
		return $GLOBALS['db'][ "reduced_{$this->name}" ];
	}

	public function get_quantity() {
		return 1;
	}

	public function get_name() {
		return $this->name;
	}

	public function managing_stock() {
		return true;
	}

	public function backorders_allowed() {
		return false;
	}

	public function get_stock_managed_by_id() {
		return $this->name;
	}

	public function get_stock_quantity() {
		return $GLOBALS['db'][ "stock_{$this->name}" ];
	}
}

function wc_get_held_stock_quantity( $product, $order_id ) {
	return 0;
}

class WC_Order {
	private $is_read = true;
	private $data;
	private $from = '';

	public function __construct() {
		$this->data = array_intersect_key( $GLOBALS['db'], array_flip( array( 'status', 'transaction_id' ) ) );
	}

	public function get_id() {
		return 7;
	}

	public function get_status() {
		return $this->data['status'];
	}

	public function has_status( $statuses ) {
		return in_array( $this->data['status'], (array) $statuses, true );
	}

	public function is_paid() {
		return $this->has_status( array( 'processing', 'completed' ) );
	}

	public function needs_payment() {
		return $this->has_status( array( 'pending', 'failed' ) );
	}

	public function get_checkout_order_received_url() {
		return 'the order';
	}

	public function get_transaction_id() {
		return $this->data['transaction_id'];
	}

	public function set_transaction_id( $id ) {
		$this->data['transaction_id'] = $id;
	}

	public function set_object_read( $is_read ) {
		$this->is_read = $is_read;
	}

	public function set_status( $status ) {
		if ( $this->is_read && $status !== $this->data['status'] ) {
			$this->from = $this->data['status'];
		}
		$this->data['status'] = $status;
	}

	public function save() {
		write( 'transaction_id', $this->data['transaction_id'] );
		write( 'status', $this->data['status'] );
		$from       = $this->from;
		$this->from = '';
		if ( '' === $from ) {
			return;
		}
		if ( in_array( $this->data['status'], array( 'processing', 'on-hold' ), true ) ) {
			wc_maybe_reduce_stock_levels( 7 );
		}
		if ( in_array( $from, array( 'pending', 'failed', 'cancelled' ), true ) && ! $GLOBALS['db']['new_order_sent'] && ( new WC_Email( 'new_order', $this ) )->send() ) {
			write( 'new_order_sent', true );
		}
		( new WC_Email( 'customer', $this ) )->send();
		write( 'other_plugins', true );
	}

	public function payment_complete( $id ) {
		if ( $this->has_status( array( 'on-hold', 'pending', 'failed', 'cancelled' ) ) ) {
			$this->set_transaction_id( $id );
			$this->set_status( apply_filters( 'woocommerce_payment_complete_order_status', $this->needs_processing() ? 'processing' : 'completed' ) );
			$this->save();
			wc_maybe_reduce_stock_levels( 7 );
		}
		return true;
	}

	public function update_status( $status, $note ) {
		$this->set_status( $status );
		$this->save();
		$this->add_order_note( $note );
		return true;
	}

	public function add_order_note( $note ) {
		write( 'notes', array_merge( $GLOBALS['db']['notes'], array( $note ) ) );
	}

	public function get_total() {
		return $GLOBALS['db']['total'];
	}

	public function get_currency() {
		return 'GHS';
	}

	public function get_payment_method() {
		return $GLOBALS['db']['payment_method'];
	}

	public function get_data_store() {
		return new class() {
			public function get_stock_reduced( $id ) {
				return $GLOBALS['db']['stock_reduced'];
			}
		};
	}

	public function needs_processing() {
		return 'virtual' !== $GLOBALS['db']['goods'];
	}

	public function has_downloadable_item() {
		return 'physical' !== $GLOBALS['db']['goods'];
	}

	public function get_items() {
		return array( new Item( 'kente' ), new Item( 'basket' ) );
	}

	public static function generate_meta_cache_key( $id, $group ) {
		return '';
	}
}

function wc_get_order( $id ) {
	return new WC_Order();
}

function clean_post_cache( $id ) {
}

function wp_cache_delete( $key, $group ) {
}

function esc_html( $text ) {
	return htmlspecialchars( $text, ENT_QUOTES, 'UTF-8', false );
}

function wp_json_encode( $value ) {
	return json_encode( $value );
}

final class No_Orders_Table {
	public static function custom_orders_table_usage_is_enabled() {
		return false;
	}
}
class_alias( 'No_Orders_Table', 'Automattic\WooCommerce\Utilities\OrderUtil' );

final class Momo_Kiosk_Gateway {
	const ID = 'momo_kiosk';
}

final class WC_Order_Refund {
	private $id;
	private $meta = array();

	public function __construct( $id ) {
		$this->id = $id;
	}

	public function get_id() {
		return $this->id;
	}

	public function get_parent_id() {
		return 7;
	}

	public function get_amount() {
		return '5.00';
	}

	public function get_meta( $name ) {
		return isset( $this->meta[ $name ] ) ? $this->meta[ $name ] : '';
	}

	public function update_meta_data( $name, $value ) {
		$this->meta[ $name ] = $value;
	}

	public function save_meta_data() {
	}
}

function wc_get_orders( $query ) {
	return $GLOBALS['refunds'];
}

function wp_salt() {
	return 'salt';
}

final class Momo_Kiosk_Api_Error extends Exception {
	public $api_code;

	public function __construct( $api_code ) {
		parent::__construct( $api_code );
		$this->api_code = $api_code;
	}
}

final class Momo_Kiosk_Api {
	/** The charge, and the response for each idempotency key. */
	public static $charge;
	public static $answers   = array();
	public static $is_silent = false;

	public function __construct( $live, $timeout = 15 ) {
	}

	public static function anew( $status = 'success' ) {
		self::$answers = array();
		self::$charge  = array(
			'reference'   => 'MK-1',
			'livemode'    => true,
			'status'      => $status,
			'amount'      => 36,
			'amount_paid' => 'success' === $status ? 36 : 0,
			'overpaid'    => 0,
			'parts'       => array(),
			'disputed'    => null,
			'refunds'     => array(),
			'payment'     => 'success' === $status ? array(
				'transaction_id' => '62841953770',
				'network'        => 'MTN',
				'payer_name'     => 'KOFI MENSAH',
				'proof'          => array( 'state' => 'proven' ),
			) : null,
		);
	}

	public function get( $path ) {
		return self::$charge;
	}

	public function send( $method, $path, $body, $key ) {
		if ( ! isset( self::$answers[ $key ] ) ) {
			if ( '/cancel' === substr( $path, -7 ) ) {
				if ( 'pending' !== self::$charge['status'] ) {
					throw new Momo_Kiosk_Api_Error( 'charge_not_pending' );
				}
				self::$charge['status'] = 'cancelled';
			} else {
				self::$charge['refunds'][] = array(
					'refund_id'      => 'R' . ( count( self::$charge['refunds'] ) + 1 ),
					'status'         => 'noted',
					'amount'         => (float) $body['amount'],
					'transaction_id' => null,
				);
			}
			self::$answers[ $key ] = self::$charge;
		}
		if ( self::$is_silent ) {
			throw new Momo_Kiosk_Api_Error( 'unreachable' );
		}
		return self::$answers[ $key ];
	}
}

define( 'DB_NAME', 'shop' );
$GLOBALS['wpdb'] = new class() {
	public $prefix             = 'wp_';
	public $momo_kiosk_charges = 'charges';

	public function prepare( $query, ...$values ) {
		return array( $query, $values );
	}

	public function get_var( $query ) {
		return '1';
	}

	private static function row() {
		return (object) array(
			'reference'  => 'MK-1',
			'order_id'   => 7,
			'livemode'   => 1,
			'state'      => $GLOBALS['db']['state'],
			'told'       => $GLOBALS['db']['told'],
			'created_at' => time(),
			'ended_at'   => null,
		);
	}

	public function get_row( $query ) {
		return self::row();
	}

	public function get_results( $query ) {
		return array( self::row() );
	}

	public function query( $query ) {
		if ( 0 === strpos( $query[0], 'UPDATE' ) ) {
			write( 'told', $query[1][0] );
		}
	}

	public function update( $table, $values, $where ) {
		write( 'state', $values['state'] );
	}
};

require '/plugin/includes/class-momo-kiosk-orders.php';
$GLOBALS['options'][ Momo_Kiosk_Settings::OPTION ] = array( 'testmode' => 'no' );
$GLOBALS['options']['woocommerce_manage_stock']   = 'yes';

/** Creates a shop with one order of two items and the order's charge. */
function shop( array $changes = array() ) {
	$GLOBALS['hooks']   = array();
	$GLOBALS['refunds'] = array();
	$GLOBALS['dies_at'] = 0;
	$GLOBALS['db']      = array_merge(
		array(
			'status'         => 'pending',
			'transaction_id' => '',
			'payment_method' => 'momo_kiosk',
			'total'          => '36',
			'goods'          => 'physical',
			'stock_kente'    => 1,
			'stock_basket'   => 1,
			'reduced_kente'  => false,
			'reduced_basket' => false,
			'stock_reduced'  => false,
			'new_order_sent' => false,
			'mail_new_order' => 0,
			'mail_customer'  => 0,
			'other_plugins'  => false,
			'notes'          => array(),
			'told'           => '[]',
			'state'          => 'pending',
		),
		$changes
	);
}
