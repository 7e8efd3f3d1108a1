import { beforeEach, describe, expect, test } from 'vitest';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { MAX_NOTES } from '../../../shared/money/payment/payment.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { HeldReason } from '../../../shared/money/receipt/receipt.ts';
import { heldWords } from '../../../shared/pages/dashboard/charges/held-words.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { checkEach } from '../../support/check-each.ts';
import { type PageCall, versionIn } from '../../support/dashboard.ts';
import { cellsIn, foldsIn, lineOf, pillsIn, wordsOf } from '../../support/page-words.ts';
import { addNumber, fromTelecel, mtn, pay, type ReceiptText, reversal, telecel } from '../../support/receipts.ts';
import { storedPayment } from '../../support/rows-of-kinds.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { setCharge } from '../checkout/charges.ts';

const PATH = '/dashboard/charges';
const HELD = '/dashboard/held';
const SENDER = '+233209990001';
const KOFI = { amount: 36, customer_name: 'Kofi Mensah', description: 'Two yards of kente' };

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

/** Form field for an unverified payment. */
const LOOKED = { shown: 'unverified' };

function send(path: string, form: Record<string, string> = {}, request: PageCall = {}) {
  return open(path, { form, ...request });
}

async function streamed(): Promise<void> {
  for (const after of await world.rows('TRANSACTION')) await world.relayChanges({ after });
}

/** Creates a bill for Kofi and pays it by its reference. */
async function paid(): Promise<string> {
  const reference = await shop.charge(KOFI);
  await shop.pay(mtn({ reference }));
  return reference;
}

/** Changes a bill and relays the change through the stream. */
async function relayed(reference: string, happens: () => Promise<unknown>): Promise<void> {
  const row = async () => (await world.rows('TRANSACTION')).find((one) => one.reference === reference);
  const before = await row();
  await happens();
  const after = await row();
  await world.relayChanges({ ...(before && { before }), ...(after && { after }) });
}

describe('the first card of a paid bill', () => {
  test.each([
    ['owner', true],
    ['cashier', false],
  ] as const)(
    'shows the %s a link to a second payment below its actions (with its full ID: %s)',
    async (role, isFull) => {
      const reference = await paid();
      const second = mtn({ reference });
      await shop.pay(second);
      const { text } = await open(`${PATH}/${reference}`, { by: await shop.signIn(role) });
      const [, card = ''] = /<section class="summary">(.*?)<\/section>/s.exec(text) ?? [];
      expect(card).toMatch(
        /<p class="amount">[^\n]*<\/p>\s*<p>Paid on [^\n]*<\/p>\s*<p class="notice look">.*<b>Check your MoMo balance first\..*<p>A second payment of .* is waiting\. <a href="\/dashboard\/held\/[^"]+">Check it<\/a>/s,
      );
      expect(card.split('A second payment')[1]).not.toContain('<div class="actions">');
      expect(card.includes(second.id)).toBe(isFull);
    },
  );
});

test.each([
  ['because of its amount', 'large_amount'],
  ['because its bill was cancelled', 'charge_cancelled'],
  ['because its bill is in doubt', 'charge_disputed'],
])('a bill’s page shows a payment that waits %s, despite twenty newer ones', async (_, reason) => {
  const reference = await shop.charge(KOFI);
  if (reason === 'large_amount') await shop.change({ confirm_always_above_pesewas: 20_00 });
  if (reason === 'charge_cancelled') await shop.call('transaction/cancel', { parameters: { reference } });
  if (reason === 'charge_disputed')
    await world.outside.table.write([disputeCharge(world.outside, reference, 'conflict')]);
  const payment = mtn({ reference });
  expect(await shop.pay(payment)).toMatchObject({ state: 'held', reason });
  await verifyMoney(world);
  for (let n = 0; n < 20; n++) await shop.pay(mtn({ amount: '5.00', from: 'YAA ASANTEWAA' }));
  const { text } = await open(`${PATH}/${reference}`);
  expectWords(text, [`<a href="${HELD}/${shop.paymentId(payment)}">Check it</a>`, 'is waiting to be checked']);
  expect((await shop.verified(reference)).second_payments).toEqual([]);
});

test('a partly paid bill shows the rest first, and one badge for the part that arrived', async () => {
  const reference = await shop.charge(KOFI);
  await shop.pay(mtn({ reference, amount: '16.00' }));
  const card = async () =>
    /<section class="summary">(.*?)<\/section>/s.exec((await open(`${PATH}/${reference}`)).text)?.[1] ?? '';
  const unverified = await card();
  expect(lineOf(unverified)).toMatch(
    /^Still to pay GHS 20\.00 Partly paid, not verified GHS 16\.00 \(not verified\) paid of GHS 36\.00 /,
  );
  expect(unverified).toContain('<progress class="hollow" aria-label="Paid, not verified" max="3600" value="1600">');
  expect(pillsIn((await open(PATH)).text)).toEqual([{ tone: 'look', label: 'Partly paid, not verified' }]);
  await verifyMoney(world);
  const verified = await card();
  expect(lineOf(verified)).toMatch(/^Still to pay GHS 20\.00 Partly paid GHS 16\.00 paid and verified, of GHS 36\.00 /);
  expect(verified).toContain('<progress aria-label="Paid" max="3600" value="1600">');
});

describe('the refund of an unverified payment', () => {
  const LOOK = 'Check your MoMo balance first';

  test('is one folded form, below the only warning', async () => {
    const { text } = await open(`${PATH}/${await paid()}`);
    expect(text).not.toContain('<h2>Refund</h2>');
    expect(foldsIn(text).map(({ summary }) => summary)).toContain('Record a refund');
    expect(withoutFolds(text).split(LOOK)).toHaveLength(2);
    expect(withoutFolds(text)).not.toContain('Its text names');
  });

  test('has a heading and the warning again once it is recorded', async () => {
    const reference = await paid();
    await send(`${PATH}/${reference}/refund`, { amount: '6' });
    const { text } = await open(`${PATH}/${reference}`);
    expect(text).toContain('<h2>Refund</h2>');
    const [, card = ''] = /<h2>Refund<\/h2>(.*?)<\/section>/s.exec(text) ?? [];
    expect(lineOf(card)).toMatch(/^Check your MoMo balance first\..* not added to any day’s total\. Its text names /);
  });

  function withoutFolds(page: string): string {
    return page.replace(/<details.*?<\/details>/gs, '');
  }
});

test('a bill paid on two numbers says where to look for each part, and opens both wallets', async () => {
  const number = await addNumber(world, shop);
  owner = await shop.signIn('owner');
  const reference = await shop.charge(KOFI);
  await shop.pay(mtn({ reference, amount: '16.00' }));
  await pay(world, { number }, mtn({ reference, amount: '20.00' }));
  const { text } = await open(`${PATH}/${reference}`);
  const [, card = ''] = /<section class="summary">(.*?)<\/section>/s.exec(text) ?? [];
  expect(card).toContain('These payments are not verified and may be forged.');
  const numbers = [shop.number, number].map((one) => `0${one.slice(4)}`);
  expect(
    wordsOf(card)
      .match(/on the phone with [\d\s]+, and look for GHS\s[\d.]+/g)
      ?.map((one) => one.replace(/\s/g, '')),
  ).toEqual([`onthephonewith${numbers[0]},andlookforGHS16.00`, `onthephonewith${numbers[1]},andlookforGHS20.00`]);
  const opened = [...text.matchAll(/wallets\/(\d+)">See what the texts say on/g)];
  expect(opened.map(([, one]) => one)).toEqual(numbers);
});

test('an open bill promises recognition by name only if its payments can be matched by name', async () => {
  const BY_NAME = 'wallet is matched by name for two hours';
  const lines = [{ description: 'Rent', amount: 36 }];
  const { customer_name } = KOFI;
  const ofRequest = await world.openPart(await shop.request({ title: 'Rent', lines, customer_name }), '36');
  const own = await shop.charge(KOFI);
  expect((await open(`${PATH}/${own}`)).text).toContain(BY_NAME);
  expect((await open(`${PATH}/${ofRequest}`)).text).not.toContain(BY_NAME);
});

describe('the charge list', () => {
  test('says what it was searched for, and how to see all bills again', async () => {
    await shop.charge(KOFI);
    await shop.charge(KOFI);
    const { text } = await open(PATH, { query: { q: 'kofi', status: 'pending' } });
    expectWords(text, ['Results for <b>“kofi”</b>', `<a href="${PATH}?status=pending">Clear the filter</a>`]);
    expect((await open(PATH)).text).not.toContain('Results for');
  });

  test.each([
    ['its payer', 'mensah', 'Payer: KOFI MENSAH BOATENG'],
    ['its payer’s number', '020 987 6543', 'Payer: KOFI MENSAH BOATENG'],
    ['its order number', 'order-1', 'Order number: order-1'],
    ['its e-mail address', 'efua@example.com', 'E-mail: efua@example.com'],
    ['its customer’s number', '024 055 5556', 'Phone: 024 055 5556'],
    ['its name', 'efua', ''],
  ])('says how it found a bill by %s', async (_, q, found) => {
    const details = { merchant_reference: 'order-1', customer_name: 'Efua Sutherland', description: 'Rice' };
    const more = { email: 'efua@example.com', customer_phone: '0240555556', amount: 36 };
    const telecels = await world.createShop({ network: 'TELECEL' });
    await telecels.pay(telecel({ reference: await telecels.charge({ ...details, ...more }) }));
    await streamed();
    const { text } = await open(PATH, { query: { q }, by: await telecels.signIn('owner') });
    expect(cellsIn(text, 'Bills, newest first').map(([name]) => name)).toEqual([`Efua Sutherland ${found}`.trim()]);
  });

  test('shows advice if the shop has no charges', async () => {
    expectWords((await open(PATH)).text, ['No bills yet', `href="${PATH}/new"`]);
  });

  test.each([
    ['unverified', ['paid', 'sentBack']],
    ['refunded', ['sentBack']],
    ['success', ['paid', 'sentBack']],
    ['pending', ['waiting']],
  ])('shows only matching charges for the %s status', async (status, names) => {
    const bills = { waiting: await shop.charge(KOFI), paid: await paid(), sentBack: await paid() };
    await send(`${PATH}/${bills.sentBack}/refund`, { amount: '36' });
    const [refund] = (await world.rows('TRANSACTION')).flatMap(({ refunds }) =>
      Array.isArray(refunds) ? refunds : [],
    );
    await send(`${PATH}/${bills.sentBack}/refund/${refund.refund_id}/close`, { outcome: 'sent' });
    const { text } = await open(PATH, { query: { status } });
    const shown = Object.entries(bills).filter(([, reference]) => text.includes(`href="${PATH}/${reference}"`));
    expect(shown.map(([name]) => name).toSorted()).toEqual(names);
    expect(text).toContain(`href="${PATH}?status=${status}" aria-current="page"`);
  });

  test('shows each charge’s customer, amount and status', async () => {
    const reference = await shop.charge(KOFI);
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36 }) }));
    const { text } = await open(PATH);
    expect(text).toContain(`href="${PATH}/${reference}"`);
    expect(text).toMatch(/Kofi Mensah[\s\S]*pill waiting">Waiting[\s\S]*GHS 36\.00/);
    expect(text).toContain('pill look">Not verified');
  });

  test.each([
    [{}, 'KOFI MENSAH BOATENG'],
    [{ description: 'Ticket' }, 'KOFI MENSAH BOATENG · Ticket'],
    [{ description: 'Ticket', customer_name: 'Ama Owusu' }, 'Ama Owusu'],
  ])('lists a paid charge with %j as %s', async (details, name) => {
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36, ...details }) }));
    expect(cellsIn((await open(PATH)).text, 'Bills, newest first').map(([first]) => first)).toEqual([name]);
  });

  test('shows an amount paid that is not the amount requested', async () => {
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36 }), amount: '40.00' }));
    const { text } = await open(PATH);
    expect(text).toContain('<br><span class="hint">GHS 4.00 too much</span>');
  });

  test.each([
    ['mensah', 'customer name'],
    ['024 111 2223', 'phone'],
    ['KOFI@example.com', 'e-mail'],
    ['A-1007', 'order number'],
  ])('finds a charge by “%s” (%s)', async (q) => {
    const told = { customer_phone: '0241112223', email: 'kofi@example.com', merchant_reference: 'A-1007' };
    const wanted = await shop.charge({ ...KOFI, ...told });
    const other = await shop.charge({ amount: 5, customer_name: 'Ama Serwaa' });
    await streamed();
    expectWords((await open(PATH, { query: { q, status: '', from: '' } })).text, [wanted], [other]);
  });

  test.each(['MK-', 'mk ', '', '#MK-', 'Ref: MK '])(
    'opens a charge by its code with the “%s” prefix',
    async (prefix) => {
      const reference = await shop.charge(KOFI);
      const { headers } = await open(PATH, { query: { q: `${prefix}${reference.slice(3)}` } });
      expect(headers.location).toBe(`${PATH}/${reference}`);
    },
  );

  test('filters by status, period and amount across pages', async () => {
    for (let n = 0; n < 26; n++) await shop.charge({ amount: 7 });
    const other = await shop.charge({ amount: 8 });
    await streamed();
    const query = { amount: '7', status: 'pending', from: '2020-01-01' };
    const first = await open(PATH, { query });
    expect(first.text).not.toContain(other);
    const next = /href="([^"]*cursor[^"]*)"/.exec(first.text)?.[1] ?? '';
    const asked = new URLSearchParams(next.split('?')[1]?.replaceAll('&amp;', '&'));
    const second = await open(PATH, { query: Object.fromEntries(asked) });
    expect(second.text.match(/GHS 7\.00/g)).toHaveLength(1);
  });

  test.each([
    ...['efua', 'SUTHERLAND Efua', '50000000077', 'rent'].map((q) => [q, ['EFUA SUTHERLAND']] as const),
    ['024 555 0000', ['YAW ADJEI']] as const,
    ...['ef', 'sutherland kofi', '5000000007', '.'].map((q) => [q, []] as const),
  ])('finds the held payments that match %j', async (q, found) => {
    await shop.pay(mtn({ amount: '250.00', from: 'EFUA SUTHERLAND', reference: 'rent', id: '50000000077' }));
    await shop.pay(fromTelecel({ amount: '12.00', from: 'YAW ADJEI', phone: '233245550000' }));
    const [, held = ''] = (await open(PATH, { query: { q } })).text.split('<h2>Payments to check</h2>');
    expect(
      ['EFUA SUTHERLAND', 'YAW ADJEI'].filter((payer) => held.includes(`<span class="payment-payer">${payer}</span>`)),
    ).toEqual(found);
  });

  test('shows the reason for holding a payment in the same grey badge everywhere', async () => {
    await shop.pay(mtn({ amount: '250.00', from: 'EFUA SUTHERLAND', reference: 'MK-1000000000' }));
    const isReason = ({ label }: { label: string }) => label === 'Reference unclear';
    const reasons = async (address: string, query = {}) =>
      pillsIn((await open(address, { query })).text).filter(isReason);
    const listed = await reasons(HELD);
    expect(listed).toEqual([{ tone: 'plain', label: 'Reference unclear' }]);
    for (const address of [PATH, '/dashboard/records']) expect(await reasons(address, { q: 'efua' })).toEqual(listed);
    const [, payment = ''] = /href="([^"]*\/held\/[^"]*)"/.exec((await open(HELD)).text) ?? [];
    expect(await reasons(payment)).toEqual(listed);
  });

  test('hides held payments from users without permission', async () => {
    await shop.pay(mtn({ amount: '250.00', from: 'EFUA SUTHERLAND', reference: 'rent' }));
    const by = await shop.signIn('developer');
    expect((await open(PATH, { query: { q: 'efua' }, by })).text).not.toContain('EFUA');
  });

  test.each<Record<string, string>>([{ from: '2026-13-45' }, { amount: 'much' }, { status: 'odd' }, { cursor: 'x' }])(
    'explains why the search %j is invalid',
    async (query) => {
      expectAnswer(await open(PATH, { query }), 200, 'We could not search for this');
    },
  );

  test('links an empty result to the held payments', async () => {
    const query = { q: 'Eric Owusu' };
    const link = 'href="/dashboard/held">To check</a>.';
    expect((await open(PATH, { query })).text).toContain(link);
    const developer = await shop.signIn('developer');
    expect((await open(PATH, { query, by: developer })).text).not.toContain(link);
  });

  test('costs two reads per poll', async () => {
    const reference = await shop.charge({ amount: 36 });
    // Start on a full minute, so that no cache expires while reads are counted.
    world.clock.nowMs += 120_000 - (world.clock.nowMs % 60_000);
    const headers = { 'if-none-match': `"${versionIn((await open(PATH)).text)}"` };
    world.requests.length = 0;
    expect((await open(PATH, { headers })).status).toBe(304);
    expect(world.requests.toSorted()).toEqual(['BatchGetItem', 'Query', 'Query']);
    await shop.pay(mtn({ reference }));
    expect((await open(PATH, { headers })).status).toBe(200);
  });
});

describe('the form for a new charge', () => {
  const form = { amount: '36.50', customer_name: 'Kofi Mensah', customer_phone: '024 111 2223', expires_in: '3600' };

  test('accepts an amount with a currency and commas', async () => {
    const { status, headers } = await send(`${PATH}/new`, { ...form, amount: 'GHS 1,500.50' });
    const reference = headers.location?.split('/').at(-1) ?? '';
    expect(status).toBe(303);
    const made = await shop.verified(reference);
    expect(made).toMatchObject({ amount: 1500.5, customer_name: 'Kofi Mensah', customer_phone: '+233241112223' });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(3_600_000);
  });

  test('creates one charge if submitted twice', async () => {
    const first = await send(`${PATH}/new`, { ...form, once: 'a-page' });
    const second = await send(`${PATH}/new`, { ...form, once: 'a-page' });
    expect(second.headers.location).toBe(first.headers.location);
    expect(await world.rows('TRANSACTION')).toHaveLength(1);
  });

  test('keeps the entered values after an error', async () => {
    const { status, text } = await send(`${PATH}/new`, { ...form, amount: '0', customer_phone: '12' });
    expect({ status, charges: await world.rows('TRANSACTION') }).toEqual({ status: 400, charges: [] });
    expectWords(text, ['id="amount-error"', 'id="customer_phone-error"', 'value="Kofi Mensah"']);
  });
});

describe("a charge's page", () => {
  test('identifies the charge below its title, unless the title does', async () => {
    const [named, unnamed] = [await shop.charge(KOFI), await shop.charge({ amount: 500 })];
    const below = /<h1>([^<]*)<\/h1><p class="hint"><span[^>]*>([^<]*)</;
    expect(below.exec((await open(`${PATH}/${named}`)).text)?.slice(1)).toEqual([KOFI.customer_name, named]);
    expect((await open(`${PATH}/${unnamed}`)).text).toContain(`<h1>Bill ${unnamed}</h1></div>`);
  });

  test('shows the link, QR code and share buttons while pending', async () => {
    const reference = await shop.charge(KOFI);
    const { text } = await open(`${PATH}/${reference}`);
    const { access_code } = (await world.chargeRow(reference)) ?? {};
    expectWords(text, [
      `data-copy="https://pay.example.com/c/${access_code}"`,
      'aria-label="QR code of the link"',
      'Send for 1 credit',
    ]);
  });

  test('refuses the refund of an excess that the network has reversed since the form was shown', async () => {
    const reference = await shop.charge(KOFI);
    const first = mtn({ reference, amount: '10.00', from: 'KOFI MENSAH' });
    await shop.pay(first);
    await shop.pay(mtn({ reference, amount: '36.00', from: 'AMA SERWAA' }));
    const { text } = await open(`${PATH}/${reference}`);
    const most = /name="most" value="(\d+)"/.exec(text)?.[1] ?? '';
    expect(most).toBe('4600');
    await shop.arrive(reversal(first.id, '10.00'));
    const refund = (shown: string) => send(`${PATH}/${reference}/refund`, { amount: '10', most: shown });
    expectAnswer(await refund(most), 409, 'before you send any money');
    expect((await refund('3600')).status).toBe(303);
  });

  test('shows payments, webhooks, refunds and notes in one timeline', async () => {
    await shop.setWebhook();
    const reference = await shop.charge(KOFI);
    const rest = mtn({ reference, amount: '26.00', from: 'AMA SERWAA' });
    for (const text of [mtn({ reference, amount: '10.00', from: 'KOFI MENSAH' }), rest])
      await relayed(reference, () => shop.pay(text));
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: 'no' });
    for (const { event_id } of await world.rows('EVENT')) await world.makeTry(String(event_id));
    await send(`${PATH}/${reference}/refund`, { amount: '6', reason: 'One yard too little' });
    await send(`${PATH}/${reference}/note`, { note: 'She comes on Monday' });

    const { text } = await open(`${PATH}/${reference}`);
    for (const { event_id, type } of await world.rows('EVENT'))
      expect(text).toContain(`<a href="/dashboard/developers/events/${event_id}">${type}</a>`);
    expect(text).toMatch(/<details><summary>\d messages to your website<\/summary>/);
    expectWords(text, [
      'Created',
      'GHS\u00a010.00 (not verified) arrived from KOFI MENSAH, part of the amount',
      'GHS\u00a026.00 (not verified) arrived from AMA SERWAA',
      rest.id,
      'recognised by its reference',
      'charge.partly_paid',
      'charge.success',
      'attempt 1, ',
      ': 500 after',
      'Refund of GHS\u00a06.00 recorded',
      'One yard too little',
      'She comes on Monday',
      'Canary the owner',
    ]);
  });

  test('shows that the website may not have noticed an event it answered with a page', async () => {
    await shop.setWebhook();
    const reference = await shop.charge(KOFI);
    await relayed(reference, () => shop.pay(mtn({ reference })));
    world.receiver = async () => ({ statusCode: 200, headers: {}, text: '<!DOCTYPE html><title>One moment</title>' });
    for (const { event_id } of await world.rows('EVENT')) await world.makeTry(String(event_id));
    const { text } = await open(`${PATH}/${reference}`);
    expectWords(text, ['Your website answered with a page, so it may not have noticed']);
  });

  test('shows a payment in amber until it is verified', async () => {
    const reference = await shop.charge(KOFI);
    await shop.pay(mtn({ reference }));
    const tones = async () => {
      const { text } = await open(`${PATH}/${reference}`);
      return [...text.matchAll(/<li class="(\w+)"><time[^>]*>[^<]*<\/time><div><b>(?:GHS[^<]* arrived|Paid)/g)].map(
        ([, tone]) => tone,
      );
    };
    expect(await tones()).toEqual(['look', 'look']);
    await verifyMoney(world);
    expect(await tones()).toEqual(['good', 'good']);
  });

  test('shows how long the network can still reverse a verified payment', async () => {
    const reference = await shop.charge(KOFI);
    expect((await open(`${PATH}/${reference}`)).text).not.toContain('reverse this payment');
    await shop.pay(mtn({ reference }));
    const said = /MTN can reverse this payment until [^:]+: the payer asks MTN/;
    expect((await open(`${PATH}/${reference}`)).text).not.toMatch(said);
    await verifyMoney(world);
    expect((await open(`${PATH}/${reference}`)).text).toMatch(said);
    world.clock.nowMs += 15 * 24 * 3_600_000;
    expect((await open(`${PATH}/${reference}`)).text).not.toMatch(said);
  });

  test('takes a fixed number of reads', async () => {
    const reference = await shop.charge(KOFI);
    for (let n = 0; n < 3; n++) await send(`${PATH}/${reference}/note`, { note: `Note ${n}` });
    world.requests.length = 0;
    await open(`${PATH}/${reference}`);
    const reads = [...Array(3).fill('BatchGetItem'), ...Array(2).fill('GetItem'), ...Array(3).fill('Query')];
    expect(world.requests.toSorted()).toEqual(reads);
  });

  test('links to a held payment with the charge’s reference', async () => {
    const reference = await paid();
    const second = mtn({ reference, from: 'AMA SERWAA' });
    await shop.pay(second);
    const { text } = await open(`${PATH}/${reference}`);
    expectWords(text, [`href="${HELD}/${shop.paymentId(second)}"`, 'Already paid: ']);
  });

  test('hides webhooks and refunds from a cashier', async () => {
    const reference = await shop.charge(KOFI);
    await shop.setWebhook();
    await relayed(reference, () => shop.pay(mtn({ reference })));
    const { text } = await open(`${PATH}/${reference}`, { by: await shop.signIn('cashier') });
    expect(text).toContain('arrived from');
    expect(text).not.toMatch(/Webhook|Record a refund/);
  });

  test('escapes user input', async () => {
    const evil = '"><script>alert(1)</script>';
    const said = { customer_name: evil, description: evil, merchant_reference: evil, metadata: { evil } };
    const reference = await shop.charge({ amount: 36, ...said });
    await shop.pay(mtn({ reference, from: 'KOFI <IMG SRC=X>' }));
    await shop.pay(mtn({ reference: `${reference} <i>`, from: '<SCRIPT>' }));
    await send(`${PATH}/${reference}/note`, { note: evil });
    await send(`${PATH}/${reference}/refund`, { amount: '36', reason: evil });
    for (const path of [PATH, `${PATH}/${reference}`, HELD]) {
      const { status, text } = await open(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/<script>|<SCRIPT>|<IMG|<i>/);
    }
  });

  test('returns 304 until the charge changes', async () => {
    world.clock.nowMs -= world.clock.nowMs % 60_000;
    const reference = await shop.charge(KOFI);
    const headers = { 'if-none-match': `"${versionIn((await open(`${PATH}/${reference}`)).text)}"` };
    expect((await open(`${PATH}/${reference}`, { headers })).status).toBe(304);
    await shop.pay(mtn({ reference }));
    expect((await open(`${PATH}/${reference}`, { headers })).status).toBe(200);
  });
});

describe('charge actions', () => {
  test('cancel a charge once', async () => {
    const reference = await shop.charge(KOFI);
    expect((await send(`${PATH}/${reference}/cancel`)).headers.location).toBe(`${PATH}/${reference}`);
    expect(await shop.verified(reference)).toMatchObject({ status: 'cancelled' });
    expect((await send(`${PATH}/${reference}/cancel`)).status).toBe(303);
    expect((await open(`${PATH}/${reference}`)).text).not.toContain('Cancel this bill');
  });

  test('cannot cancel a paid charge', async () => {
    const reference = await paid();
    expectAnswer(await send(`${PATH}/${reference}/cancel`), 409, 'pill look">Not verified');
  });

  test('add at most twenty notes, visible only to the team', async () => {
    const reference = await shop.charge(KOFI);
    for (let n = 0; n < MAX_NOTES; n++) await send(`${PATH}/${reference}/note`, { note: `Canary ${n}` });
    const { status } = await send(`${PATH}/${reference}/note`, { note: 'One more' });
    expect({ status, notes: (await world.chargeRow(reference))?.notes }).toMatchObject({
      status: 400,
      notes: { length: MAX_NOTES },
    });
    expect(JSON.stringify(await shop.verified(reference))).not.toContain('Canary');
  });

  test('add a note once if the form is submitted twice', async () => {
    const reference = await shop.charge(KOFI);
    for (let n = 0; n < 2; n++) await send(`${PATH}/${reference}/note`, { note: 'Once', once: 'a-page' });
    expect((await world.chargeRow(reference))?.notes).toMatchObject([{ text: 'Once', by: owner.user.user_id }]);
  });

  test('return 503 for a note if a second note is added simultaneously', async () => {
    const reference = await shop.charge(KOFI);
    for (const first of ['One', 'Two']) {
      world.rightBefore('TransactWriteItems', () => send(`${PATH}/${reference}/note`, { note: first }));
      expectAnswer(await send(`${PATH}/${reference}/note`, { note: 'Mine' }), 503, '>Mine</textarea>');
    }
    expect((await world.chargeRow(reference))?.notes).toMatchObject([{ text: 'One' }, { text: 'Two' }]);
  });

  test('ask only for the rest in the link’s text once a part is paid', async () => {
    await world.createSender(SENDER);
    await shop.topUp(10);
    const reference = await shop.charge(KOFI);
    await shop.pay(mtn({ reference, amount: '10.00' }));
    await send(`${PATH}/${reference}/send`, { to: '0241112223' });
    expect(await world.rows('SEND')).toMatchObject([{ message: expect.stringContaining('please pay GHS 26.00 here') }]);
    expect((await open(`${PATH}/${reference}`)).text).toMatch(/they forget it, GHS\s26\.00 from Kofi Mensah/);
  });

  test('text the payment link for one credit', async () => {
    await world.createSender(SENDER);
    await shop.topUp(10);
    const reference = await shop.charge(KOFI);
    const { access_code } = (await world.chargeRow(reference)) ?? {};
    for (let n = 0; n < 2; n++) await send(`${PATH}/${reference}/send`, { to: '0241112223', once: 'a-page' });
    const [sent, ...more] = await world.rows('SEND');
    expect(more).toEqual([]);
    const message = `Ama Stores: please pay GHS 36.00 here: https://pay.example.com/c/${access_code}`;
    expect(sent).toMatchObject({ to: ['+233241112223'], from: SENDER, message });
    expect(await world.rows('BALANCE')).toMatchObject([{ balance: 9 }]);
    const address = `/dashboard/texts/${sent?.send_id}`;
    const link = `<a href="${address}">Link sent to 024 111 2223 as a text</a>`;
    expect((await open(`${PATH}/${reference}`)).text).toContain(link);
    expect((await owner.visit(address)).text).toContain(`href="${PATH}/${reference}">${reference}</a>`);
  });

  test.each([
    ['no credits', 402, async () => world.createSender(SENDER)],
    ['no sender', 503, async () => shop.topUp(10)],
  ])('do not text the payment link if there are %s', async (_, expected, prepare) => {
    await prepare();
    const reference = await shop.charge(KOFI);
    const { status, text } = await send(`${PATH}/${reference}/send`, { to: '0241112223' });
    expect({ status, sends: await world.rows('SEND') }).toEqual({ status: expected, sends: [] });
    expect(text).toMatch(/role="alert">[^<]+/);
    expect(text).toContain('value="0241112223"');
  });

  test('do not text the payment link of a cancelled charge', async () => {
    await world.createSender(SENDER);
    await shop.topUp(10);
    const reference = await shop.charge(KOFI);
    await shop.call('transaction/cancel', { parameters: { reference } });
    expect((await send(`${PATH}/${reference}/send`, { to: '0241112223' })).status).toBe(409);
    expect(await world.rows('SEND')).toEqual([]);
  });

  test('record a refund and mark it as sent', async () => {
    const reference = await paid();
    await send(`${PATH}/${reference}/refund`, { amount: '36', reason: 'Out of stock' });
    const [noted] = (await shop.verified(reference)).refunds;
    expect(noted).toMatchObject({ amount: 36, status: 'noted', reason: 'Out of stock' });
    await send(`${PATH}/${reference}/refund/${noted.refund_id}/close`, { outcome: 'sent' });
    expect((await shop.verified(reference)).refunds).toMatchObject([{ status: 'sent', closed_by: 'hand' }]);
    expect((await open(`${PATH}/${reference}`)).text).toContain('pill plain">Refunded');
  });

  test('no longer include a refund once the network has reversed the payment', async () => {
    const reference = await shop.charge(KOFI);
    const receipt = mtn({ reference });
    await shop.nameBalance(1_100_50);
    await shop.pay(receipt);
    await send(`${PATH}/${reference}/refund`, { amount: '36' });
    expect((await open(`${PATH}/${reference}`)).text).toMatch(/Send it to .*Send it from your MoMo/s);
    const head = { id: Number(receipt.id), balance: 100_00, at_ms: world.clock.nowMs };
    await shop.changeChain({ recent: [head] });
    await shop.arrive(reversal(receipt.id, '36.00', '64.00'));
    const { text } = await open(`${PATH}/${reference}`);
    expect(text).toMatch(/Refund of GHS\u00a036\.00 withdrawn.*The network reversed the payment/s);
    expect(text).not.toMatch(/Send it to|Send it from your MoMo/);
  });

  test('offer the refund of what was paid too much', async () => {
    const reference = await shop.charge(KOFI);
    await shop.pay(mtn({ reference, amount: '40.00' }));
    expect((await open(`${PATH}/${reference}`)).text).toMatch(/name="amount"[^>]*value="4"/);
  });

  test('record the refund that the form showed, although more money has arrived since', async () => {
    const reference = await paid();
    const [, shown] = /name="amount"[^>]*value="([^"]*)"/.exec((await open(`${PATH}/${reference}`)).text) ?? [];
    const rest = mtn({ amount: '9.00', reference });
    await shop.pay(rest);
    await setCharge(world, { reference }, { amount_pesewas: 45_00 });
    await send(`${HELD}/${shop.paymentId(rest)}/give`, { reference, ...LOOKED });
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 45 });
    await send(`${PATH}/${reference}/refund`, { amount: shown ?? '' });
    expect((await shop.verified(reference)).refunds).toMatchObject([{ amount: 36 }]);
  });

  test.each(['50', ''])('reject a refund of “%s” for a bill of 36', async (amount) => {
    const reference = await paid();
    expectAnswer(await send(`${PATH}/${reference}/refund`, { amount }), 400, 'id="amount-error"');
    expect((await shop.verified(reference)).refunds).toEqual([]);
  });
});

test('each action writes one audit entry without personal data', async () => {
  await world.createSender(SENDER);
  await shop.topUp(10);
  const { headers } = await send(`${PATH}/new`, { amount: '36', customer_name: 'Kofi Mensah' });
  const reference = headers.location?.split('/').at(-1) ?? '';
  await send(`${PATH}/${reference}/note`, { note: 'Kofi calls' });
  await send(`${PATH}/${reference}/send`, { to: '0241112223' });
  const [receipt, stray] = [mtn({ amount: '17.35' }), mtn({ amount: '18.35' })];
  for (const one of [receipt, stray]) await shop.pay(one);
  await send(`${HELD}/${shop.paymentId(receipt)}/give`, { reference, ...LOOKED, still_due: '1865' });
  await send(`${HELD}/${shop.paymentId(stray)}/set-aside`, { why: 'Kofi again' });
  await send(`${HELD}/${shop.paymentId(stray)}/take-back`);
  await send(`${PATH}/${reference}/refund`, { amount: '17.35', reason: 'Kofi changed his mind' });
  const [refund] = (await shop.verified(reference)).refunds;
  for (let n = 0; n < 2; n++) await send(`${PATH}/${reference}/refund/${refund.refund_id}/close`, { outcome: 'sent' });
  const other = await shop.charge(KOFI);
  for (let n = 0; n < 2; n++) await send(`${PATH}/${other}/cancel`);

  const own = (await shop.audit()).filter(({ by }) => by === owner.user.user_id);
  expect(own.map(({ action, about }) => ({ action, about }))).toEqual([
    { action: 'charge create', about: reference },
    { action: 'charge note', about: reference },
    { action: 'charge send', about: reference },
    { action: 'receipt assign', about: shop.paymentId(receipt) },
    { action: 'receipt set-aside', about: shop.paymentId(stray) },
    { action: 'receipt take-back', about: shop.paymentId(stray) },
    { action: 'refund note', about: reference },
    { action: 'refund close', about: reference },
    { action: 'charge cancel', about: other },
  ]);
  expect(JSON.stringify(own)).not.toMatch(/kofi|1112223/i);
});

describe('payments to check', () => {
  /** Creates an unmatched payment and returns its page's URL. */
  async function held(receipt: ReceiptText = mtn({ from: 'KOJO ANTWI', amount: '17.35' })): Promise<string> {
    await shop.pay(receipt);
    return `${HELD}/${shop.paymentId(receipt)}`;
  }

  /** Returns the references of the suggested charges in page order. */
  async function offered(path: string): Promise<string[]> {
    const { text } = await open(path);
    return [...text.matchAll(/give\?reference=(MK-\d{10})"/g)].flatMap(([, reference]) => reference ?? []);
  }

  describe('the list', () => {
    test('shows an explanation if it is empty', async () => {
      for (const list of ['held', 'unread', 'set_aside', 'decided'])
        expect((await open(HELD, { query: { list } })).text).toContain('class="empty"');
    });

    test('shows the amount, payer and proof of each payment', async () => {
      const path = await held();
      const { text } = await open(HELD);
      expect(text).toContain(`href="${path}"`);
      expect(text).toMatch(/GHS 17\.35<\/b>.*>KOJO ANTWI<\/span>.*Not verified/s);
      expect(text).not.toContain('No bill matches');
      expect((await open(path)).text).toMatch(
        /did not type one of your references\. We checked the bills for this amount/,
      );
    });

    test('says on every page that its warning is only about that page', async () => {
      for (let n = 0; n < 21; n++) await held(mtn({ reference: 'rent' }));
      const first = (await open(HELD)).text;
      expect(first).toContain('20 payments on this page,');
      const cursor = /cursor=([^"&]+)/.exec(first)?.[1] ?? '';
      const { text } = await open(HELD, { query: { cursor: decodeURIComponent(cursor) } });
      expect(text).toContain('1 payment on this page,');
    });

    test('counts a contradicted payment in the warning', async () => {
      await held(mtn({ amount: '17.35', reference: 'rent' }));
      const doubted = mtn({ amount: '200.00', reference: 'rent' });
      await held(doubted);
      const job = { kind: 'suspected', network: 'MTN', momo_number: shop.number, transaction_id: doubted.id };
      await world.work('settle-receipt', [job]);
      const { text } = await open(HELD);
      expect(text).toMatch(/<b>2 payments, <span class="number">GHS\s217\.35<\/span>, not verified<\/b>/);
      expect(text).toContain('Something contradicts this payment');
    });

    test('puts what the payer typed on a line of its own', async () => {
      await held(mtn({ amount: '17.35', reference: 'rent' }));
      expect((await open(HELD)).text).toMatch(
        /<span class="pill look">Not verified<svg.*<\/span>.*<\/div>\s*<p class="hint">Typed\u00a0<span/s,
      );
    });

    test('offers to assign a large payment to the charge that it names, once it is verified', async () => {
      await shop.change({ confirm_always_above_pesewas: 35_99 });
      const reference = await shop.charge(KOFI);
      await shop.pay(mtn({ reference }));
      expect(await offered(HELD)).toEqual([]);
      await verifyMoney(world);
      expect(await offered(HELD)).toEqual([reference]);
    });

    test('does not offer to assign a late payment, because its payer may have paid another charge since', async () => {
      const late = await shop.charge(KOFI);
      world.clock.nowMs += 25 * HOUR_MS - MINUTE_MS;
      owner = await shop.signIn('owner');
      await shop.pay(mtn({ reference: late }));
      await verifyMoney(world);
      expect(await offered(HELD)).toEqual([]);
      expect((await open(HELD)).text).toContain('>Decide<');
    });

    test('offers to check a payment whose charge in doubt only has the payer’s name', async () => {
      const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
      await setCharge(world, { reference }, { disputed: { at: world.iso(), why: 'conflict' } });
      await shop.pay(mtn());
      await verifyMoney(world);
      const { text } = await open(HELD);
      expect(await offered(HELD)).toEqual([]);
      expect(text).toMatch(new RegExp(`May be for\u00a0<a [^>]*${reference}`));
    });

    const LISTS = ['Bills', 'To decide', 'Not understood', 'Not for a bill', 'Decided'];
    const ANSWERS = ['Check', 'Not there, or not for a bill', 'The money is not there', 'It is not for a bill'];
    test.each([
      ['owner', ['See what the texts say', ...ANSWERS]],
      ['manager', ANSWERS],
      ['cashier', []],
      ['viewer', []],
    ] as const)('offers the %s the actions %j', async (role, decisions) => {
      const by = await shop.signIn(role);
      const path = await held();
      const { text } = await open(HELD, { by });
      const list = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
      const offered = [...list.matchAll(/>([^<>]+)<\/(?:a|summary|button)>/g)].map(([, name]) => name);
      expect(offered.filter((name) => !LISTS.includes(name ?? ''))).toEqual(decisions);
      const [warning = '', card = ''] = list.split('<li class="card">');
      expect(warning).toMatch(
        /1 payment, <span class="number">GHS [\d.]+<\/span>, not verified<.*Check your MoMo balance first\..*Dial <b class="number">\*170#<\/b>/s,
      );
      expect(card.includes(`action="${path}/set-aside"`)).toBe(
        card.includes(
          'This payment is not verified and may be forged.</b> Nothing you record here is added to any total.',
        ),
      );
    });

    test('suggests checking the wallet first until the payment is verified', async () => {
      await held();
      const actions = async () => {
        const { text } = await open(HELD);
        const list = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
        return [...list.matchAll(/<a class="(plain )?button"[^>]*>([^<]*)/g)].map(
          ([, plain = '', name]) => plain + name,
        );
      };
      expect(await actions()).toEqual(['plain Check']);
      await verifyMoney(world);
      expect(await actions()).toEqual(['Choose a bill']);
    });

    test('has a button to set each payment aside', async () => {
      await held();
      const { text } = await open(HELD);
      const [, action = ''] = /action="([^"]*set-aside)"/.exec(text) ?? [];
      expect((await send(action, {})).status).toBe(303);
      expectWords((await open(HELD)).text, ['No payments are waiting']);
    });

    test('requires a confirmation page for each assignment', async () => {
      const reference = await shop.charge(KOFI);
      await shop.pay(mtn({ reference }));
      await held(mtn({ reference }));
      expect((await open(HELD)).text).not.toMatch(/action="[^"]*\/(give|release)"/);
    });

    test('shows texts that could not be parsed', async () => {
      await shop.arrive({ sender: 'MobileMoney', text: 'GHS 12 has come in a <b>new</b> way from ABENA' });
      const { text } = await open(HELD, { query: { list: 'unread' } });
      expect(text).toContain('GHS 12 has come in a &lt;b&gt;new&lt;/b&gt; way from ABENA');
      const [, path = ''] = /href="(\/dashboard\/held\/[^"]+)"/.exec(text) ?? [];
      expect((await open(path)).text).toContain('does not read like a payment');
    });

    test.each([
      ['owner', true],
      ['manager', false],
    ] as const)('shows wallet balances only to the owner (%s: %s)', async (role, isTold) => {
      const by = await shop.signIn(role);
      const path = await held();
      await shop.arrive({ sender: 'MobileMoney', text: 'A new way to pay. Your bal. is now GHS 1,136.50' });
      const pages = [await open(path, { by }), await open(HELD, { by, query: { list: 'unread' } })];
      expect(pages.map(({ text }) => text.includes('1,136.50'))).toEqual([isTold, isTold]);
    });

    test('is read-only for a viewer', async () => {
      const by = await shop.signIn('viewer');
      const path = await held();
      expect((await open(HELD, { by })).status).toBe(200);
      expect((await open(path, { by })).text).not.toMatch(/Which charge|Set it aside/);
    });

    test('changes only when a payment is added or removed', async () => {
      const version = async () => versionIn((await open(HELD)).text);
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

  test('have a label, an explanation and advice for every reason', () =>
    checkEach(HeldReason.options, (reason) => {
      const { label, explanation, look = [], steps } = heldWords({ reason });
      expect({
        isLabel: label.length > 3,
        explanationEnds: explanation.endsWith('.'),
        areSentences: steps.every((step) => step.endsWith('.')),
      }).toEqual({
        isLabel: true,
        explanationEnds: true,
        areSentences: true,
      });
      expect([label, explanation, look, ...steps].join(' ')).not.toContain('_');
    }));

  test('are shown without advice to send them back if unverified, for every reason', () =>
    checkEach(HeldReason.options, (reason) => {
      const { look = '', steps } = heldWords({ reason, proof: { state: 'unproven' } });
      expect([look, ...steps].join(' ')).not.toMatch(/back/i);
      if (reason === 'reversed') return;
      expect(look).toMatch(/^Check your MoMo balance first\./);
      expect(steps.length).toBeGreaterThan(0);
    }));

  const VERIFIED_BILL = {
    merchant_id: 'mch_1',
    state: 'success',
    amount_pesewas: 36_00,
    payment: storedPayment('real', 36_00, { proof: { state: 'proven' } }),
  } as const;
  test.each(['amount_of_another', 'number_unknown', 'number_not_placed'] as const)(
    'say that another payment has paid the bill since (reason: %s)',
    (reason) => {
      const { explanation, steps } = heldWords({ reason, proof: { state: 'unproven' } }, VERIFIED_BILL);
      expect(explanation).toMatch(/ paid/);
      expect(steps.join(' ')).not.toMatch(/choose its bill|back/i);
      expect(heldWords({ reason }).explanation).not.toMatch(/ paid by/);
    },
  );

  test.each([
    ['is unverified', { ...VERIFIED_BILL, payment: storedPayment('forged', 36_00) }],
    ['is unknown', undefined],
  ])('are shown without advice to send back a second payment if the first %s', (_, bill) => {
    const { look, steps } = heldWords({ reason: 'already_paid', proof: { state: 'proven' } }, bill);
    expect(look).toMatch(
      /^Check your MoMo balance first\. This payment is verified, but the payment that paid its bill is not\./,
    );
    expect(steps.join(' ')).not.toMatch(/back/i);
  });

  test.each(['already_paid', 'charge_expired', 'charge_cancelled', 'charge_reversed', 'amount_differs'] as const)(
    'are shown with advice to send them back if verified or in test mode (reason: %s)',
    (reason) => {
      for (const one of [{ proof: { state: 'proven' } as const }, { merchant_id: testAccountIdOf('mch_1') }])
        expect(heldWords({ reason, ...one }, VERIFIED_BILL).steps).toEqual([expect.stringMatching(/send it back/i)]);
    },
  );

  test.each([
    ['charge_expired', 'expired', 'match it to that bill. There is no time limit.'],
    ['charge_expired', 'success', 'match it to that bill. There is no time limit.'],
    ['charge_reversed', 'reversed', 'press Pay on the request’s page, and match this payment to the new bill.'],
  ] as const)('are shown with advice to match a request’s %s payment (bill: %s)', (...row) => {
    const [reason, state, advice] = row;
    const bill = { ...VERIFIED_BILL, state } as const;
    const { steps } = heldWords({ reason, proof: { state: 'proven' } }, bill, 'yes');
    expect(steps).toEqual([`If the customer still owes this money, ${advice}`]);
  });

  test('are shown with advice to check its request first if unverified money has paid that', () => {
    const { steps } = heldWords({ reason: 'already_paid', proof: { state: 'proven' } }, VERIFIED_BILL, 'unsure');
    expect(steps.join(' ')).toMatch(/^First check the other payments of its request\./);
  });

  const TO_NEW_BILL = 'press Pay on the request’s page, and match this payment to the new bill.';
  test.each<[what: string, receipt: Parameters<typeof heldWords>[0], bill: typeof VERIFIED_BILL | undefined]>([
    ['verified', { proof: { state: 'proven' } }, VERIFIED_BILL],
    ['verified, for a bill that is not', { proof: { state: 'proven' } }, undefined],
    ['unverified', { proof: { state: 'unproven' } }, VERIFIED_BILL],
  ])('are shown with advice to match a second payment to a new bill of a request that needs it (%s)', (...row) => {
    const [, receipt, bill] = row;
    const { steps } = heldWords({ reason: 'already_paid', ...receipt }, bill, 'yes');
    expectWords(steps.join(' '), [TO_NEW_BILL], ['Do not create a new bill']);
  });

  describe('suggested charges', () => {
    test('include charges with the reference or the same amount', async () => {
      const customer_phone = '0241112222';
      const both = [
        await shop.charge({ amount: 40, customer_phone }),
        await shop.charge({ amount: 45, customer_phone }),
      ];
      for (let n = 0; n < 21; n++) await shop.charge({ amount: 45 });
      await streamed();
      const path = await held(mtn({ from: 'YAA BOATENG', reference: both[0], amount: '45.00' }));
      expect((await offered(path)).slice(0, 1)).toEqual([both[0]]);
      expect(await offered(path)).toContain(both[1]);
      expect((await open('/dashboard/held')).text).not.toContain('>Match it<');
    });

    test('list the shop’s own bill above one that a visitor opened at a link', async () => {
      const own = await shop.charge({ amount: 36, customer_name: 'Yaw Owusu' });
      const { json } = await shop.call('link/create', { body: { title: 'Cloth', amount: 36 } });
      const { reference: visitors } = await world.openLink(json.data.slug);
      await streamed();
      const path = await held(mtn({ from: 'AMA SERWAA', reference: 'lunch', amount: '36.00' }));
      await verifyMoney(world);
      expect(await offered(path)).toEqual([own, visitors]);
      expect((await open(path)).text).not.toMatch(/class="button" href="[^"]*give\?/);
    });

    test('list the reasons for and against each match', async () => {
      const [kofis, amas] = [await shop.charge(KOFI), await shop.charge({ ...KOFI, customer_name: 'Ama Serwaa' })];
      await shop.charge({ amount: 99, customer_name: 'Esi Arthur' });
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH BOATENG', reference: 'MK 12345678' }));
      expect(await offered(path)).toEqual([kofis, amas]);
      expectWords((await open(path)).text, [
        'The payment is exactly the bill’s amount.',
        'The payer has the customer’s name: Kofi Mensah.',
        'The bill’s customer is Ama Serwaa, but the payer is KOFI MENSAH BOATENG.',
        'The payer typed a different reference: <span class="number">“MK 12345678”</span>.',
      ]);
    });

    test('start with the charge whose reference was mistyped', async () => {
      const wanted = await shop.charge({ amount: 36 });
      await shop.charge(KOFI);
      await streamed();
      const typed = `${wanted.slice(0, -1)}${(Number(wanted.at(-1)) + 1) % 10}`;
      const path = await held(mtn({ from: 'KOFI MENSAH', reference: typed }));
      expect((await offered(path))[0]).toBe(wanted);
      expect((await open(path)).text).toContain('almost this bill’s reference');
    });

    test.each([
      ['Order 1007', 'The payer typed digits of this bill’s order number: “Order 1007”.'],
      ['inv 1007', 'The payer typed this bill’s order number: “inv 1007”.'],
      ['for Ama Serwaa', 'The payer typed the customer’s name: “for Ama Serwaa”.'],
    ])('start with the bill that the payer named, although another has the payer’s name: %s', async (typed, words) => {
      const wanted = await shop.charge({ amount: 36, customer_name: 'Ama Serwaa', merchant_reference: 'INV-1007' });
      const own = await shop.charge({ ...KOFI, merchant_reference: 'INV-1008' });
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH', reference: typed }));
      await verifyMoney(world);
      expect(await offered(path)).toEqual([wanted, own]);
      expect(await buttons(path)).toEqual(['plain button', 'plain button']);
      expectWords((await open(path)).text, [words, 'The payer did not type this bill’s reference.']);
    });

    test('start with the shop’s own bill, although a stranger typed the payer’s phone number at a link', async () => {
      const amount = 600;
      const own = await shop.charge({ amount, customer_name: 'Ama Serwaa' });
      const { json } = await shop.call('link/create', {
        body: { title: 'Airtime', amount, codes: ['CODE-1'], text_codes: true },
      });
      await world.openLink(json.data.slug, { phone: '+233241112222' });
      await streamed();
      const path = await held(mtn({ from: 'AMA SERWAA', amount: '600.00', reference: '0241112222' }));
      await verifyMoney(world);
      expect((await offered(path))[0]).toBe(own);
      expect(await buttons(path)).toEqual(['plain button', 'plain button']);
    });

    test('have no green button if the payer named a bill that was paid since', async () => {
      const named = await shop.charge({ amount: 36, customer_name: 'Ama Serwaa', merchant_reference: 'INV-1007' });
      await shop.charge(KOFI);
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH', reference: 'Order 1007' }));
      await shop.pay(mtn({ from: 'AMA SERWAA', reference: named }));
      await verifyMoney(world);
      expect(await buttons(path)).not.toContain('button');
    });

    test('have no green button if the payer named a paid bill, and nobody has the payer’s name', async () => {
      const named = await shop.charge({ amount: 36, customer_name: 'Ama Serwaa', merchant_reference: 'INV-1007' });
      const other = await shop.charge({ amount: 36, merchant_reference: 'INV-2201' });
      await shop.pay(mtn({ from: 'AMA SERWAA', reference: named }));
      await streamed();
      const path = await held(mtn({ from: 'KOJO ANTWI', reference: 'Order 1007' }));
      await verifyMoney(world);
      expect(await offered(path)).toEqual([other]);
      expect(await buttons(path)).toEqual(['plain button']);
    });

    test('include similar customer names if no amount matches', async () => {
      const wanted = await shop.charge({ amount: 40, customer_name: 'Kojo Antwi' });
      await streamed();
      const path = await held();
      expect(await offered(path)).toEqual([wanted]);
      expect((await open(path)).text).toContain('GHS\u00a022.65 less than the bill’s amount');
    });

    test('have a green button only if exactly one open bill fits a verified payment', async () => {
      const mistyped = await shop.charge({ amount: 36 });
      await shop.charge({ ...KOFI, amount: 40 });
      await streamed();
      const typed = `${mistyped.slice(0, -1)}${(Number(mistyped.at(-1)) + 1) % 10}`;
      const path = await held(mtn({ from: 'KOFI MENSAH', reference: typed }));
      expect(await buttons(path)).toEqual(['plain button', 'plain button']);
      await verifyMoney(world);
      expect(await buttons(path)).toEqual(['button', 'plain button']);
      await send(`${PATH}/${mistyped}/cancel`);
      expect(await buttons(path)).toEqual(['plain button', 'plain button']);
    });

    test('have no green button for a mistyped reference if the amount or another bill speaks against it', async () => {
      const mistyped = await shop.charge({ amount: 50 });
      const typed = `${mistyped.slice(0, -1)}${(Number(mistyped.at(-1)) + 1) % 10}`;
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH', reference: typed }));
      await verifyMoney(world);
      expect(await buttons(path)).toEqual(['plain button']);
      await shop.charge(KOFI);
      await streamed();
      expect(await buttons(path)).toEqual(['plain button', 'plain button']);
    });

    test('have no green button if several open bills fit', async () => {
      for (let n = 0; n < 2; n++) await shop.charge(KOFI);
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH' }));
      await verifyMoney(world);
      expect(await buttons(path)).toEqual(['plain button', 'plain button']);
    });

    test('have no green button if too many bills are open to compare', async () => {
      await shop.charge({ ...KOFI, amount: 600 });
      const payment = mtn({ from: 'KOFI MENSAH', amount: '600.00' });
      const path = await held(payment);
      await verifyMoney(world);
      expect(await buttons(path)).toEqual(['button']);
      const row = { receipt_id: shop.paymentId(payment) };
      await world.outside.table.write([receiptRows.change(row, { reason: 'too_many_open' })]);
      expect(await buttons(path)).toEqual(['plain button']);
    });

    test('have no green button if a bill that fits as well is not listed', async () => {
      await shop.charge(KOFI);
      world.clock.nowMs += 1_000;
      for (const customer_name of ['Kofi Asare', 'Yaw Mensah', undefined])
        for (let n = 0; n < 7; n++) await shop.charge({ ...KOFI, customer_name });
      world.clock.nowMs += 1_000;
      const listed = await shop.charge(KOFI);
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH' }));
      await verifyMoney(world);
      expect((await offered(path))[0]).toBe(listed);
      expect(await buttons(path)).not.toContain('button');
    });

    test('of a second payment are the paid bill, to open, and no unlikely bill', async () => {
      const cancelled = await shop.charge({ ...KOFI, amount: 40 });
      await send(`${PATH}/${cancelled}/cancel`);
      const reference = await paid();
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH', reference, amount: '40.00' }));
      const { text } = await open(path);
      expectWords(text, [`href="${PATH}/${reference}">Open the bill</a>`], [cancelled, '>Choose<']);
      expect(text).toContain('Compare this payment with the one that paid the bill.');
    });

    async function buttons(path: string): Promise<(string | undefined)[]> {
      const found = (await open(path)).text.matchAll(/class="([a-z ]*button)" href="[^"]*\/give\?reference/g);
      return [...found].map(([, look]) => look);
    }

    test('are limited to five', async () => {
      const other = await world.createShop();
      await other.charge(KOFI);
      for (let n = 0; n < 12; n++) await shop.charge({ ...KOFI, email: `k${n}@example.com` });
      await streamed();
      const path = await held(mtn({ from: 'KOFI MENSAH' }));
      world.requests.length = 0;
      expect(await offered(path)).toHaveLength(5);
      expect(world.requests.length).toBeLessThanOrEqual(19);
    });
  });

  describe('assigning a payment', () => {
    test('takes two taps', async () => {
      const reference = await shop.charge({ amount: 17.35 });
      await streamed();
      const path = await held();
      const choose = (await open(path)).text;
      expect(choose).toContain(`href="${path}/give?reference=${reference}"`);
      const confirm = await open(`${path}/give`, { query: { reference } });
      expect(confirm.text).toContain('The money is there: match GHS\u00a017.35');
      for (let n = 0; n < 2; n++) {
        const { status, headers } = await send(`${path}/give`, { reference, ...LOOKED, once: 'a-page' });
        expect({ status, location: headers.location }).toEqual({
          status: 303,
          location: `/dashboard/charges/${reference}`,
        });
      }
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
    });

    test.each([
      ['part', 'pending'],
      ['full', 'success'],
    ])('counts a smaller payment as %s and leaves the bill %s', async (counts_as, status) => {
      const reference = await shop.charge({ amount: 40 });
      const path = await held();
      expect((await open(`${path}/give`, { query: { reference } })).text).toContain('GHS\u00a022.65 is still due');
      await send(`${path}/give`, { reference, ...LOOKED, counts_as, still_due: '2265' });
      expect(await shop.verified(reference)).toMatchObject({ status, amount_paid: 17.35 });
    });

    test('does not accept less than the form showed', async () => {
      const reference = await shop.charge({ amount: 40 });
      const path = await held();
      await shop.pay(mtn({ reference, amount: '20.00' }));
      const { text } = await open(`${path}/give`, { query: { reference } });
      const [, still_due = ''] = /name="still_due" value="(\d+)"/.exec(text) ?? [];
      expect(still_due).toBe('265');
      await setCharge(world, { reference }, { parts: [] });
      const form = { reference, ...LOOKED, counts_as: 'full', still_due };
      expectAnswer(await send(`${path}/give`, form), 409, 'More is due on this bill than the form showed');
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    });

    test('is rejected if the payment is already assigned', async () => {
      const [one, other] = [await shop.charge({ amount: 17.35 }), await shop.charge({ amount: 17.35 })];
      const path = await held();
      await send(`${path}/give`, { reference: one, ...LOOKED });
      expectAnswer(await send(`${path}/give`, { reference: other, ...LOOKED }), 409, 'No longer waiting');
      expect(await shop.verified(other)).toMatchObject({ status: 'pending' });
    });

    test('is rejected if the charge is already paid', async () => {
      const reference = await shop.charge({ amount: 17.35 });
      await shop.pay(mtn({ reference, amount: '17.35' }));
      const path = await held();
      expectAnswer(await send(`${path}/give`, { reference, ...LOOKED }), 409, 'role="alert">', reference);
    });

    test.each(['Esi Baidoo', '99', '99.00', 'order-9', '055 111 2223'])('finds the bill by “%s”', async (known) => {
      const customer = { customer_name: 'Esi Baidoo', customer_phone: '0551112223', merchant_reference: 'order-9' };
      const reference = await shop.charge({ amount: 99, ...customer });
      await shop.charge({ amount: 98, customer_name: 'Yaw Adjei' });
      await streamed();
      const path = await held();
      const { text } = await open(`${path}/give`, { query: { reference: known } });
      expectWords(text, [`href="${path}/give?reference=${reference}"`], ['Yaw Adjei']);
      // A phone does not cut a name with bold words.
      expect(text).toMatch(/<b>Esi<\/b> <b>Baidoo<\/b>|<b>Esi Baidoo<\/b>/);
      const next = await open(`${path}/give`, { query: { reference } });
      expect(next.text).toContain('Match the payment to this bill?');
    });

    test('asks again if the reference is unknown', async () => {
      const path = await held();
      for (const reference of ['MK-1234567890', 'nonsense', '<em>']) {
        const { status, text } = await open(`${path}/give`, { query: { reference } });
        expect({ status, saysNoSuchBill: text.includes('No such bill'), hasMarkup: text.includes('<em>') }).toEqual({
          status: 200,
          saysNoSuchBill: true,
          hasMarkup: false,
        });
      }
    });
  });

  describe('setting a payment aside', () => {
    test('moves the payment to a separate list with the reason', async () => {
      const path = await held();
      await send(`${path}/set-aside`, { why: 'My brother paid me back' });
      expect((await open(HELD)).text).not.toContain('KOJO ANTWI');
      expect((await open(HELD, { query: { list: 'set_aside' } })).text).toContain('My brother paid me back');
      expect((await open(path)).text).toContain('By Canary the owner');
      expect(await shop.listed('held')).toEqual([]);
      const set_aside = { why: 'My brother paid me back' };
      expect(await shop.listed('set_aside')).toMatchObject([{ status: 'held', set_aside }]);
      await send(`${path}/take-back`);
      expect(await shop.listed('held')).toMatchObject([{ set_aside: null }]);
    });

    test('shows a refund recorded by the merchant’s server', async () => {
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

    test('prevents claims until the payment is restored', async () => {
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

    test('prevents texting a claim code', async () => {
      const telecels = await world.createShop({ network: 'TELECEL' });
      const receipt = telecel();
      const id = telecels.paymentId(receipt);
      expect(await telecels.pay(receipt)).toHaveProperty('gsi2pk', expect.stringMatching(/^HELD#/));
      const by = await telecels.signIn('owner');
      await send(`${HELD}/${id}/set-aside`, {}, { by });
      expect(await world.receiptRow(id)).toHaveProperty('gsi2pk', expect.stringMatching(/^ASIDE#/));
    });

    test('takes one press if the money of an unverified payment is not in the wallet', async () => {
      const path = await held();
      const { text } = await open(path);
      const [, fields = ''] =
        /<form[^>]*\/set-aside"[^>]*>((?:(?!<\/form>).)*)The money is not there<\/button>/s.exec(text) ?? [];
      const [, why = ''] = /name="why" value="([^"]*)"/.exec(fields) ?? [];
      await send(`${path}/set-aside`, { why });
      expect(await shop.listed('set_aside')).toMatchObject([{ set_aside: { why: 'The money is not in the wallet.' } }]);
      const verified = mtn({ from: 'KOJO ANTWI', amount: '18.35' });
      const other = await held(verified);
      await verifyMoney(world);
      expect((await open(other)).text).not.toContain('The money is not there');
    });

    test('is offered above the bills that may be meant', async () => {
      for (let n = 0; n < 2; n++) await shop.charge({ ...KOFI, amount: 17.35 });
      const { text } = await open(await held());
      const places = [
        'The money is not there<',
        '>It is not for a bill</summary>',
        'Which bill is the payment for?',
      ].map((words) => text.indexOf(words));
      expect(places).toEqual(places.filter((place) => place > 0).toSorted((one, other) => one - other));
    });

    test('does not prevent assigning the payment', async () => {
      const path = await held();
      await send(`${path}/set-aside`);
      const reference = await shop.charge({ amount: 17.35 });
      await send(`${path}/give`, { reference, ...LOOKED });
      const receipt = await world.receiptRow(path.split('/').at(-1) ?? '');
      expect(receipt).toMatchObject({ state: 'matched', reference });
      expect(receipt).not.toHaveProperty('set_aside');
    });

    test.each([
      ['is assigned simultaneously', 'give', 'success'],
      ['is set aside before it is assigned', 'set-aside', 'pending'],
    ])('returns 409 if the payment %s', async (_, first, status) => {
      const path = await held();
      const reference = await shop.charge({ amount: 17.35 });
      const give = () => send(`${path}/give`, { reference, ...LOOKED });
      const setAside = () => send(`${path}/set-aside`);
      world.rightBefore('TransactWriteItems', first === 'give' ? give : setAside);
      expect((await (first === 'give' ? setAside() : give())).status).toBe(409);
      expect(await shop.verified(reference)).toMatchObject({ status });
    });

    test.each(['', '/give'])('is impossible for a matched payment (path: “%s”)', async (page) => {
      const reference = await shop.charge({ amount: 17.35 });
      const receipt = mtn({ reference, amount: '17.35' });
      await shop.pay(receipt);
      const path = `${HELD}/${shop.paymentId(receipt)}`;
      const { text } = await open(`${path}${page}`, { query: { reference } });
      expect(text).toMatch(/belongs to the bill|No longer waiting/);
      expect((await send(`${path}/set-aside`)).status).toBe(409);
    });
  });
});
