import { describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import { withoutUnpaid } from '../../../shared/money/request/open-request-charge.ts';
import type { PaymentRequest, RequestCharge } from '../../../shared/money/request/request.table.ts';
import { backingOf, countedOf, isPaidVerified, sumsOf } from '../../../shared/money/request/sums.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const charge = (reference: string, pesewas: number) => ({ reference, paid_pesewas: arrivedPesewas(pesewas) });

test.each([
  ['has an unknown backing if it is paid', 5_00, 'unknown'],
  ['is verified if it is unpaid', 0, 'verified'],
])('a charge without a recorded backing %s', (_, pesewas, backing) => {
  expect(backingOf({ merchant_id: 'shop' }, charge('MK-1', pesewas))).toBe(backing);
});

test('a charge in doubt records only a verified amount above 0', () => {
  const unproven = storedPayment('one', 20_00, { proof: { state: 'unproven' } });
  const proven = storedPayment('two', 10_00, { proof: { state: 'proven' } });
  expect(countedOf(storedCharge({ parts: [unproven] }))).not.toHaveProperty('verified_pesewas');
  expect(countedOf(storedCharge({ parts: [unproven, proven] }))).toMatchObject({ verified_pesewas: 10_00 });
});

test.each<[string, Partial<Charge>, true | undefined]>([
  ['has noted a second payment', { second_receipts: ['R'] }, true],
  ['has noted a waiting payment', { waiting_receipts: ['R'] }, true],
  ['is cancelled with parts', { state: 'cancelled', parts: [storedPayment('one', 5_00)] }, true],
  ['is only partly paid', { parts: [storedPayment('one', 5_00)] }, undefined],
  [
    'counts its noted payment',
    { parts: [storedPayment('R', 5_00)], waiting_receipts: [storedPayment('R', 5_00).receipt_id] },
    undefined,
  ],
])('a charge that %s says whether payments may be held for it', (_, fields, hasHeld) => {
  expect(countedOf(storedCharge({ state: 'pending', ...fields }))?.has_held).toBe(hasHeld);
});

test.each<[string, Partial<Charge>, number | undefined]>([
  ['a verified payment that waits', { waiting_receipts: ['R'], verified_waiting_pesewas: 7_00 }, 7_00],
  ['an unverified payment that waits', { waiting_receipts: ['R'] }, undefined],
  [
    'verified and unverified parts of a cancelled charge',
    {
      state: 'cancelled',
      parts: [
        storedPayment('one', 5_00, { proof: { state: 'proven' } }),
        storedPayment('two', 9_00, { proof: { state: 'unproven' } }),
      ],
    },
    5_00,
  ],
])('the largest verified payment held for a charge counts: %s', (_, fields, pesewas) => {
  expect(countedOf(storedCharge({ state: 'pending', ...fields }))?.held_pesewas).toBe(pesewas);
});

describe('a charge’s refunds', () => {
  const refund = { refund_id: 'R', amount_pesewas: 5_00, noted_at: '2026-11-20T10:00:00.000Z' } as const;
  const held = storedPayment('held', 3_00);

  test.each([
    ['noted', 5_00],
    ['sent', 5_00],
    ['withdrawn', undefined],
  ] as const)('count if %s: %s pesewas', (state, counted) => {
    const charge = storedCharge({
      state: 'success',
      payment: storedPayment('one', 20_00),
      refunds: [{ ...refund, state }],
    });
    expect(countedOf(charge)?.refunded_pesewas).toBe(counted);
  });

  test('count for a reversed charge only beyond the held parts', () => {
    const charge = storedCharge({ state: 'reversed', parts: [held], refunds: [{ ...refund, state: 'sent' }] });
    expect(countedOf(charge)).toMatchObject({ paid_pesewas: 0, refunded_pesewas: 2_00 });
  });
});

const paid = (arrived: number, refunded = 0) => [
  { ...charge('MK-1', arrived), ...(refunded > 0 && { refunded_pesewas: refunded }) },
];
const refunded = (arrived: number, refunded_pesewas: number) => ({ ...charge('MK-2', arrived), refunded_pesewas });
const request = (fields: Partial<PaymentRequest>) =>
  ({ merchant_id: 'shop', state: 'paid', total_pesewas: 100_00, charges: paid(100_00), ...fields }) as PaymentRequest;

describe('a paid request', () => {
  test.each<[string, Partial<PaymentRequest>, RequestCharge[], [number, number, number]]>([
    ['stays paid after a discount', {}, paid(100_00, 30_00), [100_00, 0, 30_00]],
    ['stays paid after its overpayment is sent back', { charges: paid(150_00) }, paid(150_00, 50_00), [150_00, 0, 0]],
    ['gives only the rest as a discount', { charges: paid(150_00) }, paid(150_00, 70_00), [150_00, 0, 20_00]],
    [
      'keeps its discount',
      { charges: paid(100_00, 30_00), discount_pesewas: 30_00 },
      paid(100_00, 30_00),
      [100_00, 0, 30_00],
    ],
    ['is owed the reversed money', { charges: paid(150_00, 50_00) }, paid(100_00, 50_00), [50_00, 50_00, 0]],
    ['is owed both if both change at once', { charges: paid(150_00) }, paid(100_00, 50_00), [50_00, 50_00, 0]],
    [
      'loses its discount once money is reversed',
      { charges: paid(100_00, 30_00), discount_pesewas: 30_00 },
      paid(60_00, 30_00),
      [30_00, 70_00, 0],
    ],
    [
      'shrinks its discount as a refund is withdrawn',
      { charges: paid(100_00, 30_00), discount_pesewas: 30_00 },
      paid(100_00, 10_00),
      [100_00, 0, 10_00],
    ],
    [
      'ends its discount first as a refund is withdrawn',
      { charges: paid(120_00, 40_00), discount_pesewas: 20_00 },
      paid(120_00, 20_00),
      [120_00, 0, 0],
    ],
    [
      'keeps its discount if the refund is recorded for another charge',
      { charges: [...paid(100_00, 30_00), refunded(20_00, 20_00)], discount_pesewas: 30_00 },
      [...paid(100_00), refunded(20_00, 50_00)],
      [120_00, 0, 30_00],
    ],
    [
      'keeps its discount if a refunded overpayment is reversed',
      { charges: [...paid(100_00, 30_00), refunded(60_00, 60_00)], discount_pesewas: 30_00 },
      [...paid(100_00, 30_00), refunded(0, 0)],
      [100_00, 0, 30_00],
    ],
    [
      'leaves out what was refunded before',
      { charges: paid(160_00, 60_00), refunded_pesewas: 60_00 },
      paid(160_00, 60_00),
      [100_00, 0, 0],
    ],
    [
      'whose refunds were recorded since it was paid stays paid',
      { charges: paid(100_00) },
      paid(100_00, 100_00),
      [100_00, 0, 100_00],
    ],
    [
      'keeps its discount if more arrives',
      { charges: paid(100_00, 30_00), discount_pesewas: 30_00 },
      paid(160_00, 30_00),
      [160_00, 0, 30_00],
    ],
    ['gives no discount with an overpayment that arrived since', {}, paid(160_00, 50_00), [160_00, 0, 0]],
  ])('%s', (_, fields, charges, [paidPesewas, openPesewas, discountPesewas]) => {
    const sums = sumsOf(
      request({ ...fields, charges: [...(fields.charges ?? paid(100_00))] }),
      [...charges],
      new Map(),
    );
    expect(sums).toMatchObject({ paidPesewas, openPesewas, discountPesewas });
  });
});

test.each([
  ['a discount', { charges: paid(100_00, 30_00), discount_pesewas: 30_00 }, paid(160_00, 30_00), 60_00],
  ['a refund of the overpayment', { charges: paid(160_00) }, paid(160_00, 60_00), 0],
  [
    'a second record of that refund was withdrawn',
    { charges: paid(120_00, 40_00), discount_pesewas: 20_00 },
    paid(120_00, 20_00),
    0,
  ],
] as const)('a paid request says what is to be returned after %s', (_, fields, charges, toReturnPesewas) => {
  expect(sumsOf(request({ ...fields, charges: [...fields.charges] }), [...charges], new Map())).toMatchObject({
    toReturnPesewas,
  });
});

describe('an open request', () => {
  const open = { ...request({ charges: paid(60_00) }), state: 'open' } as const;

  test('gives no discount', () => {
    expect(sumsOf(open, paid(110_00, 30_00), new Map())).toMatchObject({ paidPesewas: 80_00, openPesewas: 20_00 });
  });

  test('is not paid with verified money that was sent back', () => {
    const verified = (refunded: number) =>
      paid(100_00, refunded).map((one) => ({ ...one, backing: 'verified' as const }));
    const isPaid = (refunded: number) => isPaidVerified(open, { charges: verified(refunded), found: new Map() });
    expect([isPaid(0), isPaid(30_00)]).toEqual([true, false]);
  });
});

describe('a request’s full list of charges', () => {
  test('drops its oldest unpaid charge that nobody must look at', () => {
    const looked = { ...charge('MK-1', 0), look: true } as const;
    const charges = [looked, charge('MK-2', 5_00), charge('MK-3', 0), charge('MK-4', 0)];
    expect(withoutUnpaid(charges, 3).map(({ reference }) => reference)).toEqual(['MK-1', 'MK-2', 'MK-4']);
  });
});
