import { beforeEach, describe, expect, test } from 'vitest';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { mtn, telecel } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

type Query = Record<string, string>;

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene();
  shop = await world.createShop();
});

describe('charge search', () => {
  test.each<Query>([
    { merchant_reference: ' A-1007' },
    { name: 'mensah' },
    { email: ' Kofi@Example.com' },
    { name: 'Mensah, KOFI' },
    { phone: '024 111 2223' },
    { amount: '36.50' },
    { name: 'Kofi', amount: '36.5', phone: '+233241112223' },
  ])('finds a charge by the merchant’s data: %j', async (query) => {
    const reference = await shop.charge({
      amount: 36.5,
      customer_name: 'Kofi Mensah',
      customer_phone: '0241112223',
      email: 'kofi@example.com',
      merchant_reference: ' A-1007',
    });
    await shop.charge({ amount: 36, customer_name: 'Ama Owusu', merchant_reference: 'A-1007' });
    await streamed();
    expect(await found(query)).toEqual([reference]);
  });

  test('finds a charge by its payment', async () => {
    const reference = await shop.charge({ amount: 36 });
    await streamed();
    const receipt = mtn({ reference, from: 'ESI ADOMA BOATENG' });
    const [before] = await world.rows('TRANSACTION');
    await shop.pay(receipt);
    await streamed(before);
    const queries: Query[] = [
      { transaction_id: receipt.id },
      { name: 'boateng' },
      { name: 'esi boateng', amount: '36' },
    ];
    for (const query of queries) expect(await found(query)).toEqual([reference]);
  });

  test.each([
    '0000019305566778',
    '19305566778',
    'TELECEL 0000019305566778',
    'telecel 19305566778',
    '="0000019305566778"',
    "'0000019305566778",
    '0000 0193 0556 6778',
    'ID: 0000019305566778',
    '19305566778.0',
    '19305566778.00',
  ])('finds a charge by a Telecel id in the format %s', async (transaction_id) => {
    const kojo = await world.createShop({ network: 'TELECEL' });
    const reference = await kojo.charge({ amount: 36 });
    await kojo.pay(telecel({ reference, id: '0000019305566778' }));
    await streamed();
    expect(await found({ transaction_id }, kojo)).toEqual([reference]);
    const owner = await kojo.signIn('owner');
    const { headers, text } = await world.visit('/dashboard/charges', { by: owner, query: { q: transaction_id } });
    expect(`${headers.location ?? ''}${text}`).toContain(reference);
  });

  test.each(['4172 852 884', 'MK 4172 852 884', 'mk-4172-852-884', 'MK4172852884', 'MK\u20114172\u00a0852\u00a0884'])(
    'finds a charge by a reference in the format %s',
    async (written) => {
      const reference = await shop.charge({ amount: 36 });
      const digits = [...reference.slice(3)];
      const typed = written.replaceAll(/\d/g, () => digits.shift() ?? '');
      const answer = await shop.call('transaction/verify', { parameters: { reference: typed } });
      expect(answer.json.data).toMatchObject({ reference });
      const owner = await shop.signIn('owner');
      const page = await world.visit('/dashboard/charges', { by: owner, query: { q: typed } });
      expect(`${page.headers.location ?? ''}${page.text}`).toContain(reference);
    },
  );

  test('requires permission to assign payments for a transaction id', async () => {
    const receipt = mtn({ reference: await shop.charge({ amount: 36 }) });
    await shop.pay(receipt);
    await streamed();
    const scoped = async (scope: ('charges:read' | 'receipts:assign')[]) => ({
      ...shop,
      liveKey: await shop.addKey('live', { scope }),
    });
    const [reads, assigns] = [await scoped(['charges:read']), await scoped(['charges:read', 'receipts:assign'])];
    for (const transaction_id of [receipt.id, '1'])
      expectFailure(await ask({ transaction_id }, reads), 403, 'forbidden');
    expect(await found({ amount: '36' }, reads)).toHaveLength(1);
    expect(await found({ transaction_id: receipt.id }, assigns)).toHaveLength(1);
  });

  test('matches whole words and all criteria', async () => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah', merchant_reference: 'A-1007' });
    await streamed();
    const queries: Query[] = [
      { name: 'mens' },
      { name: 'kofi owusu' },
      { name: 'kofi', amount: '37' },
      { merchant_reference: 'a-1007' },
    ];
    for (const query of queries) expect(await found(query)).toEqual([]);
    expect(await found({ name: 'mensah' }, await world.createShop())).toEqual([]);
  });

  test('returns pages, newest first, filtered by time and status', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n++) {
      world.clock.nowMs += 60_000;
      made.unshift(await shop.charge({ amount: 36 }));
    }
    const atMs = world.clock.nowMs;
    await streamed();
    expect(await found({ amount: '36', per_page: '2' })).toEqual(made.slice(0, 2));
    const { json } = await ask({ amount: '36', per_page: '3' });
    expect(await found({ amount: '36', per_page: '3', cursor: json.meta.next })).toEqual(made.slice(3, 6));
    expect(await found({ amount: '36', from: new Date(atMs - 120_000).toISOString() })).toEqual(made.slice(0, 3));
    expect(await found({ amount: '36', status: 'success' })).toEqual([]);
    expectBadFields(await ask({ amount: '37', cursor: json.meta.next }), 'cursor');
  });
});

test.each([
  ['name', 'K'],
  ['name', '--'],
  ['phone', '12'],
  ['amount', '36.555'],
  ['amount', '-1'],
  ['amount', '0'],
  ['amount', '0x24'],
  ['amount', 'a lot'],
  ['transaction_id', 'MK-0123456789'],
  ['merchant_reference', ' '],
])('the search %s=%s is rejected', async (field, value) => {
  expectBadFields(await ask({ [field]: value }), field);
});

test('search rows contain no personal data and are written once', async () => {
  await shop.charge({ amount: 36, customer_name: 'Kofi Mensah', customer_phone: '0241112223' });
  await streamed();
  const lookups = await lookupRows();
  expect(lookups).toHaveLength(4);
  expect(JSON.stringify(lookups)).not.toMatch(/kofi|mensah|1112223/i);
  await streamed();
  expect(await lookupRows()).toEqual(lookups);
});

describe('the search row for a removed value', () => {
  test('is deleted if it was written after the removal', async () => {
    const { before, after } = await erased();
    for (const change of [{ after: before }, { before, after }]) await world.relayChanges(change);
    expect(await lookupRows()).toHaveLength(1);
    expect(await found({ amount: '36' })).toHaveLength(1);
  });

  test('is not deleted by a repeated old change', async () => {
    const { before, after } = await erased();
    for (const change of [{ after: before }, { before: after, after: before }, { before, after }])
      await world.relayChanges(change);
    await world.outside.table.write([{ put: { Item: before } }]);
    for (const change of [
      { before: after, after: before },
      { before, after },
    ])
      await world.relayChanges(change);
    expect(await found({ name: 'kofi' })).toEqual([before.reference]);
  });

  /** Returns a charge before and after its customer's erasure. */
  async function erased() {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    const [before] = await world.rows('TRANSACTION');
    if (!before) throw new Error('The charge is gone');
    const { customer_name: _, ...after } = before;
    await world.outside.table.write([{ put: { Item: after } }]);
    return { before, after };
  }
});

describe('the `unique_reference` field', () => {
  const said = { amount: 36, merchant_reference: 'A-1007', unique_reference: true };

  test('rejects a second charge and returns the first one’s reference', async () => {
    const reference = await shop.charge(said);
    expect(await shop.verified(reference)).toMatchObject({ merchant_reference: 'A-1007' });
    const second = await create(said);
    expectFailure(second, 409, 'duplicate_reference');
    expect(second.json.message).toContain(reference);
    expect((await create(said, await world.createShop())).status).toBe(200);
    expect((await create({ ...said, merchant_reference: 'A-1008' })).status).toBe(200);
  });

  test('allows only one of ten simultaneous charges', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(said)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect(await world.rows('TRANSACTION')).toHaveLength(1);
    const made = answers.find(({ status }) => status === 200)?.json.data;
    for (const { json } of answers.filter(({ status }) => status === 409))
      expect(json.message).toContain(
        `Your charge ${made.reference} has this merchant_reference, and its status is "pending". Send the customer to its authorization_url, ${made.authorization_url}, where`,
      );
  });

  test('names the newest charge among many with the same reference', async () => {
    const named = { amount: 36, merchant_reference: 'A-1007' };
    for (let n = 0; n < 20; n++) {
      await shop.charge(named);
      world.clock.nowMs += 1_000;
    }
    const reference = await shop.charge(named);
    await shop.pay(mtn({ reference }));
    await streamed();
    const { message } = (await create(said)).json;
    expect(message).toContain(`Your charge ${reference} has this merchant_reference, and its status is "success".`);
  });

  test.each([
    [
      'pending',
      async () => {},
      /Send the customer to its authorization_url, \S+, where GHS 36\.00 can be paid until 20\S+Z\. For another amount, cancel it/,
    ],
    [
      'success',
      (reference: string) => shop.pay(mtn({ reference })),
      /The order is paid, so do not create another charge for it\./,
    ],
    ['cancelled', (reference: string) => cancel(reference), /To try again, use another merchant_reference\./],
  ] as const)('returns advice if the existing charge is %s', async (status, becomes, advice) => {
    const { reference, authorization_url } = (await create(said)).json.data;
    await becomes(reference);
    await streamed();
    const { message } = (await create(said)).json;
    expect(message).toContain(`Your charge ${reference} has this merchant_reference, and its status is "${status}".`);
    expect(message).toMatch(advice);
    expect(message.includes(authorization_url)).toBe(status === 'pending');
  });

  test('returns the paid charge among several with the same merchant_reference', async () => {
    const { unique_reference: _, ...shared } = said;
    const first = await shop.charge(shared);
    await shop.pay(mtn({ reference: first }));
    await shop.charge(shared);
    await streamed();
    expect((await create(said)).json.message).toContain(
      `${first} has this merchant_reference, and its status is "success"`,
    );
  });

  test.each(['pending', 'success'])('refers to the payment request of a charge that is %s', async (status) => {
    const lines = [{ description: 'Fees', amount: 90 }];
    const request = await shop.call('request/create', { body: { title: 'Fees', lines, merchant_reference: 'A-1007' } });
    const { slug } = request.json.data;
    const reference = await world.openPart(slug, '36');
    if (status === 'success') await shop.pay(mtn({ reference }));
    await streamed();
    const { message } = (await create(said)).json;
    expect(message).toContain(`Your charge ${reference} has this merchant_reference, and its status is "${status}".`);
    expect(message).toContain(
      `It belongs to a payment request. GET /api/v1/request/${slug} shows whether that is paid`,
    );
    expect(message).not.toMatch(/The order is paid|authorization_url/);
  });

  test('names what is still due on a partly paid charge', async () => {
    const reference = await shop.charge(said);
    await shop.pay(mtn({ reference, amount: '10.00' }));
    await streamed();
    expect((await create(said)).json.message).toContain('where GHS 26.00 can be paid until');
  });

  test('finds a charge created without it', async () => {
    await shop.charge({ amount: 36, merchant_reference: 'A-1007' });
    await streamed();
    expectFailure(await create(said), 409, 'duplicate_reference');
  });

  test('returns the first response for a repeated Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'order-7' };
    const [first, second] = [await create(said, shop, key), await create(said, shop, key)];
    expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
  });

  test('requires a merchant_reference', async () => {
    expectBadFields(await create({ amount: 36, unique_reference: true }), 'merchant_reference');
  });
});

/** Relays every charge through the stream, as new or as a change of `before`. */
async function streamed(before?: Item): Promise<void> {
  for (const after of await world.rows('TRANSACTION')) {
    await world.relayChanges({ after, ...(before && { before }) });
  }
}

async function lookupRows(): Promise<Item[]> {
  return (await world.scan()).filter(({ pk }) => String(pk).startsWith('LOOKUP#'));
}

function ask(query: Query, by = shop) {
  return by.call('transaction/list', { query });
}

async function found(query: Query, who = shop): Promise<string[]> {
  const { json } = await ask(query, who);
  return json.data.transactions.map(({ reference }: { reference: string }) => reference);
}

const cancel = (reference: string) => shop.call('transaction/cancel', { parameters: { reference } });

function create(body: object, by = shop, headers: Record<string, string> = {}) {
  return by.call('transaction/initialize', { body, headers });
}
