import { beforeEach, describe, expect, test } from 'vitest';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { requireCharge } from '../../../shared/money/charge/charge.table.ts';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { namesOfPayments } from '../../../shared/money/receipt/shown-proof.ts';
import { requestRows } from '../../../shared/money/request/request.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { foldsIn } from '../../support/page-words.ts';
import { mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';
import { noticesOf } from '../../support/wallets.ts';

// Owners and managers can set aside an unverified payment that paid a bill, if the money is not in the wallet.

const CHECKED_MS = 3 * MINUTE_MS;
const NOT_THERE = 'The money is not there';
const GONE = 'This payment can no longer be removed from the bill';
const ONE_LINE = { title: 'School fees', lines: [{ description: 'Tuition', amount: 36 }] };

let world: Scene;
let shop: Shop;
let book: WalletBook;
let manager: Person;
let reference: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
  manager = await shop.signIn('manager');
  reference = await shop.charge({ amount: 36 });
});

const forge = (amount: number, naming = reference, from = 'AMA SERWAA') =>
  book.receipt(amount, { from, reference: naming, balance: 7_777_77 });

/** Settles a text until its proof is known. */
async function come<Text extends BookedText>(text: Text): Promise<Text> {
  await shop.arrive(text);
  world.clock.nowMs += CHECKED_MS;
  await check(text);
  // A PIN or an old sign-in is not enough.
  manager = await shop.signIn('manager');
  return text;
}

/** A genuine payment whose preceding text has not arrived. Verified once it has. */
async function unprovenYet(amount: number, naming = reference) {
  const missing = book.spent(5);
  return { missing, text: await come(book.paid(amount, { reference: naming })) };
}

const check = (text: BookedText) => world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
const verified = (of = reference) => shop.verified(of);
const open = async (of = reference, by = manager) => (await by.visit(`/dashboard/charges/${of}`)).text;
const say = (text: BookedText, of = reference, by = manager) =>
  by.visit(`/dashboard/charges/${of}/not-there`, { form: { receipt: shop.paymentId(text) } });
const sayThere = async (shown = 'contradicted') => {
  const payments = namesOfPayments(await requireCharge(world.outside, reference, shop.id));
  return manager.visit(`/dashboard/charges/${reference}/there`, { form: { shown, payments } });
};
/** Says so on a page that shows that somebody found the money. */
const sayKnowing = (text: BookedText) =>
  manager.visit(`/dashboard/charges/${reference}/not-there`, {
    form: { receipt: shop.paymentId(text), shown: 'verified' },
  });
const receipt = (text: BookedText) => shop.receipt(text);

async function passDeadline(of = reference): Promise<void> {
  await world.followChanges();
  world.clock.nowMs = Date.parse(String((await world.chargeRow(of)).expires_at)) + DAY_MS;
}

/** Lets the bill's deadline pass, and has a person remove the payment just before housekeeping's first write. */
async function expireWhileRemoving(text: BookedText): Promise<void> {
  await passDeadline();
  manager = await shop.signIn('manager');
  let status = 0;
  const remove = async () => {
    ({ status } = await say(text));
  };
  world.rightBefore('TransactWriteItems', remove, reference);
  await world.housekeeping();
  expect(status).toBe(303);
  await world.housekeeping();
  expect(await world.chargeRow(reference)).toMatchObject({ state: 'expired' });
}

const give = (text: BookedText, of = reference) =>
  manager.visit(`/dashboard/held/${shop.paymentId(text)}/give`, {
    form: { reference: of, shown: 'unverified' },
  });
const uses = async () => (await world.rows('PAYMENT')).filter(({ reference: of }) => of === reference);
const refund = (amount: number) => shop.call('transaction/refund', { parameters: { reference }, body: { amount } });

async function eventsOf(type: string) {
  await world.followChanges();
  const { json } = await world.call('webhook/list-events', { key: shop.liveKey });
  return json.data.events.filter((event: { type: string }) => event.type === type);
}

/** Adds up the day's bookings. The wallet has other payments, but none for a bill. */
async function booked() {
  await world.followChanges();
  const rows = (await world.scan()).filter(({ pk }) => String(pk).startsWith('BOOKING#'));
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
  return {
    charges_paid: sum('charges_paid'),
    payments_pesewas: sum('payments_pesewas') - sum('released_pesewas'),
    reversed_pesewas: sum('reversed_pesewas'),
    unverified_pesewas: sum('unverified_pesewas'),
  };
}

async function placed() {
  const { now } = await closingOf(world.outside, shop.id, [], world.iso().slice(0, 10));
  const at = (place: 'charge' | 'set_aside') => Number(now.get(place)?.pesewas ?? 0);
  return { charge: at('charge'), set_aside: at('set_aside') };
}

const NOT_THERE_REASON = 'The money is not in the wallet.';
const ASIDE = { why: NOT_THERE_REASON };

describe('an unverified payment that paid a bill', () => {
  let forged: BookedText;
  beforeEach(async () => {
    await shop.setWebhook();
    forged = await come(forge(36));
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  test('can be set aside on the bill’s page, which says what follows', async () => {
    const page = await open();
    expectWords(page, [
      NOT_THERE,
      'The payment is removed from the bill, which waits for its payment again. Your website will be notified.',
      'Remove the payment',
    ]);
    expect(page).not.toContain('Undo the mark');
    expect((await say(forged)).status).toBe(303);
    expect(await open()).not.toContain(NOT_THERE);
  });

  test('leaves the bill waiting for its payment, and is reported once', async () => {
    await eventsOf('charge.success');
    expect((await say(forged)).status).toBe(303);
    const waiting = { status: 'pending', paid_at: null, payment: null, amount_paid: 0, unmarked_at: world.iso() };
    expect(await verified()).toMatchObject(waiting);
    expect(await eventsOf('charge.unmarked')).toMatchObject([{ body: { data: { status: 'pending' } } }]);
    expect(await eventsOf('charge.reversed')).toEqual([]);
    const held = await eventsOf('receipt.held');
    expect(held.filter((one: { body: { data: { amount: number } } }) => one.body.data.amount === 36)).toEqual([]);
    expect(await uses()).toEqual([]);
    const after = { receipt: shop.paymentId(forged) };
    const by = manager.user.user_id;
    expect(await shop.audit(/charge not-there/)).toMatchObject([{ about: reference, by, after }]);
    expect(await receipt(forged)).toMatchObject({
      state: 'held',
      reason: 'balance_gap',
      suggested_reference: reference,
      set_aside: { ...ASIDE, by },
    });
  });

  test('no longer counts in the day’s totals or at its closing', async () => {
    expect(await booked()).toMatchObject({ charges_paid: 1, payments_pesewas: 36_00, unverified_pesewas: 36_00 });
    expect(await placed()).toEqual({ charge: 36_00, set_aside: 0 });
    await say(forged);
    expect(await booked()).toEqual({
      charges_paid: 0,
      payments_pesewas: 0,
      reversed_pesewas: 0,
      unverified_pesewas: 0,
    });
    expect(await placed()).toEqual({ charge: 0, set_aside: 36_00 });
  });

  test('lets the customer pay the bill', async () => {
    await say(forged);
    await shop.arrive(book.paid(36, { reference }));
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 36, proof: { state: 'proven' } });
    expect(await eventsOf('charge.success')).toHaveLength(2);
  });

  test('is set aside once, even if two people say so', async () => {
    const owner = await shop.signIn('owner');
    expect((await say(forged)).status).toBe(303);
    expectAnswer(await say(forged, reference, owner), 409, GONE);
    expect(await shop.audit(/charge not-there/)).toHaveLength(1);
    expect(await eventsOf('charge.unmarked')).toHaveLength(1);
  });

  test('is set aside once, even if two people say so at the same moment', async () => {
    const owner = await shop.signIn('owner');
    world.rightBefore('TransactWriteItems', () => say(forged, reference, owner), 'unmarked_at');
    expectAnswer(await say(forged), 409, GONE);
    expect(await shop.audit(/charge not-there/)).toHaveLength(1);
  });

  test('leaves the bill to expire if it is set aside just as the bill’s deadline passes', async () => {
    await expireWhileRemoving(forged);
  });

  test('does not come back with a copy of its text', async () => {
    await say(forged);
    await shop.arrive(forged);
    expect(await verified()).toMatchObject({ status: 'pending' });
    expect(await receipt(forged)).toMatchObject({ state: 'held', set_aside: ASIDE });
  });

  test('cannot be claimed after it is set aside', async () => {
    await say(forged);
    const { access_code } = await world.chargeRow(reference);
    const body = { transaction_id: forged.id, name: 'AMA SERWAA' };
    const headers = { accept: 'application/json' };
    expect((await world.call('checkout/claim', { parameters: { access_code }, headers, body })).status).not.toBe(200);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test('can be found on the bill’s page and matched to the bill again', async () => {
    await say(forged);
    expect(await open()).toContain(`/dashboard/held/${shop.paymentId(forged)}`);
    expect((await give(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 36, payment: { matched_by: 'hand' } });
    expect(await receipt(forged)).not.toHaveProperty('set_aside');
    // A person has vouched for it. An older page does not know.
    expect(await open()).not.toContain(NOT_THERE);
    expectAnswer(await say(forged), 409, GONE);
  });

  test('can be set aside although a person found its money, once a second payment waits', async () => {
    await say(forged);
    await give(forged);
    const second = await come(book.paid(36, { reference }));
    expect(await receipt(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(foldsIn(await open())).toContainEqual({ summary: NOT_THERE, isOpen: false });
    expect((await sayKnowing(forged)).status).toBe(303);
    await world.followPayments();
    expect(await receipt(second)).toMatchObject({ state: 'matched', reference });
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 36, proof: { state: 'proven' } });
  });

  test('is checked like a new payment after it is put back', async () => {
    await say(forged);
    await world.followPayments();
    world.queued.length = 0;
    await manager.visit(`/dashboard/held/${shop.paymentId(forged)}/take-back`, { form: {} });
    expect(await receipt(forged)).not.toHaveProperty('set_aside');
    await world.followPayments();
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test('has no time limit, and leaves an expired bill expired until the money is found', async () => {
    world.clock.nowMs += 30 * DAY_MS;
    manager = await shop.signIn('manager');
    expectWords(await open(), ['which counts as expired.']);
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'expired', amount_paid: 0, payment: null });
    expect((await give(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 36 });
  });

  test('gives its place to a waiting second payment', async () => {
    const second = await come(forge(36, reference, 'KOFI MENSAH'));
    expect(await receipt(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
    await say(forged);
    await world.tell(3);
    await world.followPayments();
    expect(await receipt(second)).toMatchObject({ state: 'matched', reference });
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 36 });
  });

  test('stays counted if its goods have been released, unless the page showed that', async () => {
    await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    expect(await open()).not.toContain(NOT_THERE);
    expectAnswer(await say(forged), 409, GONE);
    expect(await verified()).toMatchObject({ status: 'success' });
    expect((await sayKnowing(forged)).status).toBe(303);
  });

  test('stays counted if a refund was recorded', async () => {
    expect((await refund(5)).status).toBe(200);
    expect(foldsIn(await open())).toContainEqual({ summary: NOT_THERE, isOpen: false });
    expectWords(await open(), ['First say that you will not send the refund. <a href="#refund">', 'id="refund"']);
    expect(await open()).not.toContain('Remove the payment');
    expectAnswer(await say(forged), 409, GONE);
  });

  test('can be set aside after the refund is withdrawn', async () => {
    const { refunds } = (await refund(5)).json.data;
    const parameters = { reference, refund_id: refunds[0].refund_id };
    await shop.call('transaction/close-refund', { parameters, body: { outcome: 'withdrawn' } });
    expect((await say(forged)).status).toBe(303);
  });

  const races: readonly [what: string, happens: () => Promise<unknown>, wanted: object][] = [
    [
      'its goods are released',
      () => manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } }),
      { status: 'success' },
    ],
    ['a refund is recorded', () => refund(5), { status: 'success', amount_paid: 36 }],
    [
      'a verified second payment replaces it',
      () => shop.arrive(book.paid(36, { reference })),
      { status: 'success', amount_paid: 36, proof: { state: 'proven' } },
    ],
  ];
  test.each(races)('stays as it is if %s at the same moment', async (_, happens, wanted) => {
    world.rightBefore('TransactWriteItems', happens, 'unmarked_at');
    expectAnswer(await say(forged), 409, GONE);
    expect(await verified()).toMatchObject({ ...wanted, unmarked_at: null });
    expect(await receipt(forged)).not.toHaveProperty('set_aside');
  });

  test('is set aside even if a note is added at the same moment', async () => {
    const note = () => manager.visit(`/dashboard/charges/${reference}/note`, { form: { note: 'Looks odd' } });
    world.rightBefore('TransactWriteItems', note, 'unmarked_at');
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test.each([
    ['released', () => manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } })],
    ['refunded', () => refund(5)],
  ])('cannot be %s if it is set aside at the same moment', async (_, happens) => {
    world.rightBefore('TransactWriteItems', () => say(forged), reference);
    expect((await happens()).status).toBe(409);
    expect(await verified()).toMatchObject({ status: 'pending', refunds: [] });
    expect(await world.chargeRow(reference)).not.toHaveProperty('released_by');
  });

  test.each(['cashier', 'viewer', 'developer'] as const)('cannot be set aside by a %s', async (role) => {
    const by = await shop.signIn(role);
    expect(await open(reference, by)).not.toContain(NOT_THERE);
    expect((await say(forged, reference, by)).status).toBe(403);
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('cannot be set aside without a recent passkey sign-in', async () => {
    world.clock.nowMs += 6 * MINUTE_MS;
    expect((await say(forged)).headers.location).toContain('sign-in/confirm');
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('cannot be set aside by another shop or for another bill', async () => {
    const other = await (await world.createShop()).signIn('manager');
    expect((await say(forged, reference, other)).status).toBe(404);
    const second = await shop.charge({ amount: 36 });
    expectAnswer(await say(forged, second), 409, GONE);
    expect(await verified()).toMatchObject({ status: 'success' });
  });
});

describe('a payment that may still be verified', () => {
  test('cannot be set aside while it is being checked', async () => {
    const text = book.paid(36, { reference });
    book.spent(5);
    const late = book.paid(36, { reference });
    await shop.arrive(late);
    expect(await receipt(late)).toMatchObject({ state: 'held', reason: 'checking' });
    expect(await open()).not.toContain(NOT_THERE);
    expectAnswer(await say(late), 409, GONE);
    expect(text.id).not.toBe(late.id);
  });

  test('cannot be set aside once it is verified', async () => {
    const { missing, text } = await unprovenYet(36);
    expect(await open()).toContain(NOT_THERE);
    await shop.arrive(missing);
    await check(text);
    expect(await open()).not.toContain(NOT_THERE);
    expectAnswer(await say(text), 409, GONE);
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('stays counted if it is verified at the same moment', async () => {
    const { missing, text } = await unprovenYet(36);
    await shop.arrive(missing);
    world.rightBefore('TransactWriteItems', () => check(text), 'unmarked_at');
    expectAnswer(await say(text), 409, GONE);
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('stays set aside, with its proof, if it is verified right after', async () => {
    const { missing, text } = await unprovenYet(36);
    await shop.arrive(missing);
    world.rightBefore('TransactWriteItems', () => say(text), 'proven');
    await check(text);
    expect(await receipt(text)).toMatchObject({ state: 'held', set_aside: ASIDE, proof: { state: 'proven' } });
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test('is found verified on the bill’s page, and can pay the bill again', async () => {
    const { missing, text } = await unprovenYet(36);
    expect((await say(text)).status).toBe(303);
    await shop.arrive(missing);
    await check(text);
    expect(await receipt(text)).toMatchObject({ state: 'held', set_aside: ASIDE, proof: { state: 'proven' } });
    expectWords(await open(), ['GHS\u00a036.00 from KOFI MENSAH BOATENG is not for a bill.']);
    const form = { reference, shown: 'verified' };
    expect((await manager.visit(`/dashboard/held/${shop.paymentId(text)}/give`, { form })).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('pays the bill again by itself if it is put back after it was verified', async () => {
    const { missing, text } = await unprovenYet(36);
    await say(text);
    await shop.arrive(missing);
    await check(text);
    await world.followPayments();
    world.queued.length = 0;
    await manager.visit(`/dashboard/held/${shop.paymentId(text)}/take-back`, { form: {} });
    await world.followPayments();
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('is reversed if the network reverses it while it is set aside', async () => {
    const { missing, text } = await unprovenYet(36);
    await say(text);
    await shop.arrive(missing);
    await shop.arrive(book.reversed(text, 36));
    expect(await receipt(text)).toMatchObject({ reason: 'reversed' });
    expect(await verified()).toMatchObject({ status: 'pending' });
    expect((await give(text)).status).toBe(409);
  });

  test('stays with the bill if the network reverses it at the same moment', async () => {
    const { missing, text } = await unprovenYet(36);
    await shop.arrive(missing);
    world.rightBefore('TransactWriteItems', () => shop.arrive(book.reversed(text, 36)), 'unmarked_at');
    expectAnswer(await say(text), 409, GONE);
    expect(await verified()).toMatchObject({ status: 'reversed' });
  });
});

test('goods are not released for a payment that replaced the one that the page showed', async () => {
  const found = await come(forge(36));
  const payments = namesOfPayments(await requireCharge(world.outside, reference, shop.id));
  expect((await say(found)).status).toBe(303);
  await come(forge(36, reference, 'EVE ANKRAH'));
  const release = `/dashboard/charges/${reference}/release`;
  const press = (form: Record<string, string>) => manager.visit(release, { form: { shown: 'unverified', ...form } });
  expectAnswer(await press({ payments }), 409, 'This payment has changed since the page was loaded');
  expect(await verified()).toMatchObject({ proof: { state: 'unproven' } });
  expect((await press({})).status).toBe(303);
});

describe('several payments', () => {
  test('are named, and each can be removed on its own and counted again', async () => {
    await shop.setWebhook();
    const first = await come(forge(10, reference, 'AMA SERWAA'));
    const second = await come(forge(26, reference, 'KOFI MENSAH'));
    expectWords(await open(), [
      NOT_THERE,
      `Remove GHS\u00a010.00, ID ending ${first.id.slice(-4)}`,
      `Remove GHS\u00a026.00, ID ending ${second.id.slice(-4)}`,
    ]);
    expect((await say(first)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 26, paid_at: null });
    expect(await receipt(second)).toMatchObject({ state: 'matched', reference });
    world.clock.nowMs += 1_000;
    expect((await say(second)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 0, parts: [] });
    expect(await eventsOf('charge.unmarked')).toHaveLength(2);
    expect(await eventsOf('charge.partly_paid')).toHaveLength(1);
    const part = { form: { reference, shown: 'unverified', counts_as: 'part' } };
    expect((await manager.visit(`/dashboard/held/${shop.paymentId(first)}/give`, part)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 10 });
    expect(await eventsOf('charge.partly_paid')).toHaveLength(2);
  });

  test('that leave after a form was shown let the rest count as a part', async () => {
    const part = await come(forge(20));
    const rest = await come(book.paid(16, { reference: 'thanks' }));
    const path = `/dashboard/held/${shop.paymentId(rest)}/give`;
    const { text } = await manager.visit(path, { query: { reference } });
    expectWords(text, ['The payment is exactly what is still due', 'name="counts_as" value="part"']);
    expect((await say(part)).status).toBe(303);
    const form = { reference, shown: 'verified', counts_as: 'part' };
    expect((await manager.visit(path, { form })).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 16 });
  });

  test('can be removed while a form is open, and the other payment then counts as a part', async () => {
    const paid = await come(forge(36));
    const second = await come(book.paid(16, { reference }));
    const path = `/dashboard/held/${shop.paymentId(second)}/give`;
    expectWords((await manager.visit(path, { query: { reference } })).text, ['name="counts_as" value="part"']);
    expect((await say(paid)).status).toBe(303);
    const form = { reference, shown: 'verified', counts_as: 'part' };
    expect((await manager.visit(path, { form })).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 16 });
  });

  test('leave a verified part counted', async () => {
    const real = await come(book.paid(10, { reference }));
    const forged = await come(forge(26));
    expectAnswer(await say(real), 409, GONE);
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 10, proof: { state: 'proven' } });
    await shop.arrive(book.paid(26, { reference }));
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('leave the mark to its own undo', async () => {
    const forged = await come(forge(10));
    await manager.visit(`/dashboard/charges/${reference}/mark`, { form: { how: 'cash', amount: '26' } });
    const cash = (await world.rows('RECEIPT')).find(({ marked }) => marked);
    const receiptId = String(cash?.receipt_id);
    const page = await open();
    expectWords(page, [NOT_THERE, 'Undo the mark']);
    const [, removing = ''] = /\/not-there"(.*?)<\/form>/s.exec(page) ?? [];
    expect(removing).toContain('name="receipt"');
    expect(removing).not.toContain(receiptId);
    const form = { receipt: receiptId };
    expectAnswer(await manager.visit(`/dashboard/charges/${reference}/not-there`, { form }), 409, GONE);
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 26 });
  });
});

test('a bill that was cancelled is cancelled again, and its parts are held', async () => {
  const part = await come(forge(10));
  await shop.call('transaction/cancel', { parameters: { reference } });
  const forged = await come(forge(26, '1'));
  await shop.assign(forged, reference);
  expect(await verified()).toMatchObject({ status: 'success', amount_paid: 36 });
  expectWords(await open(), ['The payment is removed from the bill, which is cancelled again.']);
  expect((await say(forged)).status).toBe(303);
  expect(await verified()).toMatchObject({ status: 'cancelled', held: { amount: 10 } });
  expect(await receipt(part)).toMatchObject({ state: 'held', reason: 'charge_cancelled' });
  expect(await receipt(forged)).toMatchObject({ state: 'held', set_aside: ASIDE });
});

describe('a disputed bill', () => {
  test('is no longer in doubt once the contradicted payment is set aside', async () => {
    const forged = await come(forge(36));
    await shop.arrive({ ...forged, text: forged.text.replace('AMA SERWAA', 'YAW OTHER') });
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
    expect(await receipt(forged)).toMatchObject({ reason: 'conflict', set_aside: ASIDE });
    await shop.arrive(book.paid(36, { reference }));
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('is no longer in doubt once its last payment is set aside, whichever was contradicted', async () => {
    const forged = await come(forge(10));
    const second = await come(forge(26));
    await shop.arrive({ ...forged, text: forged.text.replace('AMA SERWAA', 'YAW OTHER') });
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${second.id} of GHS 26.00 will be reversed.` });
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    for (const text of [forged, second]) expect((await say(text)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
    await shop.arrive(book.paid(36, { reference }));
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' }, disputed: null });
  });

  test('is not paid by an unverified second text about a payment that a person did not find', async () => {
    const forged = await come(forge(36));
    await shop.arrive({ ...forged, text: forged.text.replace('AMA SERWAA', 'AMA SERWAAH') });
    expect((await say(forged)).status).toBe(303);
    await world.followPayments();
    world.clock.nowMs += CHECKED_MS;
    await world.followPayments();
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 0 });
    expect((await shop.listed('held')).filter(({ amount }) => amount === 36)).toMatchObject([{ reason: 'conflict' }]);
  });

  describe('whose payment is contradicted by a verified text for another bill', () => {
    let other: string;
    let forged: BookedText;
    let genuine: BookedText;
    beforeEach(async () => {
      other = await shop.charge({ amount: 36 });
      const id = book.nextId();
      forged = await come(book.receipt(36, { from: 'AMA SERWAA', reference, id, balance: 7_777_77 }));
      book.pesewas += 36_00;
      genuine = book.receipt(36, { reference: other, id, balance: book.pesewas });
      await shop.arrive(genuine);
      world.clock.nowMs += CHECKED_MS;
      manager = await shop.signIn('manager');
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    });

    test('leaves that text to the bill that the text names', async () => {
      expect((await say(forged)).status).toBe(303);
      await world.followPayments();
      expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
      expect(await verified(other)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
    });

    test('shows the text on the page of the bill that the text names', async () => {
      const { waiting_receipts: [waiting] = [], verified_waiting_pesewas } = await world.chargeRow(other);
      expect(waiting).toContain(genuine.id);
      expect(verified_waiting_pesewas).toBe(36_00);
      expect(await open(other)).toContain(`/dashboard/held/${waiting}`);
      const { access_code } = await world.chargeRow(other);
      const { text } = await world.call('checkout/page', { parameters: { access_code } });
      expectWords(text, ['A payment message about this bill arrived; Ama Stores is checking it.']);
    });

    test('notes the text once, even if copies of it arrive', async () => {
      const before = await world.chargeRow(other);
      await shop.arrive(genuine);
      expect((await world.chargeRow(other)).waiting_receipts).toEqual(before.waiting_receipts);
    });
  });

  describe('whose removed payment has the id of a verified payment without a bill', () => {
    let forged: BookedText;
    let genuine: BookedText;
    beforeEach(async () => {
      genuine = book.paid(36, { reference: 'rent' });
      forged = await come(book.receipt(36, { from: 'EVE ANKRAH', reference, id: genuine.id, balance: 7_777_77 }));
      await come(genuine);
      expect((await say(forged)).status).toBe(303);
      await world.followPayments();
      expect(await freed()).toMatchObject({ state: 'held', reason: 'no_charge', proof: { state: 'proven' } });
    });

    const freed = async () => (await world.rows('RECEIPT')).find(({ first_undone }) => first_undone);

    test('leaves the network’s reversal to the verified payment', async () => {
      await shop.arrive(book.reversed(genuine, 36));
      expect(await freed()).toMatchObject({ state: 'held', reason: 'reversed' });
      expect(await receipt(forged)).not.toHaveProperty('reversal_doubt_at');
    });

    test('lets the payer claim the verified payment by its id', async () => {
      const { access_code } = await world.chargeRow(reference);
      const body = { transaction_id: genuine.id, name: 'KOFI MENSAH' };
      const headers = { accept: 'application/json' };
      expect((await world.call('checkout/claim', { parameters: { access_code }, headers, body })).status).toBe(200);
      expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
    });

    test('names the bill of the verified payment if the money leaves without a text', async () => {
      const form = { reference, shown: 'verified' };
      const given = await manager.visit(`/dashboard/held/${String((await freed())?.receipt_id)}/give`, {
        form,
      });
      expect(given.status).toBe(303);
      await come(book.paid(5));
      book.pesewas -= 36_00;
      await shop.arrive(book.paid(7));
      world.clock.nowMs += MINUTE_MS;
      await shop.arrive(book.spent(2));
      world.clock.nowMs += MINUTE_MS;
      await world.housekeeping();
      const payments = [{ transaction_id: genuine.id, reference }];
      expect(await noticesOf(world, shop)).toContainEqual(expect.objectContaining({ payments }));
    });
  });

  describe('whose verified payment the network reversed after a lost text', () => {
    let paid: BookedText;
    beforeEach(async () => {
      paid = await come(book.paid(36, { reference }));
      book.spent(3);
      await come(book.reversed(paid, 36));
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    });

    test('waits for its money once a person does not find it', async () => {
      expect(await open()).toContain(NOT_THERE);
      expect((await say(paid)).status).toBe(303);
      expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 0, disputed: null });
    });

    test('expires if the payment is removed just as the bill’s deadline passes', async () => {
      await expireWhileRemoving(paid);
    });

    test('is paid by the customer’s next payment', async () => {
      const again = await come(book.paid(36, { reference }));
      expect(await receipt(again)).toMatchObject({ state: 'held', reason: 'already_paid' });
      expect((await say(paid)).status).toBe(303);
      await world.followPayments();
      await check(again);
      expect(await receipt(again)).toMatchObject({ state: 'matched', reference });
      expect(await verified()).toMatchObject({ status: 'success', amount_paid: 36, second_payments: [] });
    });
  });

  /** Takes an amount out of the wallet without a text, and lets two later texts show it. */
  async function takeOut(amount: number): Promise<void> {
    await come(book.paid(5));
    await takeOutNow(amount);
  }

  async function takeOutNow(amount: number): Promise<void> {
    book.pesewas -= amount * 100;
    for (const text of [book.paid(7), book.spent(2)]) {
      await shop.arrive(text);
      world.clock.nowMs += MINUTE_MS;
    }
    await noticeFalls();
    manager = await shop.signIn('manager');
  }

  /** Runs housekeeping, and the jobs that follow its notices. */
  async function noticeFalls(): Promise<void> {
    await world.followChanges();
    world.queued.length = 0;
    await world.housekeeping();
    await world.followPayments();
  }
  const heldPage = async (text: BookedText) => (await manager.visit(`/dashboard/held/${shop.paymentId(text)}`)).text;

  test.each([
    ['counts', 'reversal_suspected_at'],
    ['is held', 'reversal_doubt_at'],
  ])('is in doubt if the network at once reversed a payment that %s, the sixth of its amount', async (is, noted) => {
    for (let n = 0; n < 5; n++) await come(book.paid(36, { reference: await shop.charge({ amount: 36 }) }));
    const paid = await come(book.paid(36, { reference: is === 'counts' ? reference : 'thanks' }));
    await takeOutNow(36);
    expect(await receipt(paid)).toHaveProperty(noted);
    if (is === 'counts') expect(await verified()).toMatchObject({ proof: { state: 'unproven' } });
  });

  test('says that its payment may have been reversed, although a text contradicts it as well', async () => {
    const paid = await come(book.paid(36, { reference }));
    await come(book.receipt(40, { id: paid.id, reference: 'rent', balance: 7_777_77 }));
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
    await takeOut(36);
    expect(await receipt(paid)).toHaveProperty('reversal_suspected_at');
    expect(await verified()).toMatchObject({ disputed: { why: 'reversal' } });
    expectWords(await open(), [
      'suggests that the network reversed this payment',
      'shows both the payment and its reversal',
    ]);
  });

  test('is in doubt if its payment was reversed right after another one, before the owner’s answer', async () => {
    for (let n = 0; n < 5; n++) await come(book.paid(36, { reference: await shop.charge({ amount: 36 }) }));
    await come(book.paid(20, { reference: await shop.charge({ amount: 20 }) }));
    await takeOut(20);
    const paid = await come(book.paid(36, { reference }));
    await takeOutNow(36);
    expect(await receipt(paid)).toHaveProperty('reversal_suspected_at');
  });

  test('is paid, in doubt, if its payer claims a held payment that the network may have reversed', async () => {
    const held = await come(book.paid(36, { reference: 'thanks' }));
    await takeOut(36);
    const { access_code } = await world.chargeRow(reference);
    const body = { transaction_id: held.id, name: 'KOFI MENSAH BOATENG' };
    const headers = { accept: 'application/json' };
    expect((await world.call('checkout/claim', { parameters: { access_code }, headers, body })).status).toBe(200);
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    expectWords(await open(), ['In doubt', 'suggests that the network reversed this payment', NOT_THERE]);
  });

  test('is matched to a held payment that the network may have reversed only on a form that says so', async () => {
    const held = await come(book.paid(36, { reference: 'thanks' }));
    await takeOut(36);
    expect(await receipt(held)).toMatchObject({ state: 'held', reason: 'conflict', proof: { state: 'proven' } });
    expectWords(await heldPage(held), ['suggests that the network reversed this payment', NOT_THERE]);
    expect((await give(held)).status).toBe(409);
    const form = { reference, shown: 'contradicted' };
    await manager.visit(`/dashboard/held/${shop.paymentId(held)}/give`, { form });
    expect(await verified()).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
    await noticeFalls();
    expect(await receipt(held)).not.toHaveProperty('reversal_suspected_at');
  });

  test('is in doubt if a payment that somebody had found may be reversed', async () => {
    const forged = await come(book.receipt(36, { reference, balance: book.pesewas + 36_00, from: 'AMA SERWAA' }));
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${forged.id} of GHS 36.00 will be reversed.` });
    await sayThere();
    expect(await verified()).toMatchObject({ status: 'success', disputed: null });
    book.pesewas += 36_00;
    await takeOut(36);
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    expectWords(await open(), ['suggests that the network reversed this payment', NOT_THERE]);
  });

  test('is in doubt like the wallet’s last payment if that has the same amount', async () => {
    const earlier = await come(book.paid(36, { reference }));
    const last = await shop.charge({ amount: 36 });
    await come(book.paid(36, { reference: last, from: 'ESI ARTHUR' }));
    book.pesewas -= 36_00;
    for (const text of [book.paid(7), book.spent(2)]) {
      await shop.arrive(text);
      world.clock.nowMs += MINUTE_MS;
    }
    await noticeFalls();
    for (const bill of [reference, last]) expect(await verified(bill)).toMatchObject({ proof: { state: 'unproven' } });
    manager = await shop.signIn('manager');
    expect((await say(earlier)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test('is in doubt although the network’s text has just reversed another payment of its amount', async () => {
    const other = await shop.charge({ amount: 36 });
    const reversed = await come(book.paid(36, { reference: other, from: 'ESI ARTHUR' }));
    await come(book.paid(36, { reference }));
    await come(book.paid(5));
    const text = book.reversed(reversed, 36);
    world.clock.nowMs += 5_000;
    await come(text);
    expect(await verified(other)).toMatchObject({ status: 'reversed' });
    book.pesewas -= 36_00;
    for (const one of [book.paid(7), book.spent(2)]) {
      await shop.arrive(one);
      world.clock.nowMs += MINUTE_MS;
    }
    await noticeFalls();
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  test('is in doubt although the chain had dropped its text, whose money a person found', async () => {
    const earlier = await come(book.paid(36, { reference }));
    const last = await shop.charge({ amount: 36 });
    await come(book.paid(36, { reference: last, from: 'ESI ARTHUR' }));
    const fall = async () => {
      book.pesewas -= 36_00;
      for (const text of [book.paid(7), book.spent(2)]) await come(text);
      await noticeFalls();
      manager = await shop.signIn('manager');
    };
    await fall();
    await nameByOwner(world.outside, { network: 'MTN', momo_number: shop.number }, book.pesewas, { by: 'owner' });
    await noticeFalls();
    manager = await shop.signIn('manager');
    expect((await say(earlier)).status).toBe(303);
    const payments = namesOfPayments(await requireCharge(world.outside, last, shop.id));
    const form = { shown: 'contradicted', payments };
    expect((await manager.visit(`/dashboard/charges/${last}/there`, { form })).status).toBe(303);
    expect(await verified(last)).toMatchObject({ proof: { state: 'proven' } });
    await come(book.paid(5));
    await fall();
    expect(await verified(last)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  test('is not named to a merchant to whom the wallet has moved since', async () => {
    const paid = await come(book.paid(36, { reference }));
    const next = await world.createShop();
    const account = { number: shop.number, network: 'MTN', account_name: 'NEW OWNER' } as const;
    await shop.change({ momo_accounts: [] });
    await next.change({ momo_accounts: [account] });
    await takeOut(36);
    const { json } = await next.call('webhook/list-events');
    expect(JSON.stringify(json)).not.toContain(paid.id);
    expect(JSON.stringify(await noticesOf(world, shop))).not.toContain(paid.id);
  });

  test('warns before a second payment is sent back that the network may have reversed', async () => {
    await come(book.paid(36, { reference }));
    const second = await come(book.paid(40, { reference }));
    await takeOut(40);
    expect(await heldPage(second)).toContain('Check your MoMo balance first. Something contradicts this payment');
    const { second_payments } = await verified();
    expect(second_payments).toMatchObject([{ amount: 40, warning: expect.stringContaining('no reversal of it') }]);
  });

  test('leaves a part that may be reversed in doubt once the bill has expired', async () => {
    const part = await come(book.paid(20, { reference }));
    await takeOut(20);
    await passDeadline();
    await world.housekeeping();
    expect(await receipt(part)).toMatchObject({ state: 'held', reason: 'conflict', suggested_reference: reference });
    expect(await receipt(part)).toHaveProperty('reversal_doubt_at');
  });

  test('of a request is closed as paid at its deadline, also if its only part may be reversed', async () => {
    const lines = [{ description: 'Fees', amount: 36 }];
    const { slug } = (await shop.call('request/create', { body: { title: 'Fees', lines } })).json.data;
    const bill = await world.openPart(slug, '20');
    const part = await come(book.paid(16, { reference: bill }));
    await takeOut(16);
    await passDeadline(bill);
    await world.housekeeping();
    expect(await verified(bill)).toMatchObject({ status: 'success', amount: 16, proof: { state: 'unproven' } });
    manager = await shop.signIn('manager');
    expect((await say(part, bill)).status).toBe(303);
    expect(await receipt(part)).toMatchObject({ state: 'held' });
    const { json } = await shop.call('request/show', { parameters: { slug } });
    expect(json.data).toMatchObject({ status: 'open', amount_paid: 0 });
  });

  describe('whose verified payment the network reversed without a text', () => {
    let paid: BookedText;
    beforeEach(async () => {
      paid = await come(book.paid(36, { reference }));
      await takeOut(36);
      expect(await verified()).toMatchObject({ status: 'success', disputed: null });
    });

    test('offers to remove the payment, once', async () => {
      expect(foldsIn(await open())).toContainEqual({ summary: NOT_THERE, isOpen: false });
      await noticeFalls();
      expect((await sayKnowing(paid)).status).toBe(303);
      expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 0 });
      expect(await receipt(paid)).toMatchObject({ state: 'held', reason: 'conflict' });
      expectAnswer(await sayKnowing(paid), 409, GONE);
    });

    test('says to look in the wallet before the customer’s next payment is sent back', async () => {
      await nameByOwner(world.outside, { network: shop.network, momo_number: shop.number }, book.pesewas, {
        by: 'owner',
      });
      const again = await come(book.paid(36, { reference }));
      expect(await receipt(again)).toMatchObject({ reason: 'already_paid', proof: { state: 'proven' } });
      expectWords(await heldPage(again), [
        'the network may have reversed the payment that paid its bill',
        'If you find only this payment, or a reversal of the other, keep this one for the bill',
        'If you find both, and no reversal of either, ask the customer about this one',
      ]);
      const { second_payments } = await verified();
      expect(second_payments).toMatchObject([
        { warning: expect.stringContaining('the network may have reversed the payment that paid the charge') },
      ]);
      expect((await sayKnowing(paid)).status).toBe(303);
      await world.followPayments();
      expect(await receipt(again)).toMatchObject({ state: 'matched', reference });
    });

    test('expires if the payment is removed just as the bill’s deadline passes', async () => {
      await expireWhileRemoving(paid);
    });

    test('counts as not verified in the day’s totals', async () => {
      expect(await booked()).toMatchObject({ unverified_pesewas: 36_00 });
    });

    test('is in doubt until a person finds the money, and stays paid', async () => {
      expect(await verified()).toMatchObject({ status: 'success', disputed: null, proof: { state: 'unproven' } });
      expectWords(await open(), ['In doubt', 'suggests that the network reversed this payment', 'The money is there']);
      expect((await sayThere('verified')).status).toBe(409);
      expect((await sayThere()).status).toBe(303);
      await noticeFalls();
      expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' } });
      expect(await open()).not.toContain('In doubt');
    });
  });

  test('warns before too much is sent back that the network may have reversed', async () => {
    const part = await come(book.paid(20, { reference }));
    await takeOut(20);
    await come(book.paid(36, { reference }));
    expect(await verified()).toMatchObject({ status: 'success', overpaid: 20, proof: { state: 'unproven' } });
    expectWords(await open(), ['56.00 (in doubt)', 'Check your MoMo balance first']);
    expect((await refund(20)).json.data.warning).toContain('no reversal of it');
    expect(await receipt(part)).toHaveProperty('reversal_suspected_at');
  });

  test('offers to remove a payment that may be reversed once texts prove another payment false', async () => {
    const paid = await come(book.paid(20, { reference }));
    for (let n = 0; n < 4; n++) await come(book.spent(2 + n));
    const forged = await come(book.receipt(16, { reference, balance: book.pesewas + 16_00, from: 'AMA SERWAA' }));
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${paid.id} of GHS 20.00 will be reversed.` });
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    for (const amount of [11, 12]) {
      await come(book.paid(amount, { reference: 'rent', from: 'YAW BOAMAH' }));
      await come(book.spent(3));
    }
    await check(forged);
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    for (const text of [forged, paid]) expect((await say(text)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 0, disputed: null });
  });

  test.each([
    ['stays', false],
    ['was removed', true],
  ])('waits for its money if the network reversed its payment while a forged text %s', async (_, isRemoved) => {
    const paid = await come(book.paid(36, { reference }));
    await come(book.receipt(36, { id: paid.id, reference: 'rent', balance: 777_77, from: 'EVE ANKRAH' }));
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
    expect(await open()).not.toContain(NOT_THERE);
    book.spent(3);
    await come(book.reversed(paid, 36));
    if (isRemoved) {
      const held = (await world.rows('RECEIPT')).find(({ payer_name }) => payer_name === 'EVE ANKRAH');
      expect(
        (await manager.visit(`/dashboard/held/${held?.receipt_id}/set-aside`, { form: { why: NOT_THERE } })).status,
      ).toBe(303);
    }
    expectWords(await open(), [NOT_THERE, 'suggests that the network reversed this payment.']);
    expect((await say(paid)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 0, disputed: null });
  });

  test.each([
    ['pays it if it is verified', 0, { status: 'success', proof: { state: 'proven' } }],
    ['waits for a person if it is not verified', 1, { status: 'pending', amount_paid: 0 }],
  ])('gets a second text after its payment was removed, which %s', async (_, wrong, wanted) => {
    const genuine = book.paid(36, { reference });
    const forged = await come(book.receipt(36, { from: 'EVE ANKRAH', reference, id: genuine.id, balance: 7_777_77 }));
    expect((await say(forged)).status).toBe(303);
    await come(
      wrong ? { ...genuine, text: genuine.text.replaceAll(/Balance: GHS [\d,.]+\d/g, 'Balance: GHS 9.00') } : genuine,
    );
    await world.followPayments();
    expect(await verified()).toMatchObject(wanted);
    expect(await receipt(forged)).toMatchObject({ state: 'held', set_aside: ASIDE });
  });

  test.each(['undone', 'kept'])(
    'is no longer in doubt if its verified part took over the id of a mark that was %s',
    async (mark) => {
      const wrong = await shop.charge({ amount: 10 });
      const part = book.paid(10, { reference });
      const fields = { how: 'transfer', amount: '10', payer: 'Kofi Mensah', transaction_id: part.id };
      await manager.visit(`/dashboard/charges/${wrong}/mark`, { form: fields });
      await come(part);
      if (mark === 'undone') await manager.visit(`/dashboard/charges/${wrong}/unmark`, { form: {} });
      const forged = await come(forge(26));
      await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${forged.id} of GHS 26.00 will be reversed.` });
      expect((await say(forged)).status).toBe(303);
      expect(await verified()).toMatchObject({ amount_paid: 10, disputed: null, proof: { state: 'proven' } });
    },
  );

  test.each([
    [
      'pays it if the first text’s money is not there',
      NOT_THERE_REASON,
      { status: 'success', proof: { state: 'proven' } },
    ],
    ['waits for a person if the first text is a payment of somebody else', 'a friend', { status: 'pending' }],
  ])('whose payment has the id of an earlier held text %s', async (_, why, wanted) => {
    reference = await shop.charge({ amount: 900 });
    const genuine = book.paid(900, { reference });
    const forged = await come(book.receipt(900, { from: 'EVE ANKRAH', reference, id: genuine.id, balance: 7_777_77 }));
    await come(genuine);
    expect(await verified()).toMatchObject({ status: 'pending' });
    const path = `/dashboard/held/${shop.paymentId(forged)}/set-aside`;
    expect((await manager.visit(path, { form: { why } })).status).toBe(303);
    await world.followPayments();
    expect(await verified()).toMatchObject(wanted);
  });

  describe('whose payment is contradicted by a text that is verified later', () => {
    let other: string;
    let forged: BookedText;
    let missing: BookedText;
    beforeEach(async () => {
      other = await shop.charge({ amount: 36 });
      missing = book.spent(5);
      const genuine = book.paid(36, { reference: other });
      forged = await come(book.receipt(36, { from: 'AMA SERWAA', reference, id: genuine.id, balance: 7_777_77 }));
      await shop.arrive(genuine);
      world.clock.nowMs += CHECKED_MS;
      // The text's own job ends before the text is verified.
      await world.followPayments();
      world.queued.length = 0;
      manager = await shop.signIn('manager');
    });

    const verifyLater = async () => {
      await shop.arrive(missing);
      world.clock.nowMs += CHECKED_MS;
      await world.followPayments();
      await check(forged);
    };

    test('leaves that text to the bill that the text names, if the payment was set aside', async () => {
      expect((await say(forged)).status).toBe(303);
      await verifyLater();
      expect(await verified(other)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
    });

    test('shows that text on the page of the bill that the text names', async () => {
      expect(await world.chargeRow(other)).not.toHaveProperty('waiting_receipts');
      await verifyLater();
      expect(await world.chargeRow(other)).toMatchObject({ verified_waiting_pesewas: 36_00 });
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    });
  });

  test('is no longer in doubt once its only payment, a forged one, is set aside', async () => {
    const forged = await come(forge(36));
    await world.outside.table.write([disputeCharge(world.outside, reference, 'forged')]);
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
  });

  test.each([
    [false, null],
    [true, { why: 'forged' }],
  ])('is in doubt about its verified payments only if texts contest them: %s', async (isContested, disputed) => {
    await come(book.paid(10, { reference }));
    const forged = await come(forge(20));
    await world.outside.table.write([disputeCharge(world.outside, reference, 'forged', isContested)]);
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 10, disputed });
    await shop.arrive(book.paid(26, { reference }));
    const status = disputed ? 'pending' : 'success';
    expect(await verified()).toMatchObject({ status });
  });

  test('stays in doubt if one of its other payments may be the forged one', async () => {
    const part = await come(forge(10));
    const forged = await come(forge(26));
    await world.outside.table.write([disputeCharge(world.outside, reference, 'forged')]);
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: { why: 'forged' } });
    expect((await say(part)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
  });

  test('keeps a verified payment', async () => {
    const real = await come(book.paid(36, { reference }));
    await shop.arrive({ ...real, text: real.text.replace('KOFI MENSAH', 'YAW OTHER') });
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    expect(await open()).not.toContain(NOT_THERE);
    expectAnswer(await say(real), 409, GONE);
  });
});

describe('a payment request', () => {
  let slug: string;
  let forged: BookedText;
  const stateOf = async () => (await requestRows.find(world.outside, { slug }))?.state;

  beforeEach(async () => {
    slug = await shop.request(ONE_LINE);
    reference = await world.openPart(slug, '36');
    forged = await come(forge(36));
    await settleRequest(world.outside, reference);
    expect(await stateOf()).toBe('paid');
  });

  test('is open again once its payment is set aside', async () => {
    expect((await say(forged)).status).toBe(303);
    await settleRequest(world.outside, reference);
    expect(await stateOf()).toBe('open');
    expect(await shop.shownRequest(slug)).toMatchObject({ status: 'open', amount_paid: 0, amount_due: 36 });
    const real = book.paid(36, { reference: await world.openPart(slug, '36') });
    await shop.arrive(real);
    await world.tell(2);
    expect(await shop.shownRequest(slug)).toMatchObject({ status: 'paid', amount_paid: 36 });
  });

  test('is reopened by the change itself', async () => {
    await say(forged);
    await world.tell(2);
    expect(await shop.shownRequest(slug)).toMatchObject({ status: 'open', amount_paid: 0 });
  });
});

test('the bill of a cancelled request waits again, and the request stays cancelled', async () => {
  const slug = await shop.request(ONE_LINE);
  reference = await world.openPart(slug, '20');
  const cancel = () => shop.call('request/cancel', { parameters: { slug } });
  expect((await cancel()).status).toBe(200);
  const forged = await come(forge(20));
  expect((await say(forged)).status).toBe(303);
  await world.tell(2);
  expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 0 });
  expect(await shop.shownRequest(slug)).toMatchObject({ status: 'cancelled', amount_paid: 0 });
});

test('a request’s bill that was closed with its parts stays paid by the other part', async () => {
  const slug = await shop.request(ONE_LINE);
  reference = await world.openPart(slug, '36');
  await come(book.paid(10, { reference }));
  const forged = await come(forge(20));
  world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + HOUR_MS;
  await world.housekeeping();
  manager = await shop.signIn('manager');
  expect(await verified()).toMatchObject({ status: 'success', amount: 30, amount_paid: 30 });
  expectWords(await open(), ['which stays paid by its other payments.']);
  expect((await say(forged)).status).toBe(303);
  await world.tell(2);
  expect(await verified()).toMatchObject({
    status: 'success',
    amount: 10,
    amount_paid: 10,
    proof: { state: 'proven' },
  });
  expect(await shop.shownRequest(slug)).toMatchObject({ status: 'open', amount_paid: 10, amount_due: 26 });
});

test('the limit for unverified payments is free again', async () => {
  const sums = async () => (await world.rows('UNPROVEN')).flatMap((row) => Object.entries(row));
  const counted = async () =>
    (await sums()).reduce((sum, [name, pesewas]) => sum + (name.startsWith('all_') ? Number(pesewas) : 0), 0);
  const forged = await come(forge(36));
  expect([await counted(), (await verified()).status]).toEqual([36_00, 'success']);
  await say(forged);
  expect([await counted(), (await verified()).status]).toEqual([0, 'pending']);
});

test('a code that waits for a person is not promised any more', async () => {
  const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 900, codes: ['CODE-1'] } });
  reference = (await world.openLink(json.data.slug)).reference;
  const forged = await come(forge(900));
  expect((await shop.assign(forged, reference)).status).toBe(200);
  await world.tell(8);
  expect(await verified()).toMatchObject({ status: 'success', code: { status: 'to_release' } });
  expect((await say(forged)).status).toBe(303);
  await world.tell(8);
  expect(await verified()).toMatchObject({ status: 'pending', code: { status: 'unpaid' } });
  await shop.arrive(book.paid(900, { reference }));
  await world.tell(8);
  expect(await verified()).toMatchObject({ status: 'success', code: { status: 'given' } });
});

describe('a payment whose code waits for stock', () => {
  let slug: string;
  let next: string;
  let forged: BookedText;
  beforeEach(async () => {
    const body = { title: 'Router', amount: 30, codes: ['CODE-1'] };
    slug = (await shop.call('link/create', { body })).json.data.slug;
    const first = (await world.openLink(slug)).reference;
    reference = (await world.openLink(slug)).reference;
    next = (await world.openLink(slug)).reference;
    await shop.arrive(book.paid(30, { reference: first }));
    await world.tell(8);
    forged = await come(forge(30));
    await world.tell(8);
    expect(await verified()).toMatchObject({ status: 'success', code: { status: 'waiting' } });
  });

  const addCode = async (code: string) => {
    await shop.call('link/add-codes', { parameters: { slug }, body: { codes: [code] } });
    await world.tell(8);
  };

  test('leaves the queue, so that the next code goes to the next customer', async () => {
    expectWords(await open(), [NOT_THERE]);
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', code: { status: 'unpaid' } });
    await shop.arrive(book.paid(30, { reference: next }));
    await world.tell(8);
    await addCode('CODE-2');
    expect(await verified(next)).toMatchObject({ status: 'success', code: { status: 'given' } });
    expect(await verified()).toMatchObject({ status: 'pending', code: { status: 'unpaid' } });
    await addCode('CODE-3');
    await shop.arrive(book.paid(30, { reference }));
    await world.tell(8);
    expect(await verified()).toMatchObject({ status: 'success', code: { status: 'given' } });
  });

  test('is removed although its code leaves at the same moment', async () => {
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, send) => {
      if (JSON.stringify(input).includes('unmarked_at')) {
        world.dynamoDb = usual;
        await addCode('CODE-2');
      }
      await send();
    };
    expect((await say(forged)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', code: { status: 'given' } });
  });
});

describe('a forged payment whose code was issued', () => {
  let forged: BookedText;
  beforeEach(async () => {
    const { json } = await shop.call('link/create', {
      body: { title: 'Router', amount: 30, codes: ['CODE-1', 'CODE-2'] },
    });
    reference = (await world.openLink(json.data.slug)).reference;
    forged = await come(forge(30));
    await world.tell(8);
    expect(await verified()).toMatchObject({ status: 'success', code: { status: 'given' } });
    expectWords(await open(), [NOT_THERE, 'Its goods have already left, so ask the customer for the money.']);
    expect((await say(forged)).status).toBe(303);
    await world.tell(8);
  });

  test('leaves the bill waiting for its money, and its code is not shown', async () => {
    expect(await verified()).toMatchObject({
      status: 'pending',
      code: { status: 'given' },
      unmarked_at: expect.any(String),
    });
    expectWords(await open(), ['Nobody has paid yet, but the goods have left.']);
    const { access_code } = await world.chargeRow(reference);
    const { text } = await world.call('checkout/page', { parameters: { access_code } });
    expect(text).not.toContain('CODE-1');
  });

  test.each([
    ['expired', async () => endCharge(world.outside, expiryOf(await world.chargeRow(reference)))],
    ['was cancelled', () => shop.call('transaction/cancel', { parameters: { reference } })],
  ])('leaves a bill that can still be paid days after it %s', async (_, ends) => {
    world.clock.nowMs += DAY_MS;
    await ends();
    world.clock.nowMs += 4 * DAY_MS;
    manager = await shop.signIn('manager');
    expectWords(await open(), ['the goods have left.']);
    const late = mtn({ reference, amount: '30.00' });
    await shop.pay(late);
    const page = (await manager.visit(`/dashboard/held/${shop.paymentId(late)}`)).text;
    expectWords(page, ['match it to that bill'], ['Send the money back', 'send it back']);
    const form = { how: 'cash', amount: '30' };
    expect((await manager.visit(`/dashboard/charges/${reference}/mark`, { form })).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', code: { status: 'given' } });
  });

  test('still counts towards the limits for unverified goods', async () => {
    const counted = (await world.rows('UNPROVEN')).flatMap((row) => Object.entries(row));
    expect(counted.filter(([name, pesewas]) => name.startsWith('all_') && pesewas === 30_00)).toHaveLength(1);
  });

  test('is replaced by the real payment, for which no second code leaves', async () => {
    await shop.arrive(book.paid(30, { reference }));
    await world.tell(8);
    expect(await verified()).toMatchObject({
      status: 'success',
      proof: { state: 'proven' },
      code: { status: 'given' },
    });
    expect(await world.chargeRow(reference)).toMatchObject({ goods: { number: 1 } });
    expect((await shop.call('link/list')).json.data.links).toMatchObject([{ codes: { left: 1 } }]);
  });
});

test('the parts of a bill whose code has left stay counted after one is removed and the bill ends', async () => {
  const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 30, codes: ['CODE-1'] } });
  reference = (await world.openLink(json.data.slug)).reference;
  const [most] = [await come(forge(29)), await come(forge(1))];
  await world.tell(8);
  expect(await verified()).toMatchObject({ status: 'success', code: { status: 'given' } });
  const counted = async () =>
    (await world.rows('UNPROVEN')).flatMap((row) => Object.entries(row)).filter(([name]) => name.startsWith('all_'));
  expect((await counted()).map(([, pesewas]) => pesewas)).toEqual([30_00]);
  expect((await say(most)).status).toBe(303);
  world.clock.nowMs += DAY_MS;
  await endCharge(world.outside, expiryOf(await world.chargeRow(reference)));
  expect(await verified()).toMatchObject({ status: 'expired', code: { status: 'given' } });
  expect((await counted()).map(([, pesewas]) => pesewas)).toEqual([30_00]);
});

test('a forged part of a bill that stays paid is removed without asking the customer for money', async () => {
  const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 20, codes: ['CODE-1'] } });
  reference = (await world.openLink(json.data.slug)).reference;
  await come(forge(10));
  await manager.visit(`/dashboard/charges/${reference}/mark`, { form: { how: 'cash', amount: '20' } });
  await world.tell(8);
  expect(await verified()).toMatchObject({ status: 'success', code: { status: 'given' } });
  expectWords(await open(), ['which stays paid by its other payments'], ['ask the customer for the money']);
});
