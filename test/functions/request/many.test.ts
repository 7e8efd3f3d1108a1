import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { meter } from '../../bench/meter.ts';
import { expectWords } from '../../support/answers.ts';
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

const csvOf = (count: number, from = 1) =>
  `title,amount,name\n${Array.from({ length: count }, (_, n) => `Fees,${n + from},Kofi ${n + from}`).join('\n')}\n`;

function ask(body: object, { key = shop.liveKey, once }: { key?: string; once?: string } = {}) {
  return world.call('request/create-many', { key, body, headers: once ? { 'idempotency-key': once } : {} });
}

test('a thousand requests are created with few write units', async () => {
  let answer: Awaited<ReturnType<typeof ask>> | undefined;
  const { writeUnits } = await meter(world, async () => {
    answer = await ask({ requests: fees(1_000) }, { once: 'term-2' });
  });
  expect(answer?.json.data).toMatchObject({ count: 1_000, requests: { length: 1_000 } });
  expect(new Set((await world.rows('REQUEST')).map(({ slug }) => slug)).size).toBe(1_000);
  const [, second] = answer?.json.data.requests ?? [];
  expect(second).toMatchObject({ amount_due: 851, merchant_reference: 'PUPIL-1' });
  expect((await shop.shownRequest(second.slug)).url).toBe(second.url);
  // Each request needs three writes.
  expect(writeUnits).toBeLessThan(5_000);
});

test('an invalid row rejects the whole list', async () => {
  const wrong = fees(120);
  Object.assign(wrong[3] ?? {}, { due: 'soon' });
  Object.assign(wrong[117] ?? {}, { title: '' });
  const { status, json } = await ask({ requests: wrong });
  expect(status).toBe(400);
  expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(['requests[3].due', 'requests[117].title']);
  const unfit = fees(3).map((one) => ({ ...one, reminders: [0] }));
  const second = await ask({ requests: unfit });
  expect(second.json.errors.map(({ field }: { field: string }) => field)).toEqual(
    [0, 1, 2].map((n) => `requests[${n}].customer_phone`),
  );
  expect((await ask({ requests: [] })).status).toBe(400);
  expect((await ask({ requests: fees(1_001) })).status).toBe(400);
  expect(await world.rows('REQUEST')).toEqual([]);
});

test('requests are rejected if the shop has no MoMo number', async () => {
  const { liveKey: key } = await world.createMerchant({ momo: false });
  const { status, json } = await ask({ requests: fees(2) }, { key });
  expect({ status, code: json.code }).toEqual({ status: 409, code: 'no_momo_number' });
});

test.each([
  ['list', { requests: fees(120) }],
  ['file', { csv: csvOf(120) }],
])('an interrupted %s is completed without duplicates when repeated', async (_, body) => {
  let writes = 0;
  world.dynamoDb = async ({ command }, send) => {
    if (command.startsWith('TransactWrite') && ++writes === 2) throw new Error('The function dies');
    await send();
  };
  expect((await ask(body, { once: 'term-2' })).status).toBe(500);
  expect(await world.rows('REQUEST')).toHaveLength(50);
  world.clock.nowMs += 60_000;
  const repeat = await ask(body, { once: 'term-2' });
  expect({ status: repeat.status, count: repeat.json.data.count }).toEqual({ status: 200, count: 120 });
  expect((await ask(body, { once: 'term-2' })).json.data).toEqual(repeat.json.data);
  expect(await world.rows('REQUEST')).toHaveLength(120);
});

describe('an uploaded file of requests', () => {
  test.each([
    [
      'has commas and quotes',
      'title,amount,customer_name,phone,due,reminders,quantity,reference\r\n"Fees, term 2",425.50,Kofi,024 111 2222,2099-01-31,"-3, 0",2,P-1\r\nTrip,20,Ama,,,,,\r\n',
    ],
    [
      'comes from Excel with semicolons and informal dates',
      '\ufeffReference;Title;Amount;Customer name;Number;Due date;Class;Reminders;Quantity\r\nP-1;Fees, term 2;GHS 425.50;Kofi;0241112222;31/01/2099;4B;0 -3;2\r\n;;;;;;;;\r\n;Trip;20.00;Ama;;;;;\r\n',
    ],
  ])('is accepted if it %s', async (_, csv) => {
    const { status, json } = await ask({ csv });
    expect({ status, count: json.data.count }).toEqual({ status: 200, count: 2 });
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
      'invalid cells',
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
    ['no amount column', 'title,sum\nA,10', ['has no column "amount"']],
    ['a line with too many cells', 'title,amount\nA,1,200', ['line 2: has 3 cells']],
    ['an unclosed quote', 'title,amount\n"A,10', ['line 2 has a misplaced or unclosed quotation mark']],
    ['a header only', 'title,amount\n', ['has no request']],
    ['no content', '', ['is empty']],
    ['too many requests', `title,amount\n${'A,10\n'.repeat(1_001)}`, ['has more than 1000 requests. Split the file.']],
  ])('is rejected with line numbers for %s', async (_, csv, told) => {
    const { status, json } = await ask({ csv });
    expect({ status, code: json.error?.code ?? json.code }).toEqual({ status: 400, code: 'invalid_request' });
    const errors = told.map((message) => ({ field: 'csv', message: expect.stringContaining(message) }));
    expect(json.errors).toEqual(errors);
    expect(await world.rows('REQUEST')).toEqual([]);
  });

  test('returns at most a hundred errors', async () => {
    const { json } = await ask({ csv: `title,amount,reminders\n${'A,10,0\n'.repeat(200)}` });
    expect(json.errors).toHaveLength(100);
  });

  test('cannot be combined with a list', async () => {
    for (const body of [{ requests: fees(1), csv: 'title,amount\nA,10' }, {}])
      expect((await ask(body)).status).toBe(400);
  });
});

describe('a large list of requests', () => {
  const atDashboard = async () => {
    const owner = await shop.signIn('owner');
    return (form: Record<string, string>) => owner.visit('/dashboard/requests/list', { form });
  };
  const takesAll = () => {
    world.dynamoDb = (_, go) => go();
  };

  test('is rejected as a whole above a test key’s daily limit', async () => {
    const key = await shop.addKey('live', { mode: 'test' });
    expect({
      thousand: (await ask({ csv: csvOf(1_000) }, { key })).status,
      others: (await ask({ csv: csvOf(990) }, { key })).status,
    }).toEqual({ thousand: 200, others: 200 });
    const made = (await world.rows('REQUEST')).length;
    const refused = await ask({ csv: csvOf(1_000) }, { key });
    expect({ status: refused.status, message: refused.json.message }).toEqual({
      status: 429,
      message: expect.stringContaining('Nothing was done'),
    });
    expect(await world.rows('REQUEST')).toHaveLength(made);
  });

  test('is rejected if its Idempotency-Key is used simultaneously', async () => {
    world.rightBefore('TransactWriteItems', () => ask({ csv: csvOf(60) }, { once: 'term-2' }));
    const { json } = await ask({ csv: csvOf(60, 1_000) }, { once: 'term-2' });
    expect(json.code).toBe('idempotency_key_reused');
    const refused = (await world.rows('REQUEST')).filter(({ total_pesewas }) => Number(total_pesewas) >= 100_000);
    expect(refused.length).toBe(0);
  });

  test.each([
    ['60', 60, 40],
    ['40', 40, 60],
  ])('uses up its Idempotency-Key once some of %s requests exist', async (_, count, others) => {
    const isBegun = count > 50;
    throttleAfter(isBegun ? 1 : 0);
    const { status, json } = await ask({ csv: csvOf(count) }, { once: 'term-2' });
    expect({ status, saysHowMany: json.message.includes('Only 50 of the 60') }).toEqual({
      status: 503,
      saysHowMany: isBegun,
    });
    takesAll();
    const other = await ask({ csv: csvOf(others, 1_000) }, { once: 'term-2' });
    expect(other.json.code).toBe(isBegun ? 'idempotency_key_reused' : undefined);
    const again = await ask({ csv: csvOf(count) }, { once: 'term-2' });
    expect(again.json.code).toBe(isBegun ? undefined : 'idempotency_key_reused');
    expect(await world.rows('REQUEST')).toHaveLength(60);
  });

  test('uses one transaction for up to fifty requests', async () => {
    throttleAfter(1);
    expect((await ask({ csv: csvOf(50) })).status).toBe(200);
    expect(await world.rows('REQUEST')).toHaveLength(50);
  });

  test('can be completed with the Idempotency-Key from the error', async () => {
    throttleAfter(1);
    const { status, json } = await ask({ csv: csvOf(60) });
    takesAll();
    expect({ status, message: json.message }).toEqual({
      status: 503,
      message: expect.stringContaining('Only 50 of the 60 requests have been created'),
    });
    const [, once = ''] = /the header Idempotency-Key: (\S+)\. /.exec(json.message) ?? [];
    expect(once).toMatch(/^[\w-]{24}$/);
    expect((await ask({ csv: csvOf(60) }, { once })).json.data.count).toBe(60);
    expect(await world.rows('REQUEST')).toHaveLength(60);
  });

  test.each([
    [59, 200, 60],
    [61, 422, 50],
  ])('can be completed within an hour: after %i minutes', async (minutes, expected, made) => {
    throttleAfter(1);
    expect((await ask({ csv: csvOf(60) }, { once: 'term-2' })).status).toBe(503);
    takesAll();
    world.clock.nowMs += minutes * 60_000;
    const { status, json } = await ask({ csv: csvOf(60) }, { once: 'term-2' });
    const left = 'The first 50 of these 60 requests were created more than an hour ago';
    expect({ status, saysLeft: json.message.includes(left) }).toEqual({ status: expected, saysLeft: expected === 422 });
    expect(await world.rows('REQUEST')).toHaveLength(made);
  });

  test('can be completed after an interruption even if the test key has reached its limit', async () => {
    const key = await shop.addKey('live', { mode: 'test' });
    throttleAfter(1);
    expect((await ask({ csv: csvOf(60) }, { key, once: 'term-2' })).status).toBe(503);
    takesAll();
    for (const count of [1_000, 940]) expect((await ask({ csv: csvOf(count) }, { key })).status).toBe(200);
    expect((await ask({ csv: csvOf(1) }, { key })).status).toBe(429);
    expect((await ask({ csv: csvOf(60) }, { key, once: 'term-2' })).json.data.count).toBe(60);
    expect(await world.rows('REQUEST')).toHaveLength(2_000);
  });

  test('can be completed on the dashboard after throttling', async () => {
    const send = await atDashboard();
    const previewed = await send({ csv: csvOf(60) });
    throttleAfter(1);
    const refused = await send(hiddenIn(previewed.text));
    takesAll();
    expect(refused.text).toContain('Only 50 of the 60 requests have been created so far. Press “Create the rest”');
    expect(refused.text).toContain('Create the rest</button>');
    // A new preview would create all requests again.
    expect(refused.text).not.toContain('Preview</button>');
    expect({ status: refused.status, requests: (await world.rows('REQUEST')).length }).toEqual({
      status: 503,
      requests: 50,
    });
    // Uses the page's button, or previews the list again.
    const offered = hiddenIn(refused.text);
    const form = 'preview' in offered ? offered : hiddenIn((await send({ csv: csvOf(60) })).text);
    await send(form);
    expect(await world.rows('REQUEST')).toHaveLength(60);
  });

  test('must be continued as a new list after an hour', async () => {
    const send = await atDashboard();
    const previewed = await send({ csv: csvOf(60) });
    throttleAfter(1);
    await send(hiddenIn(previewed.text));
    takesAll();
    world.clock.nowMs += 61 * 60_000;
    const { text } = await send(hiddenIn(previewed.text));
    expectWords(text, ['Send the other 10 as a new list', 'Preview</button>']);
  });
});

test('an Idempotency-Key can be reused after a month', async () => {
  const [first, repeat] = [
    await ask({ csv: csvOf(60) }, { once: 'rent' }),
    await ask({ csv: csvOf(60) }, { once: 'rent' }),
  ];
  expect(repeat.json).toEqual(first.json);
  world.clock.nowMs += 30 * 24 * 60 * 60 * 1000;
  const second = await ask({ csv: csvOf(60) }, { once: 'rent' });
  expect(second.json.message).toBe('Created 60 requests');
  const slugs = [first, second].flatMap(({ json }) => json.data.requests.map(({ slug }: { slug: string }) => slug));
  expect(new Set(slugs).size).toBe(120);
  expect(await world.rows('REQUEST')).toHaveLength(120);
});

/** Throttles the table after this many transactions. */
function throttleAfter(count: number): void {
  let writes = 0;
  world.dynamoDb = async ({ command }, go) => {
    if (command.startsWith('TransactWrite') && ++writes > count)
      throw new TransactionCanceledException({
        message: 'Throttled',
        $metadata: {},
        CancellationReasons: [{ Code: 'ThrottlingError' }],
      });
    await go();
  };
}

function hiddenIn(text: string): Record<string, string> {
  const [, form = ''] =
    /<form method="post"[^>]*>((?:(?!<\/form>).)*name="preview"(?:(?!<\/form>).)*)<\/form>/s.exec(text) ?? [];
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}
