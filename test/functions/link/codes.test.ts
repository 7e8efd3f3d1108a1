import { beforeEach, describe, expect, test } from 'vitest';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { releaseHeldGoods } from '../../../shared/money/goods/decide-release.ts';
import { addCodes as linkAddCodes, removeCodes } from '../../../shared/money/link/add-codes.ts';
import { giveCode, isCodeDue, serveWaiting } from '../../../shared/money/link/hand-out-code.ts';
import { MAX_CODES } from '../../../shared/money/link/link-request.ts';
import { makeLink } from '../../../shared/money/link/make-link.ts';
import { getCode, givenCode } from '../../../shared/money/link/stock.table.ts';
import { changeItem, type Item, type TableWrite } from '../../../shared/runtime/table/table.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectFailure } from '../../support/envelope.ts';
import { drainJobs, work } from '../../support/pushed.ts';
import { type Arrival, type CreatedCharge, mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { storedCharge } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { provenBook } from '../../support/wallet-book.ts';

/** Links that sell stock codes. Each code goes to exactly one payer, in order of payment. */

const CODES = ['CANARY-1', 'CANARY-2', 'CANARY-3'];

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  await world.createSender('+233241234500');
  await shop.topUp(5);
});

test.each([
  ['is due once its charge is paid', 'success', true],
  ['is not due while its charge is unpaid', 'pending', false],
] as const)('a code %s', (_, state, isDue) => {
  const goods = { kind: 'code', state: 'unpaid' } as const;
  expect(isCodeDue(storedCharge({ origin: { kind: 'link', slug: 'kente' }, goods, state }))).toBe(isDue);
});

test('a link made for a till names the till', async () => {
  const merchant = await requireMerchant(world.outside, shop.id);
  const link = await makeLink(
    world.outside,
    merchant,
    { title: 'Counter', min_amount: 1, till: 'till' },
    async (made) => made,
  );
  expect(link).toMatchObject({ title: 'Counter', till: 'till' });
});

describe('a stock code', () => {
  test('is shown only to its payer after payment', async () => {
    const slug = await make();
    const [mine, other] = [await world.openLink(slug), await world.openLink(slug)];
    expect((await pageOf(mine)).text).not.toContain('CANARY');
    const { json, text } = await payFor(mine);
    expect(text).toContain('CANARY-1');
    expect(json).toEqual({});
    expect(await codeOf(mine)).toMatchObject({ status: 'given', number: 1 });
    for (const { text: shown } of [
      await pageOf(other),
      await world.call('checkout/receipt', { parameters: { access_code: mine.access_code } }),
      await world.call('pay/page', { parameters: { slug } }),
      await shop.call('link/show', { parameters: { slug } }),
      await shop.call('link/list'),
      await shop.call('transaction/verify', { parameters: { reference: mine.reference } }),
    ])
      expect(shown).not.toContain('CANARY');
    const told = (await world.scan()).filter(({ pk }) => /^(EVENT|TRANSACTION|SEND|LINK)#/.test(String(pk)));
    expect(JSON.stringify([told, world.logged, world.noted])).not.toContain('CANARY');
  });

  test('is issued once despite repeated jobs', async () => {
    const slug = await make();
    const opened = await openMany(slug, 3);
    for (const one of opened.toReversed()) await arriveFor(one);
    await world.followChanges();
    const jobs = drainJobs(world).map(({ body }) => body);
    await work(world, [...jobs, ...jobs, ...jobs], 2);
    expect((await codesOn(opened)).toSorted()).toEqual(CODES);
    expect(await stockOf(slug)).toMatchObject({ added: 3, left: 0, waiting: 0 });
  });

  test('is never issued for an unpaid charge', async () => {
    const slug = await make();
    const mine = await world.openLink(slug);
    expect(await giveCode(world.outside, mine.reference)).toBeUndefined();
    expect({ code: await codeOf(mine), stock: await stockOf(slug) }).toMatchObject({
      code: { status: 'unpaid' },
      stock: { left: 3, waiting: 0 },
    });
  });

  test('is not issued for another link’s charge', async () => {
    const plain = await world.openLink(await make(null));
    await payFor(plain);
    const order = await shop.charge({ amount: 25 });
    await shop.pay(mtn({ amount: '25.00', reference: order }));
    for (const reference of [plain.reference, order, 'MK-0000000000'])
      expect(await giveCode(world.outside, reference)).toBeUndefined();
  });

  test('is shown again when its payer reopens the page', async () => {
    const mine = await world.openLink(await make());
    await payFor(mine);
    expect(await giveCode(world.outside, mine.reference)).toMatchObject({ goods: { state: 'given', number: 1 } });
  });

  test('is issued to each of ten simultaneous payers', async () => {
    const slug = await make(Array.from({ length: 10 }, (_, n) => `CANARY-${n}`));
    const opened = await openMany(slug, 10);
    for (const one of opened) await arriveFor(one);
    await world.followChanges();
    world.slept.length = 0;
    await Promise.all(drainJobs(world).map(({ body }) => work(world, [body])));
    expect({ hasWaited: world.slept.length > 0, longWaits: world.slept.filter((ms) => ms > 400) }).toEqual({
      hasWaited: true,
      longWaits: [],
    });
    expect(new Set(await codesOn(opened)).size).toBe(10);
  });

  test('is issued to only one of two simultaneous payers', async () => {
    const slug = await make(CODES.slice(0, 1));
    const opened = await openMany(slug, 2);
    for (const one of opened) await arriveFor(one);
    await world.followChanges();
    await Promise.all(drainJobs(world).map(({ body }) => work(world, [body])));
    await world.tell(6);
    const states = await Promise.all(opened.map(codeOf));
    expect(states.map((code) => code?.status).toSorted()).toEqual(['given', 'waiting']);
    expect(await stockOf(slug)).toMatchObject({ left: 0, waiting: 1 });
  });

  test('is texted once and masked in lists', async () => {
    const slug = await make(CODES, { text_codes: true });
    await payFor(await world.openLink(slug, { phone: '020 987 6543' }));
    await world.tell(6);
    const [send, ...others] = await world.rows('SEND');
    expect({ to: send?.to, others }).toEqual({ to: ['+233209876543'], others: [] });
    expect(send?.message).toContain('your code is ******** (Hostel Wi-Fi)');
    const texts = await world.rows('CODE_TEXT');
    expect(texts.map(({ text }) => text)).toEqual([expect.stringContaining('your code is CANARY-1 (Hostel Wi-Fi)')]);
  });

  test('is texted within a day', async () => {
    const mine = await world.openLink(await make(CODES, { text_codes: true }), { phone: '020 987 6543' });
    await payFor(mine);
    const [send] = await world.rows('SEND');
    const [text] = await world.rows('CODE_TEXT');
    const dayLater = world.clock.nowMs + 24 * 60 * 60 * 1000;
    expect(Date.parse(String(send?.useless_at))).toBe(dayLater);
    expect(text?.expires_at_epoch_seconds).toBe(Math.floor(dayLater / 1000));
  });

  test.each<[string, object, Record<string, string>]>([
    ['the link does not text codes', {}, { phone: '020 987 6543' }],
    ['the customer entered no number', { text_codes: true }, {}],
    ['the price is below one cedi', { text_codes: true, amount: 0.99 }, { phone: '020 987 6543' }],
  ])('is not texted if %s', async (_, more, typed) => {
    const mine = await world.openLink(await make(CODES, more), typed);
    const page = await payFor(mine, Object(more).amount && { amount: '0.99' });
    expect(page.text).toContain('CANARY-1');
    expect(await world.rows('SEND')).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the shop ran out of credits', () => shop.topUp(-5)],
    ['the shop was suspended', () => shop.suspend()],
    ['texting codes was turned off', () => textNoMore()],
  ])('is not texted if %s after payment', async (_, ends) => {
    slug = await make(CODES, { text_codes: true });
    const mine = await world.openLink(slug, { phone: '020 987 6543' });
    await arriveFor(mine);
    await ends();
    await world.tell(6);
    expect((await world.chargeRow(mine.reference)).goods).toMatchObject({ state: 'given' });
    expect(await world.rows('SEND')).toEqual([]);
  });

  test('is not texted if the shop has no credits', async () => {
    const mine = await world.openLink(await make(CODES, { text_codes: true }), { phone: '020 987 6543' });
    await shop.topUp(-5);
    await payFor(mine);
    const fields = { merchant_id: shop.id, reference: mine?.reference, code: 'insufficient_credits' };
    expect(world.logged).toContainEqual({ level: 'warn', event: 'code_not_texted', fields });
  });

  test('is texted by a retry after a table error', async () => {
    await world.outside.table.write([changeItem({ pk: `MERCHANT#${shop.id}`, sk: 'MERCHANT' }, { name: '商店' })]);
    world.clock.nowMs += 60_000;
    const slug = await make(CODES, { text_codes: true, amount: 1 });
    await arriveFor(await world.openLink(slug, { phone: '020 987 6543' }), { amount: '1.00' });
    await world.followChanges();
    const bodies = drainJobs(world).map(({ body }) => body);
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, send) => {
      if (JSON.stringify(input).includes('CODE_TEXT#')) throw new Error('The table is away');
      await send();
    };
    expect(await work(world, bodies)).toBe(1);
    world.dynamoDb = usual;
    world.rightBefore('TransactWriteItems', () => work(world, bodies));
    expect(await work(world, bodies, 2)).toBe(0);
    const texts = await world.rows('CODE_TEXT');
    expect(texts.map(({ text }) => text)).toEqual([expect.stringMatching(/^The shop: your code is CANARY-1/)]);
  });

  let slug: string;
  const textNoMore = () => shop.call('link/change', { parameters: { slug }, body: { text_codes: false } });

  test('has a job queued only when the charge’s payment changes', async () => {
    const slug = await make(CODES.slice(0, 1));
    const [mine, other] = [await world.openLink(slug), await world.openLink(slug)];
    const key = chargeRows.key(mine);
    const jobs = async () => {
      await world.followChanges();
      const bodies = drainJobs(world).map(({ body }) => body);
      await work(world, bodies);
      return bodies.map((body) => Object(body).kind);
    };
    const jobsOf = async (set: Item) => {
      await world.outside.table.write([changeItem(key, set)]);
      return jobs();
    };
    await jobs();
    expect({ expired: await jobsOf({ state: 'expired' }), pending: await jobsOf({ state: 'pending' }) }).toEqual({
      expired: [],
      pending: [],
    });
    await arriveFor(mine);
    // One job hands out the code, and a second job texts it.
    expect([await jobs(), await jobs(), await jobs()]).toEqual([['code'], ['code'], []]);
    expect(await jobsOf({ customer_name: 'Ama' })).toEqual([]);
    expect(await jobsOf({ disputed: { at: 'now', why: 'conflict' } })).toEqual(['code']);
    // The stock is empty, so this charge waits.
    await arriveFor(other);
    expect([await jobs(), await jobs(), await jobs()]).toEqual([['code'], ['code'], []]);
  });
});

test('a stock code is shown only while its payment is valid', async () => {
  const link = await make();
  const of = (charge: object) =>
    givenCode(world.outside, { state: 'success', origin: { kind: 'link', slug: link }, ...charge });
  const given = { kind: 'code', state: 'given', number: 1, at: '' } as const;
  expect(await of({ goods: given })).toBe('CANARY-1');
  for (const charge of [
    { goods: given, state: 'reversed' },
    { goods: { ...given, state: 'taken_back' } },
    { goods: { ...given, number: undefined } },
    { goods: given, origin: { kind: 'api' } },
    {},
  ])
    expect(await of(charge)).toBeUndefined();
});

test('a link gets a different slug if its first one is taken', async () => {
  const merchant = await requireMerchant(world.outside, shop.id);
  const { randomBytes } = world.outside;
  let slugs = 0;
  const outside = {
    ...world.outside,
    randomBytes: (length: number) => (slugs++ < 3 ? Buffer.alloc(length) : randomBytes(length)),
  };
  const made = () =>
    makeLink(outside, merchant, { title: 'Wi-Fi' }, async ({ slug }, writes) => {
      await outside.table.write(writes);
      return slug;
    });
  const first = await made();
  world.clock.nowMs += 1_000;
  expect(await made()).not.toBe(first);
});

describe('a sold-out link', () => {
  let slug: string;
  beforeEach(async () => {
    slug = await make(CODES.slice(0, 1));
  });

  test('says that it is sold out before anybody pays', async () => {
    await payFor(await world.openLink(slug));
    const [page, pressed] = [await world.call('pay/page', { parameters: { slug } }), await world.pressPay(slug)];
    expect({ page: page.status, pressed: pressed.status }).toEqual({ page: 409, pressed: 409 });
    for (const { text } of [page, pressed])
      expect(text).toMatch(/<p class="notice bad" [^>]*>.*Sold out\. Do not pay.*<\/p>\s*<h1>/);
  });

  test('issues new codes in order of payment', async () => {
    await shop.setWebhook();
    const opened = await openMany(slug, 4);
    for (const one of opened.slice(0, 3)) {
      world.clock.nowMs += 1_000;
      await payFor(one);
    }
    expect(await codesOn(opened)).toEqual(['CANARY-1', undefined, undefined, undefined]);
    expect((await pageOf(opened[1])).text).toContain('We have let Ama Stores know. The next code is yours');
    const events = (await world.scan()).filter(({ sk, type }) => sk === 'EVENT' && type !== 'charge.success');
    const told = ['charge.code_waiting', 'charge.code_waiting', 'link.stock_low'];
    expect(events.map(({ type }) => type).toSorted()).toEqual(told);

    const { json } = await add(slug, ['CANARY-1', 'CANARY-2', 'CANARY-3', 'CANARY-4', 'CANARY-4']);
    expect(json.data).toMatchObject({ added: 3, known: 2, link: { codes: { added: 4, left: 3, waiting: 2 } } });
    await world.tell(6);
    await payFor(opened[3]);
    expect(await codesOn(opened)).toEqual(CODES.concat('CANARY-4'));
    expect(await stockOf(slug)).toMatchObject({ added: 4, left: 0, waiting: 0 });
  });

  test('serves one waiting payer per new code', async () => {
    const opened = await payInTurn(slug, 3);
    await add(slug, ['CANARY-2']);
    await world.tell(6);
    expect(await codesOn(opened)).toEqual(['CANARY-1', 'CANARY-2', undefined]);
    expect(await codeOf(opened[2])).toMatchObject({ status: 'waiting' });
    expect(await stockOf(slug)).toMatchObject({ left: 0, waiting: 1 });
  });

  test('queues a waiting charge once', async () => {
    const [, waiting] = await payInTurn(slug, 2);
    expect(await giveCode(world.outside, waiting?.reference ?? '')).toBeUndefined();
    expect(await stockOf(slug)).toMatchObject({ left: 0, waiting: 1 });
  });

  test('skips deleted charges', async () => {
    const opened = await payInTurn(slug, 4);
    await forget(opened[1]);
    await add(slug, CODES.slice(1));
    await serveWaiting(world.outside, slug);
    expect(await codesOn([opened[2], opened[3]])).toEqual(['CANARY-2', 'CANARY-3']);
    expect(await stockOf(slug)).toMatchObject({ left: 0, waiting: 0 });
    await serveWaiting(world.outside, 'no-such-link');
  });

  test('skips a payment that has just been reversed', async () => {
    const opened = await openMany(slug, 3);
    const receipts = [];
    for (const one of opened) {
      world.clock.nowMs += 1_000;
      receipts.push(await arriveFor(one));
      await world.tell(6);
    }
    await shop.arrive(reversal(receipts[1]?.id ?? ''));
    await add(slug, CODES.slice(1));
    await serveWaiting(world.outside, slug);
    const states = await Promise.all(opened.map(codeOf));
    expect(states.map(({ status }) => status)).toEqual(['given', 'taken_back', 'given']);
    expect(await stockOf(slug)).toMatchObject({ left: 1, waiting: 0 });
  });

  test('serves all payers if several jobs run at once', async () => {
    const opened = await payInTurn(slug, 9);
    const codes = Array.from({ length: 9 }, (_, n) => `CANARY-${n + 1}`);
    await add(slug, codes);
    world.slept.length = 0;
    await Promise.all(Array.from({ length: 8 }, () => serveWaiting(world.outside, slug)));
    expect({ hasWaited: world.slept.length > 0, longWaits: world.slept.filter((ms) => ms > 400) }).toEqual({
      hasWaited: true,
      longWaits: [],
    });
    expect(await codesOn(opened)).toEqual(codes);
  });

  test('reserves no code for an expired charge', async () => {
    const opened = await payInTurn(slug, 3);
    await forget(opened[1]);
    await add(slug, ['CANARY-2', 'CANARY-3']);
    await world.tell(6);
    expect(await codesOn([opened[0], opened[2]])).toEqual(['CANARY-1', 'CANARY-2']);
    expect(await stockOf(slug)).toMatchObject({ left: 1, waiting: 0 });
  });

  test('keeps the order of payers when codes are added', async () => {
    const opened = await openMany(slug, 3);
    await payFor(opened[0]);
    await payFor(opened[1]);
    world.clock.nowMs += 1_000;
    await add(slug, ['CANARY-2']);
    // Runs the stock jobs after the next payment's job.
    await world.followChanges();
    const stock = drainJobs(world).map(({ body }) => body);
    await arriveFor(opened[2]);
    await world.tell(6);
    await work(world, stock);
    await world.tell(6);
    expect(await codesOn(opened)).toEqual(['CANARY-1', 'CANARY-2', undefined]);
  });
});

describe('an unverified payment for a stock code', () => {
  beforeEach(() => shop.change({ confirm_unproven_up_to_pesewas: 2_000 }));

  test('gets a code up to the merchant’s limit', async () => {
    const mine = await world.openLink(await make(CODES, { amount: 20 }));
    expect((await payFor(mine, { amount: '20.00' })).text).toContain('CANARY-1');
  });

  test('needs manual release above the daily limit', async () => {
    // Codes may use up to three quarters of the limit.
    await shop.change({ new_wallet_daily_limit_pesewas: 8_000 });
    const slug = await make(['CANARY-1', 'CANARY-2', 'CANARY-3', 'CANARY-4'], { amount: 20 });
    const states = [];
    for (let n = 0; n < 4; n++) {
      const mine = await world.openLink(slug);
      await payFor(mine, { amount: '20.00' });
      states.push((await codeOf(mine)).status);
    }
    expect(states).toEqual(['given', 'given', 'given', 'to_release']);
    expect(await stockOf(slug)).toMatchObject({ left: 1, waiting: 0 });
  });

  test('counts towards the limit again if its code is issued a day later', async () => {
    world.goToNoon();
    const book = await provenBook(world, shop, 6);
    // Enforce mode counts payments before their goods are given.
    const payUnverified = async ({ reference }: CreatedCharge) => {
      const text = `Payment received for GHS 20.00 from EVE ANKRAH . Reference: ${reference}. Transaction ID: ${book.nextId()}. TRANSACTION FEE: 0.00`;
      await shop.arrive({ sender: 'MobileMoney', text });
      await world.tell(6);
    };
    const slug = await make(['CANARY-0'], { amount: 20 });
    const [first, waiting] = [await world.openLink(slug), await world.openLink(slug)];
    await shop.pay(book.paid(20, { reference: first.reference }));
    await world.tell(6);
    await payUnverified(waiting);
    expect((await world.chargeRow(waiting.reference)).payment?.counted_in).toBeDefined();
    world.clock.nowMs += 26 * HOUR_MS;
    const fresh = await make(CODES, { amount: 20 });
    const later = [await world.openLink(fresh), await world.openLink(fresh)];
    for (const one of later) await payUnverified(one);
    expect(await codesOn(later)).toEqual(['CANARY-1', 'CANARY-2']);
    await add(slug, ['CANARY-8']);
    await world.tell(6);
    expect(await codeOf(waiting)).toMatchObject({ status: 'to_release' });
  });

  test('needs manual release above the per-payment limit', async () => {
    const slug = await make(CODES, { amount: 20.01 });
    const mine = await world.openLink(slug);
    const { text } = await payFor(mine, { amount: '20.01' });
    expect(text).toContain('has to check your payment before you get your code');
    expect({ code: await codeOf(mine), stock: await stockOf(slug) }).toMatchObject({
      code: { status: 'to_release' },
      stock: { left: 3 },
    });
    await isDone(mine);
    await world.outside.table.write(releaseHeldGoods(await world.chargeRow(mine.reference), 'usr_ama'));
    await world.tell(6);
    expect((await pageOf(mine)).text).toContain('CANARY-1');
  });

  test('needs manual release if an API key assigned it', async () => {
    const mine = await world.openLink(await make(CODES, { amount: 20.01 }));
    const receipt = mtn({ amount: '20.01', from: 'AMA OWUSU' });
    await shop.pay(receipt);
    expect((await shop.assign(receipt, mine.reference)).status).toBe(200);
    await world.tell(6);
    expect(await codeOf(mine)).toMatchObject({ status: 'to_release' });
    expect((await pageOf(mine)).text).not.toContain('CANARY-1');
  });

  test('gets no code while disputed', async () => {
    const mine = await world.openLink(await make(CODES, { amount: 20 }));
    const receipt = await arriveFor(mine, { amount: '20.00' });
    await shop.arrive({ sender: 'MobileMoney', text: receipt.text.replace('GHS 20.00', 'GHS 21.00') });
    await world.tell(6);
    expect(await codeOf(mine)).toMatchObject({ status: 'to_release' });
  });
});

describe('a reversed payment for a stock code', () => {
  test('hides the code permanently', async () => {
    const slug = await make(CODES.slice(0, 1));
    const [mine, next] = [await world.openLink(slug), await world.openLink(slug)];
    const receipt = await arriveFor(mine);
    await world.tell(6);
    expect((await pageOf(mine)).text).toContain('CANARY-1');
    await shop.arrive(reversal(receipt.id));
    await world.tell(6);
    expect((await pageOf(mine)).text).not.toContain('CANARY-1');
    expect(await codeOf(mine)).toMatchObject({ status: 'taken_back', number: 1 });
    await isDone(mine);
    await payFor(next);
    expect(await codeOf(next)).toMatchObject({ status: 'waiting' });
  });

  test('cancels the code’s text if it is not sent yet', async () => {
    const slug = await make(CODES.slice(0, 1), { text_codes: true });
    const receipt = await arriveFor(await world.openLink(slug, { phone: '0209876543' }));
    await world.tell(6);
    const send = (await world.rows('SEND'))[0];
    await shop.arrive(reversal(receipt.id));
    await world.work('deliver-sms', [{ send_id: send?.send_id, index: 0 }]);
    expect({ has_code: send?.has_code, fetched: world.fetched }).toEqual({ has_code: true, fetched: [] });
  });

  test('loses its place in the queue', async () => {
    const slug = await make(CODES.slice(0, 1));
    const opened = await openMany(slug, 3);
    await payFor(opened[0]);
    const receipt = await arriveFor(opened[1]);
    await world.tell(6);
    await shop.arrive(reversal(receipt.id));
    await payFor(opened[2]);
    await add(slug, ['CANARY-2']);
    await world.tell(6);
    expect(await codesOn(opened)).toEqual(['CANARY-1', undefined, 'CANARY-2']);
    expect(await stockOf(slug)).toMatchObject({ left: 0, waiting: 0 });
  });
});

describe('a paid charge waiting for a code', () => {
  const refundOf = (opened: Opened, amount: number) =>
    shop.call('transaction/refund', { parameters: { reference: opened?.reference ?? '' }, body: { amount } });

  test.each<[string, (receipt: ReceiptText | undefined, opened: Opened) => Promise<unknown>]>([
    [
      'is disputed',
      ({ text = '' } = mtn()) => shop.arrive({ sender: 'MobileMoney', text: text.replace('25.00', '26.00') }),
    ],
    ['is refunded in full', (_, opened) => refundOf(opened, 25)],
  ])('gets no code if it %s', async (_, falls) => {
    const slug = await make(CODES.slice(0, 1));
    const opened = await openMany(slug, 3);
    const receipts = [];
    for (const one of opened) {
      world.clock.nowMs += 1_000;
      receipts.push(await arriveFor(one));
      await world.tell(6);
    }
    await falls(receipts[1], opened[1]);
    await world.tell(6);
    await add(slug, ['CANARY-2', 'CANARY-3']);
    await world.tell(6);
    expect(await codesOn(opened)).toEqual(['CANARY-1', undefined, 'CANARY-2']);
    expect(await codeOf(opened[1])).toMatchObject({ status: 'to_release' });
    expect(await stockOf(slug)).toMatchObject({ left: 1, waiting: 0 });
    expect(releaseHeldGoods(await world.chargeRow(opened[1]?.reference ?? ''), 'usr_ama')).toEqual([]);
  });

  test('gets its code after a partial refund', async () => {
    const slug = await make(CODES.slice(0, 1));
    const opened = await payInTurn(slug, 2);
    await refundOf(opened[1], 5);
    await add(slug, ['CANARY-2']);
    await world.tell(6);
    expect(await codesOn(opened)).toEqual(['CANARY-1', 'CANARY-2']);
  });
});

describe('a change while a stock code job runs', () => {
  const proven = { amount: '25.00' };

  test.each<[string, (receipt: ReceiptText) => Arrival, string]>([
    ['a reversal', ({ id }) => reversal(id), 'unpaid'],
    ['a dispute', ({ sender, text }) => ({ sender, text: text.replace('GHS 25.00', 'GHS 26.00') }), 'to_release'],
  ])('prevents the code from being issued if it is %s', async (_, arrival, status) => {
    const slug = await make();
    const mine = await world.openLink(slug);
    const receipt = await arriveFor(mine, proven);
    await world.followChanges();
    world.rightBefore('TransactWriteItems', () => shop.arrive(arrival(receipt)));
    await world.tell(6);
    expect(await codeOf(mine)).toMatchObject({ status });
    expect(await stockOf(slug)).toMatchObject({ left: 3, waiting: 0 });
  });

  test('prevents the code from being issued if it is a full refund', async () => {
    const mine = await openPaid();
    world.rightBefore('TransactWriteItems', () => refundAll(mine));
    await world.tell(6);
    expect({ code: await codeOf(mine), refunds: (await world.chargeRow(mine.reference)).refunds }).toMatchObject({
      code: { status: 'to_release' },
      refunds: [{ amount_pesewas: 25_00, state: 'noted' }],
    });
  });

  test('is accepted if it is a full refund and the code has already been issued', async () => {
    const mine = await openPaid();
    world.rightBefore('TransactWriteItems', () => world.tell(6), 'refunds');
    expect((await refundAll(mine)).status).toBe(200);
    expect({ code: await codeOf(mine), refunds: (await world.chargeRow(mine.reference)).refunds }).toMatchObject({
      code: { status: 'given' },
      refunds: [{ state: 'noted' }],
    });
  });

  test('prevents a manager’s release if it is a full refund', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 0 });
    const slug = await make();
    const mine = await world.openLink(slug);
    await arriveFor(mine, proven);
    await world.tell(6);
    expect(await codeOf(mine)).toMatchObject({ status: 'to_release' });
    const manager = await shop.signIn('manager');
    world.rightBefore('TransactWriteItems', () => refundAll(mine), 'released_by');
    const path = `/dashboard/links/${slug}/code/${mine.reference}/release`;
    expect((await manager.visit(path, { form: {} })).status).toBe(409);
    await world.tell(6);
    expect({
      code: await codeOf(mine),
      released_by: (await world.chargeRow(mine.reference)).released_by,
    }).toMatchObject({ code: { status: 'to_release' }, released_by: undefined });
  });

  /** Creates a paid charge with a queued code job. */
  async function openPaid() {
    const mine = await world.openLink(await make());
    await arriveFor(mine, proven);
    await world.followChanges();
    return mine;
  }
  const refundAll = ({ reference }: NonNullable<Opened>) =>
    shop.call('transaction/refund', { parameters: { reference }, body: { amount: 25 } });

  test('does not undo a code that was issued concurrently', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 2_000 });
    const slug = await make();
    const mine = await world.openLink(slug);
    await arriveFor(mine, proven);
    await world.followChanges();
    const jobs = drainJobs(world).map(({ body }) => body);
    // Before the first job writes its decision, the merchant raises the limit and a second job hands out the code.
    world.rightBefore('TransactWriteItems', async () => {
      await shop.change({ confirm_unproven_up_to_pesewas: 5_000 });
      world.clock.nowMs += 5_000;
      await work(world, jobs);
    });
    await work(world, jobs);
    expect(await codeOf(mine)).toMatchObject({ status: 'given', number: 1 });
    expect(await stockOf(slug)).toMatchObject({ left: 2 });
  });
});

describe('adding stock codes', () => {
  test('is idempotent', async () => {
    const slug = await make(CODES.slice(0, 2));
    const first = await add(slug, CODES, 'key-1');
    expect(await add(slug, CODES, 'key-1')).toMatchObject({ json: first.json });
    expect((await add(slug, CODES)).json.data).toMatchObject({ added: 0, known: 3 });
    expect(await stockOf(slug)).toMatchObject({ added: 3, left: 3 });
  });

  test('adds each code once if two people add it at the same time', async () => {
    const slug = await make(['FIRST']);
    await Promise.all([add(slug, CODES), add(slug, CODES)]);
    expect(await stockOf(slug)).toMatchObject({ added: 4, left: 4 });
  });

  test('adds a code once if a new link lists it twice', async () => {
    const slug = await make(['CANARY-1', 'CANARY-1', 'CANARY-2']);
    expect(await stockOf(slug)).toMatchObject({ added: 2, left: 2 });
    expect(await codesOn(await payInTurn(slug, 2))).toEqual(['CANARY-1', 'CANARY-2']);
  });

  test('restores removed codes unless they were issued', async () => {
    const slug = await make();
    const opened = await openMany(slug, 3);
    await payFor(opened[0]);
    const remove = () =>
      removeCodes(world.outside, shop.id, slug, async (removed, writes) => {
        await world.outside.table.write(writes);
        return removed;
      });
    for (let n = 0; n < 2; n++) {
      expect(await remove()).toBe(2);
      expect(await stockOf(slug)).toMatchObject({ left: 0 });
      expect((await add(slug, CODES)).json.data).toMatchObject({ added: 2, known: 1 });
      expect((await add(slug, CODES)).json.data).toMatchObject({ added: 0, known: 3 });
    }
    await payFor(opened[1]);
    await payFor(opened[2]);
    expect(await codesOn(opened)).toEqual(CODES);
  });

  test('splits long lists into blocks', async () => {
    const many = Array.from({ length: 120 }, (_, n) => `CANARY-${n + 1}`);
    const slug = await make(many);
    await add(slug, ['LAST']);
    for (let n = 0; n < 60; n++) await world.openLink(slug);
    expect(await stockOf(slug)).toMatchObject({ added: 121, left: 121 });
    const codes = await Promise.all([1, 15, 50, 51, 60, 120, 121, 122].map((n) => getCode(world.outside, slug, n)));
    expect(codes).toEqual([...[1, 15, 50, 51, 60, 120].map((n) => `CANARY-${n}`), 'LAST', undefined]);
    expect(await getCode(world.outside, await make(null), 1)).toBeUndefined();
  });

  test('allows up to 20,000 codes per link', async () => {
    const slug = await make();
    const added = (count: number) => {
      const codes = Array.from({ length: count }, (_, n) => `C-${n}`);
      return linkAddCodes(world.outside, shop.id, { slug, codes }, async (one) => one.added);
    };
    expect(await added(MAX_CODES - 3)).toBe(MAX_CODES - 3);
    const message = `would take the link over ${MAX_CODES} codes; create another link for the rest`;
    await expect(added(MAX_CODES - 2)).rejects.toMatchObject({ errors: [{ field: 'codes', message }] });
  });

  test('writes nothing if nothing changes', async () => {
    const slug = await make();
    const commit = async (_: unknown, writes: readonly TableWrite[]) => {
      if (writes.length > 0) await world.outside.table.write(writes);
      return writes.length;
    };
    expect(await linkAddCodes(world.outside, shop.id, { slug, codes: CODES }, commit)).toBe(0);
    expect(await removeCodes(world.outside, shop.id, slug, commit)).toBe(1);
    expect(await removeCodes(world.outside, shop.id, slug, commit)).toBe(0);
  });

  test.each([[[]], [['']], [[' A']], [['Ä']], [['A'.repeat(101)]], [Array.from({ length: 501 }, String)], ['A']])(
    'rejects the codes %j',
    async (codes) => {
      expectFailure(await add(await make(), codes), 400, 'invalid_request');
    },
  );
});

describe('a link with stock codes', () => {
  const OPEN = { amount: undefined };
  const refusal = { field: 'codes', message: expect.stringContaining('otherwise GHS 0.01 would buy a code') };

  test('must have a price', async () => {
    const body = { title: 'Wi-Fi', codes: CODES };
    const refused = await shop.call('link/create', { body });
    expectFailure(refused, 400, 'invalid_request');
    expect(refused.json.errors).toEqual([refusal]);
    expect(await make(CODES, { ...OPEN, min_amount: 5 })).toBeDefined();
    const slug = await make(null, OPEN);
    expect((await add(slug, CODES)).json.errors).toEqual([refusal]);
    expect(await stockOf(slug)).toBeNull();
    await reprice(slug, { min_amount: 5 });
    expect((await add(slug, CODES)).status).toBe(200);
  });

  test('cannot lose its price', async () => {
    const slug = await make();
    const answers = [await reprice(slug, { max_amount: 500 }), await reprice(slug, { min_amount: 5 })];
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    expect((await world.pressPay(slug, { amount: '0.01' })).status).toBe(400);
  });

  test('keeps its price while codes are added', async () => {
    const slug = await make(null, { amount: 25 });
    world.rightBefore('TransactWriteItems', () => reprice(slug, { max_amount: 500 }));
    expect((await add(slug, CODES, 'at-once')).json.errors).toEqual([refusal]);
    const other = await make(null, { amount: 25 });
    world.rightBefore('TransactWriteItems', () => add(other, CODES));
    expect((await reprice(other, { max_amount: 500 })).json.errors).toEqual([refusal]);
  });

  function reprice(slug: string, body: object) {
    return shop.call('link/change', { parameters: { slug }, body });
  }
});

async function make(codes: readonly string[] | null = CODES, more: object = {}): Promise<string> {
  const body = { title: 'Hostel Wi-Fi', amount: 25, ...(codes && { codes }), ...more };
  return (await shop.call('link/create', { body })).json.data.slug;
}

function add(slug: string, codes: unknown, idempotencyKey?: string) {
  const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
  return shop.call('link/add-codes', { parameters: { slug }, body: { codes }, headers });
}

type Opened = CreatedCharge | undefined;

function openMany(slug: string, count: number): Promise<CreatedCharge[]> {
  return Promise.all(Array.from({ length: count }, () => world.openLink(slug)));
}

/** Opens and pays several charges one after another. */
async function payInTurn(slug: string, count: number): Promise<Opened[]> {
  const opened = await openMany(slug, count);
  for (const one of opened) {
    world.clock.nowMs += 1_000;
    await payFor(one);
  }
  return opened;
}

/** Deletes a charge's row. */
function forget(opened: Opened) {
  const Key = chargeRows.key({ reference: opened?.reference ?? '' });
  return world.outside.table.write([{ delete: { Key } }]);
}

/** Expects that repeating the charge's job changes nothing. */
async function isDone(opened: Opened): Promise<void> {
  const reference = opened?.reference ?? '';
  const before = await world.chargeRow(reference);
  world.clock.nowMs += 1_000;
  await giveCode(world.outside, reference);
  expect(await world.chargeRow(reference)).toEqual(before);
}

async function arriveFor(opened: Opened, { amount = '25.00' } = {}) {
  const receipt = mtn({ reference: opened?.reference ?? '', amount });
  await shop.pay(receipt);
  return receipt;
}

/** Pays a charge, runs all jobs and opens its page. */
async function payFor(opened: Opened, paid: { amount?: string } = {}) {
  await arriveFor(opened, paid);
  await world.tell(6);
  return pageOf(opened);
}

function pageOf(opened: Opened) {
  return world.call('checkout/page', { parameters: { access_code: opened?.access_code ?? '' } });
}

async function codesOn(opened: readonly Opened[]): Promise<(string | undefined)[]> {
  const pages = await Promise.all(opened.map(pageOf));
  return pages.map(({ text }) => /<b dir="auto"[^>]*>(.*?)<\/b>/.exec(text)?.[1]);
}

async function codeOf(opened: Opened) {
  const parameters = { reference: opened?.reference ?? '' };
  return (await shop.call('transaction/verify', { parameters })).json.data.code;
}

async function stockOf(slug: string) {
  return (await shop.call('link/show', { parameters: { slug } })).json.data.codes;
}
