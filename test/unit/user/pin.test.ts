import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { recordErasure } from '../../../infra/admin/audit.table.ts';
import { hashPin, isPin, weaknessOf } from '../../../shared/merchants/user/pin.ts';
import {
  afterRightTry,
  isLocked,
  isPhoneLocked,
  MAX_WRONG,
  MAX_WRONG_IN_MONTH,
  MAX_WRONG_OF_PHONE,
  oneMoreTry,
} from '../../../shared/merchants/user/pin-tries.ts';
import type { SharedPhone, Tries } from '../../../shared/merchants/user/shared-phone.table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { askedCosts } from '../../support/quick-hashes.ts';

/** Examples of each pattern that makes a PIN easy to guess. */
const EASY = {
  'it goes up or down in equal steps': ['456789', '789012', '321098', '147036', '505050', '000000', '369258', '258147'],
  'it repeats the same three digits': ['804804'],
  'it has only two different digits': ['800808', '999949'],
  'it reads the same backwards': ['804408'],
  'it is made of three pairs': ['884499'],
  'it is a pattern on the keypad': '147258 258369 147369 159357 357159 789456 456123'.split(' '),
  'it can be read as a date': ['010198', '311298', '983112', '123198', '981231'],
  'it begins or ends with a year': ['195748', '205748', '481957', '482057'],
};

test.each(Object.entries(EASY))('a PIN is rejected as weak if %s', (weakness, pins) => {
  expect(pins.map((pin) => [pin, weaknessOf(pin)])).toEqual(pins.map((pin) => [pin, weakness]));
});

test('a PIN without weaknesses is accepted', () => {
  // PINs that only resemble weak ones, and random PINs.
  const pins = '000398 320198 311398 419574 420584 884498 804805 456788 589642 804917'.split(' ');
  expect(pins.filter(weaknessOf)).toEqual([]);
});

test('a PIN works only on its phone', async () => {
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

test('hashing a PIN uses 16 MB', async () => {
  const outside = { now: Date.now, randomBytes };
  askedCosts.length = 0;
  await hashPin(outside, '804917', 'key');
  await isPin(undefined, '804917', 'key');
  recordErasure(outside, { phone: '+233241234567' }, {});
  expect(askedCosts.map((cost) => 128 * (cost?.N ?? 0) * (cost?.r ?? 8))).toEqual([2 ** 24, 2 ** 24, 2 ** 25]);
});

const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;
const NOW_MS = Date.UTC(2026, 5, 15, 12);
const NONE: Tries = { wrong: 0, wait_until_ms: 0, month_began_ms: 0, wrong_in_month: 0 };
const of = (tries: Partial<Tries>): Tries => ({ ...NONE, month_began_ms: NOW_MS - 1, ...tries });

function phone(people: SharedPhone['people'], strangers?: Tries): SharedPhone {
  return {
    merchant_id: 'm',
    phone_id: 'p',
    name: 'Till',
    added_by: 'owner',
    added_at: '',
    version: 1,
    expires_at_epoch_seconds: 0,
    people,
    ...(strangers && { strangers }),
  };
}

const tooMany = (how: string) =>
  expect.objectContaining({ code: 'too_many_tries', message: `Too many wrong PINs. ${how}` });
const oneMore = (on: SharedPhone, userId = 'ama') => oneMoreTry({ now: () => NOW_MS }, on, userId);

describe('a wrong PIN attempt', () => {
  test('starts a new month of attempts', () => {
    const first = { wrong: 1, wait_until_ms: NOW_MS, month_began_ms: NOW_MS, wrong_in_month: 1 };
    expect({ ofSome: oneMore(phone({ ama: {} })), ofNobody: oneMore(phone({})) }).toEqual({
      ofSome: first,
      ofNobody: first,
    });
  });

  test('increases the wait before the next attempt', () => {
    const waits = Array.from({ length: MAX_WRONG }, (_, wrong) => {
      return (oneMore(phone({ ama: { tries: of({ wrong }) } })).wait_until_ms - NOW_MS) / MINUTE_MS;
    });
    expect(waits).toEqual([0, 0, 1, 5, 15, 60, 240, 720, 1440, 0]);
  });

  test('is accepted only after the wait', () => {
    const waiting = (ms: number) => oneMore(phone({ ama: { tries: of({ wrong: 3, wait_until_ms: NOW_MS + ms }) } }));
    expect(waiting(0).wrong).toBe(4);
    expect(() => waiting(1)).toThrow(tooMany('Try again in 1 minute.'));
    expect(() => waiting(5 * MINUTE_MS)).toThrow(tooMany('Try again in 5 minutes.'));
  });

  test('counts towards the month in which it was made', () => {
    const began = (ms: number) =>
      oneMore(phone({ ama: { tries: of({ month_began_ms: NOW_MS - ms, wrong_in_month: 7 }) } }));
    expect(began(MONTH_MS - 1)).toMatchObject({ month_began_ms: NOW_MS - MONTH_MS + 1, wrong_in_month: 8 });
    expect(began(MONTH_MS)).toMatchObject({ month_began_ms: NOW_MS, wrong_in_month: 1 });
  });

  test('counts as a stranger’s attempt for an unknown user id', () => {
    const on = phone({ ama: { tries: of({ wrong: 5 }) } }, of({ wrong: 2 }));
    expect(['constructor', 'kofi', 'ama'].map((id) => oneMore(on, id).wrong)).toEqual([3, 3, 6]);
  });

  test.each<[string, SharedPhone]>([
    ['the user has no attempts left', phone({ ama: { tries: of({ wrong: MAX_WRONG }) } })],
    ['the user has no attempts left this month', phone({ ama: { tries: of({ wrong_in_month: MAX_WRONG_IN_MONTH }) } })],
    ['the phone has no attempts left', phone({ ama: {}, kofi: { tries: of({ wrong: MAX_WRONG_OF_PHONE }) } })],
  ])('is rejected if %s', (_, on) => {
    expect(() => oneMore(on)).toThrow(tooMany('An owner can unlock this phone under Settings, Shared phones.'));
  });
});

test('a user is locked after the last allowed PIN attempt', () => {
  const locked = [
    { wrong: MAX_WRONG - 1, wrong_in_month: MAX_WRONG_IN_MONTH - 1 },
    { wrong: MAX_WRONG },
    { wrong_in_month: MAX_WRONG_IN_MONTH },
  ].map((tries) => isLocked(of(tries)));
  expect(locked).toEqual([false, true, true]);
});

test('too many wrong attempts lock a phone, even if spread over its users', () => {
  const half = of({ wrong: MAX_WRONG_OF_PHONE / 2 });
  const less = of({ wrong: MAX_WRONG_OF_PHONE / 2 - 1 });
  const all = [phone({ ama: { tries: half }, kofi: { tries: less }, efua: {} }), phone({ ama: { tries: half } }, half)];
  expect(all.map(isPhoneLocked)).toEqual([false, true]);
});

test('a correct PIN resets the count of consecutive wrong attempts', () => {
  const tries = { wrong: 4, wait_until_ms: NOW_MS, month_began_ms: 5, wrong_in_month: 9 };
  expect(afterRightTry(tries)).toEqual({ wrong: 0, wait_until_ms: 0, month_began_ms: 5, wrong_in_month: 8 });
});
