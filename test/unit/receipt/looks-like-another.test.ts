import { describe, expect, test } from 'vitest';
import { ArrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { looksLikeAnother } from '../../../shared/money/receipt/receipt.ts';

const told = (receipt_id: string, payer_name: string | undefined, pesewas = 36_00) => ({
  receipt_id,
  payer_name,
  amount_pesewas: ArrivedPesewas.parse(pesewas),
});

describe('two payments of the same amount', () => {
  test.each([
    ['look alike if their payers have the same name', 'AMA SERWAA', true],
    ['look alike whatever the case of the letters', 'Ama Serwaa', true],
    ['look alike whatever the order of the names', 'SERWAA AMA', true],
    ['look alike if one name is longer', 'AMA SERWAA BOATENG', true],
    ['look alike if a letter is from another script', '\u0410MA SERWAA', true],
    ['look alike if a letter is a digit', 'AMA SERW44', true],
    ['look alike if two letters differ', 'AMA SEVVAA', true],
    ['look alike if a space is in another place', 'AMAS ERWAA', true],
    ['differ if three letters differ', 'AMA SEWUOO', false],
    ['differ if their payers have other names', 'YAW OSEI', false],
    ['differ if one has no payer', undefined, false],
  ])('%s', (_, name, isAlike) => {
    expect(looksLikeAnother(told('one', 'AMA SERWAA'), [told('other', name)])).toBe(isAlike);
  });
});

test('a payment does not look like itself, nor like one of another amount', () => {
  expect(looksLikeAnother(told('one', 'AMA SERWAA'), [told('one', 'AMA SERWAA')])).toBe(false);
  expect(looksLikeAnother(told('one', 'AMA SERWAA'), [told('other', 'AMA SERWAA', 35_00)])).toBe(false);
});
