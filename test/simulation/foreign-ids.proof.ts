import { afterAll, expect, test } from 'vitest';
import { isTestAccount, testAccountIdOf } from '../../shared/merchants/merchant/test-account.ts';
import { type HttpRow, keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import { reportFigure } from '../support/figures.ts';
import { mtn } from '../support/receipts.ts';
import { type CalledByHttp, httpRoutes, keyOf, pathWith } from '../support/routes.ts';
import type { Call } from '../support/world.ts';
import { DEVICES, Kiosk } from './kiosk.ts';
import { chanceFrom } from './random.ts';

/** Bodies for the routes that require a body. A body contains the given id if the route accepts an id. */
const bodies: Record<string, (id: string) => object> = {
  'transaction/initialize': () => ({ amount: 5 }),
  'sms/send': () => ({ to: '0551112223', message: 'Mine', from: 'random' }),
  'sms/bulk': () => ({ message: 'Mine', recipients: [{ to: '0551112223' }], from: 'random' }),
  'contact/store': () => ({ contacts: [{ number: '0551112223' }] }),
  'verify/start': () => ({ to: '0551112223', from: 'random' }),
  'verify/check': (id) => ({ id, code: '123456' }),
  'receipt/assign': (reference) => ({ reference }),
  'transaction/refund': () => ({ amount: 1 }),
  'transaction/close-refund': () => ({ outcome: 'sent' }),
  'test/simulate': () => ({ outcome: 'paid' }),
  'link/create': () => ({ title: 'Mine' }),
  'link/change': () => ({ title: 'Mine' }),
  'test/receive': () => ({ from: '0551112223', message: 'Mine' }),
  'link/add-codes': () => ({ codes: ['MINE-1'] }),
  'request/create': () => ({ title: 'Mine', lines: [{ description: 'Mine', amount: 5 }] }),
  'request/create-many': () => ({ requests: [{ title: 'Mine', lines: [{ description: 'Mine', amount: 5 }] }] }),
  'webhook/set': () => ({ url: 'https://other.example.com/hooks' }),
};
let requests = 0;

type Shop = Kiosk['shops'][number];
type Holder = Pick<Shop, 'id' | 'liveKey' | 'smsKey'>;

function testAccountOf({ id, testKey, smsTestKey }: Shop): Holder {
  return { id: testAccountIdOf(id), liveKey: testKey, smsKey: smsTestKey };
}

test.each<[string, (one: Shop, other: Shop) => readonly [Holder, Holder]]>([
  ['a merchant', (one, other) => [one, other]],
  ['a merchant’s test account', (one) => [one, testAccountOf(one)]],
  ['the merchant of a test account', (one) => [testAccountOf(one), one]],
  ['another merchant’s test account', (one, other) => [testAccountOf(one), testAccountOf(other)]],
])('%s cannot access the other account’s data', async (_, choose) => {
  const kiosk = new Kiosk(chanceFrom(7));
  await kiosk.open(() => 20);
  const [one, other] = kiosk.shops;
  if (!one || !other) throw new Error('Two shops are open');
  const [owner, stranger] = choose(one, other);

  const ids = await idsOfAll(kiosk, owner);
  const before = itemsOf(kiosk, owner.id);
  expect(before.length).toBeGreaterThan(10);
  for (const { name, row } of httpRoutes()) {
    for (const kind of keyKindsOf(row)) {
      const cursors = await cursorsOf(kiosk, name, row, keyOf(owner, kind));
      await askAbout(kiosk, { name, row }, keyOf(stranger, kind), ids, cursors);
    }
  }
  await kiosk.goOn();
  expect(itemsOf(kiosk, owner.id)).toEqual(before);
});

test.each([
  ['sms', 'live'],
  ['live', 'sms'],
] as const)('an API key of the kind %s cannot access the webhook for %s keys', async (own, other) => {
  const kiosk = new Kiosk(chanceFrom(8));
  await kiosk.open(() => 20);
  const [shop] = kiosk.shops;
  if (!shop) throw new Error('A shop is open');
  await dataOf(kiosk, 'webhook/set', { key: keyOf(shop, other), body: { url: CANARY } });
  await dataOf(kiosk, 'webhook/test', { key: keyOf(shop, other) });
  await kiosk.goOn();
  const before = itemsOf(kiosk, shop.id).filter(({ key_kind }) => key_kind === other);
  const ids = before.flatMap(({ event_id }) => (event_id ? [String(event_id)] : []));
  expect({ before: before.length, ids: ids.length }).toEqual({ before: 2, ids: 1 });

  for (const { name, row } of httpRoutes()) {
    if (!keyKindsOf(row).includes(own) || !keyKindsOf(row).includes(other)) continue;
    const cursors = await cursorsOf(kiosk, name, row, keyOf(shop, other));
    await askAbout(kiosk, { name, row }, keyOf(shop, own), ids, cursors);
  }
  await kiosk.goOn();
  expect(itemsOf(kiosk, shop.id).filter(({ key_kind }) => key_kind === other)).toEqual(before);
});

const CANARY = 'https://canary.example.com/hooks';

/** Calls a route with each of these ids and an unauthorised key. */
async function askAbout(
  kiosk: Kiosk,
  { name, row }: { name: CalledByHttp; row: HttpRow },
  key: string,
  ids: readonly string[],
  cursors: readonly string[],
) {
  for (const id of [...ids, ...cursors]) {
    const answer = await kiosk.request(name, {
      method: row.method,
      key,
      // Only lists accept a cursor.
      ...(!row.path.includes('{') && { query: { cursor: id } }),
      ...(bodies[name] && { body: bodies[name](id) }),
      ...pathWith(row, id),
    });
    requests++;
    // The response may repeat the given id.
    const told = answer?.body.replaceAll(id, '') ?? '';
    expect(told, `${name} with ${id}`).not.toMatch(/canary|shop\.example/i);
    for (const other of ids) expect(told, `${name} with ${id}`).not.toContain(other);
    if (row.path.includes('{')) expect(answer?.statusCode, `${name} with ${id}`).toBe(404);
  }
}

afterAll(() => reportFigure(`foreign ids: ${requests} requests with another merchant's ids, nothing told or changed`));

/** Creates one object of every kind and returns their ids. */
async function idsOfAll(kiosk: Kiosk, { id, liveKey, smsKey }: Holder): Promise<string[]> {
  const charge = { amount: 36.5, description: 'canary', customer_name: 'Canary', metadata: { secret: 'canary' } };
  const paid = await dataOf(kiosk, 'transaction/initialize', { key: liveKey, body: charge });
  const open = await dataOf(kiosk, 'transaction/initialize', { key: liveKey, body: charge });
  const link = await dataOf(kiosk, 'link/create', {
    key: liveKey,
    body: {
      title: 'canary',
      min_amount: 1,
      note_label: 'canary',
      codes: ['canary-1', 'canary-2'],
      metadata: { secret: 'canary' },
    },
  });
  const parameters = { slug: link.slug };
  await kiosk.request('pay/open', { parameters, body: { amount: '36.50', note: 'canary' } });
  const request = await dataOf(kiosk, 'request/create', {
    key: liveKey,
    body: {
      title: 'canary',
      lines: [{ description: 'canary', amount: 36.5 }],
      customer_name: 'Canary',
      metadata: { secret: 'canary' },
    },
  });
  await kiosk.request('r/open', { parameters: { slug: request.slug }, body: { amount: '36.50' } });
  if (isTestAccount(id)) {
    const parameters = { reference: paid.reference };
    for (const outcome of ['paid', 'held'])
      await dataOf(kiosk, 'test/simulate', { key: liveKey, parameters, body: { outcome } });
    await dataOf(kiosk, 'webhook/set', { key: liveKey, body: { url: CANARY } });
  } else {
    kiosk.arrive(
      DEVICES[0],
      mtn({ amount: '36.50', from: 'CANARY', reference: paid.reference, id: '50000000001' }).text,
    );
    kiosk.arrive(DEVICES[0], mtn({ amount: '36.50', from: 'CANARY', reference: 'canary', id: '50000000002' }).text);
  }
  const text = { to: ['0551112222', '0551112224'], message: 'Hello canary', from: 'random' };
  const sent = await dataOf(kiosk, 'sms/send', { key: smsKey, body: text });
  const many = { message: 'Hello canary', recipients: [{ to: '0551112222' }, { to: '0551112224' }], from: 'random' };
  const bulk = await dataOf(kiosk, 'sms/bulk', { key: smsKey, body: many });
  const consent = { at: '2026-01-01', how: 'canary' };
  const contacts = ['0247770001', '0247770002'].map((number) => ({ number, name: 'canary', consent }));
  await dataOf(kiosk, 'contact/store', { key: smsKey, body: { contacts } });
  await dataOf(kiosk, 'webhook/set', { key: smsKey, body: { url: CANARY } });
  for (const key of [liveKey, smsKey]) await dataOf(kiosk, 'webhook/test', { key });
  await kiosk.goOn();
  const kept = kiosk.memory
    .items()
    .flatMap(({ receipt_id, event_id, sk }) => (sk === 'RECEIPT' ? [receipt_id] : sk === 'EVENT' ? [event_id] : []));
  expect(kept.length).toBeGreaterThan(3);
  return [
    id,
    link.slug,
    request.slug,
    paid.reference,
    open.reference,
    open.access_code,
    ...sent.ids,
    bulk.id,
    '+233247770001',
    ...kept.map(String),
  ];
}

/** Returns the cursors of the owner's next pages. */
async function cursorsOf(kiosk: Kiosk, name: CalledByHttp, row: HttpRow, key: string) {
  if (row.method !== 'GET' || row.path.includes('{')) return [];
  const answer = await kiosk.request(name, { key, query: { per_page: '1' } });
  const next: unknown = JSON.parse(answer?.body ?? '{}').meta?.next;
  return typeof next === 'string' ? [next] : [];
}

async function dataOf(kiosk: Kiosk, name: CalledByHttp, call: Call) {
  const answer = await kiosk.request(name, call);
  expect(answer?.statusCode).toBe(200);
  return JSON.parse(answer?.body ?? '').data;
}

/** Returns a merchant's rows, except those created by its own key. */
function itemsOf(kiosk: Kiosk, merchantId: string) {
  return kiosk.memory
    .items()
    .filter(({ pk, merchant_id }) => merchant_id === merchantId || String(pk).includes(`#${merchantId}`))
    .filter(({ pk }) => isTestAccount(merchantId) || !String(pk).includes(`#${testAccountIdOf(merchantId)}`));
}
