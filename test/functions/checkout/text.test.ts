import { beforeEach, describe, expect, test } from 'vitest';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { FEW_PAY_TEXTS_PER_DAY } from '../../../shared/money/charge/pay-text.table.ts';
import { payText } from '../../../shared/pages/checkout/pay-text.ts';
import { ANSWER_TAKES_MS } from '../../../shared/runtime/outside/same-timing.ts';
import { TIMES_FOR_FEW } from '../../../shared/runtime/table/limits.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { faultAt, foldsIn, wordsAt } from '../../support/page-words.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import type { Call } from '../../support/world.ts';
import { formsOf, pay, paymentNow, setCharge } from './charges.ts';

const SENDER = '+233240009999';
const SAID =
  'If we can text this number now, the text is on its way. If it does not arrive within a minute, write down the details.';
const NONE = 'We cannot text you now. Write down the number, the amount and the reference.';
const PER_DAY = 5;
let world: Scene;
let merchant: Merchant;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender(SENDER);
  merchant = await world.createMerchant({ credits: 100 });
  await merchant.change({ pay_texts_per_day: PER_DAY });
});

const charge = () => merchant.createCharge();
const sends = () => world.rows('SEND');
const at = (n: number): Call => ({ sourceIp: `203.0.113.${n}` });
const number = (n: number) => `024111${String(n).padStart(4, '0')}`;

/** Requests a text like the page's script. @returns the response and its duration. */
async function ask(to: Pick<CreatedCharge, 'access_code'>, phone: unknown, more: Call = {}) {
  world.slept.length = 0;
  const request = { headers: { accept: 'application/json' }, body: { phone }, ...more };
  return formsOf(world, 'checkout/text').send(to, request);
}

/** Requests a text like a browser without JavaScript. */
function submit(to: CreatedCharge, phone: string) {
  return formsOf(world, 'checkout/text').submit(to, { phone });
}

function open({ access_code }: CreatedCharge, query: Record<string, string> = {}) {
  return world.call('checkout/page', { path: `/checkout/${access_code}`, parameters: { access_code }, query });
}

async function poorShop(): Promise<void> {
  merchant = await world.createMerchant();
  await merchant.change({ pay_texts_per_day: PER_DAY });
}

/** Expects the same message and timing as for every other number. */
async function expectSame(answer: Promise<Awaited<ReturnType<typeof ask>>>) {
  const startedMs = world.clock.nowMs;
  const { status, json } = await answer;
  expect({ status, message: json.message, dataStatus: json.data.status }).toEqual({
    status: 200,
    message: SAID,
    dataStatus: 'pending',
  });
  expect(world.slept.at(-1)).toBe(startedMs + ANSWER_TAKES_MS - world.clock.nowMs);
}

/** Expects an error that does not say why no text was sent. */
async function expectNone(answer: Promise<Awaited<ReturnType<typeof ask>>>) {
  const refused = await answer;
  expectFailure(refused, 404, 'not_found');
  expect(refused.json.message).toBe(NONE);
}

describe('a text with payment details', () => {
  test('is one SMS and costs one credit', async () => {
    const waiting = await charge();
    await expectSame(ask(waiting, '020 987 6543'));
    const [text] = await sends();
    const digits = waiting.reference.replace('MK-', '');
    expect(text).toMatchObject({
      merchant_id: merchant.id,
      to: ['+233209876543'],
      reference: waiting.reference,
      message: `Ama Stores: send GHS 36.00 to 0241234567 (MTN). Reference: ${digits}. Check the name before your PIN.`,
      useless_at: world.iso(15 * 60_000),
    });
    expect(await merchant.balance()).toBe(99);
  });

  test('states the amount due and the number on the customer’s network', async () => {
    const accounts = [
      { number: '+233241234567', network: 'MTN' as const, account_name: 'AMA STORES' },
      { number: '+233201234567', network: 'TELECEL' as const, account_name: 'AMA STORES' },
    ];
    await merchant.change({ momo_accounts: accounts });
    const waiting = await charge();
    await setCharge(world, waiting, { parts: [paymentNow(world, { amount_pesewas: 3500 })] });
    await ask(waiting, number(1), { query: { network: 'TELECEL' } });
    expect((await sends())[0]?.message).toContain('send GHS 1.00 to 0201234567 (Telecel).');
  });

  test('fits into one SMS with the longest names', () => {
    const view = { amount: 'GHS 100,000.00', parts: undefined, number: '0241234567', reference: 'MK-0123456789' };
    const network = { short: 'Telecel' } as Parameters<typeof payText>[0]['network'];
    for (const merchant of ['x'.repeat(200), 'Ɛsi & Ɔfori 😀'.repeat(20), '😀'])
      expect(sizeOf(payText({ ...view, network, merchant })).segments).toBe(1);
  });

  test('is offered only if the shop turned it on', async () => {
    expect((await open(await charge())).text).toContain('Text me this');
    await merchant.change({ pay_texts_per_day: 0 });
    world.clock.nowMs += 60_000;
    const waiting = await charge();
    expect((await open(waiting)).text).not.toContain('Text me');
    expectFailure(await ask(waiting, number(1)), 404, 'not_found');
    expect(await sends()).toEqual([]);
  });

  test('is limited to three per charge and three per number', async () => {
    const first = await charge();
    for (let n = 0; n < 3; n++) await expectSame(ask(first, number(n)));
    await expectNone(ask(first, number(3)));
    for (let n = 0; n < 2; n++) await expectSame(ask(await charge(), number(0), at(n)));
    expect(await sends()).toHaveLength(5);

    // A number without texts left gets the same response while the charge has texts left.
    const last = await charge();
    for (let n = 0; n < 3; n++) await expectSame(ask(last, number(0), at(9)));
    await expectNone(ask(last, number(0), at(9)));
    await expectNone(ask(last, number(8), at(9)));
    expect(await sends()).toHaveLength(5);
    expect(await merchant.balance()).toBe(95);
  });

  test('has daily limits per shop, per IP address and in total', async () => {
    for (let n = 0; n < PER_DAY; n++) await expectSame(ask(await charge(), number(n), at(1)));
    await expectNone(ask(await charge(), number(PER_DAY), at(1)));
    for (let n = 0; n < FEW_PAY_TEXTS_PER_DAY; n++) await expectSame(ask(await charge(), number(10 + n), at(2)));
    await expectNone(ask(await charge(), number(20), at(2)));
    expect(await sends()).toHaveLength(PER_DAY + FEW_PAY_TEXTS_PER_DAY);

    const day = world.iso().slice(0, 10);
    const counted = { counted: TIMES_FOR_FEW * PER_DAY - 1 };
    await world.outside.table.update(changeItem({ pk: `PAY_TEXT#${merchant.id}`, sk: day }, counted));
    await expectSame(ask(await charge(), number(30), at(3)));
    await expectNone(ask(await charge(), number(31), at(4)));
    const rows = (await world.scan()).filter(({ pk }) => String(pk).startsWith('PAY_TEXT#'));
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
    world.clock.nowMs = Date.parse(`${world.iso(24 * 3600_000).slice(0, 10)}T00:00:01Z`);
    await expectSame(ask(await charge(), number(40), at(1)));
  });

  test('is sent to only three of eight numbers that request it simultaneously', async () => {
    const waiting = await charge();
    await Promise.all(Array.from({ length: 8 }, (_, n) => ask(waiting, number(n))));
    expect(await sends()).toHaveLength(3);
    expect(await merchant.balance()).toBe(97);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the shop has no credits', poorShop],
    ['no phone can send', () => world.switchSender(SENDER, false)],
  ])('is not counted if %s', async (_, arrange) => {
    await arrange();
    await expectNone(ask(await charge(), number(1)));
    expect(await sends()).toEqual([]);
    expect((await world.scan()).filter(({ pk }) => String(pk).startsWith('PAY_TEXT#'))).toEqual([]);
  });

  test('is refunded if it misses its deadline', async () => {
    await ask(await charge(), number(1));
    const [text] = await sends();
    world.clock.nowMs += 16 * 60_000;
    await world.work('deliver-sms', [{ send_id: text?.send_id, index: 0 }]).catch(() => undefined);
    expect(world.fetched).toEqual([]);
    expect(await merchant.balance()).toBe(100);
  });

  test.each([
    ['paid', (waiting: CreatedCharge) => pay(world, waiting)],
    ['paid at the counter', (waiting: CreatedCharge) => setCharge(world, waiting, { paid_as: 'MK-1234567890' })],
  ])('is dropped if the charge is %s first', async (_, isPaid) => {
    const waiting = await charge();
    await ask(waiting, number(1));
    const [text] = await sends();
    await isPaid(waiting);
    await world.work('deliver-sms', [{ send_id: text?.send_id, index: 0 }]);
    expect({ fetched: world.fetched, balance: await merchant.balance() }).toEqual({ fetched: [], balance: 100 });
  });

  test('is not sent for a test charge', async () => {
    const waiting = await { ...merchant, liveKey: merchant.testKey }.createCharge();
    await expectSame(ask(waiting, number(1)));
    const [text] = await sends();
    expect(text?.merchant_id).toBe(`${merchant.id}_test`);
    await world.work('deliver-sms', [{ send_id: text?.send_id, index: 0 }]);
    expect(world.fetched).toEqual([]);
    expect(await merchant.balance()).toBe(100);
  });

  test('does not count towards the limit if it is for a test charge', async () => {
    const tester = await world.createMerchant();
    await tester.change({ pay_texts_per_day: PER_DAY });
    const tested = await { ...tester, liveKey: tester.testKey }.createCharge();
    for (let n = 0; n < 3; n++) await ask(tested, number(1));
    await ask(await charge(), number(1));
    expect((await sends()).filter(({ merchant_id }) => merchant_id === merchant.id)).toHaveLength(1);
  });

  test('is sent while a payment is being checked', async () => {
    const waiting = await charge();
    await setCharge(world, waiting, { checking_until: world.iso(60_000) });
    expect((await ask(waiting, number(1))).status).toBe(200);
    expect(await sends()).toHaveLength(1);
  });

  test('is rejected for a suspended shop', async () => {
    const other = await charge();
    await merchant.suspend();
    world.clock.nowMs += 60_000;
    expectFailure(await ask(other, number(1)), 404, 'not_found');
    expect(await sends()).toEqual([]);
  });

  test('is rejected for a closed charge', async () => {
    const [paid, expired] = [await charge(), await charge()];
    await pay(world, paid);
    expect((await ask(paid, number(1))).json.data.status).toBe('success');
    world.clock.nowMs += 24 * 3600_000;
    expectFailure(await ask(expired, number(1)), 410, 'charge_expired');
    expectFailure(await ask({ access_code: 'unknown' }, number(1)), 404, 'not_found');
  });

  test.each(['', '020987654', '0302123456', 'kofi', '"><script>'])('is rejected for the number “%s”', async (typed) => {
    const waiting = await charge();
    expectBadFields(await ask(waiting, typed), 'phone');
    const { status, text } = await submit(waiting, typed);
    expect(status).toBe(400);
    expect(faultAt(text, 'text-me-fault')).toMatch(/^Type a mobile number/);
    expect(text).not.toContain('value=""><script>');
  });

  test('works without JavaScript', async () => {
    const waiting = await charge();
    expect((await open(waiting)).text).toContain(
      `<a href="/checkout/${waiting.access_code}?text#text-me">Text me this</a>`,
    );
    const opened = (await open(waiting, { text: '' })).text;
    expect(opened).not.toContain('http-equiv="refresh"');
    expect(foldsIn(opened)).toContainEqual({ summary: 'Text me this', isOpen: true });
    const { status, text } = await submit(waiting, number(1));
    expect(status).toBe(200);
    expect(text).not.toContain('http-equiv="refresh"');
    expect(wordsAt(text, 'text-me-said')).toBe(SAID);
  });
});

test('a change of the daily text limit is audited', async () => {
  const manager = await merchant.signIn('manager');
  const set = (pay_texts_per_day: string, by = manager) =>
    by.visit('/dashboard/settings/checkout/texts', { form: { pay_texts_per_day } });
  expect((await set('20')).status).toBe(303);
  expect((await requireMerchant(world.outside, merchant.id)).pay_texts_per_day).toBe(20);
  expect((await set('0')).status).toBe(303);
  expect((await requireMerchant(world.outside, merchant.id)).pay_texts_per_day).toBeUndefined();
  expect((await set('1001')).status).toBe(400);
  expect((await set('5', await merchant.signIn('cashier'))).status).toBe(403);
  expect((await merchant.audit(/^merchant set$/)).map(({ before, after }) => ({ before, after }))).toEqual([
    { before: { pay_texts_per_day: 5 }, after: { pay_texts_per_day: 20 } },
    { before: { pay_texts_per_day: 20 }, after: { pay_texts_per_day: 0 } },
  ]);
});
