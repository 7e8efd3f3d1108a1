import { expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { type CannotTake, refusalOf } from '../../../shared/money/till/take.ts';

const free: Receipt = {
  receipt_id: 'MTN-+233241234567-1',
  network: 'MTN',
  momo_number: '+233241234567',
  transaction_id: '1',
  amount_pesewas: arrivedPesewas(36_00),
  sender: 'MobileMoney',
  text: '',
  received_at: '2026-11-20T10:00:00.000Z',
  state: 'held',
  reason: 'no_charge',
};
const look = { since: '2026-11-20T10:00:00.001Z', amountPesewas: 35_00, isBeingChecked: true };
const inTime = { ...look, since: free.received_at };
const ofAmount = { ...inTime, amountPesewas: 36_00 };

test.each<[keeps: string, receipt: Receipt, look: Parameters<typeof refusalOf>[1], why: CannotTake | undefined]>([
  ['it has paid a bill', { ...free, state: 'matched', reason: 'conflict' }, look, 'gone'],
  ['it was reversed', { ...free, reason: 'reversed' }, look, 'gone'],
  ['it was set aside', { ...free, set_aside: { by: 'ama', at: free.received_at }, reason: 'conflict' }, look, 'gone'],
  ['its hold reason', { ...free, reason: 'conflict' }, look, 'doubtful'],
  ['its arrival time', free, look, 'before_shift'],
  ['its amount', free, inTime, 'other_amount'],
  ['its verification', free, ofAmount, 'checking'],
  ['nothing', free, { ...ofAmount, isBeingChecked: false }, undefined],
  [
    'nothing if it has no hold reason',
    { ...free, reason: undefined },
    { ...ofAmount, isBeingChecked: false },
    undefined,
  ],
  ['none without a typed amount', free, { since: free.received_at }, undefined],
])('the first reason to reject a payment is reported: %s', (_, receipt, given, refusal) => {
  expect(refusalOf(receipt, given)).toBe(refusal);
});
