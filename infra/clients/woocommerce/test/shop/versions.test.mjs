import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFsMountHandler, loadNodeRuntime } from '@php-wasm/node';
import { PHP } from '@php-wasm/universal';
import { newProduct, orderOf, shopUrl, simulate } from './shop.mjs';

/**
 * Runs the shop on other versions of PHP in WebAssembly, with the files in SHOP_FOLDER and the shop's own database.
 * DB_HOST must be an IP address, such as 127.0.0.1:3306. The plugin must not cause warnings.
 */
const folder = realpathSync(process.env.SHOP_FOLDER ?? '.');
const plugin = realpathSync(join(folder, 'wp-content/plugins/momo-kiosk'));
let product;

for (const version of process.env.PHP_VERSIONS?.split(',') ?? ['7.4', '8.0', '8.1', '8.2', '8.3', '8.4', '8.5']) {
  test(`on PHP ${version}`, async () => {
    product ??= await newProduct('For every version', '12.55', 100);
    const php = await startShop(version);
    try {
      const made = await php(`
        $order = wc_create_order();
        $order->add_product( wc_get_product( ${product.id} ), 2 );
        $order->set_address( array( 'first_name' => 'Kofi', 'last_name' => 'Mensah', 'email' => 'kofi@example.com', 'phone' => '0241234567' ), 'billing' );
        $order->set_payment_method( WC()->payment_gateways()->payment_gateways()['momo_kiosk'] );
        $order->calculate_totals();
        $order->save();
        $answer = WC()->payment_gateways()->payment_gateways()['momo_kiosk']->process_payment( $order->get_id() );
        return array( 'id' => $order->get_id(), 'version' => PHP_VERSION, 'result' => $answer['result'], 'reference' => wc_get_order( $order->get_id() )->get_meta( '_momo_kiosk_reference' ) );`);
      assert.equal(made.result, 'success');
      assert.ok(made.version.startsWith(version));
      const { payment } = await simulate(made.reference, 'paid');
      const seen = await php(`
        $state  = Momo_Kiosk_Orders::look( '${made.reference}' );
        $refund = wc_create_refund( array( 'order_id' => ${made.id}, 'amount' => '5.05', 'refund_payment' => true, 'reason' => 'Torn' ) );
        $notes  = array_map( static function ( $note ) { return $note->content; }, wc_get_order_notes( array( 'order_id' => ${made.id} ) ) );
        return array( 'state' => $state, 'refund' => is_wp_error( $refund ) ? $refund->get_error_message() : $refund->get_amount(), 'notes' => $notes, 'checks' => array_column( array( Momo_Kiosk_Check::results()[0] ), 'is_good' ) );`);
      assert.equal(seen.state, 'success');
      assert.equal(seen.refund, '5.05');
      assert.ok(seen.notes.some((note) => note.includes('A refund of GHS 5.05 is recorded')));
      assert.deepEqual(seen.checks, [true]);
      const order = await orderOf(made.id);
      assert.equal(order.transaction_id, payment.transaction_id);
      assert.equal(order.status, 'processing');
    } finally {
      php.stop();
    }
  });
}

/** Runs code in the shop as a separate request and returns the result. Throws on warnings from the plugin's files. */
async function startShop(version) {
  const engine = new PHP(await loadNodeRuntime(version, { emscriptenOptions: { processId: 1 } }));
  for (const one of new Set([folder, plugin])) {
    engine.mkdir(one);
    await engine.mount(one, createNodeFsMountHandler(one));
  }
  const { host } = new URL(shopUrl);
  const run = async (code) => {
    const { text, errors } = await engine.run({
      code: `<?php
        ini_set( 'memory_limit', '512M' );
        $_SERVER['HTTP_HOST'] = '${host}';
        $_SERVER['REQUEST_URI'] = '/';
        require '${folder}/wp-load.php';
        error_reporting( E_ALL );
        set_error_handler( static function ( $level, $message, $file, $line ) {
          if ( false !== strpos( $file, 'momo-kiosk' ) || 0 === strpos( $file, '${plugin}' ) ) {
            throw new ErrorException( $message, 0, $level, $file, $line );
          }
          return true;
        } );
        $told = ( static function () { ${code} } )();
        echo "\\n<<<", wp_json_encode( $told );`,
    });
    const [, told] = text.split('\n<<<');
    assert.ok(told, `${text.slice(-500)} ${errors.slice(0, 500)}`);
    return JSON.parse(told);
  };
  return Object.assign(run, { stop: () => engine.exit() });
}
