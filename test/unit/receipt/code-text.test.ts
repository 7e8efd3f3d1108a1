import { expect, test } from 'vitest';
import { codeText } from '../../../shared/money/receipt/claim-by-phone.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';

test('names the code, the amount and the shop, and says that nobody asks for it', () => {
  expect(codeText('012345', { merchant_name: 'Ama Stores' }, 123_450)).toBe(
    '012345 is your code to confirm GHS 1,234.50 to Ama Stores. Nobody from the shop or the network will ask you for it.',
  );
});

test.each([
  ['Ɛdwɔm Café', 'Edwom Cafe'],
  ['Shop 😀 of `Ama`', 'Shop of Ama'],
  ['Two\nlines', 'Two lines'],
  ['商店', 'the shop'],
  ['A'.repeat(200), 'A'.repeat(53)],
  ['{[~]}'.repeat(40), `${'{[~]}'.repeat(5)}{`],
])('is one SMS whatever the shop is called: %s', (merchant_name, shown) => {
  const text = codeText('012345', { merchant_name }, 10_000_000);
  expect(sizeOf(text)).toEqual({ segments: 1, encoding: 'GSM-7' });
  expect(text).toContain(` to ${shown}. Nobody`);
});
