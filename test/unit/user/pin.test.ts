import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordErasure } from '../../../infra/admin/audit.table.ts';
import { hashPin, isPin, whyEasy } from '../../../shared/merchants/user/pin.ts';
import { askedCosts } from '../../support/quick-hashes.ts';

/** PINs for each thing that makes one easy, which is said of them. */
const EASY = {
  'it counts in equal steps': ['456789', '789012', '321098', '147036', '505050', '000000', '369258', '258147'],
  'it is three digits twice': ['804804'],
  'it has only two different digits': ['800808', '999949'],
  'it reads the same backwards': ['804408'],
  'it is three pairs': ['884499'],
  'it is a pattern on the keypad': '147258 258369 147369 159357 357159 789456 456123'.split(' '),
  'it can be read as a date': ['010198', '311298', '983112', '123198', '981231'],
  'it begins or ends with a year': ['195748', '205748', '481957', '482057'],
};

test.each(Object.entries(EASY))('a PIN is easy to guess, and why: %s', (why, pins) => {
  expect(pins.map((pin) => [pin, whyEasy(pin)])).toEqual(pins.map((pin) => [pin, why]));
});

test('a PIN of none of these kinds is not', () => {
  // Nearly a day and a month, a year in the middle, two pairs, repeated but for the last, and by chance.
  const pins = '000398 320198 311398 419574 420584 884498 804805 456788 589642 804917'.split(' ');
  expect(pins.filter(whyEasy)).toEqual([]);
});

test('a PIN is known by its phone alone, and is stored otherwise each time', async () => {
  let n = 0;
  const outside = { now: () => Date.UTC(2026, 5, 15), randomBytes: (count: number) => Buffer.alloc(count, 200 + n++) };
  const [stored, again] = [await hashPin(outside, '804917', 'key'), await hashPin(outside, '804917', 'key')];
  expect(stored).toEqual({
    salt: expect.stringMatching(/^[\w-]{22}$/),
    hash: expect.stringMatching(/^[\w-]{43}$/),
    set_at: '2026-06-15T00:00:00.000Z',
  });
  expect(again.hash).not.toBe(stored.hash);
  const typed = [
    [stored, '804917', 'key'],
    [stored, '804918', 'key'],
    [stored, '804917', 'another'],
    [undefined, '804917', 'key'],
  ] as const;
  const matched = await Promise.all(typed.map(([pin, said, key]) => isPin(pin, said, key)));
  expect(matched).toEqual([true, false, false, false]);
});

test('a try at a PIN takes 16 MB and one at an erased number 32, though tests hash quickly', async () => {
  const outside = { now: Date.now, randomBytes };
  askedCosts.length = 0;
  await hashPin(outside, '804917', 'key');
  await isPin(undefined, '804917', 'key');
  recordErasure(outside, { phone: '+233241234567' }, {});
  expect(askedCosts.map((cost) => 128 * (cost?.N ?? 0) * (cost?.r ?? 8))).toEqual([2 ** 24, 2 ** 24, 2 ** 25]);
});
