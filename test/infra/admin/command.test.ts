import { expect, test } from 'vitest';
import { sentence } from '../../../infra/admin/command.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { PublicError } from '../../../shared/runtime/values/errors.ts';
import { NoSuch } from '../../../shared/runtime/values/no-such.ts';

test.each<[string, Error, string]>([
  ['a merchant', new NoSuch('merchant', 'There is no merchant X.'), 'There is no merchant X. See: merchant list'],
  ['a sender', new NoSuch('sender', 'There is no sender X.'), 'There is no sender X. See: sender list'],
  [
    'a key',
    new NoSuch('key', 'It has no such key.'),
    'It has no such key. To list all keys, run: key list --merchant M1',
  ],
  ['a webhook', new NoSuch('webhook', 'It has none.'), 'It has none. Set it with: webhook set --merchant M1 --url …'],
  ['a receipt', new NoSuch('receipt', 'No receipt.'), 'No receipt. See: receipt list'],
  ['a charge', new NoSuch('charge', 'There is no charge MK-1.'), 'There is no charge MK-1.'],
])('the error about a missing %s suggests a command', (_, error, told) => {
  expect(sentence(error, { merchant: 'M1' })).toBe(told);
});

test.each([new OperatorError('Nothing to change.'), new PublicError('busy', 'Try again.')])(
  'an operator error is printed unchanged: %s',
  (error) => {
    expect(sentence(error)).toBe(error.message);
  },
);
