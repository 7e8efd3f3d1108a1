import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { giveCode } from '../../../shared/money/link/hand-out-code.ts';
import { setAside } from '../../../shared/money/settling/assign-receipt.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { nameMature } from '../../support/name-mature.ts';
import { arrive, fromTelecel, mtn, newNumber, type ReceiptText, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { provenBook } from '../../support/wallet-book.ts';
import type { Call } from '../../support/world.ts';

let world: Scene;
let shop: Shop;
let reference: string;
let receipt: ReceiptText;
let transfers = 0;

beforeEach(async () => {
  world = await scene();
  shop = await world.createShop();
  await overpay();
});

async function overpay(): Promise<void> {
  reference = await shop.charge({ amount: 36 });
  receipt = mtn({ reference, amount: '40.00', from: 'KOFI MENSAH' });
  await shop.pay(receipt);
}

/** Opens a shop whose wallet's chain includes the next payment of this amount. The network can reverse only such a payment. */
async function openNamed(cedis: number): Promise<void> {
  shop = await world.createShop();
  await shop.nameBalance(1_136_50 - cedis * 100);
}

describe('a refund record', () => {
  test('covers all or part of the amount paid', async () => {
    const said = { amount: 4, reason: 'Paid too much' };
    const proof = { state: 'unproven', why: 'not_anchored' };
    const closed = { closed_at: null, closed_by: null, transaction_id: null };
    const open = { status: 'noted', proof, noted_at: world.iso(), ...closed };
    const { status, json } = await note(said);
    expect({ status, refunds: json.data.refunds }).toEqual({
      status: 200,
      refunds: [{ refund_id: expect.any(String), ...said, ...open }],
    });
    expect((await note({})).json.data.refunds).toMatchObject([{ amount: 4 }, { amount: 36, reason: null }]);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 40 });
  });

  test('is returned together with a stock code issued in the meantime', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 36, codes: ['CODE-1'] } });
    const { reference: coded } = await world.openLink(json.data.slug);
    await shop.pay(mtn({ reference: coded }));
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, send) => {
      if (JSON.stringify(input).includes('noted_at')) {
        world.dynamoDb = usual;
        await giveCode(world.outside, coded);
      }
      await send();
    };
    const answer = await note({}, coded);
    expect(answer.json.data).toMatchObject({ code: { status: 'given' }, refunds: [{ status: 'noted' }] });
    expect((await shop.verified(coded)).code).toEqual(answer.json.data.code);
  });

  test('cannot exceed the amount left to refund', async () => {
    const answer = await note({ amount: 40.01 });
    expectBadFields(answer, 'amount');
    expect(answer.json.message).toContain('GHS 40.00');
    const answers = await Promise.all(Array.from({ length: 8 }, () => note({ amount: 15 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const { refunds } = await shop.verified(reference);
    expect(refunds).toMatchObject([{ amount: 15 }, { amount: 15 }]);
  });

  test('requires a paid charge', async () => {
    expectFailure(await note({}, await shop.charge({ amount: 36 })), 409, 'nothing_to_refund');
    await shop.arrive(reversal(receipt.id));
    expectFailure(await note({}), 409, 'nothing_to_refund');
  });

  test('is rejected for a part payment', async () => {
    const partly = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference: partly, amount: '30.00' }));
    expectFailure(await note({}, partly), 409, 'nothing_to_refund');
    await shop.call('transaction/cancel', { parameters: { reference: partly } });
    expect(await shop.verified(partly)).toMatchObject({ status: 'cancelled', amount_paid: 30 });
    expectFailure(await note({}, partly), 409, 'nothing_to_refund');
  });

  test('makes its amount available again when withdrawn', async () => {
    const [id] = await noted({});
    const refused = await note({ amount: 1 });
    expectFailure(refused, 409, 'nothing_to_refund');
    expect(refused.json.message).toMatch(/^This charge has nothing left to refund\. /);
    expect((await end(id, 'withdrawn')).json.data.refunds).toMatchObject([{ status: 'withdrawn', closed_by: 'hand' }]);
    expect((await note({ amount: 40 })).status).toBe(200);
  });

  test('is limited to ten per charge, excluding withdrawn ones', async () => {
    const [withdrawn] = await noted({ amount: 1 });
    await end(withdrawn, 'withdrawn');
    for (let n = 0; n < 10; n++) expect((await note({ amount: 1 })).status).toBe(200);
    const refused = await note({ amount: 1 });
    expectFailure(refused, 409, 'nothing_to_refund');
    expect(refused.json.message).toMatch(
      /^This charge has reached the limit of 10 refunds, or 50 including withdrawn ones\. /,
    );
  });

  test('is limited to fifty per charge, including withdrawn ones', async () => {
    for (let n = 0; n < 50; n++) await end((await noted({ amount: 1 })).at(-1), 'withdrawn');
    expectFailure(await note({ amount: 1 }), 409, 'nothing_to_refund');
  });
});

describe('a second payment', () => {
  const seconds = async () => (await shop.verified(reference)).second_payments;
  let whole_id: string;
  beforeEach(async () => {
    world.clock.nowMs += 1_000;
    const second = mtn({ reference, amount: '40.00', from: 'KOFI MENSAH' });
    await shop.pay(second);
    whole_id = shop.paymentId(second);
  });

  test('is marked as sent back without reducing the refundable amount', async () => {
    const [{ receipt_id }] = await seconds();
    world.clock.nowMs += 1_000;
    const { status, json } = await note({ receipt_id, reason: 'Paid twice' });
    const sentBack = [{ receipt_id, amount: 40, sent_back_at: world.iso() }];
    expect({ status, refunds: json.data.refunds }).toEqual({ status: 200, refunds: [] });
    expect(json.data.second_payments).toMatchObject(sentBack);
    world.clock.nowMs += 1_000;
    expect((await note({ receipt_id, amount: 40 })).json.data.second_payments).toMatchObject(sentBack);
    expect(await seconds()).toMatchObject(sentBack);
    expect((await note({})).json.data.refunds).toMatchObject([{ amount: 40 }]);
    const [entry] = await shop.audit();
    expect(entry).toMatchObject({
      action: 'refund note',
      about: reference,
      after: { sent_back: true },
    });
  });

  test('are not found by an id that is too long', async () => {
    const { status, json } = await note({ receipt_id: 'x'.repeat(3_000) });
    expect([status, JSON.stringify(json)]).toEqual([
      400,
      expect.stringContaining('must be the receipt_id of a second payment'),
    ]);
  });

  test('is marked as sent back once per Idempotency-Key', async () => {
    const [{ receipt_id }] = await seconds();
    const headers = { 'idempotency-key': 'order-7-back' };
    const first = await note({ receipt_id }, reference, { headers });
    world.clock.nowMs += 60_000;
    expect((await note({ receipt_id }, reference, { headers })).text).toBe(first.text);
    expectFailure(await note({}, reference, { headers }), 422, 'idempotency_key_reused');
  });

  test('can be marked as sent back after it is set aside', async () => {
    await world.outside.table.write(await setAside(world.outside, shop.id, whole_id, { by: 'somebody' }));
    const key = await shop.addKey('live', { scope: ['refunds:write'] });
    expectBadFields(await note({ receipt_id: whole_id }, reference, { key }), 'receipt_id');
    expect(await seconds()).toMatchObject([{ sent_back_at: null }]);
    const { json } = await note({ receipt_id: whole_id });
    expect(json.data.second_payments).toMatchObject([{ sent_back_at: expect.any(String) }]);
  });

  test('can be marked as sent back for a cancelled charge', async () => {
    const mine = await shop.charge({ amount: 36 });
    await shop.call('transaction/cancel', { parameters: { reference: mine } });
    const late = mtn({ reference: mine, from: 'KOFI MENSAH' });
    await shop.pay(late);
    const receipt_id = shop.paymentId(late);
    const key = await shop.addKey('live', { scope: ['refunds:write'] });
    expectBadFields(await note({ receipt_id }, mine, { key }), 'receipt_id');
    expectBadFields(await note({ receipt_id }), 'receipt_id');
    expect((await note({ receipt_id }, mine)).status).toBe(200);
    expect(await shop.receipt(late)).toMatchObject({ state: 'held', set_aside: { sent_back: true } });
  });

  test('can be marked as sent back only in full', async () => {
    const [{ receipt_id }] = await seconds();
    expectBadFields(await note({ receipt_id, amount: 39.99 }), 'amount');
    expectBadFields(await note({ receipt_id: 'MTN-1' }), 'receipt_id');
    expectBadFields(await note({ receipt_id }, await shop.charge({ amount: 40 })), 'receipt_id');
    expectBadFields(await note({ receipt_id: shop.paymentId(receipt) }), 'receipt_id');
    expect(await seconds()).toMatchObject([{ sent_back_at: null }]);
  });
});

describe('a text about an outgoing transfer', () => {
  test('closes the refund with the same amount and name', async () => {
    await shop.setWebhook();
    await noted({ amount: 4 });
    const [before] = await world.rows('TRANSACTION');
    const text = transfer('4.00', 'KOFI MENSAH');
    await leave(text);
    const { refunds } = await shop.verified(reference);
    expect(refunds).toMatchObject([{ status: 'sent', closed_by: 'wallet', transaction_id: text.id }]);
    const [after] = await world.rows('TRANSACTION');
    if (!before || !after) throw new Error('There is one charge');
    for (let copies = 0; copies < 2; copies++) await world.relayChanges({ before, after });
    expect(await world.rows('EVENT')).toMatchObject([{ type: 'charge.refunded' }]);
    await noted({ amount: 4 });
    await shop.arrive(text);
    expect(await statuses()).toEqual(['sent', 'noted']);
    expect(await world.rows('REFUND')).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['of another amount', () => leave(transfer('5.00', 'KOFI MENSAH'))],
    ['to another name', () => leave(transfer('4.00', 'AMA OWUSU'))],
    ['to a longer name', () => leave(transfer('4.00', 'KOFI MENSAH ADDO'))],
    ['to a shorter name', () => leave(transfer('4.00', 'MENSAH'))],
    ['to another network without the payer’s number', () => leave(push('4.00', 'KOFI MENSAH'))],
    ['from the merchant’s wallet on another network', arrivesAtTelecel],
    ['from a wallet whose balance nobody has named', () => shop.arrive(transfer('4.00', 'KOFI MENSAH'))],
    ['that breaks the balance chain', arrivesOutOfChain],
    ['without a name, even if the payer was erased', arrivesForErased],
  ])('does not close a refund for a transfer %s', async (_, happens) => {
    await noted({ amount: 4 });
    await happens();
    expect(await statuses()).toEqual(['noted']);
  });

  test.each(['INTEROPERABILITY PUSH', 'OTHER NETWORKS'])('does not close a refund to the name %s', async (from) => {
    const other = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference: other, from }));
    await note({}, other);
    await leave(transfer('36.00', from));
    expect(await statuses(other)).toEqual(['noted']);
  });

  test.each([
    ['closes a refund to the payer’s number on another network', '233209876543', 'sent'],
    ['does not close a refund to a different number on another network', '233209876544', 'noted'],
  ])('%s', async (_, to, status) => {
    const other = await shop.charge({ amount: 36 });
    await shop.pay(fromTelecel({ reference: other, phone: '233209876543' }));
    await note({}, other);
    await leave(push('36.00', 'KOFI MENSAH BOATENG', to));
    expect(await statuses(other)).toEqual([status]);
  });

  test('does not close a refund that was recorded after it, even if a copy of the text arrives later', async () => {
    const text = transfer('4.00', 'KOFI MENSAH');
    await leave(text);
    world.clock.nowMs += DAY_MS;
    await noted({ amount: 4 });
    world.clock.nowMs += 60_000;
    await shop.arrive({ ...text, receivedAt: world.iso() });
    expect(await statuses()).toEqual(['noted']);
  });

  test('closes the refund if the text about an earlier movement arrives a second later', async () => {
    shop = await world.createShop();
    const book = await provenBook(world, shop);
    const paid = await shop.charge({ amount: 36 });
    await shop.pay(book.paid(36, { reference: paid, from: 'PRISCILLA OWUSU' }));
    await note({ amount: 7 }, paid);
    const [earlier, sent] = [book.spent(3), book.spent(7)];
    await expect(shop.arrive(sent)).rejects.toThrow('1 jobs failed');
    world.clock.nowMs += 1_000;
    await shop.arrive(earlier);
    expect(await statuses(paid)).toEqual(['noted']);
    await shop.arrive(sent);
    expect(await statuses(paid)).toEqual(['sent']);
  });

  test('does not close a refund if two refunds match', async () => {
    const before = transfer('4.00', 'KOFI MENSAH');
    const beforeAt = world.iso(-1_000);
    await noted({ amount: 4 });
    await leave({ ...before, receivedAt: beforeAt });
    const other = await world.createShop();
    await other.pay(mtn({}));
    await leave(transfer('4.00', 'KOFI MENSAH'), other);
    expect(await statuses()).toEqual(['noted']);
    await noted({ amount: 4 });
    await leave(transfer('4.00', 'KOFI MENSAH'));
    expect(await statuses()).toEqual(['noted', 'noted']);
  });
});

describe('a text about one of two equal transfers to a payer', () => {
  const pays = async (more: { reference?: string } = {}) => {
    const other = more.reference ?? (await shop.charge({ amount: 40 }));
    const again = mtn({ reference: other, amount: '40.00', from: 'KOFI MENSAH' });
    await shop.pay(again);
    return { other, again };
  };

  test('does not close a second refund after the first is closed manually', async () => {
    const [first] = await noted({});
    const { other } = await pays();
    const { json } = await note({}, other);
    expect((await end(first, 'sent')).status).toBe(200);
    await leave(transfer('40.00', 'KOFI MENSAH'));
    expect({ own: await statuses(), other: await statuses(other) }).toEqual({ own: ['sent'], other: ['noted'] });
    await end(json.data.refunds[0].refund_id, 'withdrawn', shop, other);
    const text = transfer('40.00', 'KOFI MENSAH');
    const saidAt = world.iso();
    world.clock.nowMs += 60_000;
    await leave(text);
    expect((await shop.verified(reference)).refunds).toMatchObject([
      { status: 'sent', closed_by: 'wallet', transaction_id: text.id, closed_at: saidAt },
    ]);
    // The next transfer closes the next refund.
    await note({}, (await pays()).other);
    await leave(transfer('40.00', 'KOFI MENSAH'));
    expect(await world.rows('REFUND')).toEqual([]);
  });

  test('does not close a refund that may belong to a second payment', async () => {
    await noted({});
    const { again } = await pays({ reference });
    await leave(transfer('40.00', 'KOFI MENSAH'));
    expect(await statuses()).toEqual(['noted']);
    const said = { by: 'ama', sent_back: true };
    await world.outside.table.write(await setAside(world.outside, shop.id, shop.paymentId(again), said));
    await leave(transfer('40.00', 'KOFI MENSAH'));
    expect(await statuses()).toEqual(['noted']);
  });

  test('does not close a refund that may belong to a payment that was set aside', async () => {
    await noted({});
    const stray = mtn({ reference: 'wrong shop', amount: '40.00', from: 'KOFI MENSAH' });
    await shop.pay(stray);
    const said = { by: 'ama', why: 'not for us' };
    await world.outside.table.write(await setAside(world.outside, shop.id, shop.paymentId(stray), said));
    await leave(transfer('40.00', 'KOFI MENSAH'));
    expect(await statuses()).toEqual(['noted']);
  });

  // Finding charges by name needs the stream. Tests on DynamoDB Local have none.
  const hasStream = process.env.TEST_DYNAMODB !== 'local';
  test.runIf(hasStream)(
    'closes no refund if the transfer may belong to an overpayment without a recorded refund',
    async () => {
      await noted({});
      const other = await shop.charge({ amount: 36 });
      await shop.pay(mtn({ reference: other, amount: '76.00', from: 'KOFI MENSAH' }));
      await world.followChanges();
      await leave(transfer('40.00', 'KOFI MENSAH'));
      expect(await statuses()).toEqual(['noted']);
      const { json } = await note({ amount: 40 }, other);
      await end(json.data.refunds[0].refund_id, 'sent', shop, other);
      await end((await shop.verified(reference)).refunds[0].refund_id, 'withdrawn');
      await note({}, reference);
      await leave(transfer('40.00', 'KOFI MENSAH'));
      expect({ own: await statuses(), other: await statuses(other) }).toEqual({
        own: ['withdrawn', 'noted'],
        other: ['sent'],
      });
    },
  );

  test.runIf(hasStream)(
    'closes no refund if the transfer may belong to the overpayment of a payment request',
    async () => {
      await noted({});
      const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 100 }] });
      const parts = [await world.openPart(slug, '40'), await world.openPart(slug, '100')] as const;
      await shop.pay(mtn({ reference: parts[0], amount: '40.00', from: 'KOFI MENSAH' }));
      await shop.pay(mtn({ reference: parts[1], amount: '100.00', from: 'KOFI MENSAH' }));
      await world.followChanges();
      await leave(transfer('40.00', 'KOFI MENSAH'));
      expect(await statuses()).toEqual(['noted']);
      await note({ amount: 40 }, parts[1]);
      await end((await shop.verified(reference)).refunds[0].refund_id, 'withdrawn');
      await leave(transfer('40.00', 'KOFI MENSAH'));
      expect(await statuses(parts[1])).toEqual(['sent']);
    },
  );

  test.each([
    ['from another payer', { from: 'AMA OWUSU' }],
    ['of another amount', { amount: '39.00' }],
  ])('closes the matching refund if the held payment is %s', async (_, more) => {
    await noted({});
    await shop.pay(mtn({ reference, amount: '40.00', from: 'KOFI MENSAH', ...more }));
    await leave(transfer('40.00', 'KOFI MENSAH'));
    expect(await statuses()).toEqual(['sent']);
  });
});

describe('a payment’s reversal', () => {
  beforeEach(async () => {
    await openNamed(40);
    await overpay();
  });

  test('withdraws open refunds and keeps sent refunds', async () => {
    const [sent] = await noted({ amount: 6 });
    await end(sent, 'sent');
    await noted({ amount: 30 });
    await noted({ amount: 4 });
    await takeBack(receipt, 40);
    expect(await shop.verified(reference)).toMatchObject({
      status: 'reversed',
      refunds: [
        { status: 'sent', closed_by: 'hand' },
        { status: 'withdrawn', closed_by: 'network', closed_at: world.iso() },
        { status: 'withdrawn', closed_by: 'network' },
      ],
    });
    expect(await world.rows('REFUND')).toMatchObject([{ refund_id: sent }]);
  });

  test('withdraws a refund recorded at the same moment', async () => {
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, send) => {
      if (JSON.stringify(input).includes('reversed_at')) {
        world.dynamoDb = usual;
        await note({});
      }
      await send();
    };
    await takeBack(receipt, 40);
    const refunds = [{ status: 'withdrawn', closed_by: 'network' }];
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', refunds });
    expect(await world.rows('REFUND')).toEqual([]);
  });

  describe('on a charge that is still paid', () => {
    const first = mtn({ amount: '20.00' });
    beforeEach(async () => {
      await openNamed(20);
      reference = await shop.charge({ amount: 36 });
      await shop.pay(mtn({ ...first, reference, amount: '20.00' }));
      await shop.changeChain({ recent: [{ id: Number(first.id), balance: 1_100_50, at_ms: world.clock.nowMs }] });
      await shop.pay(mtn({ reference, from: 'KOFI MENSAH' }));
    });

    test.each([
      ['withdraws the refund of an overpayment that no longer exists', [20], ['20 withdrawn']],
      ['keeps only the part of a refund that exceeds the overpayment', [56], ['56 withdrawn', '36 noted']],
      ['keeps the oldest refunds up to the amount still owed', [4, 20], ['4 noted', '20 withdrawn']],
    ])('%s', async (_, notes, then) => {
      for (const amount of notes) await noted({ amount });
      await takeBack(first, 20);
      const { status, refunds } = await shop.verified(reference);
      const shown = refunds.map((one: { amount: number; status: string }) => `${one.amount} ${one.status}`);
      expect({ status, shown }).toEqual({ status: 'success', shown: then });
      const open = then.filter((one) => one.endsWith('noted'));
      expect(await world.rows('REFUND')).toHaveLength(open.length);
    });

    test('leaves the remaining refund open until its transfer arrives', async () => {
      await noted({ reason: 'Out of stock' });
      await takeBack(first, 20);
      await leave(transfer('36.00', 'KOFI MENSAH'));
      expect((await shop.verified(reference)).refunds).toMatchObject([
        { amount: 56, status: 'withdrawn' },
        { amount: 36, status: 'sent', closed_by: 'wallet', reason: 'Out of stock' },
      ]);
    });
  });
});

describe('a reversal text for a new wallet', () => {
  test('marks the charge as disputed and keeps the refund open', async () => {
    await noted({});
    await shop.arrive(reversal(receipt.id, '40.00'));
    const doubted = { status: 'success', disputed: { why: 'reversal' }, refunds: [{ status: 'noted' }] };
    expect(await shop.verified(reference)).toMatchObject(doubted);
    expect(await shop.listed('unread')).toHaveLength(1);
    expect(await world.rows('REFUND')).toHaveLength(1);
  });

  test('reverses the charge once the refund is closed manually', async () => {
    const [id] = await noted({});
    await shop.arrive(reversal(receipt.id, '40.00'));
    await end(id, 'withdrawn');
    for (const { receipt_id, state } of await shop.receipts())
      if (state === 'unread') await world.settle({ receipt_id });
    const refunds = [{ status: 'withdrawn', closed_by: 'hand' }];
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', refunds });
  });

  test('reverses the charge if its refund has been sent', async () => {
    const [id] = await noted({ amount: 4 });
    await end(id, 'sent');
    await shop.arrive(reversal(receipt.id, '40.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', refunds: [{ status: 'sent' }] });
  });
});

describe('closing a refund manually', () => {
  test('is idempotent and rejects a different outcome', async () => {
    const [id] = await noted({});
    const first = await end(id, 'sent');
    expect(first.json.data.refunds).toMatchObject([{ status: 'sent', closed_by: 'hand', transaction_id: null }]);
    world.clock.nowMs += 1_000;
    expect((await end(id, 'sent')).json.data).toEqual(first.json.data);
    expectFailure(await end(id, 'withdrawn'), 409, 'charge_not_pending');
    // The record is kept for a month, so that this transfer's text closes no other refund.
    const [kept] = await world.rows('REFUND');
    expect(Number(kept?.expires_at_epoch_seconds) - world.clock.nowMs / 1000).toBeCloseTo(30 * 24 * 60 * 60, -1);
  });

  test('returns 404 to another merchant', async () => {
    const [id] = await noted({});
    const stranger = await world.createShop();
    expectFailure(await note({}, reference, { key: stranger.liveKey }), 404, 'not_found');
    expectFailure(await end(id, 'sent', stranger), 404, 'not_found');
    expectFailure(await end('01KATYQ6Z5C5J8YB4SFH1N3XQ2', 'sent'), 404, 'not_found');
  });
});

/** A text about an outgoing transfer, with the wallet's previous balance. */
interface LeavingText extends Pick<ReceiptText, 'sender' | 'text'> {
  readonly id: string;
  readonly receivedAt?: string;
  readonly beforePesewas: number;
}

function transfer(amount: string, to: string): LeavingText {
  const id = String(76_000_000_000 + ++transfers);
  const text = `Payment made for GHS ${amount} to ${to} 233530859345. Current Balance: GHS 2869.54. Available Balance: GHS 2869.54. Reference: 2. Transaction ID: ${id}. Fee charged: GHS 0.62 TAX charged: GHS 0.00.`;
  return { id, sender: 'MobileMoney', text, beforePesewas: 2869_54 + 62 + Math.round(Number(amount) * 100) };
}

/** MTN's text about money sent to Telecel. */
function push(amount: string, to: string, phone = '233209876543'): LeavingText {
  const id = String(76_000_000_000 + ++transfers);
  const text = `Your payment of GHS ${amount} to TELECEL PUSH has been completed at 2026-04-10 08:00:33. Your new balance: GHS 2580.70. Fee was GHS 0.38 Tax was GHS -. Reference: ${to},${phone},1. Financial Transaction Id: ${id}. External Transaction Id: 128439570.Download the MoMo App for a Faster & Easier Experience Click here: https://bit.ly/downloadMyMoMo`;
  return { id, sender: 'MobileMoney', text, beforePesewas: 2580_70 + 38 + Math.round(Number(amount) * 100) };
}

function note(body: object, of = reference, request: Call = {}) {
  return world.call('transaction/refund', { parameters: { reference: of }, key: shop.liveKey, body, ...request });
}

async function noted(body: object): Promise<string[]> {
  const { json } = await note(body);
  return json.data.refunds.map(({ refund_id }: { refund_id: string }) => refund_id);
}

async function statuses(of = reference): Promise<string[]> {
  return (await shop.verified(of)).refunds.map(({ status }: { status: string }) => status);
}

function end(refund_id: string | undefined, outcome: string, by = shop, of = reference) {
  const parameters = { reference: of, refund_id: String(refund_id) };
  return by.call('transaction/close-refund', { parameters, body: { outcome } });
}

async function arrivesAtTelecel(): Promise<void> {
  const number = newNumber();
  const mine = { number: shop.number, network: 'MTN', account_name: 'AMA STORES' } as const;
  await shop.change({ momo_accounts: [mine, { ...mine, number, network: 'TELECEL' }] });
  await nameMature(world.outside, { network: 'TELECEL', momo_number: number }, 2717_54);
  const text = `00000193${String(++transfers).padStart(8, '0')} Confirmed. GHS4.00 sent to 233541234567 - KOFI MENSAH on MTN MOBILE MONEY on 2026-01-07 at 18:35:47. Your Telecel Cash balance is GHS2713.03. You were charged GHS0.51. Your E-levy charge is GHS0.00. Do more with Telecel Cash! Reference: fees. Sendi k3k3!`;
  await arrive(world, { number }, { sender: 'T-CASH', text });
}

async function arrivesOutOfChain(): Promise<void> {
  await shop.nameBalance(7_000_00);
  const text = transfer('4.00', 'KOFI MENSAH');
  // The service waits for earlier texts.
  await expect(shop.arrive(text)).rejects.toThrow('jobs failed');
  world.clock.nowMs += 3 * 60_000;
  await shop.arrive(text);
}

/** Delivers a text that the wallet's balance chain verifies. */
async function leave(text: LeavingText, from = shop): Promise<void> {
  const head = { id: Number(text.id) - 1, balance: text.beforePesewas, at_ms: world.clock.nowMs };
  await from.nameBalance(head.balance);
  await from.changeChain({ failed_ms: [], recent: [head] });
  await from.arrive(text);
}

/** Delivers a reversal text that continues the wallet's balance chain. */
async function takeBack({ id }: Pick<ReceiptText, 'id'>, cedis: number): Promise<void> {
  const head = { id: Number(id), balance: 500_00, at_ms: world.clock.nowMs };
  await shop.changeChain({ failed_ms: [], recent: [head] });
  await shop.arrive(reversal(id, `${cedis}.00`, `${500 - cedis}.00`));
}

async function arrivesForErased(): Promise<void> {
  const [{ payment, ...row } = {}] = await world.rows('TRANSACTION');
  const { payer_name: _, ...anonymous } = z.parse(z.looseObject({}), payment);
  await world.outside.table.write([{ put: { Item: { ...row, payment: anonymous } } }]);
  await leave(transfer('4.00', ''));
}
