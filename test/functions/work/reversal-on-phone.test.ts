import { beforeEach, describe, expect, test } from 'vitest';
import { mtn, newNumber, type ReceiptText, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

// The shop's two numbers are in `device-2`, the other shop's number is in `device-3`. A text without its SIM is stored
// under no number, its reversal under the number that received it.

const NO_SIM = { device: 'device-2', recipient: null } as const;
const SIM = { ...NO_SIM, simNumber: 1 } as const;
const TELECEL = '+233201234567';
const PENDING = { status: 'pending', amount_paid: 0 };
const PLAIN = { status: 'success', disputed: null };
const DISPUTED = { status: 'success', disputed: { why: 'reversal' } };
const REVERSED = { status: 'reversed' };

let world: Scene;
let shop: Shop;
let other: Shop;
let owner: Person;
let text: ReceiptText;
/** References of open charges for GHS 36. */
let charged: string;
let wrong: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await shopOn({ device_id: 'device-2' });
  other = await shopOn({ gateway: 'spare', device_id: 'device-3' });
  await world.addSender({ number: TELECEL, network: 'TELECEL', device_id: 'device-2', sim_number: 2 });
  await shop.change({
    momo_accounts: [
      { number: shop.number, network: 'MTN', account_name: 'AMA STORES' },
      { number: TELECEL, network: 'TELECEL', account_name: 'AMA STORES' },
    ],
  });
  owner = await shop.signIn('owner');
  [charged, wrong] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
  text = mtn({ reference: charged });
});

async function shopOn(place: Omit<Parameters<Scene['addSender']>[0], 'number'>): Promise<Shop> {
  const number = newNumber();
  await world.addSender({ number, ...place });
  return world.createShop({ number });
}

type Words = (text: ReceiptText) => { sender: string; text: string };
const reversed: Words = ({ id }) => reversal(id, '36.00');
const inMtn = (sentence: (id: string) => string): Words => {
  return ({ id }) => ({ sender: 'MobileMoney', text: sentence(id) });
};
const announced = inMtn((id) => `Dear customer, a reversal of transaction ${id} has been requested by the sender.`);
const inUnusualWords = inMtn((id) => `We have reversed the transaction ${id} of GHS 36.00.`);

const TWO_IDS = inMtn(
  (id) =>
    `Dear customer, a reversal of transaction ${id} and of transaction 51999999999 has been requested by the sender.`,
);

const heldId = () => `MTN-unknown-${text.id}`;
/** Id and reason of each held payment without its SIM. */
const held = async () =>
  (await shop.listed('held')).flatMap(({ id, reason }) => (String(id).startsWith(heldId()) ? [[id, reason]] : []));
const contradicting = () => mtn({ id: text.id, from: 'YAW SAMPLE', reference: charged });
const assign = (reference = charged, id = heldId()) =>
  shop.call('receipt/assign', { parameters: { id }, body: { reference } });
const cancel = (reference: string) => shop.call('transaction/cancel', { parameters: { reference } });
const mark = () =>
  owner.visit(`/dashboard/charges/${wrong}/mark`, {
    form: { how: 'transfer', amount: '36', payer: 'Kofi Mensah', transaction_id: text.id, number: shop.number },
  });
const undo = () => owner.visit(`/dashboard/charges/${wrong}/unmark`, { form: {} });

/** Sends the form that the page shows for the held payment. */
async function give(reference = charged, more: Record<string, string> = {}) {
  const { text: page } = await owner.visit(`/dashboard/held/${heldId()}/give?reference=${reference}`);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const form = { reference, shown: field('shown'), doubts: field('doubts'), still_due: field('still_due'), ...more };
  return owner.visit(`/dashboard/held/${heldId()}/give`, { form });
}

/** Settles the payment, and its reversal right before the payment is stored. */
async function atOnce(of: Words, place: object, then: () => Promise<unknown> = async () => undefined): Promise<void> {
  const settled = async () => {
    await shop.arrive({ ...of(text), ...place });
    await then();
  };
  world.rightBefore('TransactWriteItems', settled, heldId());
  await shop.arrive({ ...text, ...NO_SIM });
}

const KINDS: [string, Words, object, string][] = [
  ['reversed, with its SIM', reversed, SIM, 'reversed'],
  ['reversed, without its SIM', reversed, NO_SIM, 'conflict'],
  ['announced, with its SIM', announced, SIM, 'conflict'],
  ['announced, without its SIM', announced, NO_SIM, 'conflict'],
  ['in unusual words, with its SIM', inUnusualWords, SIM, 'conflict'],
];

describe('a payment without its SIM whose reversal is stored right before it', () => {
  test.each(KINDS)('is held for a person: %s', async (_, of, place, reason) => {
    await atOnce(of, place);
    expect(await held()).toEqual([[heldId(), reason]]);
    const { status } = await assign();
    expect(status).toBe(reason === 'reversed' ? 409 : 200);
    expect(await shop.verified(charged)).toMatchObject(reason === 'reversed' ? PENDING : DISPUTED);
    await world.followPayments();
    expect(await shop.verified(charged)).toMatchObject(reason === 'reversed' ? PENDING : DISPUTED);
  });

  test('pays its bill if a person assigns it on a form that shows the doubt', async () => {
    await atOnce(announced, SIM);
    const { text: page } = await owner.visit(`/dashboard/held/${heldId()}/give?reference=${charged}`);
    expect(page).toContain('reversed this payment');
    expect((await give()).status).toBe(303);
    await world.followPayments();
    expect(await shop.verified(charged)).toMatchObject(PLAIN);
  });

  test('is only in doubt if the reversal was sent to another merchant’s number in the phone', async () => {
    await shopOn({ device_id: 'device-2', sim_number: 3 });
    await atOnce(reversed, { ...NO_SIM, simNumber: 3 });
    expect(await world.receiptRow(heldId())).toMatchObject({ reason: 'conflict' });
    expect(await world.receiptRow(heldId())).toHaveProperty('reversal_doubt_at');
  });

  test.each([
    ['reversed', reversed, PENDING],
    ['announced', announced, DISPUTED],
  ])('is held for a person if a copy with the SIM is stored too: %s', async (_, of, state) => {
    await atOnce(of, SIM, () => shop.arrive({ ...text, ...SIM }));
    await world.followPayments();
    await assign();
    expect(await shop.verified(charged)).toMatchObject(state);
  });

  test.each([
    ['reversed', reversed, 'reversed'],
    ['in unusual words', inUnusualWords, 'conflict'],
  ])('is held for a person if a mark as paid with its id was undone before: %s', async (_, of, reason) => {
    await mark();
    await undo();
    await atOnce(of, SIM);
    expect(await held()).toEqual([[heldId(), reason]]);
  });

  test('is held for a person if another text with its id arrives before it', async () => {
    await shop.arrive({ ...contradicting(), ...NO_SIM });
    world.rightBefore('TransactWriteItems', () => shop.arrive({ ...announced(text), ...SIM }), `${heldId()}-`);
    await shop.arrive({ ...text, ...NO_SIM });
    const rows = await Promise.all((await held()).map(([id]) => world.receiptRow(String(id))));
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).toHaveProperty('reversal_doubt_at');
  });
});

describe('a reversal before which a payment without its SIM is stored', () => {
  const arriveAndAssign = async () => {
    await shop.arrive({ ...text, ...NO_SIM });
    await assign();
  };

  test.each([
    ['reversed', reversed, SIM, REVERSED],
    ['announced', announced, SIM, DISPUTED],
    ['in unusual words', inUnusualWords, SIM, DISPUTED],
    ['reversed, without its SIM', reversed, NO_SIM, DISPUTED],
  ])('finds the payment, already assigned: %s', async (_, of, place, state) => {
    world.rightBefore('TransactWriteItems', arriveAndAssign, shop.paymentId(text));
    await shop.arrive({ ...of(text), ...place });
    expect(await shop.verified(charged)).toMatchObject(state);
  });

  test.each([
    ['reversed', reversed, SIM],
    ['in unusual words', inUnusualWords, SIM],
  ])('finds the payment beside an undone mark, already assigned: %s', async (_, of, place) => {
    await mark();
    await undo();
    world.rightBefore('TransactWriteItems', arriveAndAssign, shop.paymentId(text));
    await shop.arrive({ ...of(text), ...place });
    expect(await shop.verified(charged)).not.toMatchObject(PLAIN);
  });

  test('is found on the last of sixty numbers of the phone', async () => {
    for (let n = 3; n < 62; n++) await world.addSender({ number: newNumber(), device_id: 'device-2', sim_number: n });
    const last = newNumber();
    await world.addSender({ number: last, device_id: 'device-2', sim_number: 62 });
    await shop.arrive({ ...announced(text), ...NO_SIM, simNumber: 62 });
    await shop.arrive({ ...text, ...NO_SIM });
    expect(await world.receiptRow(heldId())).toHaveProperty('reversal_doubt_at');
  });

  test.each([
    ['reversed', reversed, 'reversed'],
    ['announced', announced, 'conflict'],
    ['in unusual words', inUnusualWords, 'conflict'],
  ])('finds the payment, released again: %s', async (_, of, reason) => {
    const part = await shop.charge({ amount: 50 });
    const released = async () => {
      await shop.arrive({ ...text, ...NO_SIM });
      await shop.call('receipt/assign', { parameters: { id: heldId() }, body: { reference: part, as_part: true } });
      await cancel(part);
    };
    world.rightBefore('TransactWriteItems', released, shop.paymentId(text));
    await shop.arrive({ ...of(text), ...SIM });
    expect(await held()).toEqual([[heldId(), reason]]);
  });

  test.each([
    ['reversed', reversed, REVERSED],
    ['announced', announced, DISPUTED],
    ['in unusual words', inUnusualWords, DISPUTED],
  ])('finds a held payment that is assigned at this moment: %s', async (_, of, state) => {
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    world.rightBefore('TransactWriteItems', assign, shop.paymentId(text));
    await shop.arrive({ ...of(text), ...SIM });
    expect(await shop.verified(charged)).toMatchObject(state);
  });
});

test('a reversal is noted on a payment without its SIM beside a bill that was marked with its id', async () => {
  await mark();
  await shop.arrive({ ...text, ...NO_SIM });
  await shop.arrive({ ...announced(text), ...SIM });
  expect(await world.receiptRow(heldId())).toHaveProperty('reversal_doubt_at');
});

describe('a reversal of a held payment without its SIM', () => {
  beforeEach(() => shop.arrive({ ...text, ...NO_SIM }));

  test.each([
    ['reversed', reversed, true],
    ['reversed, without its SIM', reversed, false],
    ['announced', announced, true],
    ['announced, without its SIM', announced, false],
  ])('changes nothing if it was sent to another merchant’s number in another phone: %s', async (_, of, isKnown) => {
    const recipient = isKnown ? other.number : null;
    await other.arrive({ ...of(text), device: 'device-3', gateway: 'spare', recipient });
    expect(await held()).toEqual([[heldId(), 'number_unknown']]);
  });

  test.each([
    ['reversed', reversed],
    ['announced', announced],
  ])('puts the payment in doubt if the number is registered only since: %s', async (_, of) => {
    const number = newNumber();
    await world.addSender({ number, device_id: 'device-2', sim_number: 5 });
    const accounts = [shop.number, number].map(
      (one) => ({ number: one, network: 'MTN', account_name: 'AMA' }) as const,
    );
    await shop.change({ momo_accounts: accounts });
    await shop.arrive({ ...of(text), ...NO_SIM, simNumber: 5 });
    expect(await held()).toEqual([[heldId(), 'conflict']]);
    expect(await world.receiptRow(heldId())).toHaveProperty('reversal_doubt_at');
  });

  test.each([
    ['reversed', reversed],
    ['announced', announced],
  ])('is noted on both texts that contradict each other: %s', async (_, of) => {
    await shop.arrive({ ...contradicting(), ...NO_SIM });
    await world.followPayments();
    await shop.arrive({ ...of(text), ...SIM });
    const ids = (await held()).map(([id]) => String(id));
    expect(ids).toHaveLength(2);
    for (const id of ids) await assign(charged, id);
    expect(await shop.verified(charged)).not.toMatchObject(PLAIN);
  });

  test('is noted on the payment beside another text with its id that reports the SIM', async () => {
    await shop.arrive({ ...contradicting(), ...SIM });
    await shop.arrive({ ...announced(text), ...SIM });
    expect(await world.receiptRow(heldId())).toHaveProperty('reversal_doubt_at');
  });

  test('puts the payment in doubt once if the text names two payments', async () => {
    const twice = { ...TWO_IDS(text), ...SIM, receivedAt: '2026-11-30T11:59:58Z' };
    await shop.arrive(twice);
    expect(await held()).toEqual([[heldId(), 'conflict']]);
    const part = await shop.charge({ amount: 50 });
    await give(part, { counts_as: 'part' });
    await cancel(part);
    await shop.arrive(twice);
    expect(await world.receiptRow(heldId())).not.toHaveProperty('reversal_doubt_at');
  });

  test('only puts the payment in doubt if the text states another amount', async () => {
    await shop.arrive({ ...reversal(text.id, '5.00'), ...SIM });
    expect(await held()).toEqual([[heldId(), 'conflict']]);
  });

  test('does not dispute the next charge once a person has decided about it', async () => {
    const part = await shop.charge({ amount: 50 });
    await shop.arrive({ ...announced(text), ...SIM });
    await give(part, { counts_as: 'part' });
    expect(await shop.verified(part)).toMatchObject({ status: 'pending', amount_paid: 36, disputed: null });
    await cancel(part);
    await give();
    expect(await shop.verified(charged)).toMatchObject(PLAIN);
  });
});
