import { beforeAll, expect, test } from 'vitest';
import { handler as makeLink } from '../../functions/link/create.ts';
import { handler as pressPayPart } from '../../functions/r/open.ts';
import { handler as makeRequest } from '../../functions/request/create.ts';
import { handler as sendBulk } from '../../functions/sms/bulk.ts';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { handler as refund } from '../../functions/transaction/refund.ts';
import { handler as startCode } from '../../functions/verify/start.ts';
import { MAX_LOGO_BYTES } from '../../shared/merchants/logo/image.ts';
import { setLogo } from '../../shared/merchants/logo/set-logo.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { endCharge, MAX_PARTS } from '../../shared/money/receipt/charge-parts.ts';
import { expiryOf } from '../../shared/money/transaction/expiry.table.ts';
import { transactionRows } from '../../shared/money/transaction/transaction.table.ts';
import { SETTINGS_CACHE_SECONDS } from '../../shared/runtime/outside/cached.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';
import { MAX_METADATA_BYTES } from '../../shared/runtime/values/metadata.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { partIds } from '../../shared/texts/sms/message-id.ts';
import { failMessage } from '../../shared/texts/sms/text-outcome.ts';
import { codeOf, wrongFor } from '../functions/verify/codes.ts';
import { sellBundle } from '../support/bundles.ts';
import { reportFigure } from '../support/figures.ts';
import { forwarded, forwarderCall } from '../support/forwarder.ts';
import { createShop, mtn, pay, paymentId, receivedEvent, signedCallback } from '../support/receipts.ts';
import { httpRoutes, loadRoute } from '../support/routes.ts';
import { newEvent, setWebhook } from '../support/webhooks.ts';
import { type Call, call, createMerchant, createSender, createWorld } from '../support/world.ts';
import { meter } from './meter.ts';

/** What one request may cost at most, whatever it asks for. Units are what DynamoDB bills. */
const MAX_READ_UNITS = 3000;
const MAX_WRITE_UNITS = 200;
/** Up to 1,000 texts: a third of a unit each to accept, about two each to cancel, in a transaction for each fifty. A contact is two to store, a payment request three. */
const MAX_OF_BULK = 3_100;
const OF_MANY = new Set(['sms/bulk', 'sms/cancel-bulk', 'sms/retry-bulk', 'contact/store', 'request/create-many']);

const world = await createWorld({ inMemory: true });
const NUMBER = '+233241234567';
/** The largest possible charge: a read of five units. */
const LARGEST_LINK = {
  title: 'x'.repeat(80),
  description: 'x'.repeat(500),
  note_label: 'x'.repeat(60),
  min_amount: 1,
  codes: Array.from({ length: 300 }, (_, n) => `${n}`.padEnd(100, 'x')),
  metadata: { note: 'x'.repeat(1_000) },
};
const LARGEST_REQUEST = {
  title: 'x'.repeat(80),
  note: 'x'.repeat(500),
  lines: Array.from({ length: 50 }, () => ({ description: 'x'.repeat(200), amount: 10 })),
  customer_name: 'x'.repeat(100),
  customer_phone: '0241112222',
  due: '2027-01-31',
  repeat: { every: 'month', until: '2031-12-31' },
  reminders: [-7, -3, 0, 3, 7],
  metadata: { note: 'x'.repeat(1_000) },
};
const SMALL_REQUEST = { title: 'Fees', lines: [{ description: 'Tuition', amount: 36 }] };
const LARGEST = { metadata: { note: 'x'.repeat(MAX_METADATA_BYTES - 100) }, description: 'x'.repeat(500) };
/** The most expensive call of each route that reads or writes the table. */
const worst = new Map<string, Call>();

beforeAll(async () => {
  await createSender(world, NUMBER);
  const shop = await createShop(world, { number: NUMBER });
  // An expired charge with the maximum number of parts, and a payment that restores them all.
  const { json: parted } = await call(world, initialize, { key: shop.liveKey, body: { amount: 900, ...LARGEST } });
  for (let n = 0; n < MAX_PARTS; n++) await pay(world, shop, mtn({ amount: '1.00', reference: parted.data.reference }));
  const found = await transactionRows.find(world.outside, parted.data);
  if (!found) throw new Error('The charge is gone');
  world.clock.nowMs = Date.parse(found.expires_at) + 1;
  await endCharge(world.outside, expiryOf(found));
  const rest = mtn({ amount: '1.00' });
  await pay(world, shop, rest);

  const { json: wanted } = await call(world, initialize, { key: shop.liveKey, body: { amount: 900, ...LARGEST } });
  for (let n = 0; n < MAX_PARTS; n++) await pay(world, shop, mtn({ amount: '1.00', reference: wanted.data.reference }));

  const { json: refunded } = await call(world, initialize, { key: shop.liveKey, body: { amount: 36, ...LARGEST } });
  await pay(world, shop, mtn({ reference: refunded.data.reference }));
  // It is paid again, as often as its receipt says.
  for (let n = 0; n < 5; n++) await pay(world, shop, mtn({ reference: refunded.data.reference }));
  const ofRefunded = { key: shop.liveKey, parameters: { reference: refunded.data.reference } };
  const { json: noted } = await call(world, refund, { ...ofRefunded, body: { amount: 1 } });

  const bulk = await createMerchant(world, { credits: 120 * 50 + 4_000 });
  const test = { key: bulk.testKey, body: { amount: 36, ...LARGEST } };
  const [{ json: rehearsed }, { json: clicked }] = [
    await call(world, initialize, test),
    await call(world, initialize, test),
  ];
  const { json: first } = await call(world, initialize, { key: shop.liveKey, body: { amount: 36, ...LARGEST } });
  const { reference, access_code } = first.data;
  for (let n = 1; n < 510; n++)
    await call(world, initialize, { key: shop.liveKey, body: { amount: 36, customer_name: 'Ama Owusu', ...LARGEST } });
  const held = mtn();
  await pay(world, shop, held);

  const to = Array.from({ length: 50 }, (_, n) => `05511122${n + 10}`);
  const message = 'x'.repeat(1_000);
  let sendId = '';
  for (let n = 0; n < 110; n++) {
    const { json } = await call(world, send, { key: bulk.smsKey, body: { to, message, from: NUMBER } });
    sendId = json.data.id;
  }
  const { json: code } = await call(world, startCode, { key: bulk.smsKey, body: { to: '0551112223', from: NUMBER } });
  const many = {
    message: 'Hello {name}',
    recipients: Array.from({ length: 1_000 }, (_, n) => ({
      to: `0551${String(n).padStart(6, '0')}`,
      name: 'x'.repeat(100),
    })),
    send_at: world.iso(DAY_MS),
    from: 'random',
  };
  const manyId = (await call(world, sendBulk, { key: bulk.smsKey, body: many })).json.data.id;
  const failedId = (await call(world, sendBulk, { key: bulk.smsKey, body: many })).json.data.id;
  for (const send_id of partIds(failedId, 20))
    for (let index = 0; index < 50; index++)
      await failMessage(world.outside, { send_id, merchant_id: bulk.id }, index, { reason: 'The network refused it' });
  const consent = { at: '2026-01-01', how: 'x'.repeat(60) };
  const contacts = many.recipients.map(({ to, name }) => ({ number: to, name, consent }));
  await setWebhook(world, shop);
  let event = '';
  for (let n = 0; n < 120; n++) event = await newEvent(world, { id: shop.id });

  let slug = '';
  for (let n = 0; n < 110; n++)
    ({ slug } = (await call(world, makeLink, { key: shop.liveKey, body: LARGEST_LINK })).json.data);

  let asked = '';
  for (let n = 0; n < 110; n++)
    ({ slug: asked } = (await call(world, makeRequest, { key: shop.liveKey, body: LARGEST_REQUEST })).json.data);
  for (let n = 0; n < 20; n++)
    await call(world, pressPayPart, { parameters: { slug: asked }, body: { amount: String(n + 1) } });

  await sellBundle(world, { credits: 500, price: 30 });
  await topUp(world.outside, shop.id, 1);
  const texting = await changeMerchant(world.outside, shop.id, { pay_texts_per_day: 1 });
  const picture = { type: 'image/png', bytes: Buffer.alloc(MAX_LOGO_BYTES) } as const;
  const { after, writes: drawn } = setLogo(world.outside, texting, picture);
  await world.outside.table.write(drawn);
  world.clock.nowMs += SETTINGS_CACHE_SECONDS * 1000;

  const live = { key: shop.liveKey };
  const page = { parameters: { access_code }, headers: { accept: 'application/json' } };
  const calls: Record<string, Call> = {
    'transaction/initialize': { ...live, body: { amount: 36, customer_name: 'Ama Owusu', ...LARGEST } },
    'transaction/verify': { ...live, parameters: { reference } },
    'test/simulate': {
      key: bulk.testKey,
      parameters: { reference: rehearsed.data.reference },
      body: { outcome: 'reversed' },
    },
    'checkout/simulate': {
      parameters: { access_code: clicked.data.access_code },
      headers: { accept: 'application/json' },
      body: { outcome: 'paid_twice' },
    },
    'transaction/cancel': { ...live, parameters: { reference: wanted.data.reference } },
    'transaction/refund': {
      ...live,
      parameters: { reference: refunded.data.reference },
      body: { reason: 'x'.repeat(200) },
    },
    'transaction/close-refund': {
      ...live,
      parameters: { reference: refunded.data.reference, refund_id: noted.data.refunds[0].refund_id },
      body: { outcome: 'sent' },
    },
    'transaction/list': { ...live, query: { status: 'expired', per_page: '100' } },
    'sms/send': { key: bulk.smsKey, body: { to, message, from: NUMBER } },
    'verify/start': { key: bulk.smsKey, body: { to: '0551112223', message: `{code}${'x'.repeat(290)}`, from: NUMBER } },
    'verify/check': { key: bulk.smsKey, body: { id: code.data.id, code: wrongFor(await codeOf(world, code.data.id)) } },
    'sms/list': { key: bulk.smsKey, query: { status: 'delivered', per_page: '100' } },
    'sms/from': { key: bulk.smsKey },
    'sms/inbox': { key: bulk.smsKey, query: { per_page: '100' } },
    'test/receive': { key: bulk.smsTestKey, body: { from: '0551112223', message: 'Hello '.repeat(160) } },
    'sms/bulk': { key: bulk.smsKey, body: many },
    'sms/show-bulk': { key: bulk.smsKey, parameters: { id: manyId } },
    'sms/bulk-results': { key: bulk.smsKey, parameters: { id: manyId } },
    'sms/cancel-bulk': { key: bulk.smsKey, parameters: { id: manyId } },
    'sms/retry-bulk': { key: bulk.smsKey, parameters: { id: failedId } },
    'contact/store': { key: bulk.smsKey, body: { contacts } },
    'contact/list': { key: bulk.smsKey, query: { per_page: '100' } },
    'contact/remove': { key: bulk.smsKey, parameters: { number: '0551000000' } },
    'sms/cancel': { key: bulk.smsKey, parameters: { id: sendId } },
    'wallet/list': { key: bulk.liveKey },
    'sms/buy-credits': { key: bulk.smsKey, body: { credits: 500, price: 30 } },
    'sms/credits': { key: bulk.smsKey, query: { per_page: '100' } },
    'sms/show': { key: bulk.smsKey, parameters: { id: sendId } },
    'checkout/page': page,
    'checkout/status': page,
    'checkout/receipt': { ...page, parameters: { access_code: refunded.data.access_code } },
    'checkout/claim': { ...page, body: { transaction_id: held.id, name: 'Kofi Mensah' } },
    'checkout/ask-for-code': { ...page, body: { phone: '0201112223' } },
    'checkout/confirm-code': { ...page, body: { phone: '0201112223', code: '123456' } },
    'checkout/text': { ...page, body: { phone: '0201112223' } },
    'checkout/logo': { parameters: { id: after.logo ?? '' } },
    'receipt/list': { ...live, query: { status: 'matched', per_page: '100' } },
    'receipt/assign': {
      ...live,
      parameters: { id: paymentId(shop, rest) },
      body: { reference: parted.data.reference },
    },
    'request/create': { ...live, body: LARGEST_REQUEST },
    'request/create-many': { ...live, body: { requests: Array.from({ length: 1_000 }, () => SMALL_REQUEST) } },
    'request/list': { ...live, query: { per_page: '100' } },
    'request/show': { ...live, parameters: { slug: asked } },
    'r/page': { parameters: { slug: asked } },
    'r/open': { parameters: { slug: asked }, body: { amount: '36.5' } },
    'request/cancel': { ...live, parameters: { slug: asked } },
    'link/create': { ...live, body: LARGEST_LINK },
    'link/list': { ...live, query: { per_page: '100' } },
    'link/show': { ...live, parameters: { slug } },
    'link/change': {
      ...live,
      parameters: { slug },
      body: { title: 'x'.repeat(80), metadata: { note: 'x'.repeat(16_000) } },
    },
    'link/add-codes': {
      ...live,
      parameters: { slug },
      body: { codes: Array.from({ length: 500 }, (_, n) => `${n + 1_000}`.padEnd(100, 'x')) },
    },
    'pay/page': { parameters: { slug } },
    'pay/open': { parameters: { slug }, body: { amount: '36', note: 'x'.repeat(200) } },
    'pay/qr-svg': { parameters: { slug } },
    'pay/qr-png': { parameters: { slug } },
    'pay/poster': { parameters: { slug } },
    'link/end': { ...live, parameters: { slug } },
    'webhook/set': { ...live, body: { url: 'https://shop.example.com/hooks' } },
    'webhook/show': live,
    'webhook/roll-secret': live,
    'webhook/test': live,
    'webhook/list-events': { ...live, query: { per_page: '100' } },
    'webhook/show-event': { ...live, parameters: { id: event } },
    'webhook/replay': { ...live, parameters: { id: event } },
    'webhook/remove': live,
    'callback/forwarder': forwarderCall(forwarded(world, { to: 1, text: `${mtn().text}${'x'.repeat(15_000)}` })),
    'callback/smsgate': signedCallback(world, receivedEvent(world, { ...mtn(), recipient: shop.number })),
  };
  for (const [name, one] of Object.entries(calls)) worst.set(name, one);
});

test('no request of any route costs more than it may, whatever it asks for', async () => {
  const costs: { name: string; reads: number; writes: number }[] = [];
  // In this order: each leaves what the next one needs.
  for (const [name, one] of worst) {
    const handler = await loadRoute(name);
    let status = 0;
    const { readUnits: reads, writeUnits: writes } = await meter(world, async () => {
      ({ status } = await call(world, handler, one));
    });
    expect([name, status < 400 || status === 422]).toEqual([name, true]);
    costs.push({ name, reads, writes });
  }
  const shown = costs.map(({ name, reads, writes }) => `${name} ${reads} + ${writes}`).join(', ');
  reportFigure(`the worst request of each route, in read + write units: ${shown}`);
  const mostOf = (name: string) => (OF_MANY.has(name) ? MAX_OF_BULK : MAX_WRITE_UNITS);
  expect(costs.filter(({ name, reads, writes }) => reads > MAX_READ_UNITS || writes > mostOf(name))).toEqual([]);
});

test('every route that has rights on the table is among them', () => {
  const names = httpRoutes().flatMap(({ name, row }) => (row.table || row.indexes ? [name] : []));
  expect(names.filter((name) => !worst.has(name))).toEqual([]);
});
