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
  ['a bill already has the payment', { ...free, state: 'matched', reason: 'conflict' }, look, 'gone'],
  ['the payment was reversed', { ...free, reason: 'reversed' }, look, 'gone'],
  ['it was set aside', { ...free, set_aside: { by: 'ama', at: free.received_at }, reason: 'conflict' }, look, 'gone'],
  ['the reason it is held for', { ...free, reason: 'conflict' }, look, 'doubtful'],
  ['the time it arrived', free, look, 'before_shift'],
  ['its amount', free, inTime, 'other_amount'],
  ['its verification', free, ofAmount, 'checking'],
  ['nothing', free, { ...ofAmount, isBeingChecked: false }, undefined],
  ['nothing if no amount is typed', free, { since: free.received_at }, undefined],
])('the first reason against taking a payment is reported: %s', (_, receipt, given, refusal) => {
  expect(refusalOf(receipt, given)).toBe(refusal);
});
