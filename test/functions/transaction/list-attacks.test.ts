import { beforeAll, expect, test } from 'vitest';
import { pagesOf } from '../../support/list-pages.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

// Pages against the whole list, for every status and size; charges whose states changed in another order than they were made.

const STATUSES = ['pending', 'success', 'expired', 'reversed'] as const;
const HOUR_MS = 3_600_000;
const world = await scene({ inMemory: true });
let shop: Shop;
let other: Shop;
const made: { reference: string; status: (typeof STATUSES)[number] }[] = [];

beforeAll(async () => {
  [shop, other] = [await world.createShop(), await world.createShop()];
  const later: (() => Promise<unknown>)[] = [];
  for (let n = 0; n < 260; n++) {
    if (n === 130) world.clock.nowMs += 26 * HOUR_MS;
    if (n % 3) world.clock.nowMs += 1_000;
    const reference = await shop.charge({ amount: 36 });
    if (n % 4 === 0) await other.charge({ amount: 36 });
    const kind = n % 7;
    const receipt = mtn({ reference });
    if (kind < 3) later.unshift(() => shop.pay(receipt));
    if (kind === 2) later.push(() => shop.arrive(reversal(receipt.id)));
    if (n === 129 || n === 259) for (const happens of later.splice(0)) await happens();
    const unpaid = n < 130 ? 'expired' : 'pending';
    made.unshift({ reference, status: kind < 2 ? 'success' : kind === 2 ? 'reversed' : unpaid });
  }
});

test('each charge once, in the order of the whole list', async () => {
  const whole = await allPages({ per_page: '100' });
  expect(whole.toSorted()).toEqual(made.map(({ reference }) => reference).toSorted());
  for (const status of STATUSES) {
    const of = new Set(made.filter((one) => one.status === status).map(({ reference }) => reference));
    const wanted = whole.filter((reference) => of.has(reference));
    expect(wanted.length).toBeGreaterThan(20);
    for (const per_page of ['1', '7', '33', '99', '100']) expect(await allPages({ status, per_page })).toEqual(wanted);
  }
});

test('a cursor of any list goes on in any other, and shows nobody else’s', async () => {
  const mine = new Set(made.map(({ reference }) => reference));
  for (const from of [undefined, ...STATUSES])
    for (const to of [undefined, ...STATUSES]) {
      const { json } = await list({ per_page: '5', ...(from && { status: from }) });
      const query = { cursor: json.meta.next, ...(to && { status: to }) };
      const own = await list(query);
      const theirs = await other.call('transaction/list', { query });
      expect([own.status, theirs.status].filter((status) => status >= 500)).toEqual([]);
      const shown: { reference: string }[] = theirs.json.data?.transactions ?? [];
      expect(shown.filter(({ reference }) => mine.has(reference))).toEqual([]);
    }
});

function list(query: Record<string, string>) {
  return shop.call('transaction/list', { query });
}

async function allPages(query: Record<string, string>): Promise<string[]> {
  const transactions = (await pagesOf(list, query)).flatMap(({ data }) => data.transactions);
  return transactions.map(({ reference }: { reference: string }) => reference);
}
