import { beforeEach, expect, test } from 'vitest';
import { handler } from '../../../functions/request/create-many.ts';
import { meter } from '../../bench/meter.ts';
import { createShop, rows, type Shop } from '../../support/receipts.ts';
import { call, createWorld, type World } from '../../support/world.ts';
import { shown } from './requests.ts';

let world: World;
let shop: Shop;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  shop = await createShop(world);
});

const fees = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    title: 'School fees, term 2',
    lines: [{ description: 'Tuition', amount: 850 + n }],
    customer_name: 'Kofi Mensah',
    due: '2099-01-31',
    merchant_reference: `PUPIL-${n}`,
  }));

function ask(requests: object[], key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return call(world, handler, { method: 'POST', key: shop.liveKey, body: { requests }, headers });
}

test('a thousand are made at once, for a bounded number of write units', async () => {
  let answer: Awaited<ReturnType<typeof ask>> | undefined;
  const { writeUnits } = await meter(world, async () => {
    answer = await ask(fees(1_000), 'term-2');
  });
  expect(answer?.json.data).toMatchObject({ count: 1_000, requests: { length: 1_000 } });
  expect(new Set((await rows(world, 'REQUEST')).map(({ slug }) => slug)).size).toBe(1_000);
  const [, second] = answer?.json.data.requests ?? [];
  expect(second).toMatchObject({ amount_due: 851, merchant_reference: 'PUPIL-1' });
  expect((await shown(world, shop, second.slug)).url).toBe(second.url);
  // A row, its place in the list, and the answer that a repeat gets.
  expect(writeUnits).toBeLessThan(5_000);
});

test('is refused whole, with each row that is wrong', async () => {
  const wrong = fees(120);
  Object.assign(wrong[3] ?? {}, { due: 'soon' });
  Object.assign(wrong[117] ?? {}, { title: '' });
  const { status, json } = await ask(wrong);
  expect(status).toBe(400);
  expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(['requests[3].due', 'requests[117].title']);
  const unfit = fees(3).map((one) => ({ ...one, reminders: [0] }));
  const second = await ask(unfit);
  expect(second.json.errors.map(({ field }: { field: string }) => field)).toEqual(
    [0, 1, 2].map((n) => `requests[${n}].customer_phone`),
  );
  expect((await ask([])).status).toBe(400);
  expect((await ask(fees(1_001))).status).toBe(400);
  expect(await rows(world, 'REQUEST')).toEqual([]);
});

test('what died half-way is finished by a repeat under its key, and nothing is made twice', async () => {
  let writes = 0;
  world.dynamoDb = async ({ command }, send) => {
    if (command === 'TransactWrite' || command === 'TransactWriteItems') writes++;
    if (writes === 2) throw new Error('The function dies');
    await send();
  };
  expect((await ask(fees(120), 'term-2')).status).toBe(500);
  expect(await rows(world, 'REQUEST')).toHaveLength(50);
  world.dynamoDb = (_, send) => send();
  world.clock.nowMs += 60_000;
  const repeat = await ask(fees(120), 'term-2');
  expect([repeat.status, repeat.json.data.count]).toEqual([200, 120]);
  expect(await rows(world, 'REQUEST')).toHaveLength(120);
  expect((await ask(fees(120), 'term-2')).json.data).toEqual(repeat.json.data);
  expect(await rows(world, 'REQUEST')).toHaveLength(120);
});
