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
  backingOfOne,
  backingOfReceipt,
  chargeGivesWay,
  givesWay,
  isPaidUnproven,
  partGivingWay,
  unverifiedPesewas,
} from '../../../shared/money/payment/backing.ts';
import { overpaidPesewas, type Payment, paidPesewas } from '../../../shared/money/payment/payment.ts';
import {
  cautionOfSecond,
  type HeldPart,
  messageIsChecked,
  notVerifiedYet,
  otherMessage,
  presentArrivedFor,
  proofOfCharge,
  proofOfReceipt,
  shownOne,
  shownPaid,
  shownPayment,
  shownReceipt,
  shownSecond,
  shownToCustomer,
} from '../../../shared/money/payment/shown-payment.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import {
  lookedBy,
  refuseOutdated,
  type ShownProof,
  shownProofOf,
  shownProofOfCharge,
} from '../../../shared/money/receipt/shown-proof.ts';
import { csvAmount } from '../../../shared/pages/dashboard/parts/csv.ts';
import { Proof, ProofState, Unproven } from '../../../shared/wallets/chain/proof.ts';
import { storedPayment } from '../../support/rows-of-kinds.ts';

const UNPROVEN: Proof = { state: 'unproven', why: 'not_anchored' };
const paidBy = (...proofs: (Proof | undefined)[]): Payment[] =>
  proofs.map((proof, n) => storedPayment(`payment-${n}`, 36_00, { proof }));

type SomeCharge = Pick<Charge, 'merchant_id' | 'state' | 'amount_pesewas'> & Partial<Charge>;
const charge = (proofs: (Proof | undefined)[], more: Partial<Charge> = {}): SomeCharge => {
  const payments = paidBy(...proofs);
  const [parts, payment] = [payments.slice(0, -1), payments.at(-1)];
  return { merchant_id: 'shop', state: 'success', amount_pesewas: 36_00, parts, payment, ...more };
};
const PROVEN: Proof = { state: 'proven' };
const marked = { how: 'cash', at: '2026-11-20T10:00:00.000Z', by: 'ama' } as const;
const held = (pesewas: number, proof: Proof | undefined, more: Partial<HeldPart> = {}): HeldPart => ({
  merchant_id: 'shop',
  amount_pesewas: arrivedPesewas(pesewas),
  proof,
  ...more,
});
const disputed = { at: '2026-11-20T10:00:00.000Z', why: 'forged' } as const;

test('a stored proof keeps its promised values', () => {
  expect(ProofState.options).toEqual(['proven', 'checking', 'unproven']);
  expect(Unproven.options).toEqual(expect.arrayContaining(['balance_gap', 'balance_unsure', 'clock_odd']));
  expect(Unproven.options).toEqual(expect.arrayContaining(['balance_impossible', 'sender_differs', 'no_balance']));
  expect(Proof.parse(UNPROVEN)).toEqual(UNPROVEN);
});

describe('the verification state of a charge’s payments', () => {
  test.each<[string, SomeCharge, Backing, Proof | undefined]>([
    ['payments verified by the wallet', charge([{ state: 'proven' }]), 'verified', { state: 'proven' }],
    ['unverified payments in a new wallet', charge([UNPROVEN]), 'unverified', UNPROVEN],
    [
      'a partial payment that a person checked',
      charge([{ state: 'checking' }], { parts: [storedPayment('seen', 1, { proof: UNPROVEN, looked_by: 'ama' })] }),
      'unverified',
      { state: 'checking' },
    ],
    ['payments that are still being checked', charge([{ state: 'checking' }]), 'unverified', { state: 'checking' }],
    ['a payment whose proof was not recorded', charge([undefined]), 'unknown', { state: 'unproven' }],
    ['an unverified part among verified parts', charge([UNPROVEN, { state: 'proven' }]), 'unverified', UNPROVEN],
    ['one part being checked and one unverified', charge([{ state: 'checking' }, UNPROVEN]), 'unverified', UNPROVEN],
    ['a disputed charge', charge([{ state: 'proven' }], { disputed }), 'contradicted', { state: 'unproven' }],
    ['manually released goods', charge([UNPROVEN], { released_by: 'ama' }), 'verified', { state: 'proven' }],
    [
      'a payment marked by hand with goods released',
      { ...charge([]), payment: storedPayment('payment', 36_00, { proof: UNPROVEN, marked }), released_by: 'ama' },
      'unverified',
      UNPROVEN,
    ],
    [
      'a payment that a person found in the wallet',
      { ...charge([]), payment: storedPayment('payment', 36_00, { proof: UNPROVEN, looked_by: 'ama' }) },
      'verified',
      PROVEN,
    ],
    [
      'a payment both marked by hand and checked',
      { ...charge([]), payment: storedPayment('payment', 36_00, { proof: UNPROVEN, looked_by: 'ama', marked }) },
      'unverified',
      UNPROVEN,
    ],
    ['credits released by a command', charge([UNPROVEN], { released_by: COMMAND_LINE }), 'unverified', UNPROVEN],
    ['no payment', charge([], { state: 'pending' }), 'verified', undefined],
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
    ['an expired charge without payments', charge([], { state: 'expired' }), 'verified', undefined],
    ['a test', charge([undefined], { merchant_id: testAccountIdOf('shop') }), 'test', undefined],
  ])('is correct for %s', (_, one, backing, proof) => {
    expect({ backing: backingOfCharge(one), proof: proofOfCharge(one) }).toEqual({ backing, proof });
  });
});

describe('the verification state of a second payment’s charge', () => {
  const paid = charge([{ state: 'proven' }]);
  test.each<[string, SomeCharge | undefined, Backing]>([
    ['verified if the charge’s payment is verified', paid, 'verified'],
    ['unverified if the charge’s payment is unverified', charge([UNPROVEN]), 'unverified'],
    ['unknown if it was paid through another charge', { ...paid, paid_as: 'MK-4071932685' }, 'unknown'],
    ['unknown if the charge was deleted', undefined, 'unknown'],
  ])('is %s', (_, bill, backing) => {
    expect(backingOfBill(bill)).toBe(backing);
    const second = { merchant_id: 'shop', proof: { state: 'proven' }, reason: 'already_paid' } as const;
    expect(cautionOfSecond(second, bill) === undefined).toBe(backing === 'verified');
    expect(cautionOfSecond({ ...second, merchant_id: testAccountIdOf('shop') }, bill)).toBeUndefined();
  });

  test('advises counting the cash if the charge was marked as paid in cash', () => {
    const second = { merchant_id: 'shop', proof: PROVEN, reason: 'already_paid' } as const;
    const cash = storedPayment('cash', 36_00, { proof: UNPROVEN, marked });
    const adviceFor = (bill: SomeCharge) => cautionOfSecond(second, bill)?.lookFirst.split('.')[0];
    expect(adviceFor({ ...charge([]), payment: cash })).toBe('Count the cash first');
    expect(adviceFor({ ...charge([UNPROVEN]), payment: cash, parts: paidBy(UNPROVEN) })).toBe(
      'Check your MoMo balance first',
    );
  });
});

describe('a verified payment held for a reversed charge', () => {
  const refund = {
    refund_id: '1',
    amount_pesewas: 98_00,
    state: 'sent',
    noted_at: '2026-11-20T10:00:00.000Z',
  } as const;
  const reversed = { ...charge([PROVEN]), amount_pesewas: 100_00, state: 'reversed' } as const;
  const parts = { parts: [], held: [held(99_00, PROVEN)] };

  test.each<[string, Partial<Charge>, number, boolean]>([
    ['is left in full without refunds', {}, 99, false],
    ['is left in full after a withdrawn refund', { refunds: [{ ...refund, state: 'withdrawn' }] }, 99, false],
    ['is left only in part after a refund', { refunds: [refund] }, 1, true],
    ['is not left after a refund of more', { refunds: [refund, refund] }, 0, true],
  ])('%s', (_, more, left, isCaution) => {
    const bill = { ...reversed, ...more };
    expect(presentArrivedFor(bill, parts).held).toEqual({ amount: left, proof: { state: 'proven', why: null } });
    expect(shownToCustomer(bill, 'reversed', parts.held).ghs).toBe(left);
    const caution = cautionOfSecond(held(99_00, PROVEN), bill);
    expect(caution?.warning.startsWith('A refund was already recorded')).toBe(isCaution || undefined);
  });
});

describe('the verification state of a held payment', () => {
  test.each<[string, Partial<Parameters<typeof backingOfReceipt>[0]>, Backing]>([
    ['verified by the wallet', { proof: { state: 'proven' }, reason: 'already_paid' }, 'verified'],
    ['unverified in a new wallet', { proof: UNPROVEN, reason: 'no_charge' }, 'unverified'],
    ['contradicted by another text', { proof: { state: 'proven' }, reason: 'conflict' }, 'contradicted'],
    ['contradicted by its own id', { proof: { state: 'unproven', why: 'clock_odd' } }, 'contradicted'],
    ['contradicted by its own balance', { proof: { state: 'unproven', why: 'balance_impossible' } }, 'contradicted'],
    ['unknown without a proof', { reason: 'number_unknown' }, 'unknown'],
    ['test in a test account', { merchant_id: testAccountIdOf('shop') }, 'test'],
    ['contradicted by a text about the same payment', { proof: PROVEN, contradicted_by: ['other'] }, 'contradicted'],
    [
      'verified if a person checked it despite another text',
      { contradicted_by: ['other'], looked_by: 'ama' },
      'verified',
    ],
    ['contradicted if its reversal is in doubt', { proof: PROVEN, reversal_doubt_at: '2026-07-14' }, 'contradicted'],
    ['contradicted if it was marked by hand', { contradicted_by: ['other'], looked_by: 'ama', marked }, 'contradicted'],
    ['contradicted if it predates its charge', { proof: PROVEN, reason: 'before_charge' }, 'contradicted'],
  ])('is %s', (_, receipt, backing) => {
    expect(backingOfReceipt({ merchant_id: 'shop', ...receipt })).toBe(backing);
  });
});

describe('the verification state of one payment', () => {
  test('is independent of the charge’s other payments', () => {
    const one = charge([PROVEN, UNPROVEN]);
    expect(paidBy(PROVEN, UNPROVEN).map((payment) => backingOfOne(one, payment))).toEqual(['verified', 'unverified']);
    expect(paidBy(PROVEN, UNPROVEN).map((payment) => shownOne(one, payment).backing)).toEqual([
      'verified',
      'unverified',
    ]);
  });
});

describe('the unverified total of a charge', () => {
  test.each<[string, SomeCharge, number]>([
    ['zero for verified payments', charge([PROVEN, PROVEN]), 0],
    ['the sum of its unverified payments', charge([PROVEN, UNPROVEN]), 36_00],
    ['the sum of all payments if all are unverified', charge([UNPROVEN, undefined]), 72_00],
    ['zero after the goods were released manually', charge([UNPROVEN], { released_by: 'ama' }), 0],
    ['the sum of all payments if disputed', charge([PROVEN, UNPROVEN], { disputed }), 72_00],
    ['the sum of the parts if disputed and pending', charge([PROVEN, PROVEN], { disputed, state: 'pending' }), 36_00],
    ['zero after the charge expired', charge([UNPROVEN, UNPROVEN], { state: 'expired' }), 0],
    ['zero after the charge was cancelled', charge([UNPROVEN], { state: 'cancelled', disputed }), 0],
    ['zero for a test charge', charge([UNPROVEN], { merchant_id: testAccountIdOf('shop') }), 0],
  ])('is %s', (_, one, pesewas) => {
    expect(Number(unverifiedPesewas(one))).toBe(pesewas);
  });

  test('is nonzero if one payment is unverified', () => {
    expect(isPaidUnproven(charge([PROVEN, UNPROVEN]))).toBe(true);
    expect(isPaidUnproven(charge([PROVEN, PROVEN]))).toBe(false);
    expect(isPaidUnproven(charge([UNPROVEN], { released_by: 'ama' }))).toBe(false);
    expect(isPaidUnproven(charge([UNPROVEN], { merchant_id: testAccountIdOf('shop') }))).toBe(false);
  });
});

describe('payments replaced by a verified payment', () => {
  const [small, large] = [
    storedPayment('small', 1, { proof: UNPROVEN }),
    storedPayment('large', 9, { proof: UNPROVEN }),
  ];
  const byHand = { ...small, matched_by: 'hand' } as const;
  const proven = { ...small, proof: PROVEN };

  test.each<[string, Payment, boolean]>([
    ['an unverified payment', small, true],
    ['no verified payments', proven, false],
    ['no payments assigned by hand', byHand, false],
  ])('include %s', (_, payment, gives) => {
    expect(givesWay(payment)).toBe(gives);
  });

  test.each<[string, readonly Payment[] | undefined, Payment | undefined]>([
    ['the smallest unverified part', [large, small], small],
    ['no verified parts', [proven, large], large],
    ['no parts assigned by hand', [byHand], undefined],
    ['nothing for a charge without parts', undefined, undefined],
  ])('in a pending charge include %s', (_, parts, part) => {
    expect(partGivingWay({ state: 'pending', parts: parts && [...parts] })).toBe(part);
    expect(partGivingWay({ state: 'success', parts: parts && [...parts] })).toBeUndefined();
  });

  test.each<[string, SomeCharge, boolean]>([
    ['all of them are unverified', charge([UNPROVEN, UNPROVEN]), true],
    ['there are none', charge([]), true],
    ['none of them is verified', charge([UNPROVEN, PROVEN]), false],
    ['no person released its goods', charge([UNPROVEN], { released_by: 'ama' }), false],
    ['no person assigned one of them', { ...charge([]), parts: [small], payment: byHand }, false],
  ])('include all payments of a charge if %s', (_, one, gives) => {
    expect(chargeGivesWay(one)).toBe(gives);
  });
});

describe('a charge as shown to its customer', () => {
  const paid = (proof: Proof, pesewas: number, more: Partial<Charge> = {}) => ({
    ...charge([], more),
    amount_pesewas: 30_00,
    payment: storedPayment('payment', pesewas, { proof }),
  });
  const seen = (one: ReturnType<typeof paid>, parts?: HeldPart[]) => {
    const { pesewas, backing } = shownToCustomer(one, one.state, parts);
    return { pesewas, backing };
  };

  test('includes an overpayment only if it is verified', () => {
    expect(seen(paid(PROVEN, 36_00))).toEqual({ pesewas: 36_00, backing: 'verified' });
    expect(seen(paid(UNPROVEN, 36_00))).toEqual({ pesewas: 30_00, backing: 'unverified' });
    expect(seen(paid(UNPROVEN, 20_00))).toEqual({ pesewas: 20_00, backing: 'unverified' });
  });

  test('hides unverified money after it expires', () => {
    const one = {
      ...charge([]),
      amount_pesewas: 30_00,
      parts: paidBy(UNPROVEN),
      payment: undefined,
      state: 'pending',
    } as const;
    expect(shownToCustomer(one, 'pending').pesewas).toBe(30_00);
    expect(shownToCustomer(one, 'expired').pesewas).toBe(0);
    expect(shownToCustomer({ ...one, parts: paidBy(PROVEN) }, 'expired').pesewas).toBe(36_00);
  });

  test('shows only verified held money after it expires', () => {
    const ended = paid(PROVEN, 36_00, { state: 'expired' });
    expect(seen(ended, [held(5_00, PROVEN), held(7_00, UNPROVEN)])).toEqual({ pesewas: 5_00, backing: 'verified' });
    expect(seen(ended)).toEqual({ pesewas: 0, backing: 'verified' });
  });

  test('contains messages that name the shop', () => {
    expect(messageIsChecked('Ama')).toBe('A payment message about this bill arrived; Ama is checking it.');
    expect(otherMessage('Ama')).toBe('Another payment message about this bill arrived; Ama is checking it.');
    expect(notVerifiedYet('Ama')).toBe('Ama has not verified this payment yet.');
  });
});

describe('a charge’s amounts in the API', () => {
  const one = (more: Partial<Charge> = {}) => ({ ...charge([UNPROVEN, PROVEN], more), amount_pesewas: 70_00 });
  const ended = { ...one({ state: 'expired' }), payment: undefined };
  const proof = (state: Proof['state'], why: Proof['why'] | null = null) => ({ state, why });

  test('contain the totals and the weakest proof', () => {
    expect(presentArrivedFor(one())).toEqual({
      amount_paid: 72,
      overpaid: 2,
      proof: proof('unproven', 'not_anchored'),
      held: null,
    });
  });

  test.each([
    ['proven if all parts are held and verified', ended, [PROVEN, PROVEN], 2, proof('proven')],
    ['unproven if a part is no longer held', ended, [PROVEN], 2, proof('unproven')],
    ['unproven if the charge is disputed', { ...ended, disputed }, [PROVEN], 1, proof('unproven')],
    ['the weakest proof of the parts', ended, [PROVEN, { state: 'checking' as const }], 2, proof('checking')],
    [
      'unproven if an unverified payment was reversed',
      { ...ended, payment: storedPayment('payment', 36_00, { proof: UNPROVEN }) },
      [PROVEN],
      1,
      proof('unproven', 'not_anchored'),
    ],
    [
      'the proof of the parts if a verified payment was reversed',
      { ...ended, payment: paidBy(PROVEN)[0] },
      [PROVEN],
      1,
      proof('proven'),
    ],
  ])('have a proof that is %s after the charge ends unpaid', (_, charged, proofs, parts, expected) => {
    const given = {
      parts: paidBy(...Array.from({ length: parts }, () => PROVEN)),
      held: proofs.map((each) => held(5_00, each)),
    };
    expect(presentArrivedFor(charged, given).proof).toEqual(expected);
  });

  test('contain the total and proof of held money', () => {
    const given = { parts: [], held: [held(5_00, PROVEN), held(2_00, UNPROVEN)] };
    expect(presentArrivedFor(ended, given).held).toEqual({ amount: 7, proof: proof('unproven', 'not_anchored') });
    expect(presentArrivedFor(ended, { parts: [], held: [] }).held).toEqual({ amount: 0, proof: null });
    const merchant_id = testAccountIdOf('shop');
    const ofTest = { parts: [], held: [held(5_00, undefined, { merchant_id })] };
    expect(presentArrivedFor({ ...ended, merchant_id }, ofTest)).toMatchObject({
      proof: null,
      held: { amount: 5, proof: null },
    });
  });

  test.each<[string, Parameters<typeof proofOfReceipt>[0], Proof | undefined]>([
    [
      'never proven if another text contradicts it',
      held(1, PROVEN, { contradicted_by: ['other'] }),
      { state: 'unproven' },
    ],
    ['as stored if nothing contradicts it', held(1, PROVEN), PROVEN],
    ['as stored if it is unproven and contradicted', held(1, UNPROVEN, { contradicted_by: ['other'] }), UNPROVEN],
    ['unknown if none was stored', held(1, undefined), undefined],
  ])('contain the receipt’s proof, which is %s', (_, receipt, expected) => {
    expect(proofOfReceipt(receipt)).toEqual(expected);
  });
});

describe('advice about a second payment', () => {
  const paid = charge([PROVEN]);
  const second = held(36_00, PROVEN, { reason: 'already_paid' });
  const advice = (receipt: HeldPart, bill: SomeCharge | undefined) =>
    shownSecond(receipt, bill).advise('Send it back.');

  test('recommends a return only if both payments are verified', () => {
    expect(advice(second, paid)).toBe('Send it back.');
    expect(advice(second, charge([UNPROVEN]))).toMatch(
      /This payment is verified, but the payment that paid its bill is not\./,
    );
    expect(advice({ ...second, proof: UNPROVEN }, paid)).toMatch(/This payment is not verified/);
    expect(advice(second, undefined)).toMatch(/the payment that paid its bill is not/);
  });

  test.each<[string, Partial<Charge>, string]>([
    [
      'compares it with the refunds of a paid bill',
      { refunds: [{ refund_id: '1', amount_pesewas: 36_00, state: 'noted', noted_at: '2026-11-20T10:00:00.000Z' }] },
      'A refund was already recorded for this bill',
    ],
    [
      'offers it to a bill that was accepted for less',
      { amount_pesewas: 76_00 },
      'You accepted less than the full amount',
    ],
    [
      'checks the wallet first if the bill is unverified too',
      { ...charge([UNPROVEN]), amount_pesewas: 76_00 },
      'Check your',
    ],
  ])('%s', (_, more, words) => {
    expect(advice(second, { ...paid, ...more }).startsWith(words)).toBe(true);
  });

  test('warns the API’s caller about unverified payments', () => {
    const warning = (receipt: HeldPart, bill: SomeCharge) => cautionOfSecond(receipt, bill)?.warning;
    expect(warning(second, charge([UNPROVEN]))).toMatch(/Do not send anything until you see both payments\.$/);
    for (const [proof, reason] of [
      [UNPROVEN, 'already_paid'],
      [PROVEN, 'conflict'],
    ] as const)
      expect(warning({ ...second, proof, reason }, paid)).toMatch(
        /Do not send anything until you see it(, and no reversal of it)?\.$/,
      );
  });

  test('ignores a charge without payments', () => {
    expect(advice(second, { ...charge([UNPROVEN]), state: 'cancelled' })).toBe('Send it back.');
    expect(advice(second, { ...paid, paid_as: 'MK-4071932685', state: 'cancelled' })).toMatch(
      /the payment that paid its bill/,
    );
  });

  test('shows the second payment’s amount and proof', () => {
    expect(shownReceipt(second)).toMatchObject({ amount: 'GHS 36.00', backing: 'verified' });
    expect(shownReceipt({ merchant_id: 'shop' })).toMatchObject({ pesewas: 0, backing: 'unknown' });
    expect(shownPaid(charge([UNPROVEN]))).toMatchObject({
      amountText: 'GHS\u00a036.00 (not verified)',
      pesewas: 36_00,
    });
  });
});

describe('a decision submitted with a form', () => {
  const receipt = (proof: Proof | undefined, more: Partial<Receipt> = {}) => ({ merchant_id: 'shop', proof, ...more });
  const stored = (proof: Proof): Receipt => ({
    ...receipt(proof),
    receipt_id: 'MTN-1',
    state: 'held',
    received_at: '2026-11-20T10:00:00.000Z',
  });

  test.each<[ShownProof, Parameters<typeof shownProofOf>[0]]>([
    ['verified', receipt(PROVEN)],
    ['verified', receipt(undefined, { merchant_id: testAccountIdOf('shop') })],
    ['checking', receipt({ state: 'checking' })],
    ['unverified', receipt(UNPROVEN)],
    ['unverified', receipt(undefined)],
    ['contradicted', receipt(PROVEN, { reason: 'conflict' })],
  ])('shows the proof of a payment that is %s', (shown, one) => {
    expect(shownProofOf(one)).toBe(shown);
  });

  test('shows the weakest proof of a charge’s payments', () => {
    expect(shownProofOfCharge(charge([PROVEN, { state: 'checking' }]))).toBe('checking');
    expect(shownProofOfCharge(charge([PROVEN], { disputed }))).toBe('contradicted');
  });

  test('is rejected if the proof has become weaker', () => {
    expect(() => refuseOutdated('contradicted', 'unverified')).toThrow(/has changed since the page was loaded/);
    expect(() => refuseOutdated('checking', 'verified')).toThrow(expect.objectContaining({ code: 'receipt_not_held' }));
    expect(() => refuseOutdated('verified', 'verified')).not.toThrow();
    expect(() => refuseOutdated('verified', 'unverified')).not.toThrow();
  });

  test('records its user if the payment is unverified', () => {
    expect(lookedBy(stored(PROVEN), { by: 'ama', shown: 'unverified' })).toBeUndefined();
    expect(lookedBy(stored(UNPROVEN), { by: 'ama', shown: 'unverified' })).toBe('ama');
    expect(() => lookedBy(stored(UNPROVEN), { by: 'ama', shown: 'verified' })).toThrow();
  });
});

describe('a received amount', () => {
  const amount = arrivedPesewas(36_00);

  test('cannot be formatted without its proof', () => {
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
  ])('has the correct badge if it is %s: %s', (backing, badge) => {
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
