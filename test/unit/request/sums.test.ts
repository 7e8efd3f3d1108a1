import { describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { withoutUnpaid } from '../../../shared/money/request/open-request-charge.ts';
import { backingOf, countedOf } from '../../../shared/money/request/sums.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const charge = (reference: string, pesewas: number) => ({ reference, paid_pesewas: arrivedPesewas(pesewas) });

test.each([
  ['has an unknown backing if it is paid', 5_00, 'unknown'],
  ['is verified if it is unpaid', 0, 'verified'],
])('a charge from an earlier release %s', (_, pesewas, backing) => {
  expect(backingOf({ merchant_id: 'shop' }, charge('MK-1', pesewas))).toBe(backing);
});

test('a charge in doubt records only a verified amount above 0', () => {
  const unproven = storedPayment('one', 20_00, { proof: { state: 'unproven' } });
  const proven = storedPayment('two', 10_00, { proof: { state: 'proven' } });
  expect(countedOf(storedCharge({ parts: [unproven] }))).not.toHaveProperty('verified_pesewas');
  expect(countedOf(storedCharge({ parts: [unproven, proven] }))).toMatchObject({ verified_pesewas: 10_00 });
});

describe('a request’s full list of charges', () => {
  test('drops its oldest unpaid charge that nobody must look at', () => {
    const looked = { ...charge('MK-1', 0), look: true } as const;
    const charges = [looked, charge('MK-2', 5_00), charge('MK-3', 0), charge('MK-4', 0)];
    expect(withoutUnpaid(charges, 3).map(({ reference }) => reference)).toEqual(['MK-1', 'MK-2', 'MK-4']);
  });
});
