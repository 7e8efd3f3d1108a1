import { beforeEach, describe, expect, test } from 'vitest';
import { type PaymentRequest, requestRows } from '../../../shared/money/request/request.table.ts';
import { removeItem } from '../../../shared/runtime/table/table.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { changeOptOut } from '../../../shared/texts/conversation/opt-out.table.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { hiddenIn } from '../../support/dashboard.ts';
import { cellsIn, foldsIn, lineOf, pillsIn, valuesOf } from '../../support/page-words.ts';
import { mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

const REQUESTS = '/dashboard/requests';

let world: Scene;
let shop: Shop;
let owner: Person;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
});

test('a request created from a form shows its URL and total', async () => {
  expect((await see(REQUESTS)).text).toContain('No payment requests yet');
  const request = await made({
    title: 'School <fees>',
    lines: 'Tuition GHS 1,750.50\r\n\r\nBooks = 25\nSports: 4.75 ',
    customer_name: 'Kofi Mensah',
    customer_phone: '024 111 2222',
    due: '2099-01-31',
    every: 'month',
    until: '2099-03-31',
    reminders: '-3, 0 7',
  });
  expect(request).toMatchObject({
    lines: [
      { description: 'Tuition', amount_pesewas: 175_050 },
      { description: 'Books', amount_pesewas: 2_500 },
      { description: 'Sports', amount_pesewas: 475 },
    ],
    instalments: [{ due: '2099-01-31' }, { due: '2099-02-28' }, { due: '2099-03-31' }],
    reminder_days: [-3, 0, 7],
    total_pesewas: 534_075,
  });
  expect((await see(REQUESTS)).text).toContain('School &lt;fees&gt;');
  const reference = await shop.payPart(request.slug, '100.25');
  const { text } = await see(`${REQUESTS}/${request.slug}`);
  expectWords(text, [`${world.outside.baseUrl}/r/${request.slug}`, 'GHS 5,240.50', reference, 'Partly paid']);
  expect(text).toContain('<h1>School &lt;fees&gt;</h1><p class="hint">To Kofi Mensah</p>');
});

describe('the search of payment requests', () => {
  beforeEach(async () => {
    const customer = { customer_name: 'Kwame Ansah', customer_phone: '0242223333', merchant_reference: 'FEE-2031' };
    await create({ title: 'Hall dues', amount: 90, ...customer });
    await create({ title: 'Rent', amount: 70 });
  });

  const create = ({ amount, ...body }: { title: string; amount: number; merchant_reference?: string }) =>
    shop.call('request/create', { body: { lines: [{ description: 'x', amount }], ...body } });
  const found = async (q: string) => {
    const { text } = await owner.visit(REQUESTS, { query: { q } });
    return ['Hall dues', 'Rent', 'Nothing found'].filter((words) => text.includes(words));
  };

  test.each([
    ['FEE-2031'],
    ['for fee 2031'],
    ['kwame'],
    ['Ansah Kwame dues'],
    ['024 222 3333'],
    ['90'],
    ['GHS 90.00'],
    ['hall'],
  ])('finds a request that has no bill yet by %j', async (q) => {
    expect(await found(q)).toEqual(['Hall dues']);
  });

  test.each([['FEE-2032'], ['Kwame Owusu'], ['024 222 3334'], ['91'], ['0']])('finds nothing by %j', async (q) => {
    expect(await found(q)).toEqual(['Nothing found']);
  });

  test('leaves out other shops', async () => {
    const { id } = await world.createShop();
    const { text } = await (await world.signIn('owner', id)).visit(REQUESTS, { query: { q: 'hall' } });
    expect(text).not.toContain('Hall dues');
  });
});

test('an open request says that what was paid is not verified, not what is owed', async () => {
  const { slug } = await made({ title: 'Rent', lines: 'Rent 1200' });
  await shop.payPart(slug, '100.25');
  await world.tell(3);
  const { text } = await see(`${REQUESTS}/${slug}`);
  const [amount = ''] = /<p class="amount">.*<\/p>/.exec(text) ?? [];
  expect(pillsIn(amount)).toEqual([{ tone: 'look', label: 'Partly paid, not verified' }]);
  expectWords(text, ['Check it on its bill', '<p class="hint">Still to pay</p>']);
  expectWords(text, ['<progress class="hollow"', '<p>GHS\u00a0100.25 (not verified) paid of']);
  const labels = pillsIn((await see(REQUESTS)).text).map(({ label }) => label);
  expect(labels).toContain('Partly paid, not verified');
  expect(labels).not.toContain('Not verified');
});

test('a request with many unverified payments says where to look for the first five', async () => {
  const { slug } = await made({ title: 'Rent', lines: 'Rent 1200' });
  for (let n = 0; n < 7; n++) await shop.payPart(slug, '100.25');
  await world.tell(10);
  const { text } = await see(`${REQUESTS}/${slug}`);
  expect(text.match(/, and look for/g)).toHaveLength(5);
  expect(text.match(/Check it on its bill/g)).toHaveLength(5);
  expect(text).toContain('2 more are on the pages of the bills below.');
});

test('the list shows the total of a paid request, and what is left of an open one', async () => {
  const { slug } = await made({ title: 'Rent', lines: 'Rent 1200' });
  expectWords((await see(REQUESTS)).text, ['GHS 1,200.00'], ['to pay</span>']);
  await shop.payPart(slug, '100');
  await world.tell(3);
  expectWords((await see(REQUESTS)).text, ['GHS 1,200.00', 'GHS 1,100.00 to pay</span>']);
  await shop.payPart(slug, '1100');
  await world.tell(3);
  expectWords((await see(REQUESTS)).text, ['GHS 1,200.00'], ['GHS 0.00', 'to pay</span>']);
});

test('a repeating request shows the overdue amount first', async () => {
  const year = new Date(world.clock.nowMs).getUTCFullYear() + 1;
  const repeats = { due: `${year}-01-25`, every: 'month', until: `${year}-12-25` };
  const { slug } = await made({ title: 'Rent', lines: 'Rent 1200', ...repeats });
  const amount = async () =>
    /class="amount"><span class="number">([^<]*)/.exec((await see(`${REQUESTS}/${slug}`)).text)?.[1];
  expect(await amount()).toBe('GHS 14,400.00');
  world.clock.nowMs = Date.parse(`${year}-01-26T08:00:00Z`);
  owner = await shop.signIn('owner');
  expect(await amount()).toBe('GHS 1,200.00');
  const { text } = await see(`${REQUESTS}/${slug}`);
  expectWords(text, ['Overdue', 'still to pay in all']);
  expect([...text.matchAll(/<h3>(\w+)<\/h3>/g)].map(([, name]) => name)).toEqual(['Overdue', 'Later']);
  expectWords((await see(REQUESTS)).text, ['GHS 1,200.00']);
});

test('a request is shared from a card of its own', async () => {
  const { slug } = await made({ title: 'Rent', lines: 'Rent 1200' });
  const { text } = await see(`${REQUESTS}/${slug}`);
  const [card = ''] = /<section><h2>Share it<\/h2>.*?<\/section>/s.exec(text) ?? [];
  expect(lineOf(card)).toMatch(/^Share it Share on WhatsApp Customer’s page http\S+$/);
});

test('a partly paid instalment says how much of it is left and paid, and whether that is verified', async () => {
  const { slug } = await made({ title: 'Fees', lines: 'Tuition 400', instalments: '31/01/2099 200\n28/02/2099 200' });
  await shop.payPart(slug, '100');
  const line = async () => lineOf((await see(`${REQUESTS}/${slug}`)).text);
  expect(await line()).toContain('31 Jan 2099 Not verified GHS 100.00 left GHS 100.00 paid 28 Feb 2099 GHS 200.00');
  await verifyMoney(world);
  expect(await line()).toContain('31 Jan 2099 GHS 100.00 left GHS 100.00 paid 28 Feb 2099 GHS 200.00');
});

test('the lines add up to the total, as on the customer’s page', async () => {
  const slug = await shop.request({
    title: 'Fees',
    lines: [
      { description: 'Tuition', amount: 300 },
      { description: 'Books', amount: 25, quantity: 4 },
    ],
    instalments: [{ due: '2099-01-31', amount: 400 }],
  });
  const { text } = await see(`${REQUESTS}/${slug}`);
  expect(lineOf(text)).toContain('Tuition GHS 300.00 Books · 4 × GHS 25.00 GHS 100.00 Total GHS 400.00');
});

test('a repeating request shows the total of one period before the whole total', async () => {
  const repeats = { due: '2099-01-31', every: 'month', until: '2099-03-31' };
  const { slug } = await made({ title: 'Fees', lines: 'Tuition 400', ...repeats });
  const { text } = await see(`${REQUESTS}/${slug}`);
  expect(lineOf(text)).toContain('Tuition GHS 400.00 Each month GHS 400.00 Total, 3 times GHS 1,200.00');
  expect(text.match(/<div class="total"><dt>[\w ]+/g)).toHaveLength(2);
});

test('instalments are entered one per line', async () => {
  const instalments = '31/01/2099 600\n2099-02-28 400.50';
  const request = await made({ title: 'Fees', lines: 'Tuition 1000.50', instalments });
  expect(request.instalments).toEqual([
    { due: '2099-01-31', amount_pesewas: 60_000 },
    { due: '2099-02-28', amount_pesewas: 40_050 },
  ]);
});

test('the form asks for the amount and purpose first', async () => {
  const { text } = await see(`${REQUESTS}/new`);
  expect([...text.matchAll(/<label for="(\w+)"/g)].slice(0, 2).map(([, name]) => name)).toEqual(['amount', 'title']);
  const request = await made({ amount: 'GHS 1,000.50', title: 'Rent' });
  expect(request).toMatchObject({ total_pesewas: 100_050, lines: [{ description: 'Rent', amount_pesewas: 100_050 }] });
});

test.each([
  [{ amount: '' }, 'Amount is missing'],
  [{ amount: 'ten' }, 'Amount must be'],
  [{ lines: 'Room 10' }, 'Amount cannot be combined with several items below'],
] as [Record<string, string>, string][])('the form shows an error at the amount field for %j', async (wrong, told) => {
  const { status, text } = await send(`${REQUESTS}/new`, { amount: '10', title: 'Rent', ...wrong });
  expect({ status, fault: /id="amount-error">([^<]*)/.exec(text)?.[1] }).toEqual({
    status: 400,
    fault: expect.stringContaining(told),
  });
  expect(await requests()).toEqual([]);
});

describe('a request in equal parts', () => {
  const rent = { title: 'Rent', lines: 'Room 12 1000', due: '2099-01-31', parts: '3' };

  test('puts the rounding remainder into the first part', async () => {
    const ticked = { customer_phone: '0241112222', remind_before: 'on', remind_on: 'on', reminders: '14' };
    const request = await made({ ...rent, interval: 'month', ...ticked });
    expect(request.instalments).toEqual([
      { due: '2099-01-31', amount_pesewas: 33_334 },
      { due: '2099-02-28', amount_pesewas: 33_333 },
      { due: '2099-03-31', amount_pesewas: 33_333 },
    ]);
    expect(request).toMatchObject({ total_pesewas: 100_000, reminder_days: [-3, 0, 14] });
    const { text } = await see(`${REQUESTS}/${request.slug}`);
    for (const shown of ['31 Jan 2099', '28 Feb 2099', '333.34', '333.33', '3 days before, on the day, 14 days after'])
      expect(text.toLowerCase()).toContain(shown.toLowerCase());
  });

  test.each([
    ['week', '2099-02-07'],
    ['two_weeks', '2099-02-14'],
    ['three_months', '2099-04-30'],
  ])('can be due every %s', async (interval, second) => {
    expect((await made({ ...rent, interval })).instalments[1]?.due).toBe(second);
  });

  test.each([
    ['equal parts', { parts: '3' }],
    ['a repeat interval', { every: 'month', until: '2099-02-20' }],
  ])('starts today if no due date is given: %s', async (_, plan) => {
    world.clock.nowMs = Date.parse('2098-12-20T10:00:00Z');
    owner = await shop.signIn('owner');
    const { instalments } = await made({ ...rent, due: '', parts: '', ...plan });
    expect(instalments.map(({ due }) => due)).toEqual(['2098-12-20', '2099-01-20', '2099-02-20']);
  });

  test('is shared with the remaining parts and the next due date', async () => {
    const { slug } = await made(rent);
    const words = async () =>
      decodeURIComponent(/wa\.me\/\?text=([^"]*)/.exec((await see(`${REQUESTS}/${slug}`)).text)?.[1] ?? '');
    expect(await words()).toContain('Rent, GHS 1,000.00 in 3 parts, GHS 333.34 by 31 Jan 2099. See and pay it here');
    await shop.payPart(slug, '400');
    expect(await words()).toContain('Rent, GHS 600.00 in 2 parts, GHS 266.67 by 28 Feb 2099.');
    await shop.payPart(slug, '300');
    expect(await words()).toContain('Rent, GHS 300.00. See');
  });

  test('is shared without an amount once paid, with thanks only for a verified payment', async () => {
    const { slug } = await made(rent);
    const button = async () => {
      const { text } = await see(`${REQUESTS}/${slug}`);
      const [, look, words = ''] = /<a class="([\w ]+)" href="https:..wa\.me\/\?text=([^"]*)/.exec(text) ?? [];
      return { look, words: decodeURIComponent(words).split(' See it here: ')[0] };
    };
    expect((await button()).look).toBe('button');
    await shop.payPart(slug, '1000');
    const words = 'Ama Stores: Rent. Ama Stores has not verified this payment yet.';
    expect(await button()).toEqual({ look: 'plain button', words });
    await verifyMoney(world);
    expect(await button()).toEqual({ look: 'plain button', words: 'Ama Stores: Rent is paid. Thank you.' });
  });

  test.each([
    ['a word instead of a number', { parts: 'three' }, 'How many parts must be a whole number from 1 to 60'],
    ['too many parts', { parts: '61' }, 'How many parts must be a whole number from 1 to 60'],
    ['less than a cedi per part', { lines: 'Room 2.99' }, 'How many parts must be a smaller number'],
    [
      'an additional custom plan',
      { instalments: '31/01/2099 1000' },
      'How many parts cannot be combined with your own plan',
    ],
    [
      'a repeat interval',
      { every: 'month', until: '2099-12-31' },
      'Repeats cannot be combined with equal parts, because each repeat asks for the full amount',
    ],
    [
      'an invalid date',
      { parts: '', instalments: 'May 500\n31/01/2099 500' },
      '“May 500”, which needs a date at the start',
    ],
    [
      'a line without an amount',
      { parts: '', instalments: '31/01/2099' },
      '“31/01/2099”, which needs an amount at the end',
    ],
    [
      'parts with a different total',
      { parts: '', instalments: '31/01/2099 900' },
      'own plan must add up to the total of the lines: the instalments total GHS 900.00',
    ],
    ['an invalid line', { lines: 'Room 12\nWater x' }, 'contains “Water x”, which needs an amount at the end'],
  ])("shows an error with the form's field names for %s", async (_, wrong, told) => {
    const { status, text } = await send(`${REQUESTS}/new`, { ...rent, ...wrong });
    expect(status).toBe(400);
    expect(text).toContain(told);
    expect(text).not.toMatch(/\w+\[\d|repeat\.|cannot be combined with instalments/);
    expect(await requests()).toEqual([]);
  });

  test('can have a custom plan instead', async () => {
    const request = await made({ ...rent, parts: '', instalments: '01/02/2099 600\n01/03/2099 400' });
    expect(request.instalments.map(({ due }) => due)).toEqual(['2099-02-01', '2099-03-01']);
  });
});

test.each([
  { title: '', lines: 'Tuition 10' },
  { title: 'Fees', lines: 'Tuition' },
  { title: 'Fees', lines: 'Tuition 1,00' },
  { title: 'Fees', lines: 'Tuition 10', due: '2099-01-01', reminders: 'soon', customer_phone: '0241112222' },
  { title: 'Fees', lines: 'Tuition 10', instalments: '2099-01-31 9' },
  { title: 'Fees', lines: 'Tuition 10', due: '2099-01-01', every: 'month' },
] as Record<string, string>[])('the form shows an error for %j', async (form) => {
  const answer = await send(`${REQUESTS}/new`, form);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('aria-invalid="true"');
  // The section with the error must be open.
  expect(foldsIn(answer.text)).toContainEqual({ summary: expect.any(String), isOpen: true });
  expect(await requests()).toEqual([]);
});

test('a request can be cancelled once', async () => {
  const { slug } = await made({ title: 'Fees', lines: 'Tuition 10' });
  for (let n = 0; n < 2; n++) expect((await send(`${REQUESTS}/${slug}/cancel`, {})).status).toBe(303);
  expectWords((await see(`${REQUESTS}/${slug}`)).text, ['Cancelled'], ['Cancel this request']);
  expect((await requests())[0]?.version).toBe(2);
});

test('a cashier can create requests but not cancel them', async () => {
  const cashier = await shop.signIn('cashier');
  const form = { title: 'Fees', lines: 'Tuition 10' };
  expect((await cashier.visit(`${REQUESTS}/new`, { form })).status).toBe(303);
  const [{ slug = '' } = {}] = await requests();
  const { text } = await cashier.visit(`${REQUESTS}/${slug}`);
  const { status } = await cashier.visit(`${REQUESTS}/${slug}/cancel`, { form: {} });
  expect({ offersCancel: text.includes('Cancel this request'), status, state: (await requests())[0]?.state }).toEqual({
    offersCancel: false,
    status: 403,
    state: 'open',
  });
});

describe('a list of requests', () => {
  const CSV =
    'Name,Number,Amount,Class\r\nAma <A>,0241112221,"1,850.50",4B\r\nKofi,0241112222,850,4B\r\nEsi,0241112223,850,5A\r\nYaw,0241112224,850,5A\r\n';
  const all = { title: 'School fees', due: '2099-01-31', reminders: '-3, 0' };

  test('is previewed with three requests, the total and the cost', async () => {
    const { status, text } = await send(`${REQUESTS}/list`, { csv: CSV, ...all });
    expect(status).toBe(200);
    expectWords(text, ['Ama &lt;A&gt;', 'Esi', 'GHS 1,850.50', 'GHS 4,400.50', '31 Jan 2099', 'Create 4 requests']);
    expectWords(text, ['8 texts at most, for 8 credits', 'Ignored columns', 'Class']);
    expect(text).not.toContain('<td>Yaw');
    expect(await requests()).toEqual([]);
  });

  test('can include reminders', async () => {
    const ticked = { title: 'School fees', due: '2099-01-31', remind_on: 'on', remind_after: 'on' };
    const { text } = await send(`${REQUESTS}/list`, { csv: CSV, ...ticked });
    expect(text).toContain('8 texts at most, for 8 credits');
    expect((await send(`${REQUESTS}/list`, hiddenIn(text, 'preview'))).status).toBe(303);
    expect((await requests()).map(({ reminder_days }) => reminder_days)).toEqual(Array(4).fill([0, 7]));
  });

  test('is created once if the form is submitted twice', async () => {
    const files = { file: Buffer.from(CSV) };
    const previewed = await owner.visit(`${REQUESTS}/list`, { form: all, files });
    const form = hiddenIn(previewed.text, 'preview');
    expect(form).toMatchObject({ csv: CSV, ...all });
    const [first, second] = [await send(`${REQUESTS}/list`, form), await send(`${REQUESTS}/list`, form)];
    expect({ status: first.status, location: second.headers.location }).toEqual({ status: 303, location: REQUESTS });
    expect((await requests()).map((one) => [one.customer_name, one.total_pesewas]).toSorted()).toEqual([
      ['Ama <A>', 185_050],
      ['Esi', 85_000],
      ['Kofi', 85_000],
      ['Yaw', 85_000],
    ]);
    const [one] = await requests();
    expect(one).toMatchObject({ title: 'School fees', instalments: [{ due: '2099-01-31' }], reminder_days: [-3, 0] });
    expect(await shop.audit(/^requests create$/)).toMatchObject([{ after: { requests: 4 } }]);
  });

  test('is completed without duplicates after an interruption', async () => {
    const csv = `amount\n${Array.from({ length: 1_000 }, (_, n) => n + 1).join('\n')}`;
    const { text } = await send(`${REQUESTS}/list`, { csv, title: 'Dues' });
    expect(text).toContain('GHS 500,500.00');
    const form = hiddenIn(text, 'preview');
    let writes = 0;
    world.dynamoDb = async ({ command }, go) => {
      if (command.startsWith('TransactWrite') && ++writes === 8) throw new Error('The function dies');
      await go();
    };
    expect((await send(`${REQUESTS}/list`, form)).status).toBe(500);
    world.dynamoDb = (_, go) => go();
    const begun = await world.rows('REQUEST');
    expect({ hasSome: begun.length > 0, isIncomplete: begun.length < 1_000 }).toEqual({
      hasSome: true,
      isIncomplete: true,
    });
    expect((await send(`${REQUESTS}/list`, form)).status).toBe(303);
    expect(await world.rows('REQUEST')).toHaveLength(1_000);
  });

  test.each([
    ['an invalid amount', { csv: 'amount\n10\nten' }, 'line 3: amount must be'],
    ['no title', { csv: 'amount\n10', title: '' }, 'has no column &quot;title&quot;'],
    ['a missing table', {}, 'choose a file or paste a table'],
    ['both a file and a pasted table', { csv: CSV, file: Buffer.from(CSV).toString('base64') }, 'use only one of them'],
    ['a line without a number', { csv: 'amount,number\n10,\n', reminders: '0' }, 'line 2: customer_phone is missing'],
  ])('shows an error for %s', async (_, form, told) => {
    expectAnswer(await send(`${REQUESTS}/list`, { ...all, ...form }), 400, told);
    expect(await requests()).toEqual([]);
  });

  test('can be exported with customers, amounts and URLs', async () => {
    const csv = `name,number,amount\n=Ama,0241112222,850.50\n${'Kofi,0241112223,10\n'.repeat(249)}`;
    const preview = { csv, title: 'Dues', preview: 'one' };
    expect((await send(`${REQUESTS}/list`, preview)).status).toBe(303);
    await (await world.createShop()).request({ title: 'Of another', lines: [{ description: 'Rent', amount: 9 }] });
    const { text, headers } = await see(`${REQUESTS}/requests.csv`);
    expect(headers['content-type']).toContain('text/csv');
    const [names = '', ...lines] = text.trim().split('\r\n');
    expect(names).toMatch(/^"customer_name","customer_phone","title","amount_ghs","open_ghs","url",/);
    expect(lines).toHaveLength(250);
    const urls = lines.map((line) => /https?:[^"]*\/r\/\w{12}/.exec(line)?.[0]);
    expect(new Set(urls).size).toBe(250);
    expect(lines.filter((line) => line.includes('850.5'))).toHaveLength(1);
    expect(lines.find((line) => line.includes('850.5'))).toMatch(/^"'=Ama",/);
    expect(text).not.toContain('Of another');
    expect((await see(REQUESTS)).text).toContain(`href="${REQUESTS}/requests.csv"`);
    const cashier = await shop.signIn('cashier');
    expect((await cashier.visit(`${REQUESTS}/requests.csv`)).status).toBe(403);
    expect((await cashier.visit(REQUESTS)).text).not.toContain('requests.csv');
  });

  test('requires the permission to create requests', async () => {
    const viewer = await shop.signIn('viewer');
    expect((await viewer.visit(`${REQUESTS}/list`)).status).toBe(403);
    expect((await viewer.visit(`${REQUESTS}/list`, { form: { csv: CSV, ...all } })).status).toBe(403);
    expect((await viewer.visit(REQUESTS)).text).not.toContain('Requests from a list');
  });
});

describe('a request’s totals', () => {
  const RENT = {
    title: 'Rent, room 12',
    lines: [{ description: 'Rent', amount: 900 }],
    customer_name: 'Kofi Mensah',
    customer_phone: '+233241112222',
    instalments: [
      { due: '2027-02-01', amount: 300 },
      { due: '2027-03-01', amount: 300 },
      { due: '2027-04-01', amount: 300 },
    ],
    reminders: [0],
  };

  let slug: string;
  beforeEach(async () => {
    world.clock.nowMs = Date.parse('2027-01-10T12:00:00Z');
    owner = await shop.signIn('owner');
    slug = await shop.request(RENT);
  });

  test('count a duplicate payment towards the next part', async () => {
    for (let n = 0; n < 2; n++) await shop.payPart(slug, '300');
    for (const text of await bothPages()) {
      expect(text).toMatch(/GHS\s600\.00(?: \(not verified\))? was paid early\. It counts towards what is due next/);
      expect(text).toContain('The next payment is due on 1 Apr 2027');
      expect(text).not.toMatch(/too much was paid|>Open</);
    }
  });

  test('list the bills like the bills list, with another amount that was paid', async () => {
    const unpaid = await world.openPart(slug, '50');
    const [paid, more] = [await shop.payPart(slug, '300'), await world.openPart(slug, '20')];
    await shop.pay(mtn({ reference: more, amount: '30.00' }));
    const [text] = await bothPages();
    const state = 'Not verified';
    expect(cellsIn(text, 'Bills: Paid')).toEqual([
      [expect.any(String), more, `${state} GHS 10.00 too much`, expect.any(String), 'GHS 20.00'],
      [expect.any(String), paid, state, expect.any(String), 'GHS 300.00'],
    ]);
    expect(cellsIn(text, 'Bills: Not paid')).toEqual([
      ['Kofi Mensah', unpaid, 'Waiting', expect.any(String), 'GHS 50.00'],
    ]);
  });

  test('list the amount of a bill that was deleted since', async () => {
    const reference = await shop.payPart(slug, '300');
    await world.tell(3);
    await world.outside.table.write([removeItem({ pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' })]);
    const [text] = await bothPages();
    expect(cellsIn(text, 'Bills: Paid')).toEqual([]);
    expect(valuesOf(text, `${reference}, 10 Jan 2027`)).toEqual(['GHS 300.00 Not verified']);
    expect(text).not.toContain(`href="/dashboard/charges/${reference}"`);
  });

  test('list a second payment for a paid bill', async () => {
    const reference = await shop.payPart(slug, '900');
    for (const text of await bothPages()) expect(text).not.toContain('paid already');
    await shop.pay(mtn({ reference, amount: '250.00', from: 'YAA BOATENG' }));
    const [owners, customers] = await bothPages();
    expectWords(owners, [
      '<b>GHS\u00a0250.00 (not verified)</b>',
      'arrived on 10 Jan 2027',
      'is not verified and may be forged',
      '/dashboard/held/',
    ]);
    expect(owners).not.toContain('Send it back');
    expect(customers).toContain(
      'GHS 250.00 was paid for something already paid. It does not count here. Ask Ama Stores',
    );
    // People other than the payer may know the request's URL.
    expect(customers).not.toMatch(/BOATENG|Boateng/);
  });

  test('list a payment for an expired bill', async () => {
    const reference = await world.openPart(slug, '900');
    world.clock.nowMs += 26 * HOUR_MS;
    await shop.pay(mtn({ reference, amount: '900.00', from: 'YAA BOATENG' }));
    await verifyMoney(world);
    owner = await shop.signIn('owner');
    const [owners, customers] = await bothPages();
    expectWords(owners, [
      'GHS 900.00</span>',
      'which had expired',
      'If the customer still owes this money, match the payment to that bill. It then counts towards this request',
    ]);
    expect(customers).toContain('GHS 900.00 arrived too late.');
    expect(customers).not.toMatch(/BOATENG|Boateng/);
  });

  test('show a recorded refund as not yet sent', async () => {
    const part = await world.openPart(slug, '50');
    await shop.payPart(slug, '900');
    await shop.pay(mtn({ reference: part, amount: '50.00' }));
    const [owners, customers] = await bothPages();
    expect(owners).toMatch(
      new RegExp(
        `so GHS\\s50\\.00 \\(not verified\\) is too much\\. After the check, <a href="[^"]+/${part}#refund">refund it`,
      ),
    );
    expect(owners).not.toContain('Other money for this request');
    expect((await owner.visit(`/dashboard/charges/${part}`)).text).toContain('id="refund"');
    expect(customers).toMatch(/GHS\s50\.00 too much was paid/);
    const noted = { amount: '50', reason: 'Twice' };
    expect((await send(`/dashboard/charges/${part}/refund`, noted)).status).toBe(303);
    for (const text of await bothPages()) expectWords(text, ['It has not been sent yet.'], ['too much was paid']);
  });

  test('advise recording a verified overpayment before sending it back', async () => {
    const part = await world.openPart(slug, '50');
    await shop.payPart(slug, '900');
    await shop.pay(mtn({ reference: part, amount: '50.00' }));
    await verifyMoney(world);
    const [owners] = await bothPages();
    expect(owners).toMatch(/Record it as a refund at <a [^>]+>MK-\w+<\/a> first\. Then send it back\./);
  });

  test('exclude the customer’s other requests', async () => {
    const other = await shop.request({ ...RENT, title: 'Water' });
    const reference = await shop.payPart(slug, '900');
    await shop.pay(mtn({ reference, amount: '900.00' }));
    for (const text of await bothPages(other)) expect(text).not.toMatch(/paid already|too much was paid|paid early/);
  });

  test('show the next reminder only if one is due', async () => {
    const next = async () => /<dt>Next reminder<\/dt><dd>([^<]*)<\/dd>/.exec((await bothPages())[0])?.[1];
    expect(await next()).toBe('1 Feb 2027');
    await shop.payPart(slug, '300');
    expect(await next()).toBe('1 Mar 2027');
    expect((await shop.shownRequest(slug)).next_reminder_at).toMatch(/^2027-03-01T/);
    const stop = { opted_out: true, at: '2027-01-11T00:00:00Z', word: 'STOP' };
    const said = { merchant_id: shop.id, number: RENT.customer_phone, ...stop };
    await world.outside.table.write([changeOptOut(undefined, said, () => new Error('moved'))]);
    expect(await next()).toBe('None: the customer wrote STOP');
    await shop.payPart(slug, '600');
    expect(await next()).toBeUndefined();
    expect((await shop.shownRequest(slug)).next_reminder_at).toBeNull();
    const cancelled = await shop.request(RENT);
    await send(`${REQUESTS}/${cancelled}/cancel`, {});
    expect((await bothPages(cancelled))[0]).not.toContain('Next reminder');
  });

  async function bothPages(of = slug): Promise<readonly [owners: string, customers: string]> {
    const owners = await see(`${REQUESTS}/${of}`);
    await verifyMoney(world);
    const customers = await world.call('r/page', { parameters: { slug: of } });
    return [owners.text, customers.text];
  }
});

async function made(form: Record<string, string>): Promise<PaymentRequest> {
  const answer = await send(`${REQUESTS}/new`, form);
  if (answer.status !== 303) throw new Error(`The form was answered ${answer.status}: ${answer.text}`);
  const [request] = await requests();
  if (!request) throw new Error('It was just made');
  return request;
}

async function requests(): Promise<PaymentRequest[]> {
  return (await requestRows.page(world.outside, { merchant_id: shop.id }, { newestFirst: true })).entries;
}

const see = (path: string) => owner.visit(path);
const send = (path: string, form: Record<string, string>) => owner.visit(path, { form });
