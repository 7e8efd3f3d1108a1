import { beforeEach, describe, expect, test } from 'vitest';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { chargeRows, referenceOfAccessCode } from '../../../shared/money/charge/charge.table.ts';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { listRequestMoney } from '../../../shared/money/charge/request-money.table.ts';
import { MAX_UNPAID_FROM_ADDRESS_PER_HOUR } from '../../../shared/money/link/link.table.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { arrivedForRequest } from '../../../shared/money/request/more-than-asked.ts';
import { MAX_CHARGES } from '../../../shared/money/request/open-request-charge.ts';
import { findRequest } from '../../../shared/money/request/request.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { READ_OF_EACH, readSums } from '../../../shared/money/request/sums.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { changeItem, putItem } from '../../../shared/runtime/table/table.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectWords } from '../../support/answers.ts';
import { expectFailure } from '../../support/envelope.ts';
import { lineOf } from '../../support/page-words.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { provenBook } from '../../support/wallet-book.ts';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

const LINES = [{ description: 'Tuition', amount: 850 }];
const PROVEN = { state: 'proven' } as const;
const FEES = { title: 'School fees', lines: LINES };
const ofShop = (slug: string) => shop.shownRequest(slug);

describe('a payment request', () => {
  test('is created with a URL and an amount due', async () => {
    const { json } = await ask({
      title: 'Invoice 104',
      lines: [...LINES, { description: 'Books', quantity: 4, amount: 12.5 }],
      customer_name: 'Kofi Mensah',
      customer_phone: '0241112222',
      due: '2099-12-24',
      merchant_reference: 'INV-104',
      metadata: { order: 7 },
    });
    expect(json.message).toBe('Request created');
    const { slug } = json.data;
    expect(json.data).toMatchObject({
      url: `${world.outside.baseUrl}/r/${slug}`,
      livemode: true,
      status: 'open',
      overdue: false,
      total: 900,
      amount_due: 900,
      amount_paid: 0,
      due_now: 0,
      due: '2099-12-24',
      customer_phone: '+233241112222',
      metadata: { order: 7 },
    });
    expect(slug).toMatch(/^[a-hj-km-np-z2-9]{12}$/);
    expect(await ofShop(slug)).toEqual(json.data);
    expect((await shop.call('request/list')).json.data.requests).toEqual([json.data]);
  });

  test('accepts a time as its due date', async () => {
    const { json } = await ask({ ...FEES, due: '2020-01-31T23:30:00-02:00' });
    expect(json.data).toMatchObject({ amount_due: 850, due_now: 850, due: '2020-02-01', overdue: true });
  });

  test('becomes overdue after its due date unless cancelled', async () => {
    const { json } = await ask(FEES);
    expect(json.data).toMatchObject({ due: null, due_now: 850, overdue: false });
    const [yesterday, today] = [-1, 0].map((days) => addDays(dayOf(world.clock.nowMs), days));
    expect(await ofShop(await shop.request({ ...FEES, due: today }))).toMatchObject({ overdue: false });
    const late = await shop.request({ ...FEES, due: yesterday });
    expect(await ofShop(late)).toMatchObject({ overdue: true });
    await shop.call('request/cancel', { parameters: { slug: late } });
    expect(await ofShop(late)).toMatchObject({ overdue: false, due_now: 0 });
  });

  test.each([
    ['2020-01-31', '2020-05-31', 'To pay now'],
    ['2099-01-31', '2099-05-31', 'Next part to pay'],
  ])('with instalments from %s to %s, its page says “%s”', async (due, until, label) => {
    const slug = await shop.request({ ...FEES, due, repeat: { every: 'month', until } });
    await shop.payPart(slug, '1');
    expect((await world.call('r/page', { parameters: { slug } })).text).toContain(`<p class="hint label">${label}</p>`);
  });

  test('repeats on the last day of shorter months', async () => {
    const { json } = await ask({ ...FEES, due: '2099-01-31', repeat: { every: 'month', until: '2099-05-31' } });
    const days = json.data.instalments.map(({ due }: { due: string }) => due);
    expect(days).toEqual(['2099-01-31', '2099-02-28', '2099-03-31', '2099-04-30', '2099-05-31']);
    expect(json.data).toMatchObject({ total: 4250, every: 'month', due: '2099-01-31' });
  });

  test('counts payments towards the earliest instalments first', async () => {
    const instalments = [
      { due: '2099-03-01', amount: 50 },
      { due: '2099-02-01', amount: 350 },
      { due: '2099-01-01', amount: 450 },
    ];
    const slug = await shop.request({ ...FEES, instalments });
    const paid = async () => {
      const { due, instalments: now } = await ofShop(slug);
      return [due, now.map((one: { due: string; amount: number; paid: number }) => [one.due, one.amount, one.paid])];
    };
    const parts = (...sums: number[]) => [
      ['2099-01-01', 450, sums[0]],
      ['2099-02-01', 350, sums[1]],
      ['2099-03-01', 50, sums[2]],
    ];
    expect(await paid()).toEqual(['2099-01-01', parts(0, 0, 0)]);
    for (const [amount, due, ...sums] of [
      ['450', '2099-02-01', 450, 0, 0],
      ['100', '2099-02-01', 450, 100, 0],
      ['300', null, 450, 350, 50],
    ] as const) {
      await shop.payPart(slug, amount);
      expect(await paid()).toEqual([due, parts(...sums)]);
    }
  });

  test('keeps the order of instalments due on the same day', async () => {
    const instalments = [50, 350, 450].map((amount) => ({ due: '2099-01-01', amount }));
    const { json } = await ask({ ...FEES, instalments });
    expect(json.data.instalments.map(({ amount }: { amount: number }) => amount)).toEqual([50, 350, 450]);
  });

  test('requires a MoMo number', async () => {
    const answer = await (await world.createMerchant({ momo: false })).call('request/create', { body: FEES });
    expectFailure(answer, 409, 'no_momo_number');
    expect(answer.json.message).toContain('no MoMo number to receive payments on. Ask the operator to set one.');
  });

  test.each([
    [{ title: '' }, 'title'],
    [{ lines: [] }, 'lines'],
    [{ lines: [{ description: 'x', amount: 0 }] }, 'lines[0].amount'],
    [{ lines: [{ description: 'x', amount: 1, colour: 'red' }] }, 'lines[0].colour'],
    [{ lines: [{ description: '', amount: 1 }] }, 'lines[0].description'],
    [{ lines: [{ description: 'x', amount: 1.001 }] }, 'lines[0].amount'],
    [{ lines: [{ description: 'x', amount: 100000, quantity: 11 }] }, 'lines'],
    [{ due: '2026-02-30' }, 'due'],
    [{ due: 'tomorrow' }, 'due'],
    [{ repeat: { every: 'month', until: '2099-01-01' } }, 'due'],
    [{ due: '2099-01-01', repeat: { every: 'week', until: '2098-01-01' } }, 'repeat.until'],
    [{ due: '2090-01-01', repeat: { every: 'week', until: '2099-01-01' } }, 'repeat.until'],
    [{ instalments: [{ due: '2099-01-01', amount: 849.99 }] }, 'instalments'],
    [{ instalments: [{ due: '2099-01-01', amount: 850 }], due: '2099-01-01' }, 'due'],
    [{ instalments: [{ due: '2099-01-01', amount: 850 }], repeat: { every: 'week', until: '2099-02-01' } }, 'repeat'],
    [{ due: '2097-01-01', repeat: { every: 'week', until: '2098-02-25' } }, 'repeat.until'],
    [{ due: '2099-01-01', reminders: [0] }, 'customer_phone'],
    [{ customer_phone: '0241112222', reminders: [0] }, 'due'],
    [{ due: '2099-01-01', customer_phone: '0241112222', reminders: [61] }, 'reminders[0]'],
    [{ customer_phone: '0302123456' }, 'customer_phone'],
    [{ colour: 'red' }, 'colour'],
  ] as const)('is rejected without a write for %j', async (wrong, field) => {
    const { status, json } = await ask({ ...FEES, ...wrong });
    expect({ status, field: json.errors?.[0]?.field }).toEqual({ status: 400, field });
    expect(json.errors?.[0]?.message).toMatch(/\w+ \w+/);
    expect(await world.rows('REQUEST')).toEqual([]);
  });

  test('allows up to sixty due dates and GHS 1,000,000', async () => {
    const weekly = { ...FEES, due: '2097-01-01', repeat: { every: 'week', until: '2098-02-18' } };
    expect((await ask(weekly)).json.data.instalments).toHaveLength(60);
    const once = { ...FEES, due: '2099-01-01', repeat: { every: 'week', until: '2099-01-01' } };
    expect((await ask(once)).json.data.instalments).toHaveLength(1);
    const lines = [{ description: 'House', amount: 100_000, quantity: 10 }];
    expect((await ask({ ...FEES, lines })).json.data).toMatchObject({ total: 1_000_000 });
    const more = [{ description: 'House', amount: 100_000, quantity: 11 }];
    expect((await ask({ ...FEES, lines: more })).json.errors).toEqual([
      { field: 'lines', message: 'must total at most GHS 1000000' },
    ]);
    const twice = { ...FEES, lines, due: '2099-01-01', repeat: { every: 'week', until: '2099-01-08' } };
    expect((await ask(twice)).json.errors).toEqual([
      { field: 'lines', message: 'must total at most GHS 1000000 across all 2 repetitions' },
    ]);
  });

  test('is created once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'fees-1' };
    const [one, other] = [await ask(FEES, headers), await ask(FEES, headers)];
    expect(other.json.data).toEqual(one.json.data);
    expect(await world.rows('REQUEST')).toHaveLength(1);
  });

  test('is found in capitals with punctuation behind its slug', async () => {
    const { slug } = (await ask(FEES)).json.data;
    const typed = `${slug.toUpperCase()}_ `;
    const page = await world.call('r/page', { parameters: { slug: typed } });
    const paid = await world.pressPayPart(typed, '10');
    expect({ page: page.status, paid: paid.status }).toEqual({ page: 200, paid: 303 });
    expect((await shop.shownRequest(typed)).slug).toBe(slug);
  });

  test('returns 404 to another merchant', async () => {
    const slug = await shop.request(FEES);
    const other = await world.createMerchant();
    expect((await other.call('request/cancel', { parameters: { slug } })).status).toBe(404);
    expect(await other.shownRequest(slug)).toBeUndefined();
  });
});

describe('a payment request’s pending charge', () => {
  test('is reused for the same amount', async () => {
    const slug = await shop.request(FEES);
    const first = await world.openPart(slug, '640');
    for (let n = 0; n < READ_OF_EACH + 1; n++) await world.openPart(slug, String(300 + n));
    expect(await world.openPart(slug, '640')).toBe(first);
    expect((await findRequest(world.outside, slug))?.charges).toHaveLength(READ_OF_EACH + 2);
    await shop.pay(mtn({ reference: first, amount: '640.00' }));
    expect(await world.openPart(slug, '210')).not.toBe(first);
  });

  test('is not reused after a part payment', async () => {
    const slug = await shop.request(FEES);
    const first = await world.openPart(slug, '640');
    await shop.pay(mtn({ reference: first, amount: '100.00' }));
    expect(await world.openPart(slug, '640')).not.toBe(first);
  });
});

describe('the amount paid towards a payment request', () => {
  let slug: string;
  beforeEach(async () => {
    slug = await shop.request(FEES);
  });

  test('is the exact sum paid for the request’s charges', async () => {
    const [first, second] = [await world.openPart(slug, '849.99'), await world.openPart(slug, '0.01').catch(() => '')];
    // Only the last payment may be below one cedi.
    expect(second).toBe('');
    await shop.pay(mtn({ reference: first, amount: '849.99' }));
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 849.99, amount_due: 0.01 });
    await shop.payPart(slug, '0.01');
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850, amount_due: 0, amount_overpaid: 0 });
    expect((await findRequest(world.outside, slug))?.state).toBe('open');
    await world.tell(3);
    expect(await findRequest(world.outside, slug)).toMatchObject({ state: 'paid' });
    expect(await payByScript(slug)).toEqual([410, 'Ama Stores has not verified this payment yet.']);
    await verifyMoney(world);
    expect(await payByScript(slug)).toEqual([410, 'This request is fully paid. Do not pay again.']);
    expect((await world.pressPayPart(slug, '1')).status).toBe(410);
  });

  test('includes part payments and overpayments', async () => {
    const reference = await world.openPart(slug, '500');
    await shop.pay(mtn({ reference, amount: '200.00' }));
    const [receipt] = await world.rows('RECEIPT');
    const part = { reference, amount: 200, paid_at: receipt?.received_at };
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 200, amount_due: 650, payments: [part] });
    world.clock.nowMs += 1_000;
    await shop.pay(mtn({ reference, amount: '700.00' }));
    const { paid_at } = await world.chargeRow(reference);
    const whole = { reference, amount: 900, paid_at };
    const paid = { status: 'paid', amount_paid: 900, amount_overpaid: 50 };
    expect(await ofShop(slug)).toMatchObject({ ...paid, payments: [whole] });
    expect(paid_at).not.toBe(part.paid_at);
  });

  test('includes a part payment whose charge has expired', async () => {
    const reference = await world.openPart(slug, '500');
    await shop.pay(mtn({ reference, amount: '120.00' }));
    await shop.pay(mtn({ reference, amount: '80.50' }));
    await endOf(reference);
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'success', amount_pesewas: 20_050 });
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 200.5, amount_due: 649.5 });
    await world.tell(3);
    expect(await findRequest(world.outside, slug)).toMatchObject({ charges: [{ paid_pesewas: 20_050 }] });
  });

  test('excludes a part payment after its charge is cancelled', async () => {
    const reference = await world.openPart(slug, '500');
    await shop.pay(mtn({ reference, amount: '120.00' }));
    await world.tell(3);
    expect(await findRequest(world.outside, slug)).toMatchObject({ charges: [{ paid_pesewas: 12_000 }] });
    expect((await shop.call('transaction/cancel', { parameters: { reference } })).status).toBe(200);
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 0, amount_due: 850 });
    await world.tell(3);
    expect((await findRequest(world.outside, slug))?.charges).toMatchObject([{ reference, paid_pesewas: 0 }]);
  });

  test('excludes a part payment after the completing payment is reversed', async () => {
    const reference = await world.openPart(slug, '500');
    await shop.pay(mtn({ reference, amount: '120.00' }));
    const text = mtn({ reference, amount: '380.00' });
    await shop.pay(text);
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 500 });
    await shop.arrive(reversal(text.id, '380.00'));
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'reversed' });
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 0, amount_due: 850 });
  });

  test('excludes a reversed payment, so the request reopens', async () => {
    await shop.setWebhook();
    const reference = await world.openPart(slug, '850');
    const text = mtn({ reference, amount: '850.00' });
    await shop.pay(text);
    await world.tell(3);
    await shop.arrive(reversal(text.id, '850.00'));
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_due: 850, payments: [] });
    expect((await findRequest(world.outside, slug))?.paid_at).toBeDefined();
    await world.tell(3);
    const opened = await findRequest(world.outside, slug);
    expect({ state: opened?.state, paid_at: opened?.paid_at }).toEqual({ state: 'open', paid_at: undefined });
    await shop.payPart(slug, '850');
    await world.tell(3);
    await world.followChanges();
    const told = (await world.rows('EVENT')).map(({ type }) => String(type)).filter((type) => /^request/.test(type));
    expect(told.toSorted()).toEqual(['request.paid', 'request.paid', 'request.reopened']);
  });

  test('is shown with a customer receipt for each payment', async () => {
    const references: string[] = [];
    for (let n = 0; n <= READ_OF_EACH; n++) references.push(await shop.payPart(slug, '50'));
    await world.tell(3);
    const [first = ''] = references;
    await world.outside.table.write([changeItem(chargeRows.key({ reference: first }), { refunds: 'unread' })]);
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 50 * references.length });
    const { text } = await world.call('r/page', { parameters: { slug } });
    for (const reference of references) expect(text).toContain(`aria-label="Details for ${reference}"`);
  });

  test('is recomputed if an old text is repeated', async () => {
    const first = await shop.payPart(slug, '50');
    for (let n = 0; n <= READ_OF_EACH; n++) await shop.payPart(slug, '50');
    await verifyMoney(world);
    await world.tell(3);
    await shop.pay(mtn({ reference: first, amount: '50.00' }));
    await world.tell(3);
    await verifyMoney(world);
    const { text } = await world.call('r/page', { parameters: { slug } });
    expect(text).toContain('A payment message for this request arrived');
  });

  describe('with many open charges', () => {
    let oldest: string;
    beforeEach(async () => {
      oldest = await world.openPart(slug, '850');
      for (let n = 0; n < READ_OF_EACH; n++) await world.openPart(slug, `${100 + n}`);
    });
    const cancel = () => shop.call('request/cancel', { parameters: { slug } });
    const money = () => listRequestMoney(world.outside, slug);

    test('completes the request', async () => {
      await shop.pay(mtn({ reference: oldest, amount: '850.00' }));
      const pressed = await world.pressPayPart(slug, '850');
      expect({ status: pressed.status, saysWhy: pressed.text.includes('<span>Ama Stores has not verified') }).toEqual({
        status: 410,
        saysWhy: true,
      });
      expectFailure(await cancel(), 410, 'request_closed');
      expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850 });
    });

    test('leaves only the remainder to be paid', async () => {
      await shop.pay(mtn({ reference: oldest, amount: '400.00' }));
      const { status, text } = await world.pressPayPart(slug, '850');
      expect({ status, asksAmount: text.includes('Type an amount from GHS 1.00 to GHS 450.00') }).toEqual({
        status: 400,
        asksAmount: true,
      });
    });

    test('is the sum of all charges', async () => {
      const parts = (await findRequest(world.outside, slug))?.charges.slice(1) ?? [];
      for (const [n, { reference }] of parts.entries()) await shop.pay(mtn({ reference, amount: `${100 + n}.00` }));
      await shop.pay(mtn({ reference: oldest, amount: '340.00' }));
      expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850 });
      expectFailure(await cancel(), 410, 'request_closed');
    });

    test('includes a charge that the request no longer lists', async () => {
      const key = { pk: `REQUEST#${slug}`, sk: 'REQUEST' };
      await world.outside.table.write([changeItem(key, { charges: [] })]);
      await shop.pay(mtn({ reference: oldest, amount: '850.00' }));
      expect((await world.pressPayPart(slug, '850')).status).toBe(410);
    });

    test('is stored separately until the request is updated', async () => {
      await shop.pay(mtn({ reference: oldest, amount: '400.00' }));
      expect(await money()).toMatchObject([{ reference: oldest }]);
      await world.tell(3);
      expect(await ofShop(slug)).toMatchObject({ amount_paid: 400 });
      expect(await money()).toEqual([]);
    });

    test('is shown on a request that is cancelled at the same moment', async () => {
      const [cancelled] = await Promise.all([cancel(), shop.pay(mtn({ reference: oldest, amount: '850.00' }))]);
      await world.tell(3);
      const status = cancelled.status === 200 ? 'cancelled' : 'paid';
      expect(await ofShop(slug)).toMatchObject({ status, amount_paid: 850 });
    });
  });

  test('stays the same when the charges are deleted from the table', async () => {
    const reference = await shop.payPart(slug, '350');
    await world.tell(3);
    await world.outside.table.remove(chargeRows.key({ reference }));
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 350, amount_due: 500 });
  });

  test('is recorded once for simultaneous changes', async () => {
    const reference = await shop.payPart(slug, '350');
    await Promise.all(Array.from({ length: 10 }, () => settleRequest(world.outside, reference)));
    const request = await findRequest(world.outside, slug);
    expect(request).toMatchObject({ charges: [{ reference, paid_pesewas: 35_000 }], version: 3 });
  });

  test('includes a payment for an unlisted charge', async () => {
    const reference = await world.openPart(slug, '350');
    const key = { pk: `REQUEST#${slug}`, sk: 'REQUEST' };
    const row = await world.outside.table.get(key);
    await world.outside.table.write([{ put: { Item: { ...row, ...key, charges: [] } } }]);
    await shop.pay(mtn({ reference, amount: '350.00' }));
    await world.tell(3);
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 350 });
  });
});

describe('paying a payment request', () => {
  let slug: string;
  beforeEach(async () => {
    slug = await shop.request(FEES);
  });

  test('opens a charge with the request’s details', async () => {
    const slug = await shop.request({ ...FEES, customer_name: 'Kofi Mensah', metadata: { order: 7 } });
    const reference = await world.openPart(slug, '850');
    const { json } = await shop.call('transaction/verify', { parameters: { reference } });
    expect(json.data).toMatchObject({ request: slug, amount: 850, description: 'School fees', metadata: { order: 7 } });
    expect(await world.chargeRow(reference)).toMatchObject({ origin: { kind: 'request' } });
  });

  test('opens a charge that a payment cannot match by name alone', async () => {
    const lines = [{ description: 'Cloth', amount: 36 }];
    const slug = await shop.request({ ...FEES, lines, customer_name: 'Kofi Mensah' });
    await world.openPart(slug, '36');
    await shop.pay(mtn());
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 0 });
  });

  test('reuses one charge for two people who pay the same amount', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => world.openPart(slug, '850')));
    expect(new Set(opened).size).toBe(1);
    expect(await world.openPart(slug, '400')).not.toBe(opened[0]);
    expect((await findRequest(world.outside, slug))?.charges).toHaveLength(2);
  });

  test('does not call the second person’s payment extra', async () => {
    const [reference] = [await world.openPart(slug, '100'), await world.openPart(slug, '100')];
    for (const from of ['AMA SERWAA', 'YAW OWUSU']) await shop.pay(mtn({ reference, from, amount: '100.00' }));
    await verifyMoney(world);
    const { access_code } = await world.chargeRow(reference);
    for (const route of ['checkout/page', 'checkout/receipt'] as const) {
      const { text } = await world.call(route, { parameters: { access_code } });
      expectWords(text, ['Another payment message about this bill'], ['This money is extra', 'send it back']);
    }
    const { second_payments } = await shop.verified(reference);
    expect(second_payments).toMatchObject([
      { warning: expect.stringContaining('still needs money, assign this payment') },
    ]);
  });

  test('does not call the second person’s payment extra once unverified money has paid the request', async () => {
    const [reference] = [await world.openPart(slug, '100'), await world.openPart(slug, '100')];
    for (const from of ['AMA SERWAA', 'YAW OWUSU']) await shop.pay(mtn({ reference, from, amount: '100.00' }));
    await verifyMoney(world);
    await world.tell(4);
    const forged = await world.openPart(slug, '750');
    await shop.pay(mtn({ reference: forged, amount: '750.00' }));
    await world.tell(4);
    expect(await ofShop(slug)).toMatchObject({ status: 'paid' });
    const { text } = await world.call('r/page', { parameters: { slug } });
    expectWords(text, ['Another payment message about this bill'], ['send it back']);
  });

  test('does not reuse a disputed charge', async () => {
    const doubtful = await world.openPart(slug, '850');
    await world.outside.table.write([disputeCharge(world.outside, doubtful, 'forged')]);
    const reference = await world.openPart(slug, '850');
    expect(reference).not.toBe(doubtful);
    await shop.pay(mtn({ reference, amount: '850.00' }));
    expect(await ofShop(slug)).toMatchObject({ status: 'paid' });
  });

  test('does not reuse a charge with a removed MoMo number', async () => {
    const before = await world.openPart(slug, '850');
    await world.outside.table.write([
      changeItem(chargeRows.key({ reference: before }), { momo_number: '+233249999999' }),
    ]);
    expect(await world.openPart(slug, '850')).not.toBe(before);
  });

  test('returns 409 if the shop has no MoMo number', async () => {
    await world.openPart(slug, '850');
    await shop.change({ momo_accounts: [] });
    world.clock.nowMs += 60_000;
    expect((await world.pressPayPart(slug, '850')).status).toBe(409);
  });

  test('does not reuse a charge that expires within the hour', async () => {
    const before = await world.openPart(slug, '850');
    const { expires_at } = await world.chargeRow(before);
    world.clock.nowMs = Date.parse(expires_at) - 61 * 60_000;
    expect(await world.openPart(slug, '850')).toBe(before);
    world.clock.nowMs += 2 * 60_000;
    expect(await world.openPart(slug, '850')).not.toBe(before);
  });

  test('removes unpaid charges two weeks after expiry', async () => {
    const paid = await shop.payPart(slug, '20');
    for (let n = 1; n < 5; n++) {
      world.clock.nowMs += 60 * 60_000;
      await world.openPart(slug, `${20 + n}`);
    }
    const kept = async () => (await findRequest(world.outside, slug))?.charges.map(({ reference }) => reference);
    world.clock.nowMs += 13 * 24 * 60 * 60_000;
    const later = await world.openPart(slug, '100');
    expect(await kept()).toHaveLength(6);
    world.clock.nowMs += 3 * 24 * 60 * 60_000;
    const last = await world.openPart(slug, '101');
    expect(await kept()).toEqual([paid, later, last]);
  });

  describe('with two hundred unpaid charges', () => {
    let customers: string;
    let first: string;
    beforeEach(async () => {
      const unpaid = Array.from({ length: MAX_CHARGES }, (_, n) => 100 + n);
      first = await open(unpaid[0], '203.0.113.0');
      customers = await open(unpaid[1], '198.51.100.1');
      for (const [n, pesewas] of unpaid.slice(2).entries()) await open(pesewas, `203.0.113.${n % 5}`);
    });
    const open = async (pesewas = 0, from: string) => {
      const { headers } = await world.pressPayPart(slug, (pesewas / 100).toFixed(2), from);
      return referenceOfAccessCode(headers.location?.split('/').at(-1) ?? '') ?? '';
    };
    const named = async () => (await findRequest(world.outside, slug))?.charges.map(({ reference }) => reference);

    test('removes the oldest charge of the busiest IP address', async () => {
      expect({ named: await named(), first }).toEqual({
        named: expect.arrayContaining([first]),
        first: expect.stringMatching(/^MK-/),
      });
      const next = await open(850_00, '198.51.100.2');
      const after = (await named()) ?? [];
      expect(after).toHaveLength(MAX_CHARGES);
      expect({
        hasNext: after.includes(next),
        hasCustomers: after.includes(customers),
        hasFirst: after.includes(first),
      }).toEqual({ hasNext: true, hasCustomers: true, hasFirst: false });
    });

    test('still counts a removed charge once it is paid', async () => {
      await open(850_00, '198.51.100.2');
      const { amount_pesewas } = await world.chargeRow(first);
      await shop.pay(mtn({ reference: first, amount: (amount_pesewas / 100).toFixed(2) }));
      await world.tell(3);
      expect(await ofShop(slug)).toMatchObject({ amount_paid: amount_pesewas / 100 });
      for (let n = 0; n < 50; n++) await open(400_00 + n, '203.0.113.0');
      const after = (await named()) ?? [];
      expect({ after: after.length, hasFirst: after.includes(first), hasCustomers: after.includes(customers) }).toEqual(
        { after: MAX_CHARGES, hasFirst: true, hasCustomers: true },
      );
    });

    test('stores no IP addresses', async () => {
      expect(JSON.stringify(await world.rows('REQUEST'))).not.toMatch(/203\.0|198\.51/);
    });
  });

  test.each([
    [199, 'verified', 303],
    [200, 'verified', 429],
    [200, 'unverified', 303],
  ])('with %i charges and %s payments returns %i', async (count, backing, status) => {
    const charges = Array.from({ length: count }, (_, n) => ({ reference: `MK-${n}`, paid_pesewas: 1, backing }));
    await world.outside.table.write([changeItem({ pk: `REQUEST#${slug}`, sk: 'REQUEST' }, { charges })]);
    const { status: answered, text } = await world.pressPayPart(slug, '100');
    const said = text.includes('This request was paid in too many parts. Ask the shop for a new one.');
    expect({ answered, said }).toEqual({ answered: status, said: status === 429 });
  });

  test('returns 429 after a thousand charges from an address, plus those paid in the same hour', async () => {
    const press = async (amount: string) => (await world.pressPayPart(slug, amount, '203.0.113.1')).status;
    await press('100');
    const [{ pk, sk } = {}] = (await world.scan()).filter((row) => row.pk === `LINK_OPENED#${slug}`);
    const counted = { counted: MAX_UNPAID_FROM_ADDRESS_PER_HOUR };
    await world.outside.table.update(changeItem({ pk: String(pk), sk: String(sk) }, counted));
    const earlier = new Date(world.clock.nowMs - HOUR_MS).toISOString();
    const charges = [world.iso(), earlier, undefined].map((paid_at, n) => ({
      reference: `MK-${n}`,
      paid_pesewas: paid_at ? 1_00 : 0,
      ...(paid_at && { paid_at }),
    }));
    await world.outside.table.write([changeItem({ pk: `REQUEST#${slug}`, sk: 'REQUEST' }, { charges })]);
    expect([await press('101'), await press('102')]).toEqual([303, 429]);
  });

  test.each(['', '0.99', '850.01', '-1', 'much'])('rejects the amount %j and keeps it in the form', async (amount) => {
    const before = await world.scan();
    const { status, text } = await world.pressPayPart(slug, amount);
    expect({ status, asksAmount: text.includes('Type an amount from GHS 1.00 to GHS 850.00') }).toEqual({
      status: 400,
      asksAmount: true,
    });
    expect(text).toContain(`value="${amount}"`);
    expect(await world.scan()).toEqual(before);
  });
});

describe('the remainder of an expired charge with part payments', () => {
  let slug: string;
  let reference: string;
  let part: ReturnType<typeof mtn>;
  let inTime: string;
  beforeEach(async () => {
    slug = await shop.request(FEES);
    reference = await world.openPart(slug, '850');
    part = mtn({ reference, amount: '400.00' });
    await shop.pay(part);
    inTime = world.iso();
    await endOf(reference);
  });
  const arrives = (amount: string, receivedAt: string) =>
    shop.pay({ ...mtn({ reference, amount, from: 'AMA OWUSU' }), receivedAt });

  test('is accepted if paid in time', async () => {
    for (const amount of ['300.00', '150.00'])
      expect(await arrives(amount, inTime)).toMatchObject({ state: 'matched', reference });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount: 850, amount_paid: 850 });
    await world.tell(3);
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850, amount_due: 0 });
  });

  test.each([
    ['is paid too late', '450.00', () => world.iso()],
    ['exceeds the outstanding amount', '450.01', () => inTime],
  ])('is held as charge_expired if it %s', async (_, amount, at) => {
    expect(await arrives(amount, at())).toMatchObject({ state: 'held', reason: 'charge_expired' });
    expect(await shop.verified(reference)).toMatchObject({ amount: 400 });
  });

  test('is held if a part is disputed', async () => {
    await shop.arrive(mtn({ reference, amount: '1.00', id: part.id }));
    expect(await arrives('450.00', inTime)).toMatchObject({ reason: 'charge_expired' });
  });

  test('is held if the total exceeds the manual review limit', async () => {
    await shop.change({ confirm_always_above_pesewas: 500_00 });
    expect(await arrives('450.00', inTime)).toMatchObject({ reason: 'large_amount' });
  });
});

test('a payment for an overpaid charge is a second payment', async () => {
  const slug = await shop.request(FEES);
  const reference = await world.openPart(slug, '500');
  await shop.pay(mtn({ reference, amount: '200.00' }));
  const receivedAt = world.iso();
  world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + MINUTE_MS;
  await shop.pay({ ...mtn({ reference, amount: '400.00' }), receivedAt });
  const overpaid = { state: 'success', amount_pesewas: 500_00 };
  expect(await world.chargeRow(reference)).toMatchObject(overpaid);
  const second = mtn({ reference, amount: '100.00' });
  expect(await shop.pay(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
  expect((await shop.assign(second, reference)).status).toBe(409);
  expect(await world.chargeRow(reference)).toMatchObject(overpaid);
});

test('a late payment can be assigned to a partly paid expired charge', async () => {
  const slug = await shop.request(FEES);
  const reference = await world.openPart(slug, '850');
  await shop.pay(mtn({ reference, amount: '400.00' }));
  await endOf(reference);
  const rest = mtn({ reference, amount: '450.00' });
  await shop.pay(rest);
  expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'charge_expired' });
  const { status, json } = await shop.assign(rest, reference);
  expect({ status, data: json.data }).toMatchObject({ status: 200, data: { status: 'success', amount: 850 } });
  expect(await shop.receipt(rest)).toMatchObject({ state: 'matched', reference });
  expect(await shop.verified(reference)).toEqual(json.data);
  await world.tell(3);
  expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850, amount_due: 0 });
  await shop.arrive(reversal(rest.id, '450.00'));
  await world.tell(3);
  expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 400 });
});

test('a second payment for an expired charge is held if the charge has a forged one-pesewa payment', async () => {
  const slug = await shop.request(FEES);
  const reference = await world.openPart(slug, '500');
  await shop.pay(mtn({ reference, amount: '400.00' }));
  await shop.pay(mtn({ reference: await world.openPart(slug, '450'), amount: '450.00' }));
  await verifyMoney(world);
  await shop.pay(mtn({ reference, amount: '0.01' }));
  await endOf(reference);
  await settleRequest(world.outside, reference);
  expect(await shop.shownRequest(slug)).toMatchObject({ status: 'paid', proof: { state: 'unproven' } });
  const again = mtn({ reference, amount: '100.00' });
  expect(await shop.pay(again)).toMatchObject({ state: 'held', reason: 'already_paid' });
  const owner = await shop.signIn('owner');
  const { text } = await owner.visit(`/dashboard/held/${encodeURIComponent(shop.paymentId(again))}`);
  expect(text).not.toContain('If the customer still owes this money');
  expect((await shop.assign(again, reference)).status).toBe(409);
});

describe('an expired charge with a part payment', () => {
  let slug: string;
  let reference: string;
  let part: ReturnType<typeof mtn>;
  beforeEach(async () => {
    slug = await shop.request(FEES);
    reference = await world.openPart(slug, '850');
    part = mtn({ reference, amount: '400.00' });
    await shop.pay(part);
    await endOf(reference);
  });

  test('holds a late payment as already_paid if the request is paid', async () => {
    await payRest();
    await verifyMoney(world);
    const again = mtn({ reference, amount: '450.00' });
    expect(await shop.pay(again)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await shop.verified(reference)).toMatchObject({ amount: 400, second_payments: [{ amount: 450 }] });
    expect((await shop.assign(again, reference)).status).toBe(409);
    expect(await shop.verified(reference)).toMatchObject({ amount: 400, amount_paid: 400 });
  });

  test('holds a late payment as charge_expired while payments are unverified', async () => {
    await payRest();
    const again = mtn({ reference, amount: '450.00' });
    expect(await shop.pay(again)).toMatchObject({ state: 'held', reason: 'charge_expired' });
    await verifyMoney(world);
    await settled();
    expect(await shop.receipt(again)).toMatchObject({ reason: 'already_paid' });
  });

  test('holds a late payment as charge_expired if the request reopens', async () => {
    const late = mtn({ reference, amount: '450.00' });
    await shop.pay(late);
    expect(await shop.receipt(late)).toMatchObject({ reason: 'charge_expired' });
    const rest = await payRest();
    await verifyMoney(world);
    await settled();
    expect(await shop.receipt(late)).toMatchObject({ reason: 'already_paid', suggested_reference: reference });
    await shop.arrive(reversal(rest.id, '450.00'));
    await settled();
    expect(await shop.receipt(late)).toMatchObject({ reason: 'charge_expired', suggested_reference: reference });
  });

  test('never re-evaluates a late payment whose text was erased', async () => {
    const late = mtn({ reference, amount: '450.00' });
    await shop.pay(late);
    await world.outside.table.write([
      changeItem(receiptRows.key({ receipt_id: shop.paymentId(late) }), { text: undefined }),
    ]);
    await payRest();
    await verifyMoney(world);
    const sent: unknown[] = [];
    const send = async (queue: string) => void sent.push(queue);
    await settleRequest({ ...world.outside, queues: { ...world.outside.queues, send } }, reference);
    expect({ sent, state: (await findRequest(world.outside, slug))?.state }).toEqual({ sent: [], state: 'paid' });
  });

  test('updates the request before its held payments', async () => {
    const late = mtn({ reference, amount: '450.00' });
    await shop.pay(late);
    const rest = await payRest();
    await verifyMoney(world);
    await settled();
    expect(await shop.receipt(late)).toMatchObject({ reason: 'already_paid' });
    await shop.arrive(reversal(rest.id, '450.00'));
    const states: unknown[] = [];
    const send = async () => {
      states.push((await findRequest(world.outside, slug))?.state);
      throw new Error('The queue is unavailable.');
    };
    const failing = { ...world.outside, queues: { ...world.outside.queues, send } };
    await expect(settleRequest(failing, reference)).rejects.toThrow('unavailable');
    expect(states).toEqual(['open']);
    await settled();
    expect(await shop.receipt(late)).toMatchObject({ reason: 'charge_expired' });
  });

  test('holds a second payment despite a forged part payment for a different charge', async () => {
    const forged = await world.openPart(slug, '449');
    await payRest();
    await verifyMoney(world);
    await shop.pay(mtn({ reference: forged, amount: '0.01' }));
    await settleRequest(world.outside, forged);
    const again = mtn({ reference, amount: '450.00' });
    expect(await shop.pay(again)).toMatchObject({ state: 'held', reason: 'already_paid' });
  });

  test.each(['before', 'after'])(
    'lets a late payment be assigned to a new charge if it arrives %s the part’s reversal',
    async (order) => {
      const rest = mtn({ reference, amount: '450.00' });
      const both = [() => shop.pay(rest), () => shop.arrive(reversal(part.id, '400.00'))];
      for (const happens of order === 'before' ? both : both.toReversed()) await happens();
      expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'charge_reversed' });
      const { status, json } = await shop.assign(rest, reference);
      expect(status).toBe(409);
      expect(json.message).toContain(`press Pay on the page of its payment request, /r/${slug}.`);
      const owner = await shop.signIn('owner');
      await verifyMoney(world);
      const { text } = await owner.visit(`/dashboard/requests/${slug}`);
      expect(text).toContain('If the customer still owes this money, open this request’s page and press Pay.');
      const anew = await world.openPart(slug, '450');
      expect((await shop.assign(rest, anew)).status).toBe(200);
    },
  );

  test('keeps its other parts if one is reversed', async () => {
    const more = mtn({ reference, amount: '300.00' });
    await shop.pay(more);
    expect((await shop.assign(more, reference)).status).toBe(200);
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'success', amount_pesewas: 700_00 });
    await shop.arrive(reversal(more.id));
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'success', amount_pesewas: 400_00 });
    await settled();
    expect(await shop.shownRequest(slug)).toMatchObject({ status: 'open', amount_paid: 400 });
  });

  test('is shown with a warning against sending back a verified late payment', async () => {
    const late = mtn({ reference, amount: '400.00' });
    await shop.pay(late);
    await world.outside.table.write([receiptRows.change({ receipt_id: shop.paymentId(late) }, { proof: PROVEN })]);
    const owner = await shop.signIn('owner');
    const { text } = await owner.visit(`/dashboard/held/${encodeURIComponent(shop.paymentId(late))}`);
    expect(text).toContain('This payment is verified, but the payment that paid its bill is not.');
    expect(text).not.toContain('otherwise send it back');
    const body = { receipt_id: shop.paymentId(late) };
    const { json } = await shop.call('transaction/refund', { parameters: { reference }, body });
    expect(json.data.warning).toMatch(
      /^Check your MoMo balance first\. This payment is verified, but the payment that paid/,
    );
  });

  test('shows a verified late payment on the checkout page', async () => {
    await shop.pay(mtn({ reference, amount: '450.00' }));
    await verifyMoney(world);
    const { access_code } = await world.chargeRow(reference);
    const { text } = await world.call('checkout/page', { parameters: { access_code } });
    expect(text).toMatch(/GHS 450\.00<\/b> arrived too late, on .*Ask .* to accept it/);
  });

  test('shows that a late payment equals the amount due', async () => {
    const late = mtn({ reference, amount: '450.00' });
    await shop.pay(late);
    const owner = await shop.signIn('owner');
    const give = `/dashboard/held/${encodeURIComponent(shop.paymentId(late))}/give`;
    const { text } = await owner.visit(give, { query: { reference } });
    expect(text).toContain('The payment is exactly what is still due.');
    expect(text).toContain('The bill then counts this payment too.');
    expect(text).not.toContain('your website is told');
  });

  async function payRest() {
    const rest = mtn({ reference: await world.openPart(slug, '450'), amount: '450.00' });
    await shop.pay(rest);
    return rest;
  }

  async function settled(): Promise<void> {
    await settleRequest(world.outside, reference);
    await world.followPayments();
  }
});

test('a verified late payment replaces an unverified one in the charge’s list', async () => {
  const book = await provenBook(world, shop, 6);
  const slug = await shop.request(FEES);
  const reference = await world.openPart(slug, '850');
  await endOf(reference);
  const [early, late] = [book.paid(10), book.paid(850, { reference })];
  expect(await shop.pay(late)).toMatchObject({ reason: 'charge_expired', proof: { state: 'checking' } });
  const [row] = (await shop.receipts()).filter(({ receipt_id }) => receipt_id === shop.paymentId(late));
  const forged = Array.from({ length: 5 }, (_, n) => `MTN-forged-${n}`);
  for (const receipt_id of forged)
    await world.outside.table.write([
      putItem({ ...row, pk: `RECEIPT#${receipt_id}`, sk: 'RECEIPT', receipt_id, amount_pesewas: 90_000 }),
    ]);
  const list = { second_receipts: forged };
  await world.outside.table.write([changeItem(chargeRows.key({ reference }), list)]);
  const listed = async () => (await world.chargeRow(reference)).second_receipts?.includes(shop.paymentId(late));
  expect(await listed()).toBe(false);
  await shop.arrive(early);
  world.clock.nowMs += 3 * MINUTE_MS;
  await world.followPayments();
  expect(await shop.receipt(late)).toMatchObject({ reason: 'charge_expired', proof: { state: 'proven' } });
  expect(await listed()).toBe(true);
});

describe('a payment that waits for the merchant', () => {
  const ARRIVED = 'A payment message for this request arrived';
  const LIMIT = { confirm_always_above_pesewas: 100_00 };

  test('is mentioned on both pages of its request until somebody decides, also once its charge has expired', async () => {
    await shop.change(LIMIT);
    const slug = await shop.request(FEES);
    const reference = await world.openPart(slug, '850');
    const payment = mtn({ reference, amount: '850.00' });
    expect(await shop.pay(payment)).toMatchObject({ reason: 'large_amount' });
    const byManager = async (path: string, form?: Record<string, string>) =>
      (await (await shop.signIn('manager')).visit(`/dashboard/${path}`, form && { form })).text;
    const pages = async () => [
      (await world.call('r/page', { parameters: { slug } })).text.includes(ARRIVED),
      /A payment of GHS\s850\.00 \(not verified\) is waiting\. It is for MK-\d{10} ?\. Check it/.test(
        lineOf(await byManager(`requests/${slug}`)),
      ),
    ];
    expect(await pages()).toEqual([true, true]);
    expect((await world.call('r/page', { parameters: { slug } })).text).toContain('class="plain button">Pay anyway<');
    expect(await byManager(`requests/${slug}`)).toMatch(/class="plain button"[^>]*>Share on WhatsApp</);
    await endOf(reference);
    expect((await world.chargeRow(reference)).state).toBe('expired');
    expect(await pages()).toEqual([true, true]);
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 0, amount_due: 850 });
    await byManager(`held/${shop.paymentId(payment)}/set-aside`, {});
    expect(await pages()).toEqual([false, false]);
  });

  test('is noted on its charge once it is verified, even after five larger forged ones', async () => {
    const book = await provenBook(world, shop, 6);
    await shop.change(LIMIT);
    const reference = await shop.charge({ amount: 850 });
    const noted = async () => (await world.chargeRow(reference)).waiting_receipts ?? [];
    const [early, late] = [book.paid(10), book.paid(850, { reference })];
    expect(await shop.pay(late)).toMatchObject({ reason: 'large_amount', proof: { state: 'checking' } });
    expect(await noted()).toEqual([shop.paymentId(late)]);
    const [row] = (await shop.receipts()).filter(({ receipt_id }) => receipt_id === shop.paymentId(late));
    const forged = Array.from({ length: 5 }, (_, n) => `MTN-forged-${n}`);
    for (const receipt_id of forged)
      await world.outside.table.write([
        putItem({ ...row, pk: `RECEIPT#${receipt_id}`, sk: 'RECEIPT', receipt_id, amount_pesewas: 90_000 }),
      ]);
    await world.outside.table.write([changeItem(chargeRows.key({ reference }), { waiting_receipts: forged })]);
    await shop.arrive(early);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.followPayments();
    expect(await shop.receipt(late)).toMatchObject({ reason: 'large_amount', proof: { state: 'proven' } });
    expect(await noted()).toContain(shop.paymentId(late));
    expect(await noted()).toHaveLength(5);
  });

  test('is found behind newer charges for larger amounts with unverified payments', async () => {
    const book = await provenBook(world, shop, 6);
    await shop.change(LIMIT);
    const slug = await shop.request(FEES);
    const references = [await world.openPart(slug, '400')];
    await shop.pay(book.paid(400, { reference: references[0] }));
    for (const n of Array(READ_OF_EACH).keys()) {
      const reference = await world.openPart(slug, `${850 - n}`);
      await shop.pay(mtn({ reference, amount: `${850 - n}.00` }));
      references.push(reference);
    }
    await world.followPayments();
    for (const reference of references) await settleRequest(world.outside, reference);
    const request = await findRequest(world.outside, slug);
    if (!request) throw new Error('There is no request');
    expect(await arrivedForRequest(world.outside, request, await readSums(world.outside, request))).toBe(400_00);
  });

  test('is noted on its charge together with one that arrives at the same moment', async () => {
    await shop.change(LIMIT);
    const reference = await shop.charge({ amount: 850 });
    const [first, second] = [mtn({ reference, amount: '850.00' }), mtn({ reference, amount: '850.00' })];
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, send) => {
      if (JSON.stringify(input).includes('waiting_receipts')) {
        world.dynamoDb = usual;
        await shop.pay(second);
      }
      await send();
    };
    await shop.pay(first);
    expect((await world.chargeRow(reference)).waiting_receipts).toEqual(
      [second, first].map((one) => shop.paymentId(one)),
    );
  });

  test('is a second payment once a person matches another payment to its charge', async () => {
    await shop.change(LIMIT);
    const reference = await shop.charge({ amount: 850 });
    const [first, other] = [mtn({ reference, amount: '850.00' }), mtn({ reference, amount: '850.00' })];
    for (const text of [first, other]) await shop.pay(text);
    expect((await shop.assign(other, reference)).status).toBe(200);
    await verifyMoney(world);
    expect(await shop.receipt(first)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', second_payments: [{ amount: 850 }] });
    const { access_code } = await world.chargeRow(reference);
    expect((await world.call('checkout/page', { parameters: { access_code } })).text).toContain('second payment');
  });
});

describe('the remaining part payments of a reversed charge', () => {
  test('can be assigned to the request’s next charge', async () => {
    const {
      slug,
      left: [part],
    } = await reversedCharge('400.00', '450.00');
    const owner = await shop.signIn('owner');
    await verifyMoney(world);
    const { text } = await owner.visit(`/dashboard/requests/${slug}`);
    expect(text).toContain(`/dashboard/held/${encodeURIComponent(shop.paymentId(part))}`);
    expect(text).toContain('whose payment the network has reversed.');
    expect(text).toContain('If the customer still owes this money, open this request’s page and press Pay.');
    const anew = await world.openPart(slug, '450');
    expect((await shop.assign(part, anew)).status).toBe(200);
    await settleRequest(world.outside, anew);
    expect(await ofShop(slug)).toMatchObject({ amount_paid: 450, amount_due: 400 });
    expect((await owner.visit(`/dashboard/requests/${slug}`)).text).not.toContain('has reversed');
  });

  test('become second payments once the request is paid', async () => {
    const more = Array.from({ length: 6 }, (_, n) => `${101 + n}.00`);
    const { slug, reference, left } = await reversedCharge('139.00', '100.00', ...more);
    await payAgain(slug);
    await verifyMoney(world);
    await settleRequest(world.outside, reference);
    await world.followPayments();
    for (const part of left)
      expect(await shop.receipt(part)).toMatchObject({ reason: 'already_paid', suggested_reference: reference });
    const { second_payments } = await shop.verified(reference);
    expect(second_payments.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([
      102, 103, 104, 105, 106,
    ]);
    expect((await shop.listed('held')).filter(({ reason }) => reason === 'already_paid')).toHaveLength(left.length);
    const owner = await shop.signIn('owner');
    const { text } = await owner.visit(`/dashboard/requests/${slug}`);
    expect(text.match(/whose payment the network has reversed/g)).toHaveLength(left.length);
  });

  test('stay held if a key assigned them', async () => {
    const slug = await shop.request(FEES);
    const reference = await world.openPart(slug, '850');
    const first = mtn({ reference, amount: '400.00' });
    const unnamed = mtn({ amount: '450.00' });
    await shop.pay(first);
    await shop.pay(unnamed);
    expect((await shop.assign(unnamed, reference)).status).toBe(200);
    await shop.arrive(reversal(first.id, '400.00'));
    await payAgain(slug);
    await verifyMoney(world);
    await settleRequest(world.outside, reference);
    await world.followPayments();
    const held = { state: 'held', reason: 'charge_reversed', suggested_reference: reference };
    expect(await shop.receipt(unnamed)).toMatchObject(held);
  });

  async function reversedCharge(amount: string, other: string, ...more: string[]) {
    const slug = await shop.request(FEES);
    const reference = await world.openPart(slug, '850');
    const paying = (paid: string) => mtn({ reference, amount: paid });
    const first = paying(amount);
    const left = [paying(other), ...more.map(paying)] as const;
    for (const part of [first, ...left]) await shop.pay(part);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
    await shop.arrive(reversal(first.id, amount));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', second_payments: [] });
    return { slug, reference, left };
  }

  async function payAgain(slug: string): Promise<void> {
    await shop.pay(mtn({ reference: await world.openPart(slug, '850'), amount: '850.00' }));
  }
});

test('a charge with the maximum number of parts rejects a late payment', async () => {
  const slug = await shop.request(FEES);
  const reference = await world.openPart(slug, '850');
  for (let n = 0; n < 20; n++) await shop.pay(mtn({ reference, amount: '10.00' }));
  await endOf(reference);
  const [rest, more] = [mtn({ reference, amount: '40.00' }), mtn({ reference, amount: '41.00' })];
  for (const one of [rest, more]) await shop.pay(one);
  expect((await shop.assign(rest, reference)).status).toBe(200);
  const { status, json } = await shop.assign(more, reference);
  expect(status).toBe(409);
  expect(json.message).toContain('Assign the payment to a new charge. To get one, press Pay');
});

test('a payment that arrives after a paid charge’s expiry is recorded as a second payment', async () => {
  const slug = await shop.request(FEES);
  const reference = await world.openPart(slug, '850');
  const receivedAt = world.iso();
  world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + MINUTE_MS;
  await shop.pay({ ...mtn({ reference, amount: '850.00' }), receivedAt });
  const again = mtn({ reference, amount: '850.00' });
  expect(await shop.pay(again)).toMatchObject({ state: 'held', reason: 'already_paid' });
  expect(await shop.verified(reference)).toMatchObject({ amount: 850, second_payments: [{ amount: 850 }] });
  expect((await shop.assign(again, reference)).status).toBe(409);
});

describe('money sent back for a payment request', () => {
  let slug: string;
  beforeEach(async () => {
    slug = await shop.request(FEES);
  });

  const pay = async (part: string, amount = part) => {
    const reference = await world.openPart(slug, part);
    const receipt = mtn({ reference, amount: `${amount}.00` });
    await shop.pay(receipt);
    await world.tell(3);
    return { reference, receipt };
  };
  const note = async (reference: string, amount?: number) => {
    const { json } = await shop.call('transaction/refund', { parameters: { reference }, body: { amount } });
    await world.tell(3);
    return json.data.refunds.at(-1).refund_id;
  };
  const close = async (reference: string, refund_id: string, outcome: 'sent' | 'withdrawn') => {
    await shop.call('transaction/close-refund', { parameters: { reference, refund_id }, body: { outcome } });
    await world.tell(3);
  };
  const sendBack = async (reference: string, amount?: number) =>
    close(reference, await note(reference, amount), 'sent');
  const pages = async () => {
    const owner = await shop.signIn('owner');
    const { text } = await world.call('r/page', { parameters: { slug } });
    return [text, (await owner.visit(`/dashboard/requests/${slug}`)).text] as const;
  };

  test('is owed again if the request was not paid', async () => {
    const { reference } = await pay('600');
    await sendBack(reference);
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 0, amount_due: 850 });
    const [ofCustomer, ofMerchant] = await pages();
    expect(lineOf(ofCustomer)).toContain('Ama Stores has sent GHS 600.00 back');
    expect(lineOf(ofMerchant)).toContain('GHS 600.00 was sent back.');
    await pay('250');
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 250, amount_due: 600 });
    const { receipt } = await pay('600');
    const paid = { status: 'paid', amount_paid: 850, amount_due: 0, amount_overpaid: 0 };
    expect(await ofShop(slug)).toMatchObject(paid);
    await shop.arrive(reversal(receipt.id, '600.00'));
    await world.tell(3);
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 250, amount_due: 600 });
  });

  test('is a discount if the request was paid', async () => {
    const { reference } = await pay('850');
    await sendBack(reference, 50);
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850, amount_due: 0 });
    expect(await findRequest(world.outside, slug)).toMatchObject({ state: 'paid' });
  });

  test.each([
    [600, 'second'],
    [850, 'second'],
    [850, 'reversed'],
  ])(
    'does not count if GHS %d is sent back from the %s bill, and one of two payments is reversed',
    async (again, of) => {
      const opened = [await world.openPart(slug, '850'), await world.openPart(slug, '600')] as const;
      const receipts = opened.map((reference, n) => mtn({ reference, amount: `${n === 0 ? 850 : again}.00` }));
      for (const receipt of receipts) await shop.pay(receipt);
      await world.tell(3);
      await sendBack(opened[of === 'second' ? 1 : 0], again);
      expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_overpaid: again });
      await shop.arrive(reversal(receipts[0]?.id ?? '', '850.00'));
      await world.tell(3);
      expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 0, amount_due: 850 });
      await pay('850');
      expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850, amount_overpaid: 0 });
    },
  );

  test('is owed again if the refund was recorded before the request was paid', async () => {
    const { reference } = await pay('425');
    const refundId = await note(reference);
    await pay('425');
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 425, amount_due: 425 });
    await close(reference, refundId, 'sent');
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 425, amount_due: 425 });
  });

  test('counts again if its refund is withdrawn', async () => {
    const { reference } = await pay('425');
    const refundId = await note(reference);
    await pay('425');
    await close(reference, refundId, 'withdrawn');
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 850, amount_overpaid: 0 });
  });

  test('does not hide a later excess', async () => {
    const { reference } = await pay('600');
    await sendBack(reference);
    const { reference: whole } = await pay('850', '950');
    await verifyMoney(world);
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 950, amount_overpaid: 100 });
    const [ofCustomer, ofMerchant] = await pages();
    expect(lineOf(ofCustomer)).toContain('GHS 100.00 too much was paid. Ask Ama Stores to send it back.');
    expect(lineOf(ofCustomer)).toContain('Ama Stores has sent GHS 600.00 back');
    expect(lineOf(ofMerchant)).toContain('GHS 100.00 too much was paid.');
    await sendBack(whole, 100);
    const after = await pages();
    for (const page of after) expect(lineOf(page)).not.toContain('too much was paid');
    expect(lineOf(after[1])).toContain('GHS 700.00 was sent back.');
  });

  test('is no discount if payments were reversed', async () => {
    const { reference, receipt } = await pay('425');
    const { reference: other } = await pay('425');
    await sendBack(other, 50);
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_due: 0 });
    await shop.arrive(reversal(receipt.id, '425.00'));
    await world.tell(3);
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 375, amount_due: 475 });
  });
});

describe('a bill of a payment request that was paid more than it asks', () => {
  test('asks nobody to send back what the request needs', async () => {
    const slug = await shop.request(FEES);
    const reference = await world.openPart(slug, '10');
    await shop.pay(mtn({ reference, amount: '850.00' }));
    await verifyMoney(world);
    const { access_code } = await world.chargeRow(reference);
    const owner = await shop.signIn('owner');
    const { text: checkout } = await world.call('checkout/page', { parameters: { access_code } });
    const { text: bill } = await owner.visit(`/dashboard/charges/${reference}`);
    expect(checkout).not.toMatch(/too much/);
    expect(lineOf(bill)).toContain(
      'GHS 840.00 more than the bill was paid. The extra counts towards the payment request',
    );
    expect((await owner.visit('/dashboard/till/closing')).text).not.toContain('still to be sent back');
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_overpaid: 0 });
  });

  test('adds only the request’s own excess to the closing', async () => {
    const slug = await shop.request(FEES);
    const reference = await world.openPart(slug, '10');
    await shop.pay(mtn({ reference, amount: '870.00' }));
    await verifyMoney(world);
    const owner = await shop.signIn('owner');
    const { text } = await owner.visit('/dashboard/till/closing');
    expect(text).toMatch(/still to be sent back<\/dt><dd>[^\n]*GHS 20\.00/);
  });
});

describe('a late payment for a request’s expired charge', () => {
  let slug: string;
  let reference: string;
  let late: ReturnType<typeof mtn>;
  beforeEach(async () => {
    slug = await shop.request({ ...FEES, lines: [{ description: 'Tuition', amount: 640 }] });
    reference = await world.openPart(slug, '640');
    world.clock.nowMs += 26 * HOUR_MS;
    await endCharge(world.outside, expiryOf(await world.chargeRow(reference)));
    late = mtn({ reference, amount: '640.00' });
    expect(await shop.pay(late)).toMatchObject({ state: 'held', reason: 'charge_expired' });
  });

  test('stays on the request after a month and a press of Pay', async () => {
    await verifyMoney(world);
    await world.tell(3);
    world.clock.nowMs += 32 * DAY_MS;
    await world.openPart(slug, '640');
    const request = await findRequest(world.outside, slug);
    expect(request?.charges.map((one) => one.reference)).toContain(reference);
    const { text } = await world.call('r/page', { parameters: { slug } });
    expect(text).toContain('arrived too late');
    expect(text).toContain('Pay anyway');
  });

  test.each([0, 2, 40])('counts towards the request if assigned %i days later', async (days) => {
    world.clock.nowMs += days * DAY_MS;
    expect((await shop.assign(late, reference)).status).toBe(200);
    await settleRequest(world.outside, reference);
    expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 640, amount_due: 0 });
    expect((await pages()).join()).not.toContain('arrived too late');
  });

  test.each(['before', 'after'])(
    'is shown with advice to match it if it arrives %s a smaller amount is accepted',
    async (order) => {
      const short = mtn({ reference, amount: '300.00' });
      await shop.pay(short);
      const rest = mtn({ reference, amount: '340.00' });
      const both = [() => shop.pay(rest), () => shop.assign(short, reference)];
      for (const happens of order === 'before' ? both : both.toReversed()) await happens();
      await world.settle({ receipt_id: shop.paymentId(rest) });
      await verifyMoney(world);
      await settleRequest(world.outside, reference);
      await world.followPayments();
      expect(await ofShop(slug)).toMatchObject({ status: 'open', amount_paid: 300 });
      expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'charge_expired' });
      const owner = await shop.signIn('owner');
      const { text } = await owner.visit(`/dashboard/held/${encodeURIComponent(shop.paymentId(rest))}`);
      expect(text).toContain('If the customer still owes this money, match it to that bill.');
      expect(text).not.toContain('Send it back, and record that below');
      expect((await pages()).join()).not.toContain('to send it back');
      expect((await shop.assign(rest, reference)).status).toBe(200);
      await settleRequest(world.outside, reference);
      expect(await ofShop(slug)).toMatchObject({ status: 'paid', amount_paid: 640 });
    },
  );

  test('is shown to the customer once verified', async () => {
    await verifyMoney(world);
    const [ofRequest, ofCharge] = await pages();
    expect(ofRequest).toContain('GHS 640.00 arrived too late.');
    expect(ofCharge).toMatch(/GHS 640\.00<\/b> arrived too late, on .*Ask .* to accept it/);
  });

  test('hides its amount while unverified', async () => {
    for (const text of await pages()) {
      expect(text).toContain('Another payment message about this bill arrived');
      expect(text).not.toContain('arrived too late');
    }
    const { second_payments } = await shop.verified(reference);
    expect(second_payments).toEqual([]);
  });

  async function pages(): Promise<string[]> {
    const { access_code } = await world.chargeRow(reference);
    const ofRequest = await world.call('r/page', { parameters: { slug } });
    const ofCharge = await world.call('checkout/page', { parameters: { access_code } });
    return [ofRequest.text, ofCharge.text];
  }
});

describe('an open checkout page of a payment request', () => {
  test.each(['cancelled', 'paid'])('redirects to the request once it is %s', async (state) => {
    const slug = await shop.request(FEES);
    const [part, whole] = [await world.openPart(slug, '400'), await world.openPart(slug, '850')];
    const { access_code } = await world.chargeRow(part);
    const page = () => world.call('checkout/page', { parameters: { access_code } });
    expect((await page()).text).toContain('Send exactly');
    if (state === 'paid') await shop.pay(mtn({ reference: whole, amount: '850.00' }));
    else await shop.call('request/cancel', { parameters: { slug } });
    await world.tell(3);
    expect((await page()).headers.location).toBe(`/r/${slug}`);
  });
});

describe('the cancellation of a payment request', () => {
  test('stops further payments', async () => {
    const slug = await shop.request(FEES);
    const reference = await world.openPart(slug, '850');
    const end = () => shop.call('request/cancel', { parameters: { slug } });
    expect((await end()).json.data).toMatchObject({ status: 'cancelled', due: null });
    expect((await end()).json.data).toMatchObject({ status: 'cancelled' });
    expect(await payByScript(slug)).toEqual([
      410,
      'The shop has cancelled this request. Do not pay. Contact the shop.',
    ]);
    expect((await world.pressPayPart(slug, '850')).status).toBe(410);
    await shop.pay(mtn({ reference, amount: '850.00' }));
    await world.tell(3);
    expect(await ofShop(slug)).toMatchObject({ status: 'cancelled', amount_paid: 850 });
  });

  test.each([
    ['the full amount', '850.00', 410, 'paid', 850],
    ['a part payment', '400.00', 200, 'cancelled', 400],
  ])(
    'leaves the request paid or cancelled if %s arrives at the same moment',
    async (_, amount, status, shown, amount_paid) => {
      const slug = await shop.request(FEES);
      const references = [await world.openPart(slug, '850'), await world.openPart(slug, '849')];
      world.rightBefore('TransactWriteItems', () => shop.pay(mtn({ reference: references[0], amount })));
      expect((await shop.call('request/cancel', { parameters: { slug } })).status).toBe(status);
      await world.tell(3);
      expect(await ofShop(slug)).toMatchObject({ status: shown, amount_paid });
    },
  );

  test('hides the advice to keep a late payment', async () => {
    const slug = await shop.request(FEES);
    const reference = await world.openPart(slug, '850');
    await endOf(reference);
    const late = mtn({ reference, amount: '850.00' });
    await shop.pay(late);
    await verifyMoney(world);
    const owner = await shop.signIn('owner');
    const held = `/dashboard/held/${encodeURIComponent(shop.paymentId(late))}`;
    const advice = async () =>
      (await Promise.all([held, `/dashboard/requests/${slug}`].map((path) => owner.visit(path))))
        .map(({ text }) => text)
        .join();
    const ifOwed = [
      'There is no time limit.',
      'If the customer still owes this money, match the payment to that bill. It then counts towards this request.',
    ];
    const ifOver = ['Otherwise, send it back.', 'Send it back, or match it to another of this customer’s bills.'];
    for (const words of ifOwed) expect(await advice()).toContain(words);
    expect((await shop.call('request/cancel', { parameters: { slug } })).status).toBe(200);
    const after = await advice();
    for (const words of ifOver) expect(after).toContain(words);
    for (const words of ifOwed) expect(after).not.toContain(words);
  });

  test('handles more charges than fit in one transaction', async () => {
    const slug = await shop.request(FEES);
    const charges = Array.from({ length: 150 }, (_, n) => ({ reference: `MK-${1_000_000_000 + n}`, paid_pesewas: 0 }));
    await world.outside.table.write([changeItem({ pk: `REQUEST#${slug}`, sk: 'REQUEST' }, { charges })]);
    expect((await shop.call('request/cancel', { parameters: { slug } })).status).toBe(200);
  });

  test('returns 410 if the request is paid', async () => {
    const slug = await shop.request(FEES);
    await shop.payPart(slug, '850');
    const { status, json } = await shop.call('request/cancel', { parameters: { slug } });
    expect({ status, code: json.code }).toEqual({ status: 410, code: 'request_closed' });
  });
});

/** Presses Pay like the page's script. @returns the status and message. */
async function payByScript(slug: string): Promise<[number, string]> {
  const { status, json } = await world.call('r/open', {
    parameters: { slug },
    headers: { accept: 'application/json' },
    body: { amount: '1' },
  });
  return [status, json.message];
}

async function endOf(reference: string): Promise<void> {
  const charge = await world.chargeRow(reference);
  world.clock.nowMs = Date.parse(charge.expires_at) + 10 * 60_000;
  await endCharge(world.outside, expiryOf(charge));
}

function ask(body: object, headers: Record<string, string> = {}) {
  return shop.call('request/create', { body, headers });
}
