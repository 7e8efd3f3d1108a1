import { describe, expect, test } from 'vitest';
import { Charge } from '../../../shared/money/charge/charge.table.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { removablePayments } from '../../../shared/money/settling/not-there.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = '2026-11-20T10:00:00.000Z';
const UNPROVEN = { state: 'unproven', why: 'balance_gap' } as const;

const paidWith = (some: Partial<Payment>, more: object = {}) => {
  const payment = storedPayment('sixty', 60_00, { proof: UNPROVEN, ...some });
  return removablePayments(Charge.parse(rowOf('TRANSACTION', { state: 'success', payment, ...more })));
};
const coded = (state: string) => ({ goods: { kind: 'code', state } });
const tapped = { goods: { kind: 'take', state: 'given', shift_id: 's', by: 'ama', at: AT } };
const refund = (state: string) => ({ refunds: [{ refund_id: 'r', amount_pesewas: 5_00, state, noted_at: AT }] });

describe('an unverified payment', () => {
  test.each<[what: string, more: object, isRemovable: boolean]>([
    ['can be removed from a paid bill', {}, true],
    ['can be removed from a disputed bill', { disputed: { at: AT, why: 'conflict' } }, true],
    ['can be removed if no code has been promised', coded('unpaid'), true],
    ['can be removed if the code needs manual release', coded('to_release'), true],
    ['can be removed if the refund was withdrawn', refund('withdrawn'), true],
    ['can be removed from a sticker’s bill before the goods are handed over', counter('unpaid'), true],
    ['can be removed from a sticker’s bill after the goods are handed over', counter('given'), true],
    ['cannot be removed from a tapped sale', tapped, false],
    ['cannot be removed from a reversed bill', { state: 'reversed' }, false],
    ['can be removed if the code waits for stock', coded('waiting'), true],
    ['can be removed if the code was issued', coded('given'), true],
    ['cannot be removed if the code was taken back', coded('taken_back'), false],
    ['cannot be removed from a purchase of credits', { goods: { kind: 'credits', state: 'given', credits: 5 } }, false],
    [
      'can be removed if the goods were released and the bill is in doubt',
      { released_by: 'user', disputed: { at: AT, why: 'conflict' } },
      true,
    ],
    ['can be removed if the goods were released', { released_by: 'user' }, true],
    ['cannot be removed if a refund was noted', refund('noted'), false],
    ['cannot be removed if a refund was sent', refund('sent'), false],
    ['cannot be removed from a test bill', { merchant_id: 'shop_test' }, false],
  ])('%s', (_, more, isRemovable) => {
    expect(paidWith({}, more)).toHaveLength(isRemovable ? 1 : 0);
  });
});

describe('a payment', () => {
  const marked = { how: 'cash', at: AT, by: 'user' } as const;
  test.each<[what: string, some: Partial<Payment>, isRemovable: boolean]>([
    ['of unknown proof can be removed', { proof: undefined }, true],
    ['assigned by a key can be removed', { matched_by: 'hand' }, true],
    ['verified by texts cannot be removed', { proof: { state: 'proven' } }, false],
    ['that is being checked cannot be removed', { proof: { state: 'checking' } }, false],
    ['that a person vouched for can be removed', { matched_by: 'hand', looked_by: 'user' }, true],
    [
      'verified by texts can be removed if a reversal is suspected',
      { proof: { state: 'proven' }, reversal_suspected_at: AT },
      true,
    ],
    ['that a person marked has its own undo', { matched_by: 'hand', marked }, false],
    ['that a person marked has its own undo even if the person looked', { looked_by: 'user', marked }, false],
  ])('%s', (_, some, isRemovable) => {
    expect(paidWith(some)).toHaveLength(isRemovable ? 1 : 0);
  });

  test.each<[what: string, some: Partial<Payment>, isRemovable: boolean]>([
    ['that a person vouched for can be removed', { looked_by: 'user' }, true],
    ['verified by texts can be removed', { proof: { state: 'proven' } }, true],
    ['that is being checked cannot be removed', { looked_by: 'user', proof: { state: 'checking' } }, false],
    ['that a person marked has its own undo', { looked_by: 'user', marked }, false],
  ])('%s while its reversal is in doubt', (_, some, isRemovable) => {
    expect(paidWith(some, { disputed: { at: AT, why: 'reversal' } })).toHaveLength(isRemovable ? 1 : 0);
  });

  test('verified by texts cannot be removed while another text contradicts it', () => {
    expect(paidWith({ proof: { state: 'proven' } }, { disputed: { at: AT, why: 'conflict' } })).toEqual([]);
  });

  test('can be removed from a bill that is only partly paid', () => {
    const [ten, five] = [storedPayment('ten', 10_00), storedPayment('five', 5_00, { proof: { state: 'proven' } })];
    const charge = Charge.parse(rowOf('TRANSACTION', { state: 'pending', parts: [ten, five] }));
    expect(removablePayments(charge)).toEqual([ten]);
  });
});

function counter(state: 'unpaid' | 'given') {
  return { goods: { kind: 'counter', state } };
}
