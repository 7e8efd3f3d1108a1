import { beforeEach, describe, expect, test } from 'vitest';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { expectFailure } from '../../support/envelope.ts';
import { mtn, newNumber, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';
import { setWebhook } from '../../support/webhooks.ts';

/** A second payment names a charge that is already paid. Verified payments replace unverified ones. */

const CHECKED_MS = 3 * 60_000;

const BOTH = /^Check your MoMo balance first\. This payment is verified, but the payment that paid the charge is not/;

let world: Scene;
let shop: Shop;
let book: WalletBook;
let reference: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  // Unverified payments count, up to this limit.
  await shop.change({ confirm_unproven_up_to_pesewas: 1_000_00 });
  book = await provenBook(world, shop, 6);
  reference = await shop.charge({ amount: 36 });
});

const forge = (amount: number, naming = reference) => book.receipt(amount, { reference: naming, balance: 777_77 });

async function arrive(...texts: BookedText[]): Promise<void> {
  for (const text of texts) {
    await shop.arrive(text);
    world.clock.nowMs += CHECKED_MS;
    await settleAgain(text);
  }
}

const refund = async (body: object) =>
  (await shop.call('transaction/refund', { parameters: { reference }, body })).json.data;

async function closing() {
  const { owed, toLookInto } = await closingOf(world.outside, shop.id, [], world.iso().slice(0, 10));
  return { owed: owed.pesewas, toLookInto: toLookInto.pesewas };
}

describe('a verified second payment after an unverified assigned payment', () => {
  let real: BookedText;

  beforeEach(async () => {
    const forged = forge(36, '1');
    await arrive(forged);
    await shop.assign(forged, reference);
    real = book.paid(36, { reference });
    await arrive(real);
    expect(await shop.receipt(real)).toMatchObject({
      state: 'held',
      reason: 'already_paid',
      proof: { state: 'proven' },
    });
  });

  test('is not owed to the customer until a person has checked it', async () => {
    expect(await closing()).toEqual({ owed: 0, toLookInto: 36_00 });
  });

  test('can be recorded as sent back with a warning', async () => {
    const [{ receipt_id, warning }] = (await shop.verified(reference)).second_payments;
    expect(warning).toMatch(BOTH);
    const noted = await refund({ receipt_id });
    expect(noted.warning).toMatch(BOTH);
    expect(noted.second_payments).toMatchObject([{ warning: null }]);
  });

  test.each(['/dashboard/today', '/dashboard/held', '/dashboard/charges?q=kofi'])(
    'is listed on %s without advice to send it back',
    async (path) => {
      const { text } = await (await shop.signIn('owner')).visit(path);
      expect(text).toContain(path === '/dashboard/today' ? ' payments to check' : 'GHS 36.00');
      expect(text).not.toMatch(/nothing to check|or send it back/);
      if (path !== '/dashboard/today')
        expect(text).toMatch(
          /may have paid twice\.<\/p>\s*<p class="notice look">.*<b>Check your MoMo balance first\./,
        );
    },
  );

  test('cannot be assigned to its bill', async () => {
    const answer = await shop.assign(real, reference);
    expectFailure(answer, 409, 'charge_not_pending');
    const { json } = answer;
    expect(json.message).toContain(
      'Check your MoMo balance first. This payment is verified, but the payment that paid',
    );
    expect(json.message).not.toMatch(/back/);
  });

  test('is shown on its page without advice to send it back', async () => {
    const { text } = await (await shop.signIn('owner')).visit(`/dashboard/held/${shop.paymentId(real)}`);
    expect(text).toContain('Check your MoMo balance first.');
    expect(text).not.toMatch(/(?:send|give) (?:it|the money|them) back/i);
  });

  test.each(['checkout/page', 'checkout/receipt'] as const)(
    'is shown on %s without advice to send it back',
    async (page) => {
      const { access_code } = await world.chargeRow(reference);
      const { text } = await world.call(page, { parameters: { access_code } });
      expect(text).toContain('Another payment message about this bill arrived');
      expect(text).not.toMatch(/A second payment arrived|send it back/);
    },
  );
});

test('a second payment of a bill whose mark is undone has a warning until it pays the bill', async () => {
  const by = await shop.signIn('manager');
  await by.visit(`/dashboard/charges/${reference}/mark`, { form: { how: 'cash', amount: '36' } });
  const real = book.paid(36, { reference });
  await arrive(real);
  expect((await shop.verified(reference)).status).toBe('success');
  await (await shop.signIn('manager')).visit(`/dashboard/charges/${reference}/unmark`, { form: {} });
  expect(await shop.verified(reference)).toMatchObject({
    status: 'pending',
    second_payments: [{ warning: expect.stringContaining('may still pay it') }],
  });
  await world.followPayments();
  expect(await shop.verified(reference)).toMatchObject({ payment: { transaction_id: real.id }, second_payments: [] });
});

test('a second payment after a verified one is owed to the customer', async () => {
  await arrive(book.paid(36, { reference }));
  const again = book.paid(36, { reference });
  await arrive(again);
  expect(await closing()).toEqual({ owed: 36_00, toLookInto: 0 });
  expect((await shop.assign(again, reference)).json.message).toContain('Send a second payment back');
  const [{ receipt_id, warning }] = (await shop.verified(reference)).second_payments;
  expect(warning).toBeNull();
  const { text } = await (await shop.signIn('owner')).visit(`/dashboard/held/${shop.paymentId(again)}`);
  expect(text).toContain('Send it back, then record that under “It is not for a bill”.');
  expect((await refund({ receipt_id })).warning).toBeNull();
});

describe('an owed second payment that a forged text disputes', () => {
  const doubts: readonly (readonly [string, (second: BookedText) => Parameters<Shop['arrive']>[0]])[] = [
    ['a forged reversal', ({ id }) => reversal(id, '36.00', '1.00')],
    ['a vague reversal', ({ id }) => ({ ...mtn({ id }), text: `Dear customer, your transaction ${id} was reversed.` })],
    ['a contradictory text', ({ id }) => book.receipt(999, { reference, balance: 1_999_98, id })],
  ];

  test.each(doubts)('is listed as a payment to check after %s', async (_, text) => {
    await arrive(book.paid(36, { reference }));
    const second = book.paid(36, { reference });
    await arrive(second);
    expect(await closing()).toEqual({ owed: 36_00, toLookInto: 0 });
    await shop.arrive(text(second));
    await world.tell(5);
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await closing()).toEqual({ owed: 0, toLookInto: 36_00 });
    const { second_payments, proof } = await shop.verified(reference);
    expect(second_payments).toMatchObject([{ amount: 36, proof: { state: 'unproven' } }]);
    expect(proof).toMatchObject({ state: 'proven' });
    for (const page of ['checkout/page', 'checkout/receipt'] as const) {
      const { access_code } = await world.chargeRow(reference);
      const { text: shown } = await world.call(page, { parameters: { access_code } });
      expect(shown).toContain('Another payment message about this bill arrived');
      expect(shown).not.toMatch(/A second payment arrived|send it back/);
    }
    const [{ receipt_id }] = second_payments;
    expect((await refund({ receipt_id })).warning).toMatch(/^Check your MoMo balance first\. Something contradicts/);
    expect(await closing()).toEqual({ owed: 0, toLookInto: 0 });
  });

  test('is not called a second payment if its charge was never paid', async () => {
    const part = book.paid(20, { reference });
    await arrive(part);
    await shop.call('transaction/cancel', { parameters: { reference } });
    await shop.arrive(reversal(part.id, '20.00', '1.00'));
    expect(await shop.receipt(part)).toMatchObject({ reason: 'conflict', suggested_reference: reference });
    expect(await closing()).toEqual({ owed: 0, toLookInto: 0 });
    expect((await shop.verified(reference)).second_payments).toEqual([]);
  });

  test('is still shown on the pages of its payment request', async () => {
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 36 }] });
    reference = await world.openPart(slug, '36');
    await arrive(book.paid(36, { reference }));
    const second = book.paid(36, { reference });
    await arrive(second);
    await shop.arrive(reversal(second.id, '36.00', '1.00'));
    await world.tell(3);
    expect((await world.call('r/page', { parameters: { slug } })).text).toContain(
      'Another payment message about this bill arrived',
    );
    const { text } = await (await shop.signIn('owner')).visit(`/dashboard/requests/${slug}`);
    expect(text).toContain('Check your MoMo balance first.');
  });
});

describe('a second payment after the first is reversed', () => {
  const sums = async () => {
    await world.followChanges();
    const rows = (await world.scan()).filter(({ pk }) => String(pk).startsWith('BOOKING#'));
    return ['payments', 'released', 'reversed'].map((name) =>
      rows.reduce((all, row) => all + Number(row[name] ?? 0), 0),
    );
  };

  test('pays the bill if it is verified', async () => {
    const [first, second] = [book.paid(36, { reference }), book.paid(36, { reference })];
    await arrive(first, second);
    await world.followChanges();
    await arrive({ ...first, ...reversal(first.id, '36.00', '1.00') });
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'reversal' } });
    await arrive(book.reversed(first, 36));
    const paid = { status: 'success', disputed: null, amount_paid: 36, second_payments: [] };
    expect(await shop.verified(reference)).toMatchObject({ ...paid, payment: { transaction_id: second.id } });
    expect(await shop.receipt(first)).toMatchObject({ state: 'held', reason: 'reversed' });
    expect(await shop.receipt(second)).toMatchObject({ state: 'matched', reference });
    expect(await closing()).toEqual({ owed: 0, toLookInto: 0 });
    expect(await sums()).toEqual([2, 0, 1]);
    await arrive(book.reversed(second, 36));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await sums()).toEqual([2, 0, 2]);
  });

  test('can be reversed without affecting the first payment', async () => {
    const [missing, first] = [book.spent(5), book.paid(36, { reference })];
    await arrive(first);
    world.clock.nowMs += CHECKED_MS;
    await settleAgain(first);
    await arrive(missing);
    const second = book.paid(36, { reference });
    await arrive(second, book.reversed(second, 36));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { transaction_id: first.id } });
  });

  test('is held for review if its id was entered for a different bill', async () => {
    const number = newNumber();
    const momo_accounts = [shop.number, number].map((one) => ({
      number: one,
      network: 'MTN' as const,
      account_name: 'A',
    }));
    await shop.change({ momo_accounts });
    // Pages cache a shop for a minute.
    world.clock.nowMs += 2 * 60_000;
    const first = book.paid(36, { reference });
    await arrive(first);
    const second = book.paid(36, { reference });
    const other = await shop.charge({ amount: 50 });
    const manager = await shop.signIn('manager');
    const typed = { how: 'transfer', amount: '50', payer: 'Ama Sample', transaction_id: second.id, number };
    const mark = async () =>
      expect((await manager.visit(`/dashboard/charges/${other}/mark`, { form: typed })).status).toBe(303);
    world.rightBefore('TransactWriteItems', mark, `RECEIPT#${shop.paymentId(second)}`);
    await shop.arrive(second);
    await shop.arrive(book.reversed(first, 36));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', second_payments: [] });
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'charge_reversed' });
    expect(await shop.verified(other)).toMatchObject({ status: 'success' });
  });

  test.each([
    ['is not verified', () => forge(36), {}],
    ['exceeds the review threshold', () => book.paid(36, { reference }), { confirm_always_above_pesewas: 30_00 }],
    ['is less than the bill', () => book.paid(35, { reference }), {}],
  ])('is held for review if it %s', async (_, came, settings) => {
    const first = book.paid(36, { reference });
    await arrive(first);
    const second = came();
    await arrive(second);
    await shop.change(settings);
    await arrive(book.reversed(first, 36));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', second_payments: [] });
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'charge_reversed' });
    expect(await closing()).toEqual({ owed: 0, toLookInto: 0 });
    const { text } = await (await shop.signIn('owner')).visit(`/dashboard/held/${shop.paymentId(second)}`);
    expect(text).not.toMatch(/Send (?:it|the money) back/);
  });
});

describe('a second payment for a payment request', () => {
  const seen = async (slug: string) => {
    const owner = await shop.signIn('owner');
    const shown = await owner.visit(`/dashboard/requests/${slug}`);
    return [shown.text, (await world.call('r/page', { parameters: { slug } })).text];
  };

  test('is not listed for return if only the second payment is verified', async () => {
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 36 }] });
    reference = await world.openPart(slug, '36');
    const forged = forge(36, '1');
    await arrive(forged);
    await shop.assign(forged, reference);
    await arrive(book.paid(36, { reference }));
    await world.tell(3);
    const [dashboard, page] = await seen(slug);
    expect(dashboard).toContain('This payment is verified, but the payment that paid its bill is not.');
    expect(page).toContain('Another payment message about this bill arrived');
    for (const text of [dashboard, page]) expect(text).not.toMatch(/send it back/i);
  });

  test('replaces a forged first payment if it is verified', async () => {
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 36 }] });
    reference = await world.openPart(slug, '36');
    const real = book.paid(36, { reference });
    await arrive(forge(36), real);
    await world.tell(3);
    expect(await shop.shownRequest(slug)).toMatchObject({
      status: 'paid',
      amount_paid: 36,
      amount_due: 0,
      proof: { state: 'proven' },
    });
    expect((await shop.verified(reference)).payment.transaction_id).toBe(real.id);
    const [dashboard, page] = await seen(slug);
    expect(dashboard).toContain('Check your MoMo balance first. This payment is not verified');
    for (const text of [dashboard, page]) expect(text).not.toMatch(/send it back/i);
  });
});

test('a late payment is held as charge_expired if its payment request was deleted', async () => {
  const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 36 }] });
  reference = await world.openPart(slug, '36');
  world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + 10 * 60_000;
  await world.outside.table.write([{ delete: { Key: { pk: `REQUEST#${slug}`, sk: 'REQUEST' } } }]);
  const late = book.paid(36, { reference });
  await arrive(late);
  expect(await shop.receipt(late)).toMatchObject({ state: 'held', reason: 'charge_expired' });
});

test('a doubt about a payment’s reversal keeps its time when the payment’s text arrives', async () => {
  const real = book.paid(36, { reference });
  await shop.arrive(reversal(real.id, '10.00'));
  const reversal_doubt_at = world.iso();
  world.clock.nowMs += 60_000;
  await arrive(real);
  expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'conflict', reversal_doubt_at });
});

describe('a bill with a forged payment', () => {
  /** Receives texts and settles each again after its check. */
  async function come(...texts: BookedText[]): Promise<void> {
    for (const text of texts) {
      await arrive(text);
      world.clock.nowMs += CHECKED_MS;
      await settleAgain(text);
    }
  }

  /** Returns the bill's payment and the other payments. */
  async function outcome() {
    await world.tell(5);
    const { status, payment, proof, second_payments, overpaid } = await shop.verified(reference);
    return {
      status,
      overpaid,
      paid: [payment.transaction_id, proof.state],
      second: second_payments.map((one: { amount: number; proof: { state: string } }) => [one.amount, one.proof.state]),
      closing: await closing(),
    };
  }
  const paidBy = ({ id }: BookedText, more: object = {}) => ({
    status: 'success',
    overpaid: 0,
    paid: [id, 'proven'],
    closing: { owed: 0, toLookInto: 36_00 },
    second: [[36, 'unproven']],
    ...more,
  });

  test('is paid by a verified payment that arrives later', async () => {
    const forged = forge(36);
    await come(forged);
    expect((await shop.verified(reference)).payment.transaction_id).toBe(forged.id);
    const real = book.paid(36, { reference });
    await arrive(real);
    expect(await outcome()).toEqual(paidBy(real));
    expect(await shop.receipt(forged)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await shop.receipt(real)).toMatchObject({ state: 'matched', matched_by: 'reference', reference });
  });

  test('is paid by a later payment once it is verified', async () => {
    await come(forge(36));
    const [missing, real] = [book.spent(5), book.paid(36, { reference })];
    await come(real);
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'already_paid' });
    await arrive(missing);
    await settleAgain(real);
    expect(await outcome()).toEqual(paidBy(real));
  });

  test('is paid by an earlier payment once it is verified', async () => {
    const [missing, real] = [book.spent(5), book.paid(36, { reference })];
    await come(real, forge(36));
    await arrive(missing);
    await settleAgain(real);
    expect(await outcome()).toEqual(paidBy(real));
  });

  test('stays paid by the first payment if both payments are forged', async () => {
    const forged = forge(36);
    await come(forged, forge(36));
    expect(await outcome()).toEqual(paidBy(forged, { paid: [forged.id, 'unproven'] }));
  });

  test('has one payment to return if its customer pays twice afterwards', async () => {
    await come(forge(36));
    const real = book.paid(36, { reference });
    await come(real);
    await come(book.paid(36, { reference }));
    const second = [
      [36, 'unproven'],
      [36, 'proven'],
    ];
    expect(await outcome()).toEqual(paidBy(real, { second, closing: { owed: 36_00, toLookInto: 36_00 } }));
  });

  const amountsOf = (second: [amount: number, proof: string][]) =>
    second.map(([amount]) => amount).toSorted((one, other) => one - other);

  /** Returns the merchant's booking totals. */
  async function booked() {
    const rows = (await world.scan()).filter(({ pk }) => String(pk).startsWith('BOOKING#'));
    const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0);
    return { payments: sum('payments'), released: sum('released'), reversed: sum('reversed') };
  }

  /** Forges texts above the bill's amount that fill its list of second payments. */
  const flood = () => Array.from({ length: 5 }, (_, n) => forge(100 + n));

  test('lists the replaced payment along with many forged ones', async () => {
    await come(forge(36));
    const real = book.paid(36, { reference });
    await arrive(...flood(), real);
    world.clock.nowMs += CHECKED_MS;
    await settleAgain(real);
    const { paid, second } = await outcome();
    expect(paid).toEqual([real.id, 'proven']);
    expect(amountsOf(second)).toEqual([36, 101, 102, 103, 104]);
    expect(await booked()).toMatchObject({ payments: 2, released: 1, reversed: 0 });
  });

  test('lists a verified second payment before forged ones', async () => {
    await come(book.paid(36, { reference }));
    const again = book.paid(36, { reference });
    await arrive(...flood(), again);
    world.clock.nowMs += CHECKED_MS;
    await settleAgain(again);
    await arrive(forge(200));
    const { second, closing } = await outcome();
    expect(second).toContainEqual([36, 'proven']);
    expect(second).toHaveLength(5);
    expect(closing.owed).toBe(36_00);
  });

  test('lists the larger of two verified second payments', async () => {
    await come(book.paid(36, { reference }));
    const small = Array.from({ length: 5 }, () => book.paid(0.5, { reference }));
    await come(...small, book.paid(36, { reference }));
    const { second } = await outcome();
    expect(amountsOf(second)).toEqual([0.5, 0.5, 0.5, 0.5, 36]);
  });

  test('lists the replaced payment along with many smaller ones', async () => {
    await come(forge(36));
    await come(...Array.from({ length: 5 }, () => book.paid(0.5, { reference })));
    await come(book.paid(36, { reference }));
    const { second } = await outcome();
    expect(amountsOf(second)).toEqual([0.5, 0.5, 0.5, 0.5, 36]);
  });

  test('triggers one event for its payment and one for the forgery', async () => {
    await setWebhook(world, shop);
    const forged = forge(36);
    await come(forged);
    await come(book.paid(36, { reference }));
    await world.followChanges();
    const events = (await world.rows('EVENT')).flatMap(({ type, body }) => {
      const { data } = JSON.parse(String(body));
      return [data.reference, data.suggested_reference].includes(reference) ? [{ type, ...data }] : [];
    });
    expect(events.map(({ type }) => type).toSorted()).toEqual(['charge.success', 'receipt.held']);
    const held = events.find(({ type }) => type === 'receipt.held');
    expect(held).toMatchObject({ transaction_id: forged.id, reason: 'already_paid', proof: { state: 'unproven' } });
  });
});

describe('a forged part payment of a bill', () => {
  /** Returns the bill's state, amounts (in cedis) and second payments. */
  async function outcome() {
    const { status, proof, amount_paid, overpaid, second_payments } = await shop.verified(reference);
    const second = second_payments.map((one: { amount: number; proof: { state: string } }) => [
      one.amount,
      one.proof.state === 'proven',
    ]);
    return { paid: [status, proof?.state === 'proven', amount_paid, overpaid], second };
  }
  const PAID = { paid: ['success', true, 36, 0], second: [[5, false]] };

  test('becomes a second payment if one verified payment covers the bill', async () => {
    const part = forge(5);
    await arrive(part, book.paid(36, { reference }));
    expect(await outcome()).toEqual(PAID);
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await closing()).toEqual({ owed: 0, toLookInto: 5_00 });
  });

  test('becomes a second payment when the full payment is verified late', async () => {
    const [missing, real] = [book.spent(5), book.paid(36, { reference })];
    await arrive(forge(5), real);
    expect((await outcome()).paid).toEqual(['success', false, 41, 5]);
    await world.followChanges();
    await arrive(missing);
    await settleAgain(real);
    expect(await outcome()).toEqual(PAID);
    await world.followChanges();
    const rows = (await world.scan()).filter(({ pk }) => String(pk).startsWith('BOOKING#'));
    const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0);
    expect(['payments', 'released', 'reversed', 'overpaid_pesewas'].map(sum)).toEqual([2, 1, 0, 0]);
  });

  test('becomes a second payment when verified payments cover the bill', async () => {
    await arrive(book.paid(20, { reference }), forge(5), book.paid(16, { reference }));
    expect(await outcome()).toEqual(PAID);
  });

  test('still counts if the verified payments do not cover the bill', async () => {
    await arrive(forge(5), book.paid(31, { reference }));
    expect(await outcome()).toEqual({ paid: ['success', false, 36, 0], second: [] });
  });

  test('still counts if a person assigned it', async () => {
    const part = forge(5, '1');
    await arrive(part);
    expect((await shop.assign(part, reference, { body: { reference, as_part: true } })).status).toBe(200);
    await arrive(book.paid(36, { reference }));
    expect(await outcome()).toEqual({ paid: ['success', false, 41, 5], second: [] });
  });

  test('still counts if a payment for the bill is being sent back', async () => {
    const [missing, real] = [book.spent(5), book.paid(36, { reference })];
    await arrive(forge(5), real);
    await refund({ amount: 5 });
    await arrive(missing);
    await settleAgain(real);
    expect((await outcome()).paid).toEqual(['success', false, 41, 5]);
  });

  test('is listed among the five largest of twenty payments', async () => {
    for (let n = 1; n <= 20; n++) await arrive(forge(n / 10));
    const real = book.paid(36, { reference });
    await arrive(real);
    world.clock.nowMs += CHECKED_MS;
    await nameBalance(world.outside, wallet(), book.pesewas);
    await settleAgain(real);
    const { paid, second } = await outcome();
    expect(paid).toEqual(['success', true, 36, 0]);
    expect(second.map(([amount]: [number]) => amount)).toEqual([1.6, 1.7, 1.8, 1.9, 2]);
  });
});

describe('a bill with an unverified payment before a verified one', () => {
  let forged: BookedText;

  beforeEach(async () => {
    forged = forge(36);
    await arrive(forged);
  });

  const kept = async (real: BookedText) => {
    await arrive(real);
    expect((await shop.verified(reference)).payment.transaction_id).toBe(forged.id);
    const receipt = await shop.receipt(real);
    expect(receipt).toMatchObject({ state: 'held', reason: 'already_paid', proof: { state: 'proven' } });
    return (await refund({ receipt_id: (await shop.verified(reference)).second_payments.at(-1).receipt_id })).warning;
  };

  test('keeps its payment if a refund was recorded', async () => {
    await refund({ amount: 10 });
    expect(await kept(book.paid(36, { reference }))).toMatch(BOTH);
  });

  test('keeps its payment if a person released the goods', async () => {
    const manager = await shop.signIn('manager');
    await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    expect(await kept(book.paid(36, { reference }))).toMatch(BOTH);
  });

  test('keeps its payment if it is disputed', async () => {
    await world.outside.table.write([disputeCharge(world.outside, reference, 'forged')]);
    expect(await kept(book.paid(36, { reference }))).toMatch(BOTH);
  });

  test('keeps its payment if the verified payment is too small', async () => {
    expect(await kept(book.paid(35, { reference }))).toMatch(BOTH);
  });

  test('keeps its payment if the verified payment is late', async () => {
    world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + 1;
    expect(await kept(book.paid(36, { reference }))).toMatch(BOTH);
  });

  test('keeps its payment if a person must confirm payments this large', async () => {
    await shop.change({ confirm_always_above_pesewas: 30_00 });
    expect(await kept(book.paid(36, { reference }))).toMatch(BOTH);
  });
});

test('a verified late payment is not owed to the customer after a person released the goods', async () => {
  await arrive(forge(36));
  world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + 1;
  const real = book.paid(36, { reference });
  await arrive(real);
  await (await shop.signIn('manager')).visit(`/dashboard/charges/${reference}/release`, {
    form: { shown: 'unverified' },
  });
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  expect(await closing()).toEqual({ owed: 0, toLookInto: 36_00 });
  const { text } = await (await shop.signIn('owner')).visit(`/dashboard/held/${shop.paymentId(real)}`);
  expect(text).toContain('If you find only this payment, keep it for the bill.');
  expect(text).not.toMatch(/send it back/i);
});

test('a verified late payment of a request is not a second payment after a person released a forged one', async () => {
  const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 60 }] });
  const late = await world.openPart(slug, '60');
  await expire(late);
  const forgedBill = await world.openPart(slug, '60');
  const real = book.paid(60, { reference: late });
  await arrive(real, forge(60, forgedBill));
  await (await shop.signIn('manager')).visit(`/dashboard/charges/${forgedBill}/release`, {
    form: { shown: 'unverified' },
  });
  world.clock.nowMs += CHECKED_MS;
  await settleRequest(world.outside, forgedBill);
  await world.followPayments();
  expect(await shop.verified(forgedBill)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'charge_expired' });
  const { text } = await (await shop.signIn('owner')).visit(`/dashboard/held/${shop.paymentId(real)}`);
  expect(text).not.toMatch(/send it back/i);
});

/** Pays part of a bill, then disputes it with a text that reports a wrong balance. */
async function disputedPart(
  amount: number,
  naming = reference,
  part = book.paid(amount, { reference: naming }),
): Promise<BookedText> {
  await arrive(part, { ...part, ...reversal(part.id, `${amount}.00`, '1.00') });
  return part;
}

async function expire(ending = reference): Promise<void> {
  const charge = await world.chargeRow(ending);
  world.clock.nowMs = Date.parse(charge.expires_at) + 600_000;
  await endCharge(world.outside, expiryOf(charge));
  await world.followPayments();
}

describe('a verified payment of a disputed bill', () => {
  test('pays the bill once the disputed part is reversed', async () => {
    const part = await disputedPart(20);
    const real = book.paid(36, { reference });
    await arrive(real);
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'charge_disputed' });
    await arrive(book.reversed(part, 20));
    await world.followPayments();
    const paid = { status: 'success', disputed: null, amount_paid: 36, parts: [], second_payments: [] };
    expect(await shop.verified(reference)).toMatchObject({ ...paid, payment: { transaction_id: real.id } });
  });
});

test('a payment that is verified after its disputed bill has expired pays the bill', async () => {
  await disputedPart(20);
  const charge = await world.chargeRow(reference);
  world.clock.nowMs = Date.parse(charge.expires_at) - 60_000;
  const receivedAt = world.iso();
  const [missing, real] = [book.spent(5), book.paid(36, { reference })];
  await expire();
  await shop.arrive({ ...real, receivedAt });
  expect(await shop.receipt(real)).toMatchObject({ state: 'held', proof: { state: 'checking' } });
  await shop.arrive({ ...missing, receivedAt });
  world.clock.nowMs += CHECKED_MS;
  await settleAgain(real);
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { transaction_id: real.id } });
});

describe('a verified payment matched by name to a disputed bill', () => {
  let named: string;
  let part: BookedText;
  let real: BookedText;
  beforeEach(async () => {
    named = await shop.charge({ amount: 40, customer_name: 'Kofi Mensah Boateng' });
    part = await disputedPart(10, named);
    real = book.paid(40);
    await arrive(real);
    expect(await shop.receipt(real)).toMatchObject({ reason: 'charge_disputed', suggested_reference: named });
    await world.followChanges();
  });

  test('pays the bill once the disputed part is reversed', async () => {
    await arrive(book.reversed(part, 10));
    await world.followPayments();
    expect(await shop.verified(named)).toMatchObject({ status: 'success', payment: { transaction_id: real.id } });
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['expired', 'charge_expired', () => expire(named)],
    ['cancelled', 'charge_cancelled', () => shop.call('transaction/cancel', { parameters: { reference: named } })],
  ])('still names the bill once it is %s', async (_, reason, end) => {
    await end();
    await world.followPayments();
    const held = { state: 'held', reason, suggested_reference: named };
    expect(await shop.receipt(real)).toMatchObject(held);
    await settleAgain(real);
    expect(await shop.receipt(real)).toMatchObject(held);
  });
});

test('a payment of the rest is held as `no_charge` once the disputed part is reversed', async () => {
  const named = await shop.charge({ amount: 40, customer_name: 'Kofi Mensah Boateng' });
  const part = await disputedPart(10, named);
  const rest = book.paid(30);
  await arrive(rest);
  expect(await shop.receipt(rest)).toMatchObject({ reason: 'charge_disputed', suggested_reference: named });
  await arrive(book.reversed(part, 10));
  await world.followPayments();
  expect(await shop.verified(named)).toMatchObject({ status: 'pending', disputed: null, second_payments: [] });
  expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'no_charge' });
});

test('a payment matched by name to a disputed bill does not replace an unverified payment of the bill', async () => {
  const named = await shop.charge({ amount: 40, customer_name: 'Kofi Mensah Boateng' });
  const part = await disputedPart(10, named);
  const real = book.paid(40);
  await arrive(real);
  const forged = forge(40, named);
  await arrive(book.reversed(part, 10), forged);
  await settleAgain(real);
  expect(await shop.verified(named)).toMatchObject({ payment: { transaction_id: forged.id } });
  expect(await shop.receipt(real)).toMatchObject({ reason: 'already_paid', suggested_reference: named });
});

test('a payment matched by name to a disputed bill still names it once it is paid by another payment', async () => {
  const named = await shop.charge({ amount: 40, customer_name: 'Kofi Mensah Boateng' });
  await disputedPart(10, named, forge(10, named));
  const real = book.paid(40);
  await arrive(real, book.paid(40, { reference: named }));
  expect(await shop.verified(named)).toMatchObject({ status: 'success' });
  await settleAgain(real);
  expect(await shop.receipt(real)).toMatchObject({ reason: 'already_paid', suggested_reference: named });
});

test('a payment above the name limit belongs to no shop even if a bill of that name is disputed', async () => {
  const other = await world.createShop({ number: shop.number });
  const named = await other.charge({ amount: 900, customer_name: 'Kofi Mensah Boateng' });
  await disputedPart(10, named);
  const real = book.paid(900);
  await arrive(real);
  const row = await shop.receipt(real);
  expect(row).toMatchObject({ state: 'held', reason: 'name_only' });
  expect(row).not.toHaveProperty('merchant_id');
});

test('a verified part of a disputed request bill is listed as late once the bill has expired', async () => {
  const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 60 }] });
  const bill = await world.openPart(slug, '60');
  await disputedPart(10, bill);
  const real = book.paid(50, { reference: bill });
  await arrive(real);
  await world.followChanges();
  await expire(bill);
  expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'charge_expired' });
  const { text } = await world.call('r/page', { parameters: { slug } });
  expect(text).toContain('GHS 50.00 arrived too late.');
});

describe('a verified payment of a disputed bill that ends', () => {
  let real: BookedText;
  beforeEach(async () => {
    await disputedPart(20);
    real = book.paid(36, { reference });
    await arrive(real);
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'charge_disputed' });
    await world.followChanges();
  });

  test('pays the bill once it has expired', async () => {
    await expire();
    const paid = { status: 'success', disputed: null, amount_paid: 36, payment: { transaction_id: real.id } };
    expect(await shop.verified(reference)).toMatchObject(paid);
  });

  test('is owed to the customer once the bill is cancelled', async () => {
    await shop.call('transaction/cancel', { parameters: { reference } });
    await world.followPayments();
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'charge_cancelled' });
  });
});

test('a verified second payment is checked again after its text is delivered twice', async () => {
  await arrive(book.paid(36, { reference }));
  const second = book.paid(36, { reference });
  await arrive(second);
  world.queued.splice(0);
  await arrive({ ...second, receivedAt: world.iso() });
  expect(world.queued).toMatchObject([
    { queue: 'settle-receipt', job: { body: { receipt_id: shop.paymentId(second) } } },
  ]);
});

test('a copy of the text about a bill’s payment replaces nothing', async () => {
  const [missing, real] = [book.spent(5), book.paid(36, { reference })];
  await arrive(real, missing);
  await arrive({ ...real, receivedAt: world.iso() });
  expect(await shop.receipt(real)).toMatchObject({ state: 'matched', reference });
  expect((await shop.verified(reference)).second_payments).toEqual([]);
});

const settleAgain = (text: BookedText) => world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);

describe('an owner’s reply that exposes a forged payment', () => {
  let forged: BookedText;
  let real: BookedText;

  beforeEach(async () => {
    // An outgoing payment's text is lost.
    book.spent(5);
    forged = forge(36);
    real = book.paid(36, { reference });
    for (const text of [forged, real, book.paid(11)]) {
      await arrive(text);
      world.clock.nowMs += CHECKED_MS;
    }
    await nameBalance(world.outside, wallet(), book.pesewas);
  });

  test.each([
    ['forged', () => [forged, real]],
    ['genuine', () => [real, forged]],
  ])('makes the genuine payment count if the %s payment is settled first', async (_, order) => {
    for (const text of order()) await world.settle({ receipt_id: shop.paymentId(text) });
    await paidByReal();
  });

  async function paidByReal() {
    const { payment, proof, disputed } = await shop.verified(reference);
    expect({ transaction_id: payment.transaction_id, state: proof.state, disputed }).toEqual({
      transaction_id: real.id,
      state: 'proven',
      disputed: null,
    });
  }
});

const wallet = () => ({ network: 'MTN', momo_number: shop.number }) as const;
