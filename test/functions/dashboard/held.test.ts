import { beforeEach, describe, expect, test } from 'vitest';
import { HeldReason } from '../../../shared/money/receipt/receipt.ts';
import { heldWords } from '../../../shared/pages/dashboard/payments/held-words.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { type PageCall, versionIn } from '../../support/dashboard.ts';
import { mtn, type ReceiptText, telecel } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

const PATH = '/dashboard/charges/held';
const KOFI = { amount: 36, customer_name: 'Kofi Mensah' };

let world: Scene;
let shop: Shop;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
});

function open(path: string, request: PageCall = {}) {
  return world.visit(path, { by: owner, ...request });
}

function send(path: string, form: Record<string, string> = {}, request: PageCall = {}) {
  return open(path, { form, ...request });
}

/** A payment that no charge fits; the address of its page. */
async function held(receipt: ReceiptText = mtn({ from: 'KOJO ANTWI', amount: '17.35' })): Promise<string> {
  await shop.pay(receipt);
  return `${PATH}/${shop.paymentId(receipt)}`;
}

async function streamed(): Promise<void> {
  for (const after of await world.rows('TRANSACTION')) await world.relayChanges({ after });
}

/** The references of the charges that a payment's page offers, in their order. */
async function offered(path: string): Promise<string[]> {
  const { text } = await open(path);
  return [...text.matchAll(/give\?reference=(MK-\d{10})"/g)].flatMap(([, reference]) => reference ?? []);
}

describe('the list', () => {
  test('is empty where nothing waits, and says what would be there', async () => {
    for (const list of ['held', 'unread', 'set_aside']) {
      expect((await open(PATH, { query: { list } })).text).toContain('class="empty"');
    }
  });

  test('says of each payment how much came from whom, and why it waits', async () => {
    const path = await held();
    const { text } = await open(PATH);
    expect(text).toContain(`href="${path}"`);
    expect(text).toMatch(
      /GHS 17\.35<\/span> from KOJO ANTWI.*No bill fits.*No bill for this amount.*typed no reference\./s,
    );
  });

  test('offers in one tap the charge that was meant, if it can still be paid', async () => {
    const [late, paid] = [await shop.charge(KOFI), await shop.charge(KOFI)];
    await shop.pay(mtn({ reference: paid }));
    await shop.pay(mtn({ reference: paid }));
    world.clock.nowMs += 25 * 60 * 60 * 1000 - 60_000;
    owner = await shop.signIn('owner');
    await shop.pay(mtn({ reference: late }));
    expect(await offered(PATH)).toEqual([late]);
  });

  test('has the words of texts that could not be read', async () => {
    await shop.arrive({ sender: 'MobileMoney', text: 'GHS 12 has come in a <b>new</b> way from ABENA' });
    const { text } = await open(PATH, { query: { list: 'unread' } });
    expect(text).toContain('GHS 12 has come in a &lt;b&gt;new&lt;/b&gt; way from ABENA');
    const [, path = ''] = /href="(\/dashboard\/charges\/held\/[^"]+)"/.exec(text) ?? [];
    expect((await open(path)).text).toContain('does not read like one of its payments');
  });

  test.each([
    ['owner', true],
    ['manager', false],
  ] as const)('tells what is in the wallet to whom that is for: %s %s', async (role, isTold) => {
    const by = await shop.signIn(role);
    const path = await held();
    await shop.arrive({ sender: 'MobileMoney', text: 'A new way to pay. Your bal. is now GHS 1,136.50' });
    const pages = [await open(path, { by }), await open(PATH, { by, query: { list: 'unread' } })];
    expect(pages.map(({ text }) => text.includes('1,136.50'))).toEqual([isTold, isTold]);
  });

  test('is read for a viewer, who can give nothing', async () => {
    const by = await shop.signIn('viewer');
    const path = await held();
    expect((await open(PATH, { by })).status).toBe(200);
    expect((await open(path, { by })).text).not.toMatch(/Which charge|Set it aside/);
  });

  test('keeps its version until a payment comes or goes', async () => {
    const version = async () => versionIn((await open(PATH)).text);
    const before = await version();
    const path = await held();
    const after = await version();
    expect(after).not.toBe(before);
    world.clock.nowMs += 60_000;
    expect(await version()).toBe(after);
    await send(`${path}/set-aside`);
    expect(await version()).toBe(before);
  });
});

test.each(HeldReason.options)('%s is said in words: why, and what to do', (reason) => {
  const { word, why, todo } = heldWords({ reason });
  expect([word.length > 3, why.endsWith('.'), todo.endsWith('.')]).toEqual([true, true, true]);
  expect(`${word} ${why} ${todo}`).not.toContain('_');
});

describe('the charges that a payment may be for', () => {
  test('are those of its amount, each with what speaks for it and why it is not certain', async () => {
    const [kofis, amas] = [await shop.charge(KOFI), await shop.charge({ ...KOFI, customer_name: 'Ama Serwaa' })];
    await shop.charge({ amount: 99, customer_name: 'Esi Arthur' });
    await streamed();
    const path = await held(mtn({ from: 'KOFI MENSAH BOATENG', reference: 'MK 12345678' }));
    expect(await offered(path)).toEqual([kofis, amas]);
    expectWords((await open(path)).text, [
      'The amount is exactly its amount.',
      'The payer’s name is its customer’s: Kofi Mensah.',
      'Its customer is Ama Serwaa, the payer is KOFI MENSAH BOATENG.',
      'The payer typed another reference',
    ]);
  });

  test('begin with the one whose reference was mistyped', async () => {
    const wanted = await shop.charge({ amount: 36 });
    await shop.charge(KOFI);
    await streamed();
    const typed = `${wanted.slice(0, -1)}${(Number(wanted.at(-1)) + 1) % 10}`;
    const path = await held(mtn({ from: 'KOFI MENSAH', reference: typed }));
    expect((await offered(path))[0]).toBe(wanted);
    expect((await open(path)).text).toContain('almost its reference');
  });

  test('are those with a word of the payer’s name where nothing has the amount', async () => {
    const wanted = await shop.charge({ amount: 40, customer_name: 'Kojo Antwi' });
    await streamed();
    const path = await held();
    expect(await offered(path)).toEqual([wanted]);
    expect((await open(path)).text).toContain('GHS 22.65 less than its amount');
  });

  test('are at most five, found with a fixed number of reads, and none of another merchant', async () => {
    const other = await world.createShop();
    await other.charge(KOFI);
    for (let n = 0; n < 12; n++) await shop.charge({ ...KOFI, email: `k${n}@example.com` });
    await streamed();
    const path = await held(mtn({ from: 'KOFI MENSAH' }));
    world.requests.length = 0;
    expect(await offered(path)).toHaveLength(5);
    expect(world.requests.length).toBeLessThanOrEqual(13);
  });
});

describe('giving a payment to a charge', () => {
  test('is two taps: choose, confirm', async () => {
    const reference = await shop.charge({ amount: 17.35 });
    await streamed();
    const path = await held();
    const choose = (await open(path)).text;
    expect(choose).toContain(`href="${path}/give?reference=${reference}"`);
    const confirm = await open(`${path}/give`, { query: { reference } });
    expect(confirm.text).toContain('Yes, give GHS 17.35');
    expect((await send(`${path}/give`, { reference })).headers.location).toBe(`/dashboard/charges/${reference}`);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
  });

  test.each([
    ['part', 'pending'],
    ['full', 'success'],
  ])('a payment that is too small counts as %s: the bill is %s', async (counts_as, status) => {
    const reference = await shop.charge({ amount: 40 });
    const path = await held();
    expect((await open(`${path}/give`, { query: { reference } })).text).toContain('GHS 22.65 stays due');
    await send(`${path}/give`, { reference, counts_as });
    expect(await shop.verified(reference)).toMatchObject({ status, amount_paid: 17.35 });
  });

  test('twice is once', async () => {
    const reference = await shop.charge({ amount: 17.35 });
    const path = await held();
    const form = { reference, once: 'a-page' };
    const [first, second] = [await send(`${path}/give`, form), await send(`${path}/give`, form)];
    expect(first.status).toBe(303);
    expect(second).toMatchObject({ status: 303, headers: { location: `/dashboard/charges/${reference}` } });
  });

  test('that another charge got meanwhile is refused, and its page says so', async () => {
    const [one, other] = [await shop.charge({ amount: 17.35 }), await shop.charge({ amount: 17.35 })];
    const path = await held();
    await send(`${path}/give`, { reference: one });
    expectAnswer(await send(`${path}/give`, { reference: other }), 409, 'It no longer waits');
    expect(await shop.verified(other)).toMatchObject({ status: 'pending' });
  });

  test('to a charge that was paid is refused beside what was chosen', async () => {
    const reference = await shop.charge({ amount: 17.35 });
    await shop.pay(mtn({ reference, amount: '17.35' }));
    const path = await held();
    expectAnswer(await send(`${path}/give`, { reference }), 409, 'role="alert">', reference);
  });

  test.each(['Esi Baidoo', '99', '99.00', 'order-9', '055 111 2223'])(
    'is found by what somebody knows of the bill: %s, which leads to the question whether it is that one',
    async (known) => {
      const customer = { customer_name: 'Esi Baidoo', customer_phone: '0551112223', merchant_reference: 'order-9' };
      const reference = await shop.charge({ amount: 99, ...customer });
      await shop.charge({ amount: 98, customer_name: 'Yaw Adjei' });
      await streamed();
      const path = await held();
      const { text } = await open(`${path}/give`, { query: { reference: known } });
      expectWords(text, [`href="${path}/give?reference=${reference}"`], ['Yaw Adjei']);
      const next = await open(`${path}/give`, { query: { reference } });
      expect(next.text).toContain('Give the payment to this bill?');
    },
  );

  test('asks for another reference where there is no such charge', async () => {
    const path = await held();
    for (const reference of ['MK-1234567890', 'nonsense', '<em>']) {
      const { status, text } = await open(`${path}/give`, { query: { reference } });
      expect([status, text.includes('No such bill'), text.includes('<em>')]).toEqual([200, true, false]);
    }
  });
});

describe('a payment that is set aside', () => {
  test('stays held, stands apart with its reason, in the API too, and can be put back', async () => {
    const path = await held();
    await send(`${path}/set-aside`, { why: 'My brother paid me back' });
    expect((await open(PATH)).text).not.toContain('KOJO ANTWI');
    expect((await open(PATH, { query: { list: 'set_aside' } })).text).toContain('My brother paid me back');
    expect((await open(path)).text).toContain('By Canary the owner');
    expect(await shop.listed('held')).toEqual([]);
    const set_aside = { why: 'My brother paid me back' };
    expect(await shop.listed('set_aside')).toMatchObject([{ status: 'held', set_aside }]);
    await send(`${path}/take-back`);
    expect(await shop.listed('held')).toMatchObject([{ set_aside: null }]);
  });

  test('was noted as sent back by a server, which its page says', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference }));
    const path = await held(mtn({ reference, from: 'KOJO ANTWI' }));
    const [{ receipt_id } = { receipt_id: '' }] = (await shop.verified(reference)).second_payments;
    const body = { receipt_id, reason: 'Paid twice' };
    expect((await shop.call('transaction/refund', { parameters: { reference }, body })).status).toBe(200);
    expectWords((await open(path)).text, ['Paid twice', 'By your website']);
    await send(`${path}/take-back`);
    expect((await shop.verified(reference)).second_payments).toMatchObject([{ sent_back_at: null }]);
  });

  test('can be claimed by nobody', async () => {
    const receipt = mtn({ from: 'KOFI MENSAH', amount: '36.00', reference: 'kente' });
    const path = await held(receipt);
    const reference = await shop.charge({ amount: 36 });
    const [{ access_code } = {}] = (await world.rows('TRANSACTION')).filter((one) => one.reference === reference);
    const body = { transaction_id: receipt.id, name: 'Kofi Mensah' };
    const said = { parameters: { access_code: String(access_code) }, headers: { accept: 'application/json' }, body };
    await send(`${path}/set-aside`);
    expect((await world.call('checkout/claim', said)).status).toBe(422);
    await send(`${path}/take-back`);
    expect((await world.call('checkout/claim', said)).status).toBe(200);
  });

  test('has no code sent for it', async () => {
    const telecels = await world.createShop({ network: 'TELECEL' });
    const receipt = telecel();
    const id = telecels.paymentId(receipt);
    expect(await telecels.pay(receipt)).toHaveProperty('gsi2pk', expect.stringMatching(/^HELD#/));
    const by = await telecels.signIn('owner');
    await send(`${PATH}/${id}/set-aside`, {}, { by });
    expect(await world.receiptRow(id)).toHaveProperty('gsi2pk', expect.stringMatching(/^ASIDE#/));
  });

  test('is given to a charge all the same where a person says so', async () => {
    const path = await held();
    await send(`${path}/set-aside`);
    const reference = await shop.charge({ amount: 17.35 });
    await send(`${path}/give`, { reference });
    const receipt = await world.receiptRow(path.split('/').at(-1) ?? '');
    expect(receipt).toMatchObject({ state: 'matched', reference });
    expect(receipt).not.toHaveProperty('set_aside');
  });

  test('was not given away at the same moment', async () => {
    const path = await held();
    const reference = await shop.charge({ amount: 17.35 });
    world.rightBefore('TransactWriteItems', () => send(`${path}/give`, { reference }));
    expect((await send(`${path}/set-aside`)).status).toBe(409);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
  });

  test('is given by nobody who saw it before', async () => {
    const path = await held();
    const reference = await shop.charge({ amount: 17.35 });
    world.rightBefore('TransactWriteItems', () => send(`${path}/set-aside`));
    expect((await send(`${path}/give`, { reference })).status).toBe(409);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test.each(['', '/give'])('was matched before: its page%s says so', async (page) => {
    const reference = await shop.charge({ amount: 17.35 });
    const receipt = mtn({ reference, amount: '17.35' });
    await shop.pay(receipt);
    const path = `${PATH}/${shop.paymentId(receipt)}`;
    const { text } = await open(`${path}${page}`, { query: { reference } });
    expect(text).toMatch(/belongs to the bill|no longer waits/);
    expect((await send(`${path}/set-aside`)).status).toBe(409);
  });
});
