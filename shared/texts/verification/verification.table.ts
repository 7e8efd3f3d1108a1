/**
 * verification      VERIFICATION#<id> / VERIFICATION                   a code that a merchant sent to a number, hashed,
 *                                                                      and the attempts to enter it. The id is that of
 *                                                                      the send
 * verified number   VERIFICATION_NUMBER#<merchant>#<number> / NUMBER   the newest code sent to a number, the times of
 *                                                                      recent codes, and the number of wrong attempts
 * verifications     VERIFICATION_DAY#<merchant> / <day>                the number of codes that a merchant sent on a
 *                                                                      day, in total and in each hour
 * wrong codes       VERIFICATION_DAY#<merchant> / WRONG                the number of wrong attempts for a merchant in
 *                                                                      the last day, in total and by the hours in which
 *                                                                      the codes were created
 *
 * An attempt is counted in three of these rows before the code is compared, so that simultaneous attempts have no
 * advantage over consecutive ones. A correct code removes its own attempts from the counts, so only attempts for codes
 * that were never entered correctly count as wrong.
 */
import * as z from 'zod/mini';
import { endsIn, type IdOutside, isoOf, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { countUpTo, secondsLeft } from '../../runtime/table/limits.ts';
import { countTry, keepCode, NoCode, oneTimeCode, useUp } from '../../runtime/table/one-time-code.ts';
import { rows } from '../../runtime/table/rows.ts';
import { changeItem, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS, HOUR_MS } from '../../runtime/values/calendar.ts';
import { PublicError, retryAfter } from '../../runtime/values/errors.ts';

export const MAX_TRIES_OF_CODE = 5;
/**
 * Maximum number of wrong attempts per number and day. A guess is correct once in a million attempts, so an attacker
 * who uses all ten attempts every day guesses a number's code once in 100,000 days.
 */
export const MAX_WRONG_OF_NUMBER = 10;
/**
 * Maximum number of wrong attempts per merchant and day. An attacker who uses all of them every day guesses the code of
 * one of the merchant's numbers once in 10,000 days. Attempts by people who mistype a code and then succeed do not
 * count.
 */
export const MAX_WRONG_OF_MERCHANT = 100;
/** Maximum number of codes per number. Customers with a slow phone ask for two or three codes. */
export const MAX_CODES_OF_NUMBER = { hour: 5, day: 10 } as const;
/**
 * Maximum number of codes per merchant. The hourly limit is the capacity of the fastest SIM. The daily limit is a
 * working day at half that rate. Both limit the cost if somebody floods a form.
 */
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
  /** The time the count of wrong attempts started. A new code at least a day later restarts the count. */
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
/**
 * Returns the counter's name for the hour in which the code was created (`wrong_2026112309`). A correct code's attempts
 * are subtracted from the same counter.
 */
const wrongOf = (created_at: string) => `wrong_${created_at.slice(0, 13).replace(/\D/g, '')}`;
/**
 * Lifetime of an hourly counter. The last code of its hour was valid for an hour at most. The period is rolling,
 * because a reset at midnight would allow another hundred attempts.
 */
const WRONG_COUNT_MS = DAY_MS + 2 * HOUR_MS;

export async function getWrong({ table }: TableOutside, owner: Pick<Verification, 'merchant_id'>) {
  return table.get(wrongKey(owner));
}

/**
 * Makes a code the only valid one for its number, and counts the code for the number and the merchant. `known` is the
 * number's row as read, and `wrong` comes from `getWrong`.
 * @throws PublicError `too_many_requests` if the number has reached its limit, or `too_many_tries`. The writes fail
 * with the same errors or with `Changed`.
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

/** Stores the times of recent codes, unless another code was added in the meantime. */
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

/** Removes a merchant's counters of wrong attempts that are older than a day, which no longer change. */
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
 * Counts one attempt for a code. The writes fail with `NoCode` if the code was used or replaced, was tried too often,
 * has expired or belongs to another merchant. They fail with `too_many_tries` after too many wrong attempts for the
 * merchant within a day.
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
 * Uses up a code and removes all its `tries` from the counts, including the correct one. The writes fail with
 * `TriedAgain` if there were more attempts in the meantime, and with `NoCode` if the code was used or replaced.
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
 * Thrown if there were more attempts after the code was read, for example because of a double tap. The caller must
 * remove those attempts from the counts as well.
 */
export class TriedAgain extends Changed {
  readonly tries: number;
  constructor(tries: number) {
    super('busy', 'The code is being checked several times at once. Nothing was done. Try again in a second.');
    this.tries = tries;
  }
}
