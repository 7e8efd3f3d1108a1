import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { type PaymentReceipt, paymentReceiptId } from '../../../shared/money/receipt/receipt.ts';
import { amountWith, changeParts, payWithReceipt } from '../../../shared/money/settling/pay-charge.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { scene } from '../../support/scene.ts';

const EXPIRES = '2026-11-26T12:00:00.000Z';
const IN_TIME = '2026-11-26T11:00:00.000Z';
const LATER = '2026-11-26T12:01:00.000Z';

const success = (fields: Partial<Charge>): Charge =>
  storedCharge({
    state: 'success',
    amount_pesewas: 500,
    expires_at: EXPIRES,
    paid_at: LATER,
    payment: storedPayment('payment', 500),
    parts: undefined,
    expired_at: undefined,
    ...fields,
  });
const EXPIRED_FORGED: Partial<Charge> = {
  state: 'expired',
  disputed: { at: IN_TIME, why: 'forged' },
  parts: [storedPayment('forged', 10_00, { transaction_id: '3' })],
};
const ofRequest = { kind: 'request', slug: 'abcdefghjkmn' } as const;
const take = { kind: 'take', state: 'given', shift_id: 's', by: 'user', at: IN_TIME } as const;

describe('the amount of a charge after a further partial payment', () => {
  test.each<[string, Partial<Charge>, number]>([
    ['grows for a partly paid request’s closed charge', { origin: ofRequest, asked_pesewas: 800 }, 600],
    ['is unchanged for a request’s charge paid before it closed', { origin: ofRequest }, 500],
    ['is unchanged for a partly paid ordinary charge', { payment: storedPayment('payment', 200) }, 500],
    ['is unchanged for a partly paid tapped charge', { payment: storedPayment('payment', 200), goods: take }, 500],
    [
      'is unchanged for a partly paid charge of a request',
      { origin: ofRequest, payment: storedPayment('payment', 200) },
      500,
    ],
    ['is unchanged for a request’s charge paid in time', { origin: ofRequest, paid_at: IN_TIME }, 500],
    ['is unchanged for a request’s charge paid after it expired', { origin: ofRequest, expired_at: LATER }, 500],
    [
      'is unchanged for a request’s overpaid charge',
      { origin: ofRequest, payment: storedPayment('payment', 600) },
      500,
    ],
    ['is unchanged for a pending charge', { origin: ofRequest, state: 'pending', payment: undefined }, 500],
  ])('%s', (_, fields, amount) => {
    expect(amountWith(success(fields), [storedPayment('part', 100)])).toBe(amount);
  });
});

describe('a charge with two parts that a payment completes', () => {
  const AT = storedCharge().created_at;
  const at = { at: AT, why: 'conflict' as const };
  const forged = { at: AT, why: 'forged' as const };
  const [false1, kept2] = [part('1', {}), part('2', { matched_by: 'hand' })];
  const given = receiptOf('3', { proof: { state: 'proven' } });

  // Verified payments alone cover the charge, so the unverified part that no person assigned leaves it.
  test.each<[string, Partial<Charge>, Partial<PaymentReceipt>, Partial<PaymentReceipt>, boolean]>([
    ['no longer disputed if the part in doubt left', { disputed: at }, {}, {}, false],
    ['disputed if no part left', { disputed: at, parts: [kept2] }, {}, {}, true],
    ['disputed if it had no parts', { disputed: at, parts: [] }, {}, {}, true],
    ['disputed if the receipt of the part that stays is missing', { disputed: at }, {}, { receipt_id: 'x' }, true],
    ['disputed if the payment is in doubt', { disputed: at }, { reversal_doubt_at: AT }, {}, true],
    ['disputed if the part that stays is in doubt', { disputed: at }, {}, { contradicted_by: ['x'] }, true],
    ['disputed if the part that stays may be the forged one', { disputed: forged }, {}, {}, true],
    ['no longer disputed if the forged part left', { disputed: forged, parts: [false1] }, {}, {}, false],
    ['no longer disputed if it had expired', { disputed: at, state: 'expired' }, {}, {}, false],
    ['no longer disputed if it was cancelled', { disputed: forged, state: 'cancelled' }, {}, {}, false],
    ['disputed if it had expired and the payment may be forged', EXPIRED_FORGED, {}, {}, true],
    ['no longer disputed if a person looked for it', EXPIRED_FORGED, { looked_by: 'user' }, {}, false],
  ])('is %s', async (_, charge, ofGiven, ofKept, isDisputed) => {
    const { outside } = await scene({ inMemory: true });
    await outside.table.write([receiptRows.put(receiptOf('1')), receiptRows.put(receiptOf('2', ofKept))]);
    const { looked_by, ...more } = ofGiven;
    const stored = storedCharge({ amount_pesewas: 60_00, parts: [false1, kept2], ...charge });
    const matched = { matched_by: 'hand' as const, ...(looked_by !== undefined && { looked_by }) };
    const { paid } = await payWithReceipt(outside, stored, { ...given, ...more }, matched);
    expect(paid.disputed !== undefined).toBe(isDisputed);
  });

  test('does not reclaim a part whose receipt is missing', async () => {
    const { outside } = await scene({ inMemory: true });
    const stored = storedCharge({ amount_pesewas: 60_00, parts: [kept2], state: 'expired' });
    expect((await payWithReceipt(outside, stored, given, { matched_by: 'hand' })).paid.parts).toEqual([]);
  });

  test('is recorded as paid when its last payment was counted', async () => {
    const { outside, clock } = await scene({ inMemory: true });
    clock.nowMs = Date.parse(AT);
    const paidAt = async (...times: string[]) => {
      const parts = times.map((counted_at) => ({ ...kept2, counted_at }));
      const stored = storedCharge({ amount_pesewas: 60_00, parts });
      return (await payWithReceipt(outside, stored, given, { matched_by: 'reference' })).paid.paid_at;
    };
    const later = new Date(clock.nowMs + 1_000).toISOString();
    expect([await paidAt(), await paidAt(AT), await paidAt(later, AT)]).toEqual([AT, AT, later]);
  });
});

test('a change to a charge’s parts also changes its amount if the amount differs', () => {
  const charge = success({ parts: [storedPayment('part', 100)] });
  const changed = (amountPesewas?: number) => JSON.stringify(changeParts(charge, [], { amountPesewas }));
  expect(changed(500)).toBe(changed());
  expect(changed(600)).toContain('600');
});

function receiptOf(id: string, more: Partial<PaymentReceipt> = {}): PaymentReceipt {
  const { momo_number, reference, merchant_id } = storedCharge();
  const { amount_pesewas } = storedPayment(id, 60_00);
  return {
    receipt_id: paymentReceiptId('MTN', momo_number, id),
    state: 'matched',
    matched_by: 'reference',
    reference,
    merchant_id,
    network: 'MTN',
    momo_number,
    transaction_id: id,
    amount_pesewas,
    received_at: IN_TIME,
    ...more,
  };
}

function part(id: string, more: Partial<Payment>): Payment {
  const { receipt_id } = receiptOf(id);
  return storedPayment(receipt_id, 10_00, { transaction_id: id, ...more });
}
