/**
 * verification      VERIFICATION#<id> / VERIFICATION                   a hashed code sent to a number, and its
 *                                                                      attempts. The id is the send's id
 * verified number   VERIFICATION_NUMBER#<merchant>#<number> / NUMBER   the newest code sent to a number, times of
 *                                                                      recent codes, and number of wrong attempts
 * verifications     VERIFICATION_DAY#<merchant> / <day>                number of codes that a merchant sent that day,
 *                                                                      in total and per hour
 * wrong codes       VERIFICATION_DAY#<merchant> / WRONG                number of wrong attempts for a merchant in the
 *                                                                      last day, in total and per hour in which the
 *                                                                      code was created
 *
 * Attempts are counted in three of these rows before the code is compared, so that simultaneous attempts have no
 * advantage. A correct code removes its attempts from the counts.
 */
import * as z from 'zod/mini';
import { endsIn, type IdOutside, isoOf, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { countUpTo, secondsLeft } from '../../runtime/table/limits.ts';
import { countTry, keepCode, NoCode, oneTimeCode, useUp } from '../../runtime/table/one-time-code.ts';
import { rows } from '../../runtime/table/rows.ts';
import { changeItem, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS, HOUR_MS } from '../../runtime/values/calendar.ts';
import { PublicError, retryAfter, TRY_AGAIN } from '../../runtime/values/errors.ts';

export const MAX_TRIES_OF_CODE = 5;
/** Maximum number of wrong attempts per number per day. A code has at least six digits. */
export const MAX_WRONG_OF_NUMBER = 10;
/** Maximum number of wrong attempts per merchant per day, not counting attempts before a correct one. */
export const MAX_WRONG_OF_MERCHANT = 100;
/** Maximum number of codes per number. Customers with a slow phone may request two or three. */
export const MAX_CODES_OF_NUMBER = { hour: 5, day: 10 } as const;
/** Maximum number of codes per merchant. The hourly limit is the capacity of the fastest SIM. */
export const MAX_CODES_OF_MERCHANT = { hour: 200, day: 1_000 } as const;

const Verification = z.object({
  send_id: z.string(),
  merchant_id: z.string(),
  to: z.string(),
  created_at: z.string(),
  ...oneTimeCode,
});
export type Verification = z.infer<typeof Verification>;

const VerifiedNumber = z.object({
  merchant_id: z.string(),
  to: z.string(),
  newest: z.string(),
  sent_ms: z.array(z.number()),
  wrong: z.number(),
  /** Start of the daily count of wrong attempts. A new code at least a day later restarts the count. */
  wrong_since_ms: z.number(),
});
export type VerifiedNumber = z.infer<typeof VerifiedNumber>;

type OfDay = Pick<Verification, 'merchant_id' | 'created_at'>;

export const verificationRows = rows(Verification, { pk: 'VERIFICATION#<send_id>', sk: 'VERIFICATION' });
export const verifiedNumberRows = rows(VerifiedNumber, { pk: 'VERIFICATION_NUMBER#<merchant_id>#<to>', sk: 'NUMBER' });
const wrongKey = ({ merchant_id }: Pick<Verification, 'merchant_id'>) => ({
  pk: `VERIFICATION_DAY#${merchant_id}`,
  sk: 'WRONG',
});
/** Returns the name of the hourly counter that a code's attempts belong to: `wrong_2026112309`. */
const wrongOf = (created_at: string) => `wrong_${created_at.slice(0, 13).replace(/\D/g, '')}`;
/**
 * Lifetime of an hourly counter of wrong attempts. The period is rolling, because a reset at midnight would double the
 * limit.
 */
const WRONG_COUNT_MS = DAY_MS + 2 * HOUR_MS;

export async function getWrong({ table }: TableOutside, owner: Pick<Verification, 'merchant_id'>) {
  return table.get(wrongKey(owner));
}

/**
 * Stores and counts a code, which becomes the only valid one for its number. `known` is the number's current row.
 * `wrong` comes from `getWrong`.
 * @throws PublicError `too_many_requests` or `too_many_tries`. The writes fail with the same errors or with `Changed`.
 */
export function createVerification(
  outside: IdOutside,
  verification: Omit<Verification, 'tries' | 'code_salt' | 'code_hash'>,
  code: string,
  { known, wrong }: { readonly known: VerifiedNumber | undefined; readonly wrong: Item | undefined },
): TableWrite[] {
  const { valid_until } = verification;
  return [
    countOfMerchant(outside, verification),
    countOfNumber(outside, verification, known),
    forgetWrong(outside, verification, wrong),
    verificationRows.create({
      ...verification,
      ...keepCode(outside, code, valid_until),
      expires_at_epoch_seconds: Math.floor(Date.parse(valid_until) / 1000) + DAY_SECONDS,
    }),
  ];
}

/** Records the time of a code. Fails if another code was recorded in the meantime. */
function countOfNumber(
  outside: IdOutside,
  { send_id, merchant_id, to }: Pick<Verification, 'send_id' | 'merchant_id' | 'to'>,
  known: VerifiedNumber | undefined,
): TableWrite {
  const nowMs = outside.now();
  const sent_ms = (known?.sent_ms ?? []).filter((ms) => ms > nowMs - DAY_MS);
  for (const [most, spanMs] of [
    [MAX_CODES_OF_NUMBER.hour, HOUR_MS],
    [MAX_CODES_OF_NUMBER.day, DAY_MS],
  ] as const) {
    const oldest = sent_ms.at(-most) ?? 0;
    if (oldest > nowMs - spanMs) throw tooManyCodes(oldest + spanMs - nowMs);
  }
  const sinceMs = known?.wrong_since_ms ?? 0;
  const isNewDay = sinceMs <= nowMs - DAY_MS;
  const set = {
    merchant_id,
    to,
    newest: send_id,
    sent_ms: [...sent_ms, nowMs],
    ...(isNewDay && { wrong: 0, wrong_since_ms: nowMs }),
    ...endsIn(outside, 2 * DAY_SECONDS),
  };
  const values = { ':read': known?.newest, ...(!isNewDay && { ':most': MAX_WRONG_OF_NUMBER }) };
  const when = `#newest = :read${isNewDay ? '' : ' AND wrong < :most'}`;
  return {
    ...verifiedNumberRows.change(set, set, known ? { when, values } : { when: 'attribute_not_exists(pk)' }),
    refused: (current) =>
      current?.newest === known?.newest
        ? tooManyTries('this number', sinceMs + DAY_MS - nowMs)
        : new Changed('busy', 'Another code is being sent to this number. Nothing was done. Try again.'),
  };
}

function countOfMerchant(outside: IdOutside, { merchant_id, created_at }: OfDay): TableWrite {
  const { hour, day } = MAX_CODES_OF_MERCHANT;
  const atMade = { now: () => Date.parse(created_at) };
  return countUpTo(atMade, {
    key: (sk) => ({ pk: `VERIFICATION_DAY#${merchant_id}`, sk }),
    per: 'day',
    most: { codes: day, [`hour_${created_at.slice(11, 13)}`]: hour },
    refused: (current) => {
      const isDay = Number(current?.codes) >= day;
      return new PublicError(
        'too_many_requests',
        `You have reached the limit of ${isDay ? `${day} codes a day` : `${hour} codes an hour`}. Nothing was debited. Wait until the limit is reset.`,
        retryAfter(secondsLeft(outside, isDay ? 'day' : 'hour')),
      );
    },
  });
}

function forgetWrong(outside: IdOutside, owner: OfDay, read: Item | undefined): TableWrite {
  const last = wrongOf(isoOf(outside.now() - WRONG_COUNT_MS));
  const old = hoursOf(read).filter(([name]) => name <= last);
  const sum = old.reduce((total, [, tries]) => total + tries, 0);
  const forgotten = Object.fromEntries(old.map(([name]) => [name, undefined]));
  const written = changeItem(
    wrongKey(owner),
    { merchant_id: owner.merchant_id, ...endsIn(outside, 2 * DAY_SECONDS), ...forgotten },
    {
      when: old.map(([name]) => `#${name} = :${name}`).join(' AND '),
      values: Object.fromEntries(old.map(([name, n]) => [`:${name}`, n])),
      upTo: { wrong: MAX_WRONG_OF_MERCHANT - 1 },
      by: -sum,
    },
  );
  return {
    ...written,
    refused: (current) =>
      Number(current?.wrong) < MAX_WRONG_OF_MERCHANT + sum
        ? new Changed('busy', 'Another code is being created. Nothing was done. Try again.')
        : tooManyWrong(outside.now(), current),
  };
}

function hoursOf(row: Item | undefined): [string, number][] {
  return Object.entries(row ?? {}).flatMap(([name, tries]) =>
    /^wrong_\d+$/.test(name) ? [[name, Number(tries)]] : [],
  );
}

function tooManyWrong(nowMs: number, current: Item | undefined): PublicError {
  const [first = ''] = hoursOf(current)
    .flatMap(([name, tries]) => (tries > 0 ? [name] : []))
    .toSorted();
  const [, day = '', hour = ''] = /^wrong_(\d{8})(\d\d)$/.exec(first) ?? [];
  const madeMs = Date.parse(`${day.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')}T${hour}:00:00Z`);
  return tooManyTries('your customers', (Number.isNaN(madeMs) ? nowMs : madeMs) + WRONG_COUNT_MS - nowMs);
}

function tooManyCodes(waitMs: number): PublicError {
  const { hour, day } = MAX_CODES_OF_NUMBER;
  return new PublicError(
    'too_many_requests',
    `A number can be sent at most ${hour} codes an hour and ${day} a day. Nothing was debited. Wait, or use the last code that was sent to it.`,
    retryAfter(waitMs / 1000),
  );
}

function tooManyTries(owner: string, waitMs: number): PublicError {
  return new PublicError(
    'too_many_tries',
    `Too many wrong codes were entered for ${owner}. Nothing was done. Wait, and check whether somebody is guessing codes.`,
    retryAfter(waitMs / 1000),
  );
}

/**
 * Counts an attempt. The writes fail with `NoCode` if the code is no longer valid or belongs to another merchant, and
 * with `too_many_tries` above a daily limit.
 */
export function countTries({ now }: TimedOutside, verification: Verification): TableWrite[] {
  const { send_id, merchant_id, created_at } = verification;
  const nowMs = now();
  return [
    changeItem(
      wrongKey({ merchant_id }),
      {},
      {
        upTo: { wrong: MAX_WRONG_OF_MERCHANT },
        add: { [wrongOf(created_at)]: 1 },
        refused: (current) => tooManyWrong(nowMs, current),
      },
    ),
    verifiedNumberRows.change(verification, {}, { ...ifNewest(send_id), upTo: { wrong: MAX_WRONG_OF_NUMBER } }),
    countTry(verificationRows.key(verification), verification, { most: MAX_TRIES_OF_CODE, validAt: isoOf(nowMs) }),
  ];
}

/**
 * Uses up a code and subtracts its `tries` from the daily counts. The writes fail with `TriedAgain` after further
 * attempts, and with `NoCode` if the code was used or replaced.
 */
export function useCode({ send_id, merchant_id, to, created_at, tries, code_hash }: Verification): TableWrite[] {
  return [
    changeItem(wrongKey({ merchant_id }), {}, { add: { wrong: -tries, [wrongOf(created_at)]: -tries } }),
    verifiedNumberRows.change({ merchant_id, to }, {}, { ...ifNewest(send_id), add: { wrong: -tries } }),
    useUp(
      verificationRows.key({ send_id }),
      { code_hash },
      {
        when: 'tries = :tries',
        values: { ':tries': tries },
        refused: (current) =>
          current?.code_hash === code_hash ? new TriedAgain(Number(current?.tries)) : new NoCode(),
      },
    ),
  ];
}

function ifNewest(sendId: string) {
  return { when: 'newest = :id', values: { ':id': sendId }, refused: () => new NoCode() };
}

/**
 * Thrown if there were more attempts after the code was read, for example after a double tap. The caller retries with
 * the new `tries`.
 */
export class TriedAgain extends Changed {
  readonly tries: number;
  constructor(tries: number) {
    super('busy', `The code is being checked several times at once. Nothing was done. ${TRY_AGAIN}`);
    this.tries = tries;
  }
}
