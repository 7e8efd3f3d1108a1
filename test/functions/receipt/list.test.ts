import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectBadFields } from '../../support/envelope.ts';
import { pagesOf } from '../../support/list-pages.ts';
import { mtn, telecel } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

describe('a listed receipt', () => {
  test('shows the parsed payment and why it is held', async () => {
    const kojo = await world.createShop({ network: 'TELECEL' });
    const receipt = telecel({ amount: '45.50', from: 'KOJO ANSAH', reference: 'kente' });
    await kojo.pay(receipt);
    const { status, json } = await list({}, kojo);
    expect(status).toBe(200);
    expect(json).toEqual({
      status: true,
      message: expect.any(String),
      data: {
        receipts: [
          {
            id: kojo.paymentId(receipt),
            livemode: true,
            status: 'held',
            reason: 'no_charge',
            network: 'TELECEL',
            momo_number: kojo.number,
            transaction_id: receipt.id,
            amount: 45.5,
            currency: 'GHS',
            payer_name: 'KOJO ANSAH',
            payer_phone: '+233209876543',
            payer_reference: 'kente',
            sender: 'T-CASH',
            text: receipt.text.replace(/(balance is GHS)[\d,.]*\d/i, '$1…'),
            received_at: world.iso(),
            proof: { state: 'unproven', why: 'not_anchored' },
            matched_by: null,
            marked: null,
            reference: null,
            suggested_reference: null,
            set_aside: null,
          },
        ],
      },
      meta: { next: null, per_page: 50 },
    });
  });

  test('shows its charge and how it was matched', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference });
    await shop.pay(receipt);
    const { json } = await list({ status: 'matched' });
    expect(json.data.receipts).toMatchObject([
      { id: shop.paymentId(receipt), status: 'matched', reason: null, matched_by: 'reference', reference },
    ]);
  });

  test('is unproven after a contradictory text', async () => {
    const alone = await scene({ inMemory: true });
    const owner = await alone.createShop();
    const matched = mtn({ reference: await owner.charge({ amount: 36 }) });
    const held = mtn({ amount: '17.00' });
    for (const text of [matched, held]) await owner.pay(text);
    for (const { id } of [matched, held]) await owner.arrive(mtn({ id, amount: '99.00' }));
    await verifyMoney(alone);
    const proofOf = async (status: string, amount: number) =>
      (await owner.listed(status)).find((one) => one.amount === amount)?.proof;
    const unproven = { state: 'unproven', why: null };
    expect([await proofOf('matched', 36), await proofOf('held', 17)]).toEqual([unproven, unproven]);
  });

  test('shows only the text if it could not be parsed', async () => {
    await shop.arrive({ sender: 'MoMo', text: 'Something new about GHS 36.00 received' });
    const { json } = await list({ status: 'unread' });
    expect(json.data.receipts).toMatchObject([
      {
        status: 'unread',
        reason: null,
        network: 'MTN',
        momo_number: shop.number,
        sender: 'MoMo',
        text: 'Something new about GHS … received',
        transaction_id: null,
        amount: null,
        payer_name: null,
      },
    ]);
  });
});

describe('the list of receipts', () => {
  test('is empty if there are no receipts', async () => {
    for (const status of ['held', 'unread', 'matched']) {
      expect((await list({ status })).json).toMatchObject({ data: { receipts: [] }, meta: { next: null } });
    }
  });

  test('filters by state and defaults to held receipts', async () => {
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36 }) }));
    await shop.arrive({ sender: 'MobileMoney', text: 'A promotion!' });
    await shop.arrive({ ...mtn(), sender: '+233555000111' });
    await shop.pay(mtn());
    const reasons = async (query: Record<string, string>) =>
      (await list(query)).json.data.receipts.map(({ status, reason }: { status: string; reason: string }) => ({
        status,
        reason,
      }));
    expect(await reasons({ status: 'matched' })).toEqual([{ status: 'matched', reason: null }]);
    expect(await reasons({ status: 'unread' })).toEqual([{ status: 'unread', reason: null }]);
    // A text that only resembles a network's text is not listed.
    expect(await reasons({})).toEqual([{ status: 'held', reason: 'no_charge' }]);
    expect(await reasons({})).toEqual(await reasons({ status: 'held' }));
  });

  test.each(['', 'Held', 'pending', 'all', 'reversed', 'held,unread', '__proto__'])(
    'returns 400 for status=%j',
    async (status) => {
      expectBadFields(await list({ status }), 'status');
    },
  );

  test('is ordered by arrival at the phone, newest first', async () => {
    const minutes = [3, 1, 4, 0, 2];
    for (const minute of minutes) {
      await shop.pay({ ...mtn({ reference: String(minute) }), receivedAt: world.iso(-minute * MINUTE_MS) });
    }
    expect(await typed({})).toEqual(['0', '1', '2', '3', '4']);
  });

  test('shows only the merchant’s own receipts', async () => {
    const other = await world.createShop();
    await shop.pay(mtn({ reference: 'ours' }));
    await other.pay(mtn({ reference: 'theirs' }));
    expect({ ours: await typed({}), theirs: await typed({}, other) }).toEqual({ ours: ['ours'], theirs: ['theirs'] });
  });
});

describe('the pagination of receipts', () => {
  test.each([1, 2, 3, 4, 5, 6, 100])('returns each of five receipts once with page size %d', async (perPage) => {
    await payFive();
    const pages = await pagesOf(list, { per_page: String(perPage) });
    expect(pages.flatMap(typedIn)).toEqual(['5', '4', '3', '2', '1']);
    for (const { data, meta } of pages) {
      expect(meta.per_page).toBe(perPage);
      expect(data.receipts.length).toBeLessThanOrEqual(perPage);
    }
  });

  test('continues after the last receipt shown', async () => {
    await payFive();
    const { json } = await list({ per_page: '2' });
    world.clock.nowMs += MINUTE_MS;
    await shop.pay(mtn({ reference: '6' }));
    expect(await typed({ per_page: '2', cursor: json.meta.next })).toEqual(['3', '2']);
  });

  test('includes all receipts that arrived at the same moment', async () => {
    for (let n = 0; n < 4; n++) await shop.pay(mtn());
    const first = await list({ per_page: '3' });
    const second = await list({ per_page: '3', cursor: first.json.meta.next });
    const ids = [first, second].flatMap(({ json }) => json.data.receipts.map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBe(4);
  });

  test('returns only the merchant’s own receipts for any cursor', async () => {
    const other = await world.createShop();
    for (const n of [1, 2, 3]) {
      world.clock.nowMs += MINUTE_MS;
      await other.pay(mtn({ reference: `theirs ${n}` }));
      await shop.pay(mtn({ reference: `ours ${n}` }));
    }
    const theirs = await list({ per_page: '1' }, other);
    for (const reference of await typed({ cursor: theirs.json.meta.next })) expect(reference).toMatch(/^ours/);
    const { pk, sk, sort } = JSON.parse(Buffer.from(theirs.json.meta.next, 'base64url').toString());
    for (const forged of [
      { pk, sk, sort: '~' },
      { pk: `MERCHANT#${other.id}`, sk: 'MERCHANT', sort },
      { pk: `MERCHANT#${other.id}#RECEIPT#held`, sk: sort, sort },
    ]) {
      for (const reference of await typed({ cursor: encoded(forged) })) expect(reference).toMatch(/^ours/);
    }
  });

  test('returns only the requested state for a cursor of a different state', async () => {
    await payFive();
    const { json } = await list({ per_page: '1' });
    expect(await typed({ status: 'matched', cursor: json.meta.next })).toEqual([]);
  });

  test.each([
    ['with empty keys', { pk: '', sk: '', sort: '' }],
    ['with a key that is too long', { pk: 'x'.repeat(3_000), sk: 'RECEIPT', sort: '2026' }],
    ['with a position that is too long', { pk: 'RECEIPT#1', sk: 'RECEIPT', sort: 'x'.repeat(3_000) }],
  ])('handles a cursor %s without a server error', async (_, start) => {
    await payFive();
    const before = world.logged.length;
    expect((await list({ cursor: encoded(start) })).status).toBeLessThan(500);
    expect(world.logged.slice(before)).toEqual([]);
  });
});

function list(query: Record<string, string>, by: Shop = shop) {
  return by.call('receipt/list', { query });
}

/** Returns the references that the payers entered. */
async function typed(query: Record<string, string>, by: Shop = shop): Promise<string[]> {
  return typedIn((await list(query, by)).json);
}

function typedIn({ data }: { data: { receipts: { payer_reference: string }[] } }): string[] {
  return data.receipts.map(({ payer_reference }) => payer_reference);
}

/** Receives five payments with the references 1 to 5, a minute apart. */
async function payFive(): Promise<void> {
  for (const n of [1, 2, 3, 4, 5]) {
    world.clock.nowMs += MINUTE_MS;
    await shop.pay(mtn({ reference: String(n) }));
  }
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
