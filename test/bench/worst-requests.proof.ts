import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { handler as makeLink } from '../../functions/link/create.ts';
import { handler as pressPayPart } from '../../functions/r/open.ts';
import { handler as makeRequest } from '../../functions/request/create.ts';
import { rights } from '../../functions/rights.ts';
import { handler as sendBulk } from '../../functions/sms/bulk.ts';
import { handler as buyCredits } from '../../functions/sms/buy-credits.ts';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { handler as refund } from '../../functions/transaction/refund.ts';
import { handler as startCode } from '../../functions/verify/start.ts';
import { MAX_LOGO_BYTES } from '../../shared/merchants/logo/image.ts';
import { setLogo } from '../../shared/merchants/logo/set-logo.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { MAX_SECOND_RECEIPTS } from '../../shared/money/charge/change-charge.table.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { expiryOf } from '../../shared/money/charge/expiry.table.ts';
import { MAX_PART_PAYMENTS } from '../../shared/money/payment/payment.ts';
import { MAX_PURCHASES } from '../../shared/money/purchase/last-purchases.ts';
import { endCharge } from '../../shared/money/settling/end-charge.ts';
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
import { httpRoutes, loadRoute, pathWith } from '../support/routes.ts';
import { chargesOf, sendsOf, thingsOf } from '../support/rows.ts';
import { newEvent, setWebhook } from '../support/webhooks.ts';
import { type Call, call, createMerchant, createSender, createWorld } from '../support/world.ts';
import { centsAnHour, limitOf, publicRoutes } from './flood.ts';
import {
  addAnswer,
  addReceipt,
  endWithParts,
  enlarge,
  enlargeCharge,
  enlargeLink,
  enlargeRequest,
  enlargeSend,
  fillRequest,
  wide,
} from './largest-rows.ts';
import { meter } from './meter.ts';

/** Maximum billed units of one request. */
const MAX_READ_UNITS = 30;
const MAX_READ_UNITS_OF_LIST = 250;
const MAX_WRITE_UNITS = 210;
/**
 * Up to 1,000 texts: a third of a unit each to accept, and about two each to cancel. Storing a contact costs four
 * units. A payment request costs three.
 */
const MAX_OF_BULK = 4_100;
const OF_MANY = new Set(['sms/bulk', 'sms/cancel-bulk', 'sms/retry-bulk', 'contact/store', 'request/create-many']);

const REQUEST = 'reads the request’s row (up to 21 units) and ten of its charges (up to 22 each)';
const BULK = 'a bulk send has up to twenty sends of fifty texts, and each text has its own row';
const SEND = 'a send that is part of a bulk send takes up to 38 units if its texts have a thousand characters each';
/** Routes with a higher read limit, and the reason. */
const READS_MORE: Readonly<Record<string, readonly [most: number, why: string]>> = {
  'r/page': [130, `${REQUEST}, with the payments that wait for five of them`],
  'r/open': [150, `${REQUEST}; reads the row again before writing it`],
  'request/show': [130, REQUEST],
  'request/cancel': [150, REQUEST],
  'checkout/claim': [
    3_450,
    "reads up to 100 pending bills for this amount and twenty of the customer's other bills (up to 22 units each), because the payment may be for one of them",
  ],
  'sms/buy-credits': [450, "reads the buyer's last nineteen purchases (up to 22 units each)"],
  'checkout/confirm-code': [60, 'reads the charge again, and the payments from this number'],
  'transaction/cancel': [60, 'reads up to twenty parts, because the response states how much of them is still held'],
  'receipt/assign': [160, 'restores all parts of an expired charge, and reads the uses and other texts of each'],
  'test/simulate': [40, 'does the work of a payment and its reversal'],
  'sms/show': [60, SEND],
  'sms/cancel': [60, SEND],
  'sms/show-bulk': [1_000, BULK],
  'sms/bulk-results': [1_000, BULK],
  'sms/retry-bulk': [1_000, BULK],
  'sms/cancel-bulk': [2_000, `${BULK}; each row is read again when its text is cancelled`],
  'contact/store': [2_000, 'reads two rows for each of a thousand contacts'],
};

/** Routes with a higher write limit, and the reason. */
const WRITES_MORE: Readonly<Record<string, readonly [most: number, why: string]>> = {
  'request/cancel': [360, 'one condition per open charge, so that no charge can be paid in the meantime'],
  'receipt/assign': [240, 'two writes and one condition for each of twenty parts'],
};

const SCOREBOARD = readFileSync(new URL('../../docs/internals/scoreboard.md', import.meta.url), 'utf8');

const world = await createWorld({ inMemory: true });
const NUMBER = '+233241234567';
/** Reading the largest possible charge costs five units. */
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
const worst = new Map<string, Call>();

beforeAll(async () => {
  await createSender(world, NUMBER);
  const shop = await createShop(world, { number: NUMBER });
  // An expired charge with the maximum number of parts, and a payment that restores the parts.
  const { json: parted } = await call(world, initialize, { key: shop.liveKey, body: { amount: 900, ...LARGEST } });
  for (let n = 0; n < MAX_PART_PAYMENTS; n++)
    await pay(world, shop, mtn({ amount: '1.00', reference: parted.data.reference }));
  const found = await chargeRows.find(world.outside, parted.data);
  if (!found) throw new Error('The charge is gone');
  world.clock.nowMs = Date.parse(found.expires_at) + 1;
  await endCharge(world.outside, expiryOf(found));
  const rest = mtn({ amount: '1.00' });
  await pay(world, shop, rest);

  const { json: wanted } = await call(world, initialize, { key: shop.liveKey, body: { amount: 900, ...LARGEST } });
  for (let n = 0; n < MAX_PART_PAYMENTS; n++)
    await pay(world, shop, mtn({ amount: '1.00', reference: wanted.data.reference }));

  const { json: refunded } = await call(world, initialize, { key: shop.liveKey, body: { amount: 36, ...LARGEST } });
  await pay(world, shop, mtn({ reference: refunded.data.reference }));
  // Repeats the payment as often as the receipt can record.
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
  await repeat(149, () =>
    call(world, initialize, { key: shop.liveKey, body: { amount: 36, customer_name: 'Ama Owusu', ...LARGEST } }),
  );
  const held = mtn({ from: 'ABENA POKU' });
  await pay(world, shop, held);

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
  world.clock.nowMs += 1;
  const failedId = (await call(world, sendBulk, { key: bulk.smsKey, body: many })).json.data.id;
  for (const send_id of partIds(failedId, 20))
    for (let index = 0; index < 50; index++)
      await failMessage(world.outside, { send_id, merchant_id: bulk.id }, index, { reason: 'The network refused it' });
  world.clock.nowMs += 1;
  const to = Array.from({ length: 50 }, (_, n) => `05511122${n + 10}`);
  const message = 'x'.repeat(1_000);
  let sendId = '';
  await repeat(110, async () => {
    const { json } = await call(world, send, { key: bulk.smsKey, body: { to, message, from: NUMBER } });
    sendId = json.data.id;
  });
  const { json: code } = await call(world, startCode, { key: bulk.smsKey, body: { to: '0551112223', from: NUMBER } });
  const consent = { at: '2026-01-01', how: 'x'.repeat(60) };
  const contacts = many.recipients.map(({ to, name }) => ({ number: to, name, consent }));
  await setWebhook(world, shop);
  let event = '';
  await repeat(120, async () => {
    event = await newEvent(world, { id: shop.id });
  });

  let slug = '';
  await repeat(110, async () => {
    ({ slug } = (await call(world, makeLink, { key: shop.liveKey, body: LARGEST_LINK })).json.data);
  });

  await repeat(110, () => call(world, makeRequest, { key: shop.liveKey, body: LARGEST_REQUEST }));
  const full = { paid: '', unpaid: '' };
  for (const which of ['paid', 'unpaid'] as const) {
    full[which] = (await call(world, makeRequest, { key: shop.liveKey, body: LARGEST_REQUEST })).json.data.slug;
    await call(world, pressPayPart, { parameters: { slug: full[which] }, body: { amount: '7' } });
  }

  await sellBundle(world, { credits: 500, price: 30 });
  const purchases: string[] = [];
  await repeat(MAX_PURCHASES - 1, async () => {
    const { json } = await call(world, buyCredits, { key: bulk.smsKey, body: { credits: 500, price: 30 } });
    purchases.push(json.data.reference);
  });
  for (const bought of purchases) await enlargeCharge(world, bought);
  await topUp(world.outside, shop.id, 1);
  const texting = await changeMerchant(world.outside, shop.id, { pay_texts_per_day: 1 });
  const picture = { type: 'image/png', bytes: Buffer.alloc(MAX_LOGO_BYTES) } as const;
  const { after, writes: drawn } = setLogo(world.outside, texting, picture);
  await world.outside.table.write(drawn);
  world.clock.nowMs += SETTINGS_CACHE_SECONDS * 1000;

  const changed = new Set([parted, wanted, refunded].map(({ data }) => data.reference));
  const others = (await chargesOf(world, shop)).filter((one) => !changed.has(one.reference));
  for (const [n, one] of others.entries())
    await enlargeCharge(world, String(one.reference), { second: n % 2 ? MAX_SECOND_RECEIPTS : 0 });
  await enlargeCharge(world, reference);
  const idle = await createShop(world);
  for (const { size } of Array.from({ length: 50 }, (_, n) => ({ size: n % 5 === 0 ? LARGEST : {} }))) {
    const { json } = await call(world, initialize, { key: idle.liveKey, body: { amount: 900, ...size } });
    if (size === LARGEST) await enlargeCharge(world, json.data.reference);
    await endWithParts(world, json.data.reference);
  }
  await Promise.all(
    (await thingsOf(world, `MERCHANT#${shop.id}#REQUEST`)).map(({ slug }) => enlargeRequest(world, String(slug))),
  );
  await fillRequest(world, full.paid, { paidOf: (n) => n > 0 });
  await fillRequest(world, full.unpaid, { paidOf: () => false });
  await Promise.all(
    (await thingsOf(world, `MERCHANT#${shop.id}#LINK`)).map((link) => enlargeLink(world, String(link.slug))),
  );
  const failed = new Set(partIds(failedId, 20));
  const sends = (await sendsOf(world, bulk)).filter(({ send_id }) => !failed.has(String(send_id)));
  const waiting = new Set([...partIds(manyId, 20), sendId]);
  for (const send_id of sends.map((one) => String(one.send_id)))
    await enlargeSend(world, send_id, { haveFailed: !waiting.has(send_id) });
  for (const event of await thingsOf(world, `MERCHANT#${shop.id}#EVENT`))
    await enlarge(
      world,
      { pk: String(event.pk), sk: String(event.sk) },
      { body: JSON.stringify({ data: { note: 'x'.repeat(75_000) } }) },
    );
  for (let n = 0; n < 110; n++) {
    await addReceipt(world, shop.id, `MTN-233241234567-${n + 8_000_000_000}`, n % 2 ? 'held' : 'matched');
    await addAnswer(world, bulk.id, n);
  }

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
    'transaction/list': { ...live, query: { per_page: '100' } },
    'transaction/list, filtered by status': { ...live, query: { status: 'expired', per_page: '100' } },
    'transaction/list, of charges that ended with parts': { key: idle.liveKey, query: { per_page: '100' } },
    'transaction/list, filtered by order number': {
      ...live,
      query: { merchant_reference: wide(100), per_page: '100' },
    },
    'sms/send': { key: bulk.smsKey, body: { to, message, from: NUMBER } },
    'verify/start': { key: bulk.smsKey, body: { to: '0551112223', message: `{code}${'x'.repeat(290)}`, from: NUMBER } },
    'verify/check': { key: bulk.smsKey, body: { id: code.data.id, code: wrongFor(await codeOf(world, code.data.id)) } },
    'sms/list': { key: bulk.smsKey, query: { per_page: '100' } },
    'sms/list, filtered by status': { key: bulk.smsKey, query: { status: 'delivered', per_page: '100' } },
    'sms/list, of failed texts': { key: bulk.smsKey, query: { status: 'failed', per_page: '100' } },
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
    'checkout/ask-for-code': { ...page, body: { phone: '0201112223' } },
    'checkout/confirm-code': { ...page, body: { phone: '0201112223', code: '123456' } },
    'checkout/text': { ...page, body: { phone: '0201112223' } },
    'checkout/claim': { ...page, body: { transaction_id: held.id, name: 'Abena Poku' } },
    'checkout/logo': { parameters: { id: after.logo ?? '' } },
    'receipt/list': { ...live, query: { per_page: '100' } },
    'receipt/list, of matched receipts': { ...live, query: { status: 'matched', per_page: '100' } },
    'receipt/assign': {
      ...live,
      parameters: { id: paymentId(shop, rest) },
      body: { reference: parted.data.reference },
    },
    'request/list': { ...live, query: { per_page: '100' } },
    'request/create': { ...live, body: LARGEST_REQUEST },
    'request/create-many': { ...live, body: { requests: Array.from({ length: 1_000 }, () => SMALL_REQUEST) } },
    'request/show': { ...live, parameters: { slug: full.paid } },
    'request/show, of an unpaid request': { ...live, parameters: { slug: full.unpaid } },
    'r/page': { parameters: { slug: full.paid } },
    'r/page, of an unpaid request': { parameters: { slug: full.unpaid } },
    'r/open': { parameters: { slug: full.unpaid }, body: { amount: '36.5' } },
    'r/open, of a partly paid request': { parameters: { slug: full.paid }, body: { amount: '36.5' } },
    'request/cancel': { ...live, parameters: { slug: full.paid } },
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

interface Cost {
  readonly route: string;
  readonly reads: number;
  readonly writes: number;
}
const costs = new Map<string, Cost>();
/** Cost of an hour of each public route's most expensive request, in US cents. */
const floods = new Map<string, number>();

test('no request costs more than its route’s limit', async () => {
  const refused: string[] = [];
  // Each call creates data for the next one.
  for (const [name, one] of worst) {
    const route = routeOf(name);
    const handler = await loadRoute(route);
    let status = 0;
    let bytes = 0;
    const usage = await meter(world, async () => {
      ({ status, bytes } = await call(world, handler, one));
    });
    const { readUnits, writeUnits } = usage;
    const open = publicRoutes().find((one) => one.name === route);
    if (open) floods.set(route, Math.max(floods.get(route) ?? 0, centsAnHour(open.row, usage, bytes)));
    if (status >= 400 && status !== 422) refused.push(`${name} was answered ${status}`);
    const { reads = 0, writes = 0 } = costs.get(route) ?? {};
    costs.set(route, { route, reads: Math.max(reads, readUnits), writes: Math.max(writes, writeUnits) });
  }
  expect(refused).toEqual([]);
  const shown = [...costs.values()].map(({ route, reads, writes }) => `${route} ${reads} + ${writes}`).join(', ');
  reportFigure(`the worst request of each route, in read + write units: ${shown}`);
  const mostOf = (route: string) => WRITES_MORE[route]?.[0] ?? (OF_MANY.has(route) ? MAX_OF_BULK : MAX_WRITE_UNITS);
  const over = [...costs.values()].filter(
    ({ route, reads, writes }) => reads > mayRead(route) || writes > mostOf(route),
  );
  expect(over).toEqual([]);
});

test('the scoreboard lists the routes that cost more than ten read units', () => {
  const wanted = [...costs.values()]
    .filter(({ reads }) => reads > 10)
    .toSorted((one, other) => other.reads - one.reads);
  const table = wanted.map(
    ({ route, reads }) => `| ${route} | ${Math.round(reads)} | ${mayRead(route)} | ${READS_MORE[route]?.[1] ?? ''} |`,
  );
  const said = [...SCOREBOARD.matchAll(/^\| ([a-z-]+\/[a-z-]+) \| (\d+) \| (\d+) \| (.*) \|$/gm)];
  const rowOf = ([, route = '', , most, why]: string[]) => [route, Number(most), why];
  expect(said.map(rowOf).toSorted(), table.join('\n')).toEqual(
    wanted.map(({ route }) => [route, mayRead(route), READS_MORE[route]?.[1] ?? '']).toSorted(),
  );
  const stale = said.filter(([, route = '', reads]) => Math.abs(Number(reads) - (costs.get(route)?.reads ?? 0)) > 2);
  expect(stale, table.join('\n')).toEqual([]);
});

function mayRead(route: string): number {
  const isList = /\/(list|list-events|inbox|credits)$/.test(route);
  return READS_MORE[route]?.[0] ?? (isList ? MAX_READ_UNITS_OF_LIST : MAX_READ_UNITS);
}

test('the scoreboard states the cost of an hour-long flood', async () => {
  const figures = [];
  for (const { name, row } of publicRoutes()) {
    const handler = await loadRoute(name);
    let bytes = 0;
    const usage = await meter(world, async () => {
      ({ bytes } = await call(world, handler, { ...worst.get(name), ...pathWith(row, 'x'.repeat(22)) }));
    });
    const madeUp = centsAnHour(row, usage, bytes);
    figures.push({ name, limit: limitOf(row), madeUp, most: Math.max(madeUp, floods.get(name) ?? 0) });
  }
  const table = figures
    .toSorted((one, other) => other.most - one.most)
    .map(({ name, limit, madeUp, most }) => `| ${name} | ${limit} a second | ${shown(madeUp)} | ${shown(most)} |`);
  const stated = [...SCOREBOARD.matchAll(/^\| ([a-z-]+\/?[a-z-]*) \| (\d+) a second \| ([\d,]+) \| ([\d,]+) \|$/gm)];
  const asNumber = (text = '') => Number(text.replaceAll(',', ''));
  const near = (cents: number) => expect.closeTo(cents / 1_000, 1);
  expect(
    stated
      .map(([, name, limit, madeUp, most]) => [name, Number(limit), asNumber(madeUp) / 1_000, asNumber(most) / 1_000])
      .toSorted(),
    table.join('\n'),
  ).toEqual(figures.map(({ name, limit, madeUp, most }) => [name, limit, near(madeUp), near(most)]).toSorted());
});

function shown(cents: number): string {
  return Math.round(cents).toLocaleString('en');
}

test('every route with table permissions is measured', () => {
  const names = httpRoutes().flatMap(({ name }) => (name in rights ? [name] : []));
  const measured = new Set([...worst.keys()].map(routeOf));
  expect(names.filter((name) => !measured.has(name))).toEqual([]);
});

/** Creates rows a millisecond apart, so that their order is defined. */
async function repeat(times: number, create: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) {
    await create();
    world.clock.nowMs += 1;
  }
}

/** Returns the route of a measurement. A comma separates the variant. */
function routeOf(name: string): string {
  return name.replace(/,.*/, '');
}
