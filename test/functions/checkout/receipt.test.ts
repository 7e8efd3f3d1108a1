import { beforeEach, describe, expect, test } from 'vitest';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { dayOf } from '../../../shared/runtime/values/calendar.ts';
import { expectWords } from '../../support/answers.ts';
import { expectFailure } from '../../support/envelope.ts';
import { mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

// Customer receipts, and pages of charges that were paid more than once.

let world: Scene;
let shop: Shop;
let reference: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  await shop.change({ contact: '+233241234567' });
  reference = await shop.charge({ amount: 36 });
});

describe('a customer receipt', () => {
  test('shows the shop, description, time and transaction id', async () => {
    const said = { description: 'Two yards of kente', callback_url: 'https://shop.example.com/thanks?order=7' };
    const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah', ...said });
    const receipt = mtn({ reference });
    await pay(receipt);
    const { status, text } = await open(reference);
    expect(status).toBe(200);
    const named = ['Ama Stores', 'Two yards of kente', 'GHS 36.00', reference, receipt.id, 'tel:+233241234567'];
    for (const part of [...named, 'Not a VAT invoice']) expect(text).toContain(part);
    expect(text).toMatch(/<dt>Paid on<\/dt><dd dir="auto">\d+ \w+ \d{4}, \d\d:\d\d GMT/);
    expect(text).not.toMatch(/kofi|mensah|boateng/i);
    expect(text).not.toMatch(/order=7|http-equiv="refresh"/);
    // Whoever gets the receipt must not be led to the bill's page, which may show a code.
    expect(text).not.toContain(await codeOf(reference));
  });

  test('redirects to the checkout page if the charge is unpaid', async () => {
    const { status, headers } = await open(reference);
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: `/checkout/${await codeOf(reference)}`,
    });
  });

  test('requires the complete access code', async () => {
    await pay(mtn({ reference }));
    const code = await codeOf(reference);
    const other = `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`;
    expect((await world.call('checkout/receipt', { parameters: { access_code: other } })).status).toBe(404);
  });

  test('shows part payments, overpayment and refunds', async () => {
    const [first, second] = [mtn({ reference, amount: '10.00' }), mtn({ reference, amount: '30.00' })];
    await pay(first);
    await pay(second);
    await sendBack(reference, 4, async () => expectWords((await open(reference)).text, [], ['sent back']));
    const parts = [`${first.id}, GHS 10.00`, `${second.id}, GHS 30.00`];
    const { text } = await open(reference);
    expectWords(text, [...parts, 'You paid GHS 4.00 too much.', 'GHS 4.00 was sent back on'], ['canary']);
    expectWords((await both(reference))[0] ?? '', ['GHS 4.00 was sent back on'], ['too much']);
  });

  test('shows only the unrefunded part of an overpayment', async () => {
    await pay(mtn({ reference, amount: '46.00' }));
    await sendBack(reference, 4);
    const [text = ''] = await both(reference);
    expectWords(text, ['GHS 4.00 was sent back on', 'You paid <b>GHS 6.00</b> too much.']);
  });

  test('does not thank the customer after a refund', async () => {
    const back = await shop.createCharge({ callback_url: 'https://shop.example.com/thanks' });
    await pay(mtn({ reference: back.reference }));
    const [paid = ''] = await both(back.reference);
    expectWords(paid, ['data-status="success"', '>Thank you</h2>', 'http-equiv="refresh"', 'Taking you back']);
    await sendBack(back.reference, 30);
    expectWords(
      (await both(back.reference))[0] ?? '',
      ['data-status="success"', '>Payment received</h2>'],
      ['Thank you'],
    );
    await sendBack(back.reference, 6);
    expectWords(
      (await both(back.reference))[0] ?? '',
      ['data-status="neutral"', '<h2 tabindex="-1">GHS 36.00 was sent back</h2>', 'If it has not reached you'],
      ['Thank you', 'has received your payment', 'http-equiv="refresh"', 'Taking you back'],
    );
  });

  test('shows a reversal by the network', async () => {
    const receipt = mtn({ reference });
    await pay(receipt);
    await shop.arrive(reversal(receipt.id));
    const { text } = await open(reference);
    expectWords(text, ['<h1>Payment reversed</h1>', 'Ama Stores does not have the money.']);
  });
});

test('a customer receipt states that it is not a VAT invoice', async () => {
  const body = { title: 'Catering', lines: [{ description: 'Jollof', amount: '30' }] };
  const { json } = await world.call('request/create', { key: shop.liveKey, body });
  const { text } = await world.call('r/page', { parameters: { slug: json.data.slug } });
  expect(text).toContain('Not a VAT invoice');
});

describe('a second payment for a charge', () => {
  test('appears on the charge’s page and the customer receipt', async () => {
    await pay(mtn({ reference }));
    await expectNone(reference);
    const second = mtn({ reference, from: 'ESI CANARY OWUSU' });
    await pay(second);
    for (const text of await both(reference)) {
      const asked = ['A second payment arrived', 'Ask Ama Stores to send it back', 'tel:+233241234567'];
      // People other than the payer may open the link.
      expectWords(text, [...asked, `…${second.id.slice(-4)}`], [second.id]);
      expect(text).not.toMatch(/canary/i);
    }
  });

  test('appears only if it contains the charge’s reference', async () => {
    const other = await shop.charge({ amount: 36 });
    await pay(mtn({ reference }));
    await pay(mtn({ reference: other }));
    // Payments of the same amount from another payer and for another charge.
    await pay(mtn({ reference: '1', from: 'ESI OWUSU' }));
    const second = mtn({ reference: other });
    await pay(second);
    await expectNone(reference);
    expect((await both(other)).filter((text) => text.includes('A second payment arrived')).length).toBe(2);
    await shop.arrive(reversal(second.id));
    await expectNone(other);
  });

  test('is shown as under review after a contradictory text', async () => {
    await pay(mtn({ reference }));
    const [first, second] = [mtn({ reference }), mtn({ reference })];
    await pay(first);
    await pay(second);
    expect((await open(reference)).text).toContain('More payments arrived');
    await pay(mtn({ reference, id: first.id, amount: '37.00' }));
    expect((await open(reference)).text).toContain('A second payment arrived');
    expect((await shop.assign(second, await shop.charge({ amount: 36 }))).status).toBe(200);
    await expectNone(reference);
  });

  test('is not recorded after the charge expires', async () => {
    const reference = await shop.charge({ amount: 36, expires_in: 600 });
    world.clock.nowMs += 700_000;
    await pay(mtn({ reference }));
    expect((await world.chargeRow(reference)).second_receipts).toBeUndefined();
  });

  test('is recorded once if two texts report it', async () => {
    await pay(mtn({ reference }));
    const second = mtn({ reference });
    await pay(second);
    await pay(second);
    expect((await world.chargeRow(reference)).second_receipts?.length).toBe(1);
    for (let n = 0; n < 5; n++) await pay(mtn({ reference }));
    expect((await world.chargeRow(reference)).second_receipts?.length).toBe(5);
    expect((await open(reference)).text).toContain('More payments arrived');
  });

  test('appears despite many one-pesewa payments', async () => {
    const small = Array.from({ length: 5 }, () => mtn({ reference, amount: '0.01' }));
    const [second, third] = [mtn({ reference }), mtn({ reference, amount: '20.00' })];
    const last = mtn({ reference, amount: '0.01' });
    for (const one of [mtn({ reference }), ...small, second, third, last]) await shop.pay(one);
    await verifyMoney(world);
    const { second_receipts = [] } = await world.chargeRow(reference);
    // The newest one-pesewa payment was dropped.
    expect(second_receipts).toEqual([...small.slice(0, 3), second, third].map((one) => shop.paymentId(one)));
    for (const text of await both(reference)) expect(text).toContain(`…${second.id.slice(-4)}`);
  });

  test('replaces a reversed second payment in the charge’s record', async () => {
    await pay(mtn({ reference }));
    const noted = Array.from({ length: 5 }, () => mtn({ reference }));
    for (const one of noted) await pay(one);
    const [first] = noted;
    if (first) await shop.arrive(reversal(first.id));
    const next = mtn({ reference, amount: '0.02' });
    await pay(next);
    for (const text of await both(reference)) {
      expectWords(text, [`…${next.id.slice(-4)}`], [`…${first?.id.slice(-4)}<`]);
    }
  });
});

describe('a payment with a reversed charge’s reference', () => {
  test.each(['after', 'before'])('does not count as a second payment if it arrives %s the reversal', async (when) => {
    const [first, again] = [mtn({ reference }), mtn({ reference })];
    await pay(first);
    if (when === 'before') await pay(again);
    await shop.arrive(reversal(first.id));
    if (when === 'after') await pay(again);
    await world.followPayments();
    expect(await shop.receipt(again)).toMatchObject({ reason: 'charge_reversed', suggested_reference: reference });
    // The payment is held, and nothing is owed.
    const { owed, now } = await closingOf(world.outside, shop.id, [], dayOf(world.clock.nowMs));
    expect({ waiting: now.get('waiting'), owed: owed.count }).toMatchObject({
      waiting: { count: 1, pesewas: 3600 },
      owed: 0,
    });
    expect((await shop.verified(reference)).second_payments).toEqual([]);
    const { access_code } = await world.chargeRow(reference);
    const { text } = await world.call('checkout/page', { parameters: { access_code } });
    expect(text).not.toContain('A second payment arrived');
    const by = await shop.signIn('manager');
    const held = await by.visit(`/dashboard/held/${shop.paymentId(again)}`);
    expectWords(held.text, ['match it to a new bill'], ['Do not create a new bill for it']);
  });

  test('does not count as a second payment if it arrives during the reversal', async () => {
    const [first, again] = [mtn({ reference }), mtn({ reference })];
    await pay(first);
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, send) => {
      if (JSON.stringify(input).includes('second_receipts')) {
        world.dynamoDb = usual;
        await shop.arrive(reversal(first.id));
      }
      await send();
    };
    expect(await pay(again)).toMatchObject({ reason: 'charge_reversed' });
  });
});

describe('a second payment that was sent back', () => {
  test('leaves the first payment refundable', async () => {
    await shop.setWebhook();
    const second = await paidTwice();
    const held = { network: 'MTN', transaction_id: `…${second.id.slice(-4)}`, amount: 36, sent_back_at: null };
    expect((await shop.verified(reference)).second_payments).toMatchObject([held]);

    const manager = await shop.signIn('manager');
    const form = { sent_back: 'on', why: 'canary' };
    const path = `/dashboard/held/${shop.paymentId(second)}`;
    expect((await manager.visit(`${path}/set-aside`, { form })).status).toBe(303);
    expect((await manager.visit(path)).text).toContain('Sent back');
    for (const text of await both(reference)) {
      expectWords(text, ['The money was sent back on'], ['Ask Ama Stores to send it back', 'canary']);
    }
    const story = (await manager.visit(`/dashboard/charges/${reference}`)).text;
    expect(story).toContain('GHS\u00a036.00 from KOFI MENSAH BOATENG was sent back. <a');
    await sendBack(reference, 36);
    const listed = [{ ...held, sent_back_at: expect.any(String) }];
    const { refunds, second_payments } = await shop.verified(reference);
    expect({ refunds: refunds.length, second_payments }).toEqual({
      refunds: 1,
      second_payments: [expect.objectContaining(listed[0])],
    });
    await world.followChanges();
    const told = (await world.rows('EVENT')).filter(({ type }) => type === 'charge.refunded');
    expect(told.map(({ body }) => JSON.parse(String(body)).data.second_payments)).toEqual([second_payments]);
    expect(JSON.stringify(told)).not.toContain(second.id);
  });

  test('cannot pay a charge until it is restored', async () => {
    const second = await paidTwice();
    const other = await shop.charge({ amount: 36 });
    const by = await shop.signIn('manager');
    const path = `/dashboard/held/${shop.paymentId(second)}`;
    await by.visit(`${path}/set-aside`, { form: { sent_back: 'on' } });
    expectFailure(await shop.assign(second, other), 409, 'receipt_not_held');
    await by.visit(`${path}/take-back`, { form: {} });
    expect((await shop.verified(reference)).second_payments).toMatchObject([{ sent_back_at: null }]);
    expect((await shop.assign(second, other)).status).toBe(200);
    expect((await shop.verified(reference)).second_payments).toEqual([]);
  });
});

/** Receives a payment and verifies it. */
async function pay(receipt: ReceiptText) {
  const row = await shop.pay(receipt);
  await verifyMoney(world);
  return row;
}

async function paidTwice() {
  const [first, second] = [mtn({ reference }), mtn({ reference })];
  for (const receipt of [first, second]) await pay(receipt);
  return second;
}

/** Records a refund and closes it as sent. */
async function sendBack(reference: string, amount: number, between?: () => Promise<void>): Promise<void> {
  const body = { amount, reason: 'canary' };
  const noted = await shop.call('transaction/refund', { parameters: { reference }, body });
  await between?.();
  const parameters = { reference, refund_id: noted.json.data.refunds.at(-1).refund_id };
  const { status } = await shop.call('transaction/close-refund', { parameters, body: { outcome: 'sent' } });
  expect({ noted: noted.status, status }).toEqual({ noted: 200, status: 200 });
}

const open = async (reference: string) =>
  world.call('checkout/receipt', { parameters: { access_code: await codeOf(reference) } });

async function both(reference: string): Promise<string[]> {
  const parameters = { access_code: await codeOf(reference) };
  return [(await world.call('checkout/page', { parameters })).text, (await open(reference)).text];
}

/** Fails if the page or the customer receipt shows a second payment. */
async function expectNone(reference: string): Promise<void> {
  for (const text of await both(reference)) expect(text).not.toContain('payment arrived');
}

const codeOf = async (reference: string) => (await world.chargeRow(reference)).access_code;
