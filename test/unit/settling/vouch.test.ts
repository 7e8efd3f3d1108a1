import { expect, test } from 'vitest';
import { Charge } from '../../../shared/money/charge/charge.table.ts';
import { mayVouch } from '../../../shared/money/settling/vouch.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = '2026-11-20T10:00:00.000Z';

const doubted = (why: string) => ({ disputed: { at: AT, why } });
const markedAs = (how: 'transfer' | 'cash') => storedPayment('marked', 36_00, { marked: { how, at: AT, by: 'ama' } });
const CREDITS = { goods: { kind: 'credits', state: 'given', credits: 500, at: AT } };

test.each<[what: string, more: object, isPossible: boolean]>([
  ['possible for a paid bill in doubt', doubted('conflict'), true],
  ['possible for a partly paid bill in doubt', { ...doubted('reversal'), state: 'pending' }, true],
  ['possible for a bill whose text does not match the balance', doubted('forged'), true],
  ['impossible for a bill that is not in doubt', {}, false],
  ['impossible for an expired bill', { ...doubted('conflict'), state: 'expired' }, false],
  ['impossible for a reversed bill', { ...doubted('reversal'), state: 'reversed' }, false],
  ['impossible for a test bill', { ...doubted('conflict'), merchant_id: 'shop_test' }, false],
  ['possible for credits whose reversal is in doubt', { ...doubted('reversal'), ...CREDITS }, true],
  ['impossible for a mark as paid by MoMo', { ...doubted('conflict'), payment: markedAs('transfer') }, false],
  ['possible for a mark whose reversal is in doubt', { ...doubted('reversal'), payment: markedAs('transfer') }, true],
  ['possible beside cash', { ...doubted('conflict'), payment: markedAs('cash') }, true],
  [
    'possible for credits whose payment is contested',
    { disputed: { at: AT, why: 'forged', is_contested: true }, ...CREDITS },
    true,
  ],
  ['impossible for credits that are being taken back', { ...doubted('forged'), ...CREDITS }, false],
])('vouching is %s', (_, more, isPossible) => {
  expect(mayVouch(Charge.parse(rowOf('TRANSACTION', { state: 'success', ...more })))).toBe(isPossible);
});
