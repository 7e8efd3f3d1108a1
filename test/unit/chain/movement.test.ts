import { expect, test } from 'vitest';
import type { WalletMovement } from '../../../shared/ghana/wallet-text/reading.ts';
import { movementOf } from '../../../shared/wallets/chain/chain.ts';

const ORIGIN = { at_ms: 1000, arrived_ms: 2000, sender: 'MobileMoney' };
const OUT: WalletMovement = {
  kind: 'money_out',
  network: 'MTN',
  amountPesewas: 5000,
  chargesPesewas: 75,
  balancePesewas: 20_000,
  transactionId: '95000000001',
  counterparty: null,
};

test('a text that tells of money that went out had it before, with its charges', () => {
  const moved = { id: 95_000_000_001, before: 25_075, after: 20_000 };
  expect(movementOf(OUT, ORIGIN)).toEqual({ ...ORIGIN, sender: 'mobilemoney', ...moved });
});

test('of money that came in the charges are taken off', () => {
  expect(movementOf({ ...OUT, kind: 'money_in' }, ORIGIN)).toMatchObject({ before: 15_075, after: 20_000 });
});

test.each([
  ['moves nothing', { kind: 'no_money' as const }],
  ['tells no balance', { balancePesewas: null }],
  ['tells no amount', { amountPesewas: null }],
  ['has no id', { transactionId: null }],
])('none where the text %s', (_, changed) => {
  expect(movementOf({ ...OUT, ...changed }, ORIGIN)).toBe(undefined);
});

test('an id longer than any is from a time that has not come', () => {
  expect(movementOf({ ...OUT, transactionId: '9'.repeat(30) }, ORIGIN)?.id).toBe(Number.MAX_SAFE_INTEGER);
});
