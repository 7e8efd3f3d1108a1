import { describe, expect, test } from 'vitest';
import { arePurchasedDue, isPurchaseBlocked } from '../../../shared/money/purchase/give-credits.ts';
import {
  isPurchase,
  isWaiting,
  keptPurchases,
  MAX_PURCHASES,
  type Purchase,
  waitingReason,
} from '../../../shared/money/purchase/last-purchases.ts';
import { getPurchases } from '../../../shared/money/purchase/purchase.table.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { createWorld } from '../../support/world.ts';

const AT = '2026-11-20T10:00:00.000Z';
const { outside } = await createWorld();

describe('a buyer’s full list of purchases', () => {
  const completed = Array.from({ length: MAX_PURCHASES - 1 }, (_, n) => purchaseOf('given', { reference: `MK-${n}` }));
  const kept = (oldest: Purchase) => keptPurchases([oldest, ...completed]).includes(oldest.reference);

  test.each<[string, Purchase, boolean]>([
    ['drops a completed purchase', purchaseOf('given'), false],
    ['keeps a purchase that waits for its credits', purchaseOf('unpaid'), true],
    ['keeps a purchase that waits for the operator', purchaseOf('to_release'), true],
    ['keeps a partly paid purchase', partlyPaid(), true],
    ['keeps a purchase with a pending refund', purchaseOf('given', { refunds: [refundOf('noted')] }), true],
    ['drops a purchase with a completed refund', purchaseOf('given', { refunds: [refundOf('sent')] }), false],
  ])('%s', (_, oldest, isKept) => {
    expect(kept(oldest)).toBe(isKept);
  });
});

test('a charge without goods is not waiting for any', () => {
  expect(isWaiting(storedCharge({ state: 'success' }))).toBe(false);
});

test('a new buyer has no purchases', async () => {
  expect(await getPurchases(outside, 'buyer')).toEqual({ references: [] });
});

test('a purchase whose money is being returned waits for nothing else', async () => {
  expect(await waitingReason(outside, purchaseOf('to_release', { refunds: [refundOf('noted')] }))).toBe('sent_back');
});

test.each([
  ['its credits have not been given', purchaseOf('unpaid'), true],
  ['its credits have been given', purchaseOf('given'), false],
  ['it buys no credits', storedCharge({ state: 'success' }), false],
])('a paid charge is due for a job if %s: %s', (_, charge, isDue) => {
  expect(arePurchasedDue(charge)).toBe(isDue);
});

test.each([
  ['waits for the operator', 'to_release', true],
  ['has not been decided yet', 'unpaid', false],
] as const)('a purchase from a former seller that %s is blocked: %s', async (_, state, isBlocked) => {
  expect(await isPurchaseBlocked(outside, purchaseOf(state))).toBe(isBlocked);
});

function partlyPaid(): Purchase {
  return purchaseOf('unpaid', { state: 'pending', payment: undefined, parts: [storedPayment('part', 20_00)] });
}

function refundOf(state: 'noted' | 'sent') {
  return { refund_id: 'refund', amount_pesewas: 5_00, state, noted_at: AT } as const;
}

function purchaseOf(state: Purchase['goods']['state'], fields: Parameters<typeof storedCharge>[0] = {}): Purchase {
  const charge = storedCharge({
    origin: { kind: 'bundle', buyer_id: 'buyer' },
    goods: { kind: 'credits', credits: 500, state },
    state: 'success',
    payment: storedPayment('payment', 60_00),
    ...fields,
  });
  if (!isPurchase(charge)) throw new Error('The charge is not a purchase');
  return charge;
}
