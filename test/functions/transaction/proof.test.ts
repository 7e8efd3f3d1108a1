import { beforeEach, describe, expect, test } from 'vitest';
import { mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { provenBook, type WalletBook } from '../../support/wallet-book.ts';
import { setWebhook } from '../../support/webhooks.ts';

/** Verification of payments in API responses. */

const LOOK_FIRST = /^Check your MoMo balance first\. /;

let world: Scene;
let shop: Shop;
let reference: string;

const noteRefund = async (body: object) =>
  (await shop.call('transaction/refund', { parameters: { reference }, body })).json.data;
const second = async () => (await shop.verified(reference)).second_payments;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
});

describe('payments to a new wallet', () => {
  const NEW = { state: 'unproven', why: 'not_anchored' };

  beforeEach(async () => {
    reference = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference, amount: '40.00' }));
  });

  test('are shown as unproven on the charge and its refund', async () => {
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', overpaid: 4, proof: NEW });
    const { refunds, warning } = await noteRefund({ amount: 4 });
    expect({ refund: refunds[0], warning }).toEqual({
      refund: expect.objectContaining({ proof: NEW }),
      warning: expect.stringMatching(LOOK_FIRST),
    });
  });

  test('are unproven if they are forged second payments', async () => {
    await shop.pay(mtn({ reference, amount: '777.00' }));
    const [payment] = await second();
    expect(payment).toMatchObject({ amount: 777, proof: NEW, sent_back_at: null });
    const { warning, second_payments } = await noteRefund({ receipt_id: payment?.receipt_id });
    expect(warning).toMatch(LOOK_FIRST);
    expect(second_payments).toMatchObject([{ proof: NEW, sent_back_at: world.iso() }]);
  });

  test('are unproven if they arrive after the goods were released', async () => {
    const short = await shop.charge({ amount: 900 });
    const [small, big] = [mtn({ amount: '100.00' }), mtn({ amount: '5000.00' })];
    await shop.pay(small);
    await shop.assign(small, short);
    const manager = await shop.signIn('manager');
    expect((await manager.visit(`/dashboard/charges/${short}/release`, { form: { shown: 'unverified' } })).status).toBe(
      303,
    );
    expect((await shop.verified(short)).proof).toEqual({ state: 'proven', why: null });
    await shop.pay(big);
    expect((await shop.assign(big, short)).status).toBe(200);
    expect(await shop.verified(short)).toMatchObject({ overpaid: 4200, proof: NEW });
  });

  test('leave an unpaid charge without a verification state', async () => {
    expect(await shop.verified(await shop.charge({ amount: 12 }))).toMatchObject({ amount_paid: 0, proof: null });
  });

  test('are shown as unproven in the charge’s event', async () => {
    await setWebhook(world, shop);
    await world.followChanges();
    const [event] = (await world.rows('EVENT')).filter(({ type }) => type === 'charge.success');
    expect(JSON.parse(String(event?.body)).data.proof).toEqual(NEW);
  });
});

describe('payments to an established wallet', () => {
  let book: WalletBook;

  beforeEach(async () => {
    book = await provenBook(world, shop, 6);
    reference = await shop.charge({ amount: 36 });
    await shop.arrive(book.paid(40, { reference }));
  });

  test('are refunded without a warning once verified', async () => {
    expect((await shop.verified(reference)).proof).toEqual({ state: 'proven', why: null });
    expect(await noteRefund({ amount: 4 })).toMatchObject({ warning: null, refunds: [{ proof: { state: 'proven' } }] });
  });

  test('show their current verification state on a restored charge', async () => {
    const waiting = await shop.charge({ amount: 900 });
    const forged = book.receipt(899, { reference: waiting, balance: book.pesewas + 899_00 });
    await shop.arrive(forged);
    expect((await shop.verified(waiting)).parts).toMatchObject([{ proof: { state: 'proven' } }]);
    await shop.call('transaction/cancel', { parameters: { reference: waiting } });
    world.clock.nowMs += 1_000;
    for (let n = 0; n < 6; n++) {
      await shop.arrive(book.paid(11 + n));
      world.clock.nowMs += 60_000;
      await shop.arrive(book.spent(3 + n));
      world.clock.nowMs += 7 * 60_000;
    }
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(forged) }]);
    const small = book.paid(1);
    await shop.arrive(small);
    world.clock.nowMs += 3 * 60_000;
    await shop.assign(small, waiting);
    const { status, parts, proof } = await shop.verified(waiting);
    expect({ status, partProof: parts[0].proof.state, proof: proof.state }).toEqual({
      status: 'success',
      partProof: 'unproven',
      proof: 'unproven',
    });
  });

  test('are listed as second payments with one verification state each', async () => {
    await shop.arrive(book.paid(36, { reference }));
    world.clock.nowMs += 1_000;
    await shop.arrive(book.receipt(777, { reference, balance: 900_000 }));
    world.clock.nowMs += 3 * 60_000;
    const [verified, forged] = await second();
    expect({ amount: verified?.amount, state: verified?.proof?.state }).toEqual({ amount: 36, state: 'proven' });
    expect({ amount: forged?.amount, state: forged?.proof?.state }).toEqual({ amount: 777, state: 'checking' });
    expect((await noteRefund({ receipt_id: forged?.receipt_id })).warning).toMatch(LOOK_FIRST);
    expect((await noteRefund({ receipt_id: verified?.receipt_id })).warning).toBeNull();
  });
});
