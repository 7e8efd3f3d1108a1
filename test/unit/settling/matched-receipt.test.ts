import { expect, test } from 'vitest';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { holdParts, isFreeSecond } from '../../../shared/money/settling/matched-receipt.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = storedCharge().created_at;
const held: Receipt = { receipt_id: 'part', state: 'held', merchant_id: 'shop', received_at: AT };

test.each<[boolean, Partial<Receipt>]>([
  [true, { reason: 'already_paid' }],
  [true, { reason: 'charge_expired' }],
  [false, { reason: 'conflict' }],
  [false, { reason: 'already_paid', set_aside: { at: AT, by: 'user' } }],
])('a held payment is a free second payment (%s) with %j', (is, some) => {
  expect(isFreeSecond({ ...held, ...some })).toBe(is);
});

test.each<[string, Receipt[]]>([
  ['is missing', []],
  ['is held', [held]],
])('a part cannot be held again if its receipt %s', (_, receipts) => {
  const hold = () => holdParts(storedCharge(), [storedPayment('part', 1_00)], receipts, { reason: 'charge_expired' });
  expect(hold).toThrow('The part payments of MK-0123456789 have changed.');
});
