import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectBadFields } from '../../support/envelope.ts';
import { pagesOf } from '../../support/list-pages.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';

const CHARGES = 18;
const STATUSES = ['pending', 'success', 'expired', 'reversed'] as const;

const world = await scene();
const shop = await world.createShop();
const other = await world.createShop();
const startMs = world.clock.nowMs;
/** The shop's charges, oldest first. A third has expired, and two share a millisecond. */
const made: { reference: string; atMs: number; status: (typeof STATUSES)[number] }[] = [];

beforeAll(async () => {
  for (let n = 0; n < CHARGES; n++) {
    if (n === CHARGES / 3) world.clock.nowMs += 2 * DAY_MS;
    if (n !== 8) world.clock.nowMs += MINUTE_MS;
    const reference = await shop.charge({ amount: 36, metadata: { n } });
    const atMs = world.clock.nowMs;
    await other.charge({ amount: 36 });
    const kind = n % 3;
    if (kind > 0) {
      const receipt = mtn({ reference });
      await shop.pay(receipt);
      if (kind === 2) await shop.arrive(reversal(receipt.id));
    }
    const open = n < CHARGES / 3 ? 'expired' : 'pending';
    const statuses = [open, 'success', 'reversed'] as const;
    made.push({ reference, atMs, status: statuses[kind] ?? open });
  }
});

test('charges are listed newest first', async () => {
  const { status, json } = await list();
  expect(status).toBe(200);
  expect(json).toMatchObject({ status: true, message: expect.any(String), meta: { next: null, per_page: 50 } });
  expect(referencesOf(json)).toEqual(newestFirst());
  for (const [n, charge] of json.data.transactions.entries()) {
    if (n % 5 === 0) expect(charge).toEqual(await shop.verified(charge.reference));
  }
});

test('metadata numbers beyond double precision are listed unchanged', async () => {
  const metadata = '{"id":12345678901234567890,"price":1.10}';
  const shopper = await world.createShop();
  await shopper.call('transaction/initialize', { body: `{"amount":1,"metadata":${metadata}}` });
  expect((await list({}, shopper.liveKey)).text).toContain(`"metadata":${metadata},`);
});

test.each([
  ['page', '2', 'Did you mean "cursor"? It is the meta.next of the previous page.'],
  ['limit', '10', 'Did you mean "per_page"?'],
  ['reference', 'A-1007', 'Did you mean "merchant_reference"?'],
])('the error for ?%s=%s suggests the right parameter', async (name, value, said) => {
  const { json } = await list({ [name]: value });
  expect(json.errors).toEqual([{ field: name, message: expect.stringContaining(said) }]);
});

test('every charge is listed once for any page size and filter', async () => {
  const times = fc.constantFrom(...[-1, 3, 9, CHARGES].map((n) => made[n]?.atMs ?? startMs + n * DAY_MS));
  const filter = fc.record({ status: fc.constantFrom(...STATUSES), from: times, to: times }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 25 }), filter, async (perPage, { status, from, to }) => {
      const [fromMs, toMs] = from !== undefined && to !== undefined && from > to ? [to, from] : [from, to];
      const query = {
        per_page: String(perPage),
        ...(status && { status }),
        ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
        ...(toMs !== undefined && { to: new Date(toMs).toISOString() }),
      };
      const wanted = newestFirst(
        (one) =>
          one.atMs >= (fromMs ?? 0) &&
          one.atMs <= (toMs ?? Number.POSITIVE_INFINITY) &&
          (status ?? one.status) === one.status,
      );
      const pages = (await pagesOf(list, query)).map(referencesOf);
      expect(pages.flat()).toEqual(wanted);
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(perPage);
    }),
    { numRuns: 20 },
  );
});

test.each(STATUSES)('only charges with the %s status are listed', async (status) => {
  const { json } = await list({ status });
  expect(referencesOf(json)).toEqual(newestFirst((one) => one.status === status));
  expect(json.data.transactions.length).toBeGreaterThan(0);
  expect(new Set(json.data.transactions.map((one: { status: string }) => one.status))).toEqual(new Set([status]));
});

describe('a time range', () => {
  test('includes its start and end to the millisecond', async () => {
    const [third, fifth] = [made[2]?.atMs ?? 0, made[4]?.atMs ?? 0];
    const [from, to] = [new Date(third).toISOString(), new Date(fifth).toISOString()];
    expect(referencesOf((await list({ from, to })).json)).toEqual(
      newestFirst(({ atMs }) => atMs >= third && atMs <= fifth),
    );
    expect(referencesOf((await list({ from: new Date(third + 1).toISOString(), to })).json)).toHaveLength(2);
    expect(referencesOf((await list({ from, to: new Date(fifth - 1).toISOString() })).json)).toHaveLength(2);
  });

  test.each([
    ['without charges', { from: '2001-01-01', to: '2001-01-02' }],
    ['with start and end swapped', { from: '2026-12-02', to: '2026-12-01' }],
    ['in year 0', { to: '0000-01-01' }],
    ['in year 9999', { from: '9999-12-31', to: '9999-12-30' }],
  ])('%s returns an empty list or a 400', async (_, query) => {
    const { status, json } = await list(query);
    expect([200, 400]).toContain(status);
    if (status === 200) expect(json.data.transactions).toEqual([]);
  });
});

test.each(['paid', 'Success', '', 'delivered'])('status=%j is rejected with the field’s name', async (status) => {
  expectBadFields(await list({ status }), 'status');
});

test.each([
  ['outside the list', { pk: 'TRANSACTION#x', sk: 'TRANSACTION', sort: 'z' }],
  ['without a position', { pk: '', sk: '', sort: '' }],
  ['with a very long position', { pk: 'x'.repeat(3_000), sk: 'TRANSACTION', sort: 'x'.repeat(2_000) }],
])('a made-up cursor %s causes no server error', async (_, place) => {
  const answer = await list({ cursor: Buffer.from(JSON.stringify(place)).toString('base64url') });
  if (answer.status !== 200) expectBadFields(answer, 'cursor');
  const mine = new Set(made.map(({ reference }) => reference));
  expect(referencesOf(answer.json).filter((reference) => !mine.has(reference))).toEqual([]);
});

test('a cursor from another merchant reveals none of that merchant’s charges', async () => {
  const { next } = (await list({ per_page: '5' })).json.meta;
  const mine = new Set(made.map(({ reference }) => reference));
  const queries: Record<string, string>[] = [{}, { cursor: next }, { status: 'pending' }];
  for (const query of queries) {
    const { json } = await list(query, other.liveKey);
    expect(referencesOf(json).filter((reference) => mine.has(reference))).toEqual([]);
  }
  expect(referencesOf((await list({}, other.liveKey)).json)).toHaveLength(CHARGES);
});

describe('a list of 260 charges', async () => {
  const busy = await scene({ inMemory: true });
  const [mine, theirs] = [await busy.createShop(), await busy.createShop()];
  const all: Pick<(typeof made)[number], 'reference' | 'status'>[] = [];

  beforeAll(async () => {
    const later: (() => Promise<unknown>)[] = [];
    for (let n = 0; n < 260; n++) {
      if (n === 130) busy.clock.nowMs += 26 * 60 * MINUTE_MS;
      if (n % 3) busy.clock.nowMs += 1_000;
      const reference = await mine.charge({ amount: 36 });
      if (n % 4 === 0) await theirs.charge({ amount: 36 });
      const kind = n % 7;
      const receipt = mtn({ reference });
      if (kind < 3) later.unshift(() => mine.pay(receipt));
      if (kind === 2) later.push(() => mine.arrive(reversal(receipt.id)));
      if (n === 129 || n === 259) for (const happens of later.splice(0)) await happens();
      const unpaid = n < 130 ? 'expired' : 'pending';
      all.unshift({ reference, status: kind < 2 ? 'success' : kind === 2 ? 'reversed' : unpaid });
    }
  });

  test('contains each charge of a state once, newest first', async () => {
    const whole = await pagesOfMine({ per_page: '100' });
    expect(whole.toSorted()).toEqual(all.map(({ reference }) => reference).toSorted());
    for (const status of STATUSES) {
      const of = new Set(all.filter((one) => one.status === status).map(({ reference }) => reference));
      const wanted = whole.filter((reference) => of.has(reference));
      expect(wanted.length).toBeGreaterThan(20);
      for (const per_page of ['1', '7', '33', '99', '100'])
        expect(await pagesOfMine({ status, per_page })).toEqual(wanted);
    }
  });

  test('accepts a cursor from any list of the merchant', async () => {
    const ours = new Set(all.map(({ reference }) => reference));
    for (const from of [undefined, ...STATUSES])
      for (const to of [undefined, ...STATUSES]) {
        const { json } = await listMine({ per_page: '5', ...(from && { status: from }) });
        const query = { cursor: json.meta.next, ...(to && { status: to }) };
        const own = await listMine(query);
        const strangers = await theirs.call('transaction/list', { query });
        expect([own.status, strangers.status].filter((status) => status >= 500)).toEqual([]);
        const shown: { reference: string }[] = strangers.json.data?.transactions ?? [];
        expect(shown.filter(({ reference }) => ours.has(reference))).toEqual([]);
      }
  });

  const listMine = (query: Record<string, string>) => mine.call('transaction/list', { query });
  const pagesOfMine = async (query: Record<string, string>) => (await pagesOf(listMine, query)).flatMap(referencesOf);
});

function list(query: Record<string, string> = {}, key = shop.liveKey) {
  return world.call('transaction/list', { key, query });
}

function referencesOf(json: { data?: { transactions: { reference: string }[] } }): string[] {
  return (json.data?.transactions ?? []).map(({ reference }) => reference);
}

/** Returns the matching references, newest first, then by reference. */
function newestFirst(passes: (one: (typeof made)[number]) => boolean = () => true): string[] {
  return made
    .filter(passes)
    .toSorted((one, another) => one.atMs - another.atMs || one.reference.localeCompare(another.reference))
    .map(({ reference }) => reference)
    .toReversed();
}
