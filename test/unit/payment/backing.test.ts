import { describe, expect, expectTypeOf, test } from 'vitest';
import { type ArrivedPesewas, arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { ghsOf, shownAmount, shownMoney } from '../../../shared/ghana/money.ts';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import {
  type Backing,
  backingOfBill,
  backingOfCharge,
  backingOfReceipt,
} from '../../../shared/money/payment/backing.ts';
import { overpaidPesewas, type Payment, paidPesewas } from '../../../shared/money/payment/payment.ts';
import { cautionOfSecond, proofOfCharge, shownPayment } from '../../../shared/money/payment/shown-payment.ts';
import { csvAmount } from '../../../shared/pages/dashboard/parts/csv.ts';
import type { Proof } from '../../../shared/wallets/chain/proof.ts';
import { storedPayment } from '../../support/rows-of-kinds.ts';

const UNPROVEN: Proof = { state: 'unproven', why: 'not_established' };
const paidBy = (...proofs: (Proof | undefined)[]): Payment[] =>
  proofs.map((proof, n) => storedPayment(`payment-${n}`, 36_00, { proof }));

type SomeCharge = Pick<Charge, 'merchant_id' | 'state'> & Partial<Charge>;
const charge = (proofs: (Proof | undefined)[], more: Partial<Charge> = {}): SomeCharge => {
  const payments = paidBy(...proofs);
  return { merchant_id: 'shop', state: 'success', parts: payments.slice(0, -1), payment: payments.at(-1), ...more };
};
const disputed = { at: '2026-11-20T10:00:00.000Z', why: 'forged' } as const;

describe('the evidence for a charge’s payments', () => {
  test.each<[string, SomeCharge, Backing, Proof | undefined]>([
    ['verified by the wallet', charge([{ state: 'proven' }]), 'verified', { state: 'proven' }],
    ['unverified in a new wallet', charge([UNPROVEN]), 'unverified', UNPROVEN],
    ['still being checked', charge([{ state: 'checking' }]), 'unverified', { state: 'checking' }],
    ['a payment whose proof was not recorded', charge([undefined]), 'unknown', { state: 'unproven' }],
    ['an unverified part among verified parts', charge([UNPROVEN, { state: 'proven' }]), 'unverified', UNPROVEN],
    ['one part being checked and one unverified', charge([{ state: 'checking' }, UNPROVEN]), 'unverified', UNPROVEN],
    ['a disputed charge', charge([{ state: 'proven' }], { disputed }), 'contradicted', { state: 'unproven' }],
    ['goods that a person released', charge([UNPROVEN], { released_by: 'ama' }), 'verified', { state: 'proven' }],
    ['credits released by a command', charge([UNPROVEN], { released_by: COMMAND_LINE }), 'unverified', UNPROVEN],
    ['no payment', { merchant_id: 'shop', state: 'pending' }, 'verified', undefined],
    [
      'the parts of an expired charge',
      charge([{ state: 'proven' }, { state: 'proven' }], { state: 'expired', payment: undefined }),
      'unknown',
      { state: 'unproven' },
    ],
    [
      'the parts of a reversed charge',
      charge([{ state: 'proven' }, { state: 'proven' }], { state: 'reversed' }),
      'unknown',
      { state: 'unproven' },
    ],
    [
      'a reversed charge without parts',
      charge([{ state: 'proven' }], { state: 'reversed' }),
      'verified',
      { state: 'proven' },
    ],
    ['a test', charge([undefined], { merchant_id: testAccountIdOf('shop') }), 'test', undefined],
  ])('is recognised for %s', (_, one, backing, proof) => {
    expect({ backing: backingOfCharge(one), proof: proofOfCharge(one) }).toEqual({ backing, proof });
  });
});

describe('the evidence for a payment that a second payment replaced', () => {
  const paid = charge([{ state: 'proven' }]);
  test.each<[string, SomeCharge | undefined, Backing]>([
    ['verified like its charge', paid, 'verified'],
    ['unverified like its charge', charge([UNPROVEN]), 'unverified'],
    ['unknown if another charge was paid for it', { ...paid, paid_as: 'MK-4071932685' }, 'unknown'],
    ['unknown if its charge was deleted', undefined, 'unknown'],
  ])('is %s', (_, bill, backing) => {
    expect(backingOfBill(bill)).toBe(backing);
    const second = { merchant_id: 'shop', proof: { state: 'proven' }, reason: 'already_paid' } as const;
    expect(cautionOfSecond(second, bill) === undefined).toBe(backing === 'verified');
    expect(cautionOfSecond({ ...second, merchant_id: testAccountIdOf('shop') }, bill)).toBeUndefined();
  });
});

describe('the evidence for a held payment', () => {
  test.each<[string, Partial<Parameters<typeof backingOfReceipt>[0]>, Backing]>([
    ['verified by the wallet', { proof: { state: 'proven' }, reason: 'already_paid' }, 'verified'],
    ['unverified in a new wallet', { proof: UNPROVEN, reason: 'no_charge' }, 'unverified'],
    ['contradicted by another text', { proof: { state: 'proven' }, reason: 'conflict' }, 'contradicted'],
    ['contradicted by its own id', { proof: { state: 'unproven', why: 'clock_odd' } }, 'contradicted'],
    ['contradicted by its own balance', { proof: { state: 'unproven', why: 'balance_impossible' } }, 'contradicted'],
    ['unknown without a proof', { reason: 'number_unknown' }, 'unknown'],
    ['that of a test', { merchant_id: testAccountIdOf('shop') }, 'test'],
  ])('is %s', (_, receipt, backing) => {
    expect(backingOfReceipt({ merchant_id: 'shop', ...receipt })).toBe(backing);
  });
});

describe('a received amount', () => {
  const amount = arrivedPesewas(36_00);

  test('cannot be formatted without the evidence for it', () => {
    // @ts-expect-error Its proof is missing.
    shownMoney(amount);
    // @ts-expect-error Its proof is missing.
    shownAmount(amount);
    // @ts-expect-error Its proof is missing.
    ghsOf(amount);
    // @ts-expect-error Its proof is missing.
    csvAmount(amount);
    expectTypeOf(paidPesewas).returns.toEqualTypeOf<ArrivedPesewas>();
    expectTypeOf(overpaidPesewas).returns.toEqualTypeOf<ArrivedPesewas>();
    expect(shownMoney(36_00)).toBe('GHS 36.00');
  });

  test.each<[Backing, string | undefined]>([
    ['verified', undefined],
    ['test', undefined],
    ['unverified', 'Not verified'],
    ['unknown', 'Not verified'],
    ['contradicted', 'In doubt'],
  ])('is shown with the right badge if it is %s: %s', (backing, badge) => {
    const shown = shownPayment(amount, backing);
    expect({ amount: shown.amount, ghs: shown.ghs, badge: shown.doubt?.badge }).toEqual({
      amount: 'GHS 36.00',
      ghs: 36,
      badge,
    });
    expect(shown.advise('Send it back.')).toBe(badge ? shown.doubt?.lookFirst : 'Send it back.');
    if (badge) expect(shown.advise('')).toMatch(/^Check your MoMo balance first\. /);
  });
});
