import { beforeEach, describe, expect, test } from 'vitest';
import { sumName } from '../../../shared/money/goods/unproven.table.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { changePayment, changeProof } from '../../../shared/money/settling/change-payment.ts';
import { setCharge } from '../../functions/checkout/charges.ts';
import { mtn } from '../../support/receipts.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

const PROVEN = { state: 'proven' } as const;

let world: Scene;
let shop: Shop;
let reference: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  reference = await shop.charge({ amount: 50 });
});

describe('a payment that is verified', () => {
  const [first, rest] = [mtn({ amount: '20.00' }), mtn({ amount: '50.00' })];

  /** Pays the charge twice over in two texts, and then verifies one of them. */
  async function verify(one: typeof first, changed: Record<string, unknown> = {}, proof: Payment['proof'] = PROVEN) {
    for (const { id, amount } of [
      { ...first, amount: '20.00' },
      { ...rest, amount: '50.00' },
    ])
      await shop.pay(mtn({ id, amount, reference }));
    if (Object.keys(changed).length > 0) await setCharge(world, { reference }, changed);
    const charge = await world.chargeRow(reference);
    const id = shop.paymentId(one);
    await world.outside.table.write(await changeProof(world.outside, charge, id, proof));
    const { parts = [], payment, ...after } = await world.chargeRow(reference);
    return { ...after, proofs: [...parts, ...(payment ? [payment] : [])].map((paid) => paid.proof?.state) };
  }

  test('replaces the unverified parts of a charge that it covers alone', async () => {
    const after = await verify(rest);
    expect(after).toMatchObject({ proofs: ['proven'], second_receipts: [shop.paymentId(first)] });
    expect(await shop.receipt(first)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await shop.receipt(rest)).toMatchObject({ state: 'matched', reference });
  });

  test.each<[string, Record<string, unknown>]>([
    ['is disputed', { disputed: { at: '2026-11-20T08:00:00.000Z', why: 'reversal' } }],
    ['was released by a person', { released_by: 'user' }],
    ['is reversed', { state: 'reversed' }],
    ['is refunded', { refunds: [{ refund_id: 'r', amount_pesewas: 1, state: 'noted', noted_at: '' }] }],
  ])('replaces no part of a charge that %s', async (_, changed) => {
    expect((await verify(rest, changed)).proofs).toEqual(['unproven', 'proven']);
    expect(await shop.receipt(first)).toMatchObject({ state: 'matched', reference });
  });

  test('replaces no part of a charge that it does not cover', async () => {
    expect((await verify(first)).proofs).toEqual(['proven', 'unproven']);
    expect(await shop.receipt(rest)).toMatchObject({ state: 'matched', reference });
  });

  test('replaces no part if it stays unverified', async () => {
    expect((await verify(rest, {}, { state: 'unproven', why: 'balance_gap' })).proofs).toEqual([
      'unproven',
      'unproven',
    ]);
  });

  /** Pays the charge in two texts and sets fields of the second payment. */
  async function paidTwice(fields: Partial<Payment>) {
    for (const [{ id }, amount] of [
      [first, '20.00'],
      [rest, '50.00'],
    ] as const)
      await shop.pay(mtn({ id, amount, reference }));
    const { payment } = await world.chargeRow(reference);
    await setCharge(world, { reference }, { payment: { ...payment, ...fields } });
    return world.chargeRow(reference);
  }

  test('keeps a part of the same charge that turns out to be unverified', async () => {
    const charge = await paidTwice({ proof: PROVEN });
    const proof = { state: 'unproven', why: 'balance_gap' } as const;
    await world.outside.table.write(await changeProof(world.outside, charge, shop.paymentId(first), proof));
    expect(await world.chargeRow(reference)).toMatchObject({ parts: [{ proof }], payment: { proof: PROVEN } });
  });

  test('is subtracted from the total of unverified payments', async () => {
    const writesOf = async (charge: Parameters<typeof changeProof>[1]) =>
      JSON.stringify(await changeProof(world.outside, charge, shop.paymentId(rest), PROVEN));
    const charge = await paidTwice({});
    expect(await writesOf(charge)).not.toContain('UNPROVEN');
    const counted_in = sumName({ kind: 'new', way: 'alone', atMs: world.clock.nowMs });
    const payment = charge.payment && { ...charge.payment, counted_in, counted_pesewas: 50_00 };
    expect(await writesOf({ ...charge, payment })).toContain('UNPROVEN');
  });

  test('becomes verified on its charge if it is the only payment', async () => {
    await shop.pay(mtn({ id: rest.id, amount: '50.00', reference }));
    const charge = await world.chargeRow(reference);
    await world.outside.table.write(await changeProof(world.outside, charge, shop.paymentId(rest), PROVEN));
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'success', payment: { proof: PROVEN } });
  });

  test('becomes verified on its charge if it is a part of a pending charge', async () => {
    await shop.pay(mtn({ id: first.id, amount: '20.00', reference }));
    const charge = await world.chargeRow(reference);
    await world.outside.table.write(await changeProof(world.outside, charge, shop.paymentId(first), PROVEN));
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'pending', parts: [{ proof: PROVEN }] });
  });
});

test.each([
  ['subtracted if it is verified now', { proof: undefined }, { proof: PROVEN }, 2],
  ['unchanged if it stays unverified', { proof: undefined }, { payer_name: 'AMA' }, 1],
  ['unchanged if it was verified before', { proof: PROVEN }, { payer_name: 'AMA' }, 1],
  ['unchanged if it was verified and is no longer', { proof: PROVEN }, { proof: undefined }, 1],
])('the unverified total of a payment is %s', (_, stored, change, writes) => {
  const counted = {
    counted_in: sumName({ kind: 'new', way: 'alone', atMs: world.clock.nowMs }),
    counted_pesewas: 10_00,
  };
  const part = storedPayment('ten', 10_00, { ...counted, ...stored });
  const other = storedPayment('five', 5_00, counted);
  const charge = storedCharge({ parts: [other, part] });
  const changed = changePayment(world.outside, charge, 'ten', (one) => ({ ...one, ...change }));
  expect(changed).toHaveLength(writes);
});
