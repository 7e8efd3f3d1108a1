import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askKiosk, newProduct, notesOf, orderOf, pause, placeOrder, shopUrl, simulate, stockOf } from './shop.mjs';

/**
 * Entry point of `npm run deaths`: pays orders one by one and kills the process that completes each. Each process dies
 * one step later than the one before: before a database write, or before or after an e-mail. Another process then
 * checks the order. No order may stay unpaid, miss an e-mail, or reduce its stock twice or not at all. An e-mail may be
 * sent twice only if the process died between sending and recording it. SHOP_FOLDER is the folder with the shop's
 * files. PHP is the path to its PHP (default php), which needs the posix extension.
 */
const folder = realpathSync(process.env.SHOP_FOLDER ?? '.');
const scratch = mkdtempSync(join(tmpdir(), 'deaths-'));
const mails = join(scratch, 'mails');
const last = join(scratch, 'last');
const look = join(scratch, 'look.php');
writeFileSync(mails, '');
writeFileSync(
  look,
  `<?php
list( , $reference, $dies_at ) = $argv;
$_SERVER['HTTP_HOST']   = '${new URL(shopUrl).host}';
$_SERVER['REQUEST_URI'] = '/';
require '${folder}/wp-load.php';
$lasting = static function ( $what ) use ( &$dies_at ) {
	if ( 0 === --$dies_at ) {
		file_put_contents( '${last}', $what );
		posix_kill( getmypid(), 9 );
	}
};
$write = static function ( $query ) use ( $lasting ) {
	if ( preg_match( '/^\\\\s*(insert|update|delete|replace|start|commit)/i', $query ) ) {
		$lasting( $query );
	}
	return $query;
};
$mail = static function ( $no, $mail ) use ( $lasting ) {
	$lasting( 'to send' );
	file_put_contents( '${mails}', json_encode( array( $mail['to'], $mail['subject'] ) ) . "\\n", FILE_APPEND );
	$lasting( 'sent' );
	return true;
};
add_filter( 'query', $write );
add_filter( 'pre_wp_mail', $mail, 10, 2 );
echo Momo_Kiosk_Orders::look( $reference );
`,
);

const hook = await askKiosk('GET', '/api/v1/webhook');
// Send events nowhere, so that they trigger no checks.
await askKiosk('PUT', '/api/v1/webhook', { url: 'http://localhost:1/', ...(hook.events && { events: hook.events }) });
const counts = { orders: 0, doubled: 0 };
try {
  for (let moment = 1, isKilled = true; isKilled; moment++) {
    const product = await newProduct(`Lives ${moment} long`, '36.00', 10);
    const email = `kofi${moment}@example.com`;
    const { id, reference } = await tryOften(() => placeOrder(product.id, { quantity: 2, billing: { email } }));
    const { payment } = await simulate(reference, 'paid');
    isKilled = (await run(reference, moment)) === 'SIGKILL';
    assert.equal(await run(reference, 0), 0);
    const order = await orderOf(id);
    const sent = readFileSync(mails, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const toOwner = sent.filter(([, subject]) => subject.includes(`#${id}`)).length;
    const toCustomer = sent.filter(([to]) => to === email).length;
    const found = `killed at ${moment}, order ${id}: ${order.status}, ${toOwner} and ${toCustomer} e-mails`;
    assert.ok(['processing', 'completed'].includes(order.status), found);
    assert.equal(order.transaction_id, payment.transaction_id, found);
    assert.equal(await stockOf(product.id), 8, found);
    assert.ok(toOwner >= 1 && toCustomer >= 1, found);
    assert.ok(
      (await notesOf(id)).some((note) => note.includes('arrived from')),
      found,
    );
    counts.orders++;
    if (toOwner + toCustomer === 2) continue;
    assert.match(readFileSync(last, 'utf8'), /^sent$|^UPDATE \w+momo_kiosk_charges SET told/, found);
    counts.doubled++;
  }
  assert.ok(counts.orders > 30, 'so few moments are not all');
  console.log(JSON.stringify(counts));
} finally {
  await askKiosk('PUT', '/api/v1/webhook', { url: hook.url, ...(hook.events && { events: hook.events }) });
  rmSync(scratch, { recursive: true });
}

function run(reference, diesAt) {
  const php = spawn(process.env.PHP ?? 'php', [look, reference, String(diesAt)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done, fail) => {
    php.on('error', fail);
    php.on('close', (code, signal) => done(signal ?? code));
  });
}

/** A test key is limited to ten requests per second. */
async function tryOften(work) {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 5) throw error;
      await pause(1000);
    }
  }
}
