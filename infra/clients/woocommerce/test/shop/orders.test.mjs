import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import {
  askKiosk,
  askShop,
  lookNow,
  newProduct,
  notesOf,
  orderOf,
  payAgain,
  placeOrder,
  referenceOf,
  runSchedule,
  shopUrl,
  simulate,
  stockOf,
  until,
} from './shop.mjs';

/**
 * Tests orders in a running shop whose gateway is in test mode. Uses the Store API as customers and WooCommerce's REST
 * API as the owner, never the database.
 */
let kente;
before(async () => {
  kente = await newProduct(`Kente ${randomUUID().slice(0, 8)}`, '36.00', 1000);
});

const becomes = (id, status) =>
  until(async () => {
    await runSchedule();
    const order = await orderOf(id);
    return order.status === status && order;
  });

const isNoted = (id, words) =>
  until(async () => {
    await runSchedule();
    const notes = await notesOf(id);
    return notes.some((note) => note.includes(words)) && notes;
  });

const countOf = (notes, words) => notes.filter((note) => note.includes(words)).length;

test('a paid order is processed and reduces the stock once', async () => {
  const stock = await stockOf(kente.id);
  const { id, reference, page } = await placeOrder(kente.id, { quantity: 2 });
  assert.match(page, /\/checkout\/\w+$/);
  const charge = await askKiosk('GET', `/api/v1/transaction/verify/${reference}`);
  assert.equal(charge.amount, 72);
  assert.equal(charge.customer_name, 'Kofi Mensah');
  assert.equal(charge.customer_phone, '+233241234567');
  assert.equal(charge.merchant_reference, String(id));
  assert.deepEqual(charge.metadata, { woocommerce_order_id: id, shop: shopUrl });
  assert.equal((await orderOf(id)).status, 'pending');
  const { payment } = await simulate(reference, 'paid');
  const order = await becomes(id, 'processing');
  assert.equal(order.transaction_id, payment.transaction_id);
  assert.equal(await stockOf(kente.id), stock - 2);
  assert.equal(countOf(await notesOf(id), 'arrived from'), 1);
});

test('a partial payment is noted on the order', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'underpaid');
  await isNoted(id, 'A part has arrived: GHS 18.00, which makes GHS 18.00 of GHS 36.00 in total');
  assert.equal((await orderOf(id)).status, 'pending');
  await simulate(reference, 'paid');
  await becomes(id, 'processing');
});

test('an overpayment is noted on the order', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'overpaid');
  await becomes(id, 'processing');
  await isNoted(id, 'The customer paid GHS 1.00 too much.');
});

test('a disputed payment holds the order', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'disputed');
  await becomes(id, 'on-hold');
  await isNoted(id, 'The payment is in doubt');
});

test('a reversed payment fails the order', async () => {
  const [paid, unheard] = [await placeOrder(kente.id), await placeOrder(kente.id)];
  await simulate(paid.reference, 'paid');
  await becomes(paid.id, 'processing');
  await simulate(paid.reference, 'reversed');
  await simulate(unheard.reference, 'reversed');
  await becomes(paid.id, 'failed');
  await becomes(unheard.id, 'failed');
  await isNoted(paid.id, 'The network has reversed the payment');
});

test('a second payment is only noted', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'paid_twice');
  await becomes(id, 'processing');
  await isNoted(id, 'is held at Momo Kiosk (already_paid)');
  assert.equal(countOf(await notesOf(id), 'arrived from'), 1);
});

test('an expired charge is replaced when the customer returns', async () => {
  const first = await placeOrder(kente.id);
  await simulate(first.reference, 'expired');
  await isNoted(first.id, `The time to pay ${first.reference} is over`);
  assert.equal((await orderOf(first.id)).status, 'pending');
  const again = await payAgain(first);
  assert.notEqual(again.page, first.page);
  await simulate(again.reference, 'paid');
  await becomes(first.id, 'processing');
});

test('partial payments of an expired charge hold the order', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'underpaid');
  await simulate(reference, 'expired');
  await becomes(id, 'on-hold');
  await isNoted(id, 'GHS 18.00 had already arrived and is held');
});

test('a late payment reopens a cancelled order', async () => {
  const { id, reference } = await placeOrder(kente.id);
  const receipt = await payLate({ id, reference });
  await becomes(id, 'cancelled');
  await askKiosk('POST', `/api/v1/receipt/${receipt}/assign`, { reference });
  await becomes(id, 'processing');
  await isNoted(id, 'The order was already cancelled, and has been reopened.');
});

test('a late payment does not reopen an order whose goods are out of stock', async () => {
  const basket = await newProduct(`Last basket ${randomUUID().slice(0, 8)}`, '50.00', 1);
  const late = await placeOrder(basket.id);
  await assert.rejects(placeOrder(basket.id), /stock/i, 'the goods are kept while the charge can be paid');
  const receipt = await payLate(late);
  await becomes(late.id, 'cancelled');
  const quick = await placeOrder(basket.id);
  await simulate(quick.reference, 'paid');
  await becomes(quick.id, 'processing');
  assert.equal(await stockOf(basket.id), 0);
  await askKiosk('POST', `/api/v1/receipt/${receipt}/assign`, { reference: late.reference });
  const order = await becomes(late.id, 'on-hold');
  assert.match(order.transaction_id, /^TEST/);
  await isNoted(late.id, `these are out of stock: ${basket.name}`);
  assert.equal(await stockOf(basket.id), 0, 'nothing is sold that is not there');
  // The owner restocks one basket.
  await askShop('PUT', `products/${basket.id}`, { stock_quantity: 1 });
  await askShop('PUT', `orders/${late.id}`, { status: 'processing' });
  assert.equal(await stockOf(basket.id), 0);
});

test('cancelling an order cancels its charge', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await askShop('PUT', `orders/${id}`, { status: 'cancelled' });
  await until(async () => {
    await runSchedule();
    return (await askKiosk('GET', `/api/v1/transaction/verify/${reference}`)).status === 'cancelled';
  });
  await isNoted(id, `${reference} was cancelled, and its page says not to pay.`);
});

test('an order cancelled during its payment is paid', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'paid');
  await askShop('PUT', `orders/${id}`, { status: 'cancelled' });
  await becomes(id, 'processing');
});

test('a refund is noted when recorded and when sent', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'paid');
  await becomes(id, 'processing');
  await askShop('POST', `orders/${id}/refunds`, { amount: '12.50', reason: 'Out of stock', api_refund: true });
  const [refund] = (await askKiosk('GET', `/api/v1/transaction/verify/${reference}`)).refunds;
  assert.equal(refund.amount, 12.5);
  assert.equal(refund.reason, 'Out of stock');
  const notes = await isNoted(id, 'A refund of GHS 12.50 is recorded at Momo Kiosk. No money has moved yet');
  assert.equal(countOf(notes, 'is recorded at Momo Kiosk'), 1);
  await askKiosk('POST', `/api/v1/transaction/${reference}/refund/${refund.refund_id}/close`, { outcome: 'sent' });
  await isNoted(id, 'The refund of GHS 12.50 was sent.');
  // Both the shop and the plugin reject a refund above the amount paid.
  await assert.rejects(askShop('POST', `orders/${id}/refunds`, { amount: '100.00', api_refund: true }));
});

test('a deleted and repeated refund counts once', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await simulate(reference, 'paid');
  await becomes(id, 'processing');
  const refund = (reason) => askShop('POST', `orders/${id}/refunds`, { amount: '5.00', reason, api_refund: true });
  const refunds = async () => (await askKiosk('GET', `/api/v1/transaction/verify/${reference}`)).refunds;
  const first = await refund('Torn');
  await refund('Torn');
  assert.equal((await refunds()).length, 2);
  await askShop('DELETE', `orders/${id}/refunds/${first.id}?force=true`);
  await isNoted(id, 'The refund of GHS 5.00 was deleted in the shop');
  await refund('Torn');
  assert.deepEqual(
    (await refunds()).map(({ status }) => status),
    ['noted', 'noted'],
    'the one that was noted is taken up again',
  );
  // Each refund has its own idempotency key, so a second refund after a withdrawal is new.
  const [withdrawn] = await refunds();
  await askKiosk('POST', `/api/v1/transaction/${reference}/refund/${withdrawn.refund_id}/close`, {
    outcome: 'withdrawn',
  });
  await refund('Torn');
  assert.deepEqual((await refunds()).map(({ status }) => status).sort(), ['noted', 'noted', 'withdrawn']);
});

test('an order paid another way cancels its charge', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await askShop('PUT', `orders/${id}`, { set_paid: true, payment_method: 'cod' });
  await until(async () => {
    await runSchedule();
    return (await askKiosk('GET', `/api/v1/transaction/verify/${reference}`)).status === 'cancelled';
  });
  // An order paid by cash on delivery needs no further steps.
  assert.equal((await orderOf(id)).status, 'completed');
  // A payment assigned after the switch to cash on delivery only gets a note.
  const late = await placeOrder(kente.id);
  const receipt = await payLate(late);
  await askShop('PUT', `orders/${late.id}`, { status: 'processing', payment_method: 'cod' });
  await askKiosk('POST', `/api/v1/receipt/${receipt}/assign`, { reference: late.reference });
  await isNoted(late.id, 'which may be a second one');
});

test('a customer who left before paying returns to the payment page', async () => {
  const { id, key, page, reference } = await placeOrder(kente.id);
  const follow = () => fetch(`${shopUrl}/?wc-api=momo_kiosk_pay&order=${id}&key=${key}`, { redirect: 'manual' });
  assert.equal((await follow()).headers.get('location'), page);
  await simulate(reference, 'expired');
  await isNoted(id, 'is over');
  const again = (await follow()).headers.get('location');
  assert.match(again, /\/checkout\/\w+$/);
  assert.notEqual(again, page);
  await simulate(await referenceOf(id), 'paid');
  await becomes(id, 'processing');
  assert.match((await follow()).headers.get('location'), /order-received/);
});

test('simultaneous payment attempts create one charge', async () => {
  const order = await placeOrder(kente.id);
  await simulate(order.reference, 'expired');
  await isNoted(order.id, 'is over');
  const pages = await Promise.all([payAgain(order), payAgain(order), payAgain(order)]);
  assert.equal(new Set(pages.map(({ page }) => page)).size, 1);
  const { transactions } = await askKiosk('GET', `/api/v1/transaction?merchant_reference=${order.id}`);
  assert.equal(transactions.filter(({ status }) => status === 'pending').length, 1);
});

test('a higher price creates a new charge and cancels the old one', async () => {
  const first = await placeOrder(kente.id);
  await askShop('PUT', `orders/${first.id}`, { fee_lines: [{ name: 'Gift wrap', total: '4.55' }] });
  const again = await payAgain(first);
  assert.notEqual(again.reference, first.reference);
  assert.equal((await askKiosk('GET', `/api/v1/transaction/verify/${first.reference}`)).status, 'cancelled');
  assert.equal((await askKiosk('GET', `/api/v1/transaction/verify/${again.reference}`)).amount, 40.55);
});

test('a price increase during the payment holds the order', async () => {
  const { id, reference } = await placeOrder(kente.id);
  await askShop('PUT', `orders/${id}`, { fee_lines: [{ name: 'Gift wrap', total: '4.00' }] });
  await simulate(reference, 'paid');
  await becomes(id, 'on-hold');
  await isNoted(id, 'The order has changed since then: GHS 36.00 was requested.');
});

test('a simultaneous event and customer return pay the order once', async () => {
  const hook = await askKiosk('GET', '/api/v1/webhook');
  const { secret } = await askKiosk('PUT', '/api/v1/webhook', {
    url: hook.url,
    ...(hook.events && { events: hook.events }),
  });
  for (let round = 0; round < 5; round++) {
    const stock = await stockOf(kente.id);
    const { id, key, reference } = await placeOrder(kente.id);
    const back = `${shopUrl}/?wc-api=momo_kiosk_return&order=${id}&key=${key}&reference=${reference}`;
    await simulate(reference, 'paid');
    const event = { type: 'charge.success', livemode: false, data: { reference } };
    await Promise.all(
      [0, 1, 2].flatMap(() => [
        fetch(back, { redirect: 'manual' }).then((answer) => {
          assert.equal(answer.status, 302);
          assert.match(answer.headers.get('location'), new RegExp(`order-received/${id}/`));
        }),
        post(hook.url, event, secret).then((status) => assert.equal(status, 204)),
        runSchedule(),
      ]),
    );
    await becomes(id, 'processing');
    await runSchedule();
    assert.equal(countOf(await notesOf(id), 'arrived from'), 1);
    assert.equal(await stockOf(kente.id), stock - 1);
  }
});

test("a request without the service's signature is rejected", async () => {
  const { url, events } = await askKiosk('GET', '/api/v1/webhook');
  const { secret } = await askKiosk('PUT', '/api/v1/webhook', { url, ...(events && { events }) });
  const { id, reference } = await placeOrder(kente.id);
  const event = { type: 'charge.success', livemode: false, data: { reference, status: 'success', amount_paid: 36 } };
  assert.equal(await post(url, event, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), 401);
  assert.equal(await post(url, event, secret, { at: Date.now() / 1000 - 301 }), 401);
  assert.equal(await post(url, event, secret, { tampered: true }), 401);
  assert.equal((await fetch(url, { method: 'POST', body: JSON.stringify(event) })).status, 401);
  assert.equal((await fetch(url)).status, 401);
  // Even a forged event with a valid signature triggers only a check.
  assert.equal(await post(url, event, secret), 204);
  assert.equal(await post(url, { type: 'charge.success', data: { reference: 'MK-0000000000' } }, secret), 204);
  assert.equal(await post(url, 'not json', secret), 204);
  await runSchedule();
  await lookNow();
  assert.equal((await orderOf(id)).status, 'pending');
});

test('a stranger cannot open an order by its number', async () => {
  const { id } = await placeOrder(kente.id);
  for (const address of ['momo_kiosk_return', 'momo_kiosk_pay']) {
    const answer = await fetch(`${shopUrl}/?wc-api=${address}&order=${id}&key=wc_order_guessed`, {
      redirect: 'manual',
    });
    assert.doesNotMatch(answer.headers.get('location'), /order-received|checkout/);
  }
});

test('a field that the service rejects is omitted', async () => {
  const { reference } = await placeOrder(kente.id, { billing: { phone: '+1 415 555 2671' } });
  const charge = await askKiosk('GET', `/api/v1/transaction/verify/${reference}`);
  assert.equal(charge.customer_phone, null);
  assert.equal(charge.customer_name, 'Kofi Mensah');
});

test('the gateway is not offered in another currency', async () => {
  await askShop('PUT', 'settings/general/woocommerce_currency', { value: 'USD' });
  try {
    await assert.rejects(placeOrder(kente.id), /payment/i);
  } finally {
    await askShop('PUT', 'settings/general/woocommerce_currency', { value: 'GHS' });
  }
});

test('an order survives an outage of the service', async () => {
  const { id, reference } = await placeOrder(kente.id);
  const { settings } = await askShop('GET', 'payment_gateways/momo_kiosk');
  await askShop('PUT', 'payment_gateways/momo_kiosk', { settings: { address: 'http://localhost:9' } });
  try {
    await assert.rejects(placeOrder(kente.id), /Mobile money cannot be paid at the moment/);
    await simulate(reference, 'paid');
    await runSchedule();
    await lookNow();
    assert.equal((await orderOf(id)).status, 'pending');
  } finally {
    await askShop('PUT', 'payment_gateways/momo_kiosk', { settings: { address: settings.address.value } });
  }
  await lookNow();
  await becomes(id, 'processing');
});

/** Pays without the reference, lets the charge expire and cancels the order. Returns the id of the held payment. */
async function payLate({ id, reference }) {
  const before = new Set((await held()).map((receipt) => receipt.id));
  await simulate(reference, 'held');
  const receipt = await until(async () => (await held()).find((one) => !before.has(one.id)));
  await simulate(reference, 'expired');
  await isNoted(id, 'is over');
  await askShop('PUT', `orders/${id}`, { status: 'cancelled' });
  return receipt.id;
}

const held = async () => (await askKiosk('GET', '/api/v1/receipt?status=held')).receipts;

/** Posts an event as the service does, and returns the status. `tampered` changes the body after signing. */
async function post(url, event, secret, { at = Date.now() / 1000, tampered = false } = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const id = `evt_${randomUUID()}`;
  const timestamp = String(Math.floor(at));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body: tampered ? `${body} ` : body,
  });
  return answer.status;
}
