import { beforeEach, describe, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { claimPayment } from '../../../shared/money/receipt/claim-payment.ts';
import { EXPIRY_GRACE_SECONDS, noteExpiry } from '../../../shared/money/transaction/expiry.table.ts';
import { CHARGE_LIFETIME_MS } from '../../../shared/money/transaction/transaction.table.ts';
import { assignUnassignedReceipt, setWebhook } from '../../support/actions.ts';
import { liveHolder } from '../../support/holders.ts';
import {
  charge,
  claimedPayments,
  mtn,
  newNumber,
  pay,
  placeNumber,
  post,
  type ReceiptText,
  reversal,
  telecel,
  verified,
} from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { callWorker, streamEvent } from '../../support/world.ts';

let world: Scene;
let shop: Shop;
let reference: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  reference = await shop.charge({ amount: 60 });
});

describe('a charge that ends between read and write', () => {
  test('is not paid with parts that were released', async () => {
    const part = await paidPartly('20.00');
    await restAsChargeEnds();
    const next = await shop.charge({ amount: 20 });
    await give(part, next);
    await expectNotPaidWith(40);
  });

  test('by hand: the same', async () => {
    await paidPartly('20.00');
    const rest = mtn({ amount: '40.00' });
    await shop.pay(rest);
    await pastEnd(-1);
    world.rightBefore('TransactWriteItems', () => pastEnd());
    await give(rest, reference);
    await nothingCountsTwice();
  });

  test('and whose payment is then reversed: the reversal gets through', async () => {
    await paidPartly('20.00');
    const rest = await restAsChargeEnds();
    await shop.arrive(reversal(rest.id));
    expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'reversed' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'expired', payment: null });
  });
});

describe('a part of an ended charge that becomes disputed', () => {
  test.each([
    ['another text', (id: string) => mtn({ amount: '2.00', reference, id })],
    [
      'an unclear reversal',
      (id: string) => ({ sender: 'MobileMoney', text: `Hello, transaction ${id} will be reversed soon.` }),
    ],
  ])('%s: a late text does not complete the charge by it', async (_, doubt) => {
    const part = await paidPartly('59.00');
    const inTime = now();
    await pastEnd();
    await shop.arrive(doubt(part.id));
    expect(await shop.receipt(part)).toMatchObject({ reason: 'conflict' });
    await shop.arrive({ ...mtn({ amount: '1.00', reference }), receivedAt: inTime });
    await expectNotPaidWith(1);
  });

  test('as_part does not pay it with too little', async () => {
    const part = await paidPartly('59.00');
    await pastEnd();
    await shop.arrive(mtn({ amount: '2.00', reference, id: part.id }));
    const rest = mtn({ amount: '1.00' });
    await shop.pay(rest);
    await give(rest, reference, { as_part: true });
    await expectNotPaidWith(1);
  });
});

describe('a part that is disputed when its charge ends', () => {
  test('says so when it is held again', async () => {
    const part = await paidPartly('20.00');
    await shop.arrive(mtn({ amount: '2.00', reference, id: part.id }));
    await pastEnd();
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'conflict' });
  });

  test('is not restored automatically', async () => {
    const [part, other] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await shop.arrive(mtn({ amount: '2.00', reference, id: part.id }));
    await pastEnd();
    await give(other, reference);
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 30 });
  });

  test('confirms no claim', async () => {
    const { part, other } = await partOfOneForAnother();
    await shop.arrive(mtn({ amount: '2.00', id: part.id }));
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
    await pastEnd();
    expect(await claim(part, other)).toEqual({ outcome: 'unknown' });
  });

  test('the other text of it can be given to the charge', async () => {
    const part = await paidPartly('20.00');
    await shop.arrive(mtn({ amount: '25.00', reference, id: part.id }));
    await pastEnd();
    const twin = (await shop.listed('held')).find(({ amount }) => amount === 25);
    const answer = await giveId(String(twin?.id), reference);
    expect(answer.status).toBe(200);
  });

  test('a disputed charge is not paid by name either', async () => {
    const named = await shop.charge({ amount: 80, customer_name: 'Kofi Mensah' });
    const part = mtn({ amount: '20.00', reference: named });
    await shop.pay(part);
    await shop.arrive(mtn({ amount: '2.00', reference: named, id: part.id }));
    await shop.pay(mtn({ amount: '80.00' }));
    expect(await shop.verified(named)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
  });
});

describe('a dispute that arises between read and write', () => {
  test('the completing payment does not confirm', async () => {
    const part = await paidPartly('20.00');
    const rest = mtn({ amount: '40.00', reference });
    const job = await post(world, { ...rest, recipient: shop.number });
    world.rightBefore('TransactWriteItems', () => shop.arrive(mtn({ amount: '2.00', reference, id: part.id })));
    await world.settle(job);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
  });

  test('of a part of an ended charge: the rest is not mistaken for the text that contradicts it', async () => {
    const part = await paidPartly('20.00');
    const inTime = now();
    await pastEnd();
    const rest = mtn({ amount: '40.00', reference });
    const job = await post(world, { ...rest, recipient: shop.number, receivedAt: inTime });
    world.rightBefore('TransactWriteItems', () => shop.arrive(mtn({ amount: '2.00', reference, id: part.id })));
    await world.settle(job);
    const row = await shop.receipt(rest);
    expect(row).toMatchObject({ state: 'held', reason: 'charge_expired', suggested_reference: reference });
  });

  test('a contradiction that coincides with the end of the charge is not lost', async () => {
    const part = await paidPartly('20.00');
    await pastEnd(-1);
    const job = await post(world, { ...mtn({ amount: '2.00', reference, id: part.id }), recipient: shop.number });
    let gets = 0;
    const usual = world.dynamoDb;
    world.dynamoDb = async (request, send) => {
      // After the first text was read, before it is looked up what it was used for.
      if (request.command === 'GetItem' && JSON.stringify(request.input).includes('PAYMENT#') && ++gets === 1) {
        world.dynamoDb = usual;
        await pastEnd();
      }
      await send();
    };
    await world.settle(job);
    await world.settle(job);
    const [row, found] = [await shop.receipt(part), await world.transaction(reference)];
    expect(row?.reason === 'conflict' || found?.disputed !== undefined).toBe(true);
  });
});

describe('another receipt of the same payment', () => {
  test('by a phone that reported no number: it can be assigned to the ended charge, and counts once', async () => {
    const part = await paidPartly('20.00');
    await shop.arrive({ ...part, recipient: null });
    expect(await world.receiptRow(`MTN-unknown-${part.id}`)).toMatchObject({ reason: 'already_paid' });
    await pastEnd();
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${part.id}`, reference);
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 20 });
  });

  test('once it is assigned to another charge, it is not restored to the ended one', async () => {
    const { other } = await partUsedElsewhere();
    expect(await shop.verified(other)).toMatchObject({ status: 'success' });
    await expectPaidWithRest();
  });

  test('the rest of the ended charge does not dispute that other charge', async () => {
    const { inTime, other } = await partUsedElsewhere();
    const rest = mtn({ amount: '40.00', reference });
    await shop.arrive({ ...rest, receivedAt: inTime });
    expect(await shop.verified(other)).toMatchObject({ disputed: null });
    expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'charge_expired' });
  });

  test('reversed after its charge ended: the rest is not stored as reversed', async () => {
    const first = mtn({ amount: '25.00' });
    await shop.pay(first);
    await shop.arrive(mtn({ amount: '20.00', id: first.id }));
    const twin = (await shop.listed('held')).find(({ amount }) => amount === 20);
    await giveId(String(twin?.id), reference, { as_part: true });
    const inTime = now();
    await pastEnd();
    await shop.arrive(reversal(first.id));
    const rest = mtn({ amount: '40.00', reference });
    await shop.arrive({ ...rest, receivedAt: inTime });
    expect(await shop.receipt(rest)).toMatchObject({ reason: 'charge_expired' });
    await give(rest, reference);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 40, parts: [] });
  });

  test.each(['first', 'second'])('which contradicts it and comes %s: neither can be claimed', async (place) => {
    const payment = mtn({ amount: '60.00' });
    if (place === 'second') await shop.pay(payment);
    await shop.arrive({ ...mtn({ amount: '2.00', id: payment.id }), recipient: null });
    if (place === 'first') await shop.pay(payment);
    expect(await claim(payment, reference)).toEqual({ outcome: 'unknown' });
  });

  test('a reversal of it applies to the one without a number too', async () => {
    const payment = mtn({ amount: '60.00' });
    await shop.arrive({ ...payment, recipient: null });
    await shop.arrive(reversal(payment.id));
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${payment.id}`, reference).catch(() => undefined);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('a reversal by a phone with two numbers that does not report which: the held payment cannot be claimed', async () => {
    for (const [sim_number, number] of [shop.number, newNumber()].entries()) {
      const place = { gateway: 'phone', device_id: 'device-1', sim_number: sim_number + 1, messages_per_hour: 100 };
      await world.addSender({ number, network: 'MTN', ...place });
    }
    const payment = mtn({ amount: '60.00' });
    await shop.pay(payment);
    await shop.arrive({ ...reversal(payment.id), recipient: null });
    expect(await claim(payment, reference)).toEqual({ outcome: 'unknown' });
  });
});

describe('a part of an ended charge that is claimed', () => {
  test('is not restored to that charge', async () => {
    const { part, other } = await partOfOneForAnother();
    await pastEnd();
    expect(await claim(part, other)).toEqual({ outcome: 'paid' });
    await expectPaidWithRest();
  });

  test('pays one charge, not two', async () => {
    const { part, other } = await partOfOneForAnother('59.00');
    const inTime = now();
    await pastEnd();
    expect(await claim(part, other)).toEqual({ outcome: 'paid' });
    await shop.arrive({ ...mtn({ amount: '1.00', reference }), receivedAt: inTime });
    expect(await shop.verified(reference)).toMatchObject({ status: 'expired' });
  });
});

test.each([
  ['a stranger’s pesewa', { amount: '0.01', from: 'YAW ADJEI' }],
  ['an overpayment', { amount: '59.00' }],
])('%s that is reversed leaves the charge paid', async (_, said) => {
  const part = mtn({ ...said, reference });
  await shop.pay(part);
  await shop.pay(mtn({ amount: '60.00', reference }));
  await shop.arrive(reversal(part.id));
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 60, overpaid: 0 });
});

describe('a charge whose expiry was never recorded by the stream', () => {
  test('releases its parts all the same', async () => {
    const part = await paidPartly('59.00');
    world.clock.nowMs += CHARGE_LIFETIME_MS + EXPIRY_GRACE_SECONDS * 1000;
    await world.housekeeping();
    expect(await shop.receipt(part)).toMatchObject({ state: 'held' });
  });
});

describe('the rest of a charge, paid without its reference', () => {
  test('pays no other charge of that amount in the same name', async () => {
    const mine = await shop.charge({ amount: 60, customer_name: 'Kofi Mensah' });
    await shop.pay(mtn({ amount: '55.00', reference: mine }));
    const thiefs = await shop.charge({ amount: 5, customer_name: 'Kofi Mensah', email: 'thief@example.com' });
    await shop.pay(mtn({ amount: '5.00' }));
    expect(await shop.verified(thiefs)).toMatchObject({ status: 'pending' });
  });
});

describe('two parts that were paid in time, whose texts come when the charge has ended', () => {
  test('can be combined for it', async () => {
    const inTime = now();
    await pastEnd();
    const parts = [mtn({ amount: '20.00', reference }), mtn({ amount: '40.00', reference })];
    for (const part of parts) await shop.arrive({ ...part, receivedAt: inTime });
    for (const part of parts) expect(await give(part, reference)).toMatchObject({ status: 200 });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 60 });
  });
});

describe('the other payment of a charge that is reversed', () => {
  test('is claimed for no other charge: while it counted, many saw its id', async () => {
    const named = await shop.charge({ amount: 56, customer_name: 'Kofi Mensah' });
    const part = mtn({ reference: named });
    const other = mtn({ amount: '20.00' });
    for (const one of [part, other]) await shop.pay(one);
    expect(await shop.verified(named)).toMatchObject({ payment: { matched_by: 'name' } });
    await shop.arrive(reversal(part.id));
    expect(await shop.receipt(other)).toMatchObject({ reason: 'charge_reversed' });
    const own = await shop.charge({ amount: 20 });
    expect(await claim(other, own)).toEqual({ outcome: 'unknown' });
  });
});

describe('what the merchant is told', () => {
  test('each time that a payment is held again', async () => {
    await setWebhook(world.outside, liveHolder(shop.id), 'https://shop.example.com/hooks');
    const part = mtn({ amount: '20.00' });
    await shop.pay(part);
    for (let round = 0; round < 2; round++) {
      const next = await shop.charge({ amount: 60 });
      await give(part, next, { as_part: true });
      const before = await shop.receipt(part);
      await pastEnd(EXPIRY_GRACE_SECONDS * 1000, next);
      const after = await shop.receipt(part);
      expect(after).toMatchObject({ state: 'held', suggested_reference: next });
      if (!before || !after) throw new Error('gone');
      await callWorker(world, followUp, streamEvent([{ before, after }]));
    }
    expect((await world.rows('EVENT')).filter(({ type }) => type === 'receipt.held')).toHaveLength(2);
  });

  test('an event of a part that was given by hand is kept for thirty days from when it happened', async () => {
    await setWebhook(world.outside, liveHolder(shop.id), 'https://shop.example.com/hooks');
    const part = mtn({ amount: '20.00' });
    await shop.pay(part);
    world.clock.nowMs += 31 * 24 * 3_600_000;
    const next = await shop.charge({ amount: 60 });
    const before = await row(next);
    await give(part, next, { as_part: true });
    await callWorker(world, followUp, streamEvent([{ before, after: await row(next) }], world.clock.nowMs));
    const [event] = (await world.rows('EVENT')).filter(({ type }) => type === 'charge.partly_paid');
    expect(Number(event?.expires_at_epoch_seconds)).toBeGreaterThan(world.clock.nowMs / 1000);
  });

  test('says when a part arrived, however late its event is made', async () => {
    await setWebhook(world.outside, liveHolder(shop.id), 'https://shop.example.com/hooks');
    const reference = await shop.charge({ amount: 60 });
    const before = await row(reference);
    await shop.pay(mtn({ amount: '20.00', reference }));
    const arrivedMs = Math.floor(world.clock.nowMs / 1000) * 1000;
    const change = streamEvent([{ before, after: await row(reference) }], arrivedMs);
    world.clock.nowMs += 2 * 3_600_000;
    await callWorker(world, followUp, change);
    const event = (await world.rows('EVENT')).find(({ body }) => String(body).includes(reference));
    const timestamp = new Date(arrivedMs).toISOString();
    expect(JSON.parse(String(event?.body))).toMatchObject({ type: 'charge.partly_paid', timestamp });
  });
});

describe('a merchant’s other number', () => {
  test('that was taken away is still one of the earlier charges, as the first is', async () => {
    const [first, second] = [newNumber(), newNumber()];
    const account = <Name extends 'MTN' | 'TELECEL'>(number: string, network: Name) => {
      return { number, network, account_name: 'A' };
    };
    const accounts = [account(first, 'MTN'), account(second, 'TELECEL')];
    for (const { number, network } of accounts) await placeNumber(world.outside, number, network);
    const { merchant_id } = await addMerchant(world.outside, { name: 'Two', momo_accounts: accounts });
    const liveKey = await addApiKey(world.outside, merchant_id, 'live');
    const one = await charge(world, { liveKey }, { amount: 60 });
    const two = await charge(world, { liveKey }, { amount: 60 });
    await changeMerchant(world.outside, merchant_id, { momo_accounts: [account(newNumber(), 'MTN')] });
    await pay(world, { number: first }, mtn({ amount: '60.00', reference: one }));
    await pay(world, { number: second }, telecel({ amount: '60.00', reference: two }));
    const states = [await verified(world, { liveKey }, one), await verified(world, { liveKey }, two)];
    expect(states.map(({ status }) => status)).toEqual(['success', 'success']);
  });
});

/** The rest was paid in time; its charge ends between the look and the write. */
async function restAsChargeEnds(): Promise<ReceiptText> {
  const inTime = now();
  const rest = mtn({ amount: '40.00', reference });
  await pastEnd(-1);
  const job = await post(world, { ...rest, recipient: shop.number, receivedAt: inTime });
  world.rightBefore('TransactWriteItems', () => pastEnd());
  await world.settle(job);
  return rest;
}

async function expectNotPaidWith(amount: number): Promise<void> {
  const { status, amount_paid } = await shop.verified(reference);
  expect({ status, amount_paid }).not.toEqual({ status: 'success', amount_paid: amount });
}

/** What is left of the charge once its part is another's is given to it, and pays it alone. */
async function expectPaidWithRest(): Promise<void> {
  const rest = mtn({ amount: '40.00' });
  await shop.pay(rest);
  expect((await give(rest, reference)).status).toBe(200);
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 40, parts: [] });
}

async function paidPartly(amount: string): Promise<ReceiptText> {
  const part = mtn({ amount, reference });
  await shop.pay(part);
  return part;
}

/** It is so long after the charge's time, and housekeeping looks. */
async function pastEnd(afterMs = EXPIRY_GRACE_SECONDS * 1000, of = reference): Promise<void> {
  const found = await world.transaction(of);
  if (!found) throw new Error('The charge is gone');
  await world.outside.table.write([noteExpiry(found)]);
  world.clock.nowMs = Math.max(world.clock.nowMs, Date.parse(found.expires_at) + afterMs);
  await world.housekeeping();
}

function now(): string {
  return world.iso();
}

async function row(of: string) {
  const found = (await world.rows('TRANSACTION')).find((one) => one.reference === of);
  if (!found) throw new Error('The charge is gone');
  return found;
}

/** A part of a charge that has ended is given to another one, by the text of it whose phone told no number. */
async function partUsedElsewhere() {
  const part = await paidPartly('20.00');
  const inTime = now();
  await shop.arrive({ ...part, recipient: null });
  await pastEnd();
  const other = await shop.charge({ amount: 20 });
  await assignUnassignedReceipt(world.outside, `MTN-unknown-${part.id}`, other);
  return { inTime, other };
}

test('a part of an ended charge that was then counted for another one stays meant for that one', async () => {
  const first = await paidPartly('20.00');
  await pastEnd();
  const other = await shop.charge({ amount: 50, expires_in: 3600 });
  await give(first, other, { as_part: true });
  await pastEnd(undefined, other);
  expect(await shop.receipt(first)).toMatchObject({ state: 'held', suggested_reference: other });
  await expectPaidWithRest();
  expect(await shop.receipt(first)).toMatchObject({ state: 'held', suggested_reference: other });
});

/** A held payment is counted by hand for one charge; another one, of its amount, is made at that time and open for longer. */
async function partOfOneForAnother(amount = '20.00') {
  world.clock.nowMs += CHARGE_LIFETIME_MS / 2;
  const part = mtn({ amount });
  await shop.pay(part);
  const other = await shop.charge({ amount: Number(amount) });
  await give(part, reference, { as_part: true });
  return { part, other };
}

async function claim(receipt: ReceiptText, of: string) {
  const found = await world.transaction(of);
  if (!found) throw new Error('The charge is gone');
  const payments = claimedPayments(found, receipt.id);
  return claimPayment(world.outside, found, { payments, nameWords: ['KOFI', 'MENSAH'], sourceIp: '192.0.2.1' });
}

function give(receipt: ReceiptText, to: string, more: object = {}) {
  return giveId(shop.paymentId(receipt), to, more);
}

function giveId(id: string, to: string, more: object = {}) {
  return shop.call('receipt/assign', { parameters: { id }, body: { reference: to, ...more } });
}

/** Every part and payment of a charge that is pending or paid is matched to it, and used for it. */
async function nothingCountsTwice(): Promise<void> {
  const receipts = await world.rows('RECEIPT');
  for (const { reference: of, state, parts, payment } of await world.rows('TRANSACTION')) {
    if (state !== 'pending' && state !== 'success') continue;
    const counted = [...(Array.isArray(parts) ? parts : []), ...(payment ? [payment] : [])];
    for (const { receipt_id } of counted) {
      const receipt = receipts.find((one) => one.receipt_id === receipt_id);
      expect({ state: receipt?.state, reference: receipt?.reference }).toEqual({ state: 'matched', reference: of });
    }
  }
}
