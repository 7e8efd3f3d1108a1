import { beforeEach, describe, expect, test } from 'vitest';
import { meter } from '../../bench/meter.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
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
  return askWith({ requests }, key);
}

function askWith(body: object, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return shop.call('request/create-many', { body, headers });
}

test('a thousand are made at once, for a bounded number of write units', async () => {
  let answer: Awaited<ReturnType<typeof ask>> | undefined;
  const { writeUnits } = await meter(world, async () => {
    answer = await ask(fees(1_000), 'term-2');
  });
  expect(answer?.json.data).toMatchObject({ count: 1_000, requests: { length: 1_000 } });
  expect(new Set((await world.rows('REQUEST')).map(({ slug }) => slug)).size).toBe(1_000);
  const [, second] = answer?.json.data.requests ?? [];
  expect(second).toMatchObject({ amount_due: 851, merchant_reference: 'PUPIL-1' });
  expect((await shop.shownRequest(second.slug)).url).toBe(second.url);
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
  expect(await world.rows('REQUEST')).toEqual([]);
});

test('of a shop without a number to be paid on are refused as one is', async () => {
  const { liveKey } = await world.createMerchant({ momo: false });
  const { status, json } = await world.call('request/create-many', { key: liveKey, body: { requests: fees(2) } });
  expect([status, json.code]).toEqual([409, 'no_momo_number']);
});

test('what died half-way is finished by a repeat under its key, and nothing is made twice', async () => {
  let writes = 0;
  world.dynamoDb = async ({ command }, send) => {
    if (command === 'TransactWrite' || command === 'TransactWriteItems') writes++;
    if (writes === 2) throw new Error('The function dies');
    await send();
  };
  expect((await ask(fees(120), 'term-2')).status).toBe(500);
  expect(await world.rows('REQUEST')).toHaveLength(50);
  world.dynamoDb = (_, send) => send();
  world.clock.nowMs += 60_000;
  const repeat = await ask(fees(120), 'term-2');
  expect([repeat.status, repeat.json.data.count]).toEqual([200, 120]);
  expect(await world.rows('REQUEST')).toHaveLength(120);
  expect((await ask(fees(120), 'term-2')).json.data).toEqual(repeat.json.data);
  expect(await world.rows('REQUEST')).toHaveLength(120);
});

describe('a file', () => {
  test.each([
    [
      'with commas and quotes',
      'title,amount,customer_name,phone,due,reminders,quantity,reference\r\n"Fees, term 2",425.50,Kofi,024 111 2222,2099-01-31,"-3, 0",2,P-1\r\nTrip,20,Ama,,,,,\r\n',
    ],
    [
      'of Excel, with semicolons, days and amounts as people write them',
      '\ufeffReference;Title;Amount;Customer name;Number;Due date;Class;Reminders;Quantity\r\nP-1;Fees, term 2;GHS 425.50;Kofi;0241112222;31/01/2099;4B;0 -3;2\r\n;;;;;;;;\r\n;Trip;20.00;Ama;;;;;\r\n',
    ],
  ])('%s is the requests', async (_, csv) => {
    const { status, json } = await askWith({ csv });
    expect([status, json.data.count]).toEqual([200, 2]);
    const [fees, trip] = await Promise.all(
      json.data.requests.map(({ slug }: { slug: string }) => shop.shownRequest(slug)),
    );
    expect(fees).toMatchObject({
      title: 'Fees, term 2',
      lines: [{ description: 'Fees, term 2', quantity: 2, amount: 425.5 }],
      total: 851,
      customer_name: 'Kofi',
      customer_phone: '+233241112222',
      due: '2099-01-31',
      reminders: [-3, 0],
      merchant_reference: 'P-1',
    });
    expect(trip).toMatchObject({ title: 'Trip', total: 20, due: null, reminders: [], merchant_reference: null });
  });

  test.each([
    [
      'bad cells',
      'title,amount,due,number,quantity\nA,10,2099-02-30,,\nB,1e3,,,\n\n,5,,,\nD,5,,12,\nE,5,,,1.5\nF,,,,\nG,5,,,',
      [
        'line 2: due must',
        'line 3: amount must',
        'line 5: title must',
        'line 6: customer_phone "12"',
        'line 7: quantity must',
        'line 8: amount must',
      ],
    ],
    [
      'reminders without a number',
      'title,amount,due,reminders\nA,10,2099-01-31,0\n',
      ['line 2: customer_phone is missing'],
    ],
    [
      'reminders in words',
      'title,amount,due,number,reminders\nA,10,2099-01-31,0241112222,soon\n',
      ['line 2: reminders must'],
    ],
    ['no column of amounts', 'title,sum\nA,10', ['has no column "amount"']],
    ['a line that is too long', 'title,amount\nA,1,200', ['line 2: has 3 cells']],
    ['an open quote', 'title,amount\n"A,10', ['not closed']],
    ['nobody', 'title,amount\n', ['has no request']],
    ['nothing', '', ['is empty']],
    ['too many', `title,amount\n${'A,10\n'.repeat(1_001)}`, ['takes 1000']],
  ])('with %s is refused whole, with its lines', async (_, csv, told) => {
    const { status, json } = await askWith({ csv });
    expect([status, json.error?.code ?? json.code]).toEqual([400, 'invalid_request']);
    const errors = told.map((message) => ({ field: 'csv', message: expect.stringContaining(message) }));
    expect(json.errors).toEqual(errors);
    expect(await world.rows('REQUEST')).toEqual([]);
  });

  test('names a hundred bad lines at most', async () => {
    const { json } = await askWith({ csv: `title,amount,reminders\n${'A,10,0\n'.repeat(200)}` });
    expect(json.errors).toHaveLength(100);
  });

  test('beside requests is refused, and so is neither', async () => {
    for (const body of [{ requests: fees(1), csv: 'title,amount\nA,10' }, {}])
      expect((await askWith(body)).status).toBe(400);
  });

  test('that died half-way is finished by a repeat under its key', async () => {
    const csv = `title,amount\n${Array.from({ length: 120 }, (_, n) => `Fees ${n},10`).join('\n')}`;
    let writes = 0;
    world.dynamoDb = async ({ command }, send) => {
      if (command.startsWith('TransactWrite') && ++writes === 2) throw new Error('The function dies');
      await send();
    };
    expect((await askWith({ csv }, 'file-1')).status).toBe(500);
    world.dynamoDb = (_, send) => send();
    expect((await askWith({ csv }, 'file-1')).json.data.count).toBe(120);
    expect(await world.rows('REQUEST')).toHaveLength(120);
  });
});
