import { type Clock, endsIn, nowIso, nowSeconds } from '../outside/outside.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../values/calendar.ts';
import { PublicError, retryAfter } from '../values/errors.ts';
import { sha256 } from '../values/sha256.ts';
import { changeItem, type Key, type TableWrite } from './table.ts';

const PERIODS = {
  minute: { seconds: 60, characters: '2026-11-20T08:15'.length },
  hour: { seconds: HOUR_SECONDS, characters: '2026-11-20T08'.length },
  day: { seconds: DAY_SECONDS, characters: '2026-11-20'.length },
} as const;
type Period = keyof typeof PERIODS;

/** A limit of the service. All limits are listed in docs/operate/operating.md. */
export interface Limit {
  readonly key: (period: string) => Key;
  readonly per: Period;
  /** Maximum of each counter in the row, such as the total and the count per hour. */
  readonly most: Readonly<Record<string, number>>;
  /** Message of the `too_many_requests` error, or a function that returns a different error. */
  readonly refused?: string | TableWrite['refused'];
}

/** Adds `by` to the count in the caller's transaction. Fails if the limit would be exceeded. */
export function countUpTo(outside: Clock, limit: Limit, by = 1): TableWrite {
  const { key, per, most, refused } = limit;
  const ends = endsIn(outside, 2 * PERIODS[per].seconds);
  const period = periodOf(outside, limit);
  // Compute this now, because the refusal may arrive in the next period.
  const left = secondsLeft(outside, per);
  const tooMany = (message: string) => new PublicError('too_many_requests', message, retryAfter(left));
  return changeItem(key(period), ends, {
    upTo: most,
    by,
    refused: typeof refused === 'string' ? () => tooMany(refused) : refused,
  });
}

function periodOf(outside: Clock, { per }: Pick<Limit, 'per'>): string {
  return nowIso(outside).slice(0, PERIODS[per].characters);
}

export function secondsLeft(outside: Clock, per: Period): number {
  const { seconds } = PERIODS[per];
  return seconds - (nowSeconds(outside) % seconds);
}

/** Allows three actions in any 24 hours. A limit per calendar day would allow six around midnight. */
export function countThreeADay({ now }: Clock, Key: Key, refused: TableWrite['refused']): TableWrite {
  const nowMs = now();
  const { seconds } = PERIODS.day;
  const update = {
    Key,
    UpdateExpression:
      'SET third_last_ms = if_not_exists(second_last_ms, :never), second_last_ms = if_not_exists(last_ms, :never), last_ms = :now, expires_at_epoch_seconds = :gone',
    ConditionExpression: 'attribute_not_exists(third_last_ms) OR third_last_ms <= :long_ago',
    ExpressionAttributeValues: {
      ':never': 0,
      ':now': nowMs,
      ':long_ago': nowMs - seconds * 1000,
      ':gone': Math.floor(nowMs / 1000) + 2 * seconds,
    },
  };
  return { update, refused };
}

/** Addresses with few requests are rejected only above this multiple of a fair limit. */
export const TIMES_FOR_FEW = 10;

/** A limit on unauthenticated actions that cost a merchant money, counted in total and per address. */
export interface FairLimit extends Omit<Limit, 'most'> {
  readonly most: number;
  readonly few: number;
}

class MostReached extends Error {}

/**
 * Counts a visitor's action in the transaction made by `write`. Above the limit, refuses only addresses with more than
 * `few` actions, so that a few addresses cannot lock out everyone. Above ten times the limit, refuses everyone.
 */
export async function withinFairLimit<Result>(
  outside: Clock,
  limit: FairLimit,
  sourceIp: string,
  write: (counts: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const { key, most, few } = limit;
  const ofAll = (counted: number, more: Partial<Limit> = {}) =>
    countUpTo(outside, { ...limit, most: { counted }, ...more });
  const ofAddress = (counted: number) => ofAll(counted, { key: (period) => addressKey(key(period), sourceIp) });
  try {
    return await write([ofAll(most, { refused: () => new MostReached() }), ofAddress(most)]);
  } catch (error) {
    if (!(error instanceof MostReached)) throw error;
  }
  return write([ofAll(TIMES_FOR_FEW * most), ofAddress(few)]);
}

/** A limit per address, for cheap actions. */
export interface AddressLimit extends Omit<Limit, 'most'> {
  readonly most: number;
  /** Returns how much to raise the limit by in this period. Called only when `most` is reached. */
  readonly more: (period: string) => Promise<number>;
}

export async function withinAddressLimit<Result>(
  outside: Clock,
  { key, most, more, ...limit }: AddressLimit,
  sourceIp: string,
  write: (counts: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const ofAddress = { ...limit, key: (period: string) => addressKey(key(period), sourceIp) };
  try {
    const refused = () => new MostReached();
    return await write([countUpTo(outside, { ...ofAddress, most: { counted: most }, refused })]);
  } catch (error) {
    if (!(error instanceof MostReached)) throw error;
  }
  const counted = most + (await more(periodOf(outside, limit)));
  return write([countUpTo(outside, { ...ofAddress, most: { counted } })]);
}

/**
 * Returns the key of an address's row. The hash includes the limit and period, so that rows cannot be linked to each
 * other.
 */
function addressKey({ pk, sk }: Key, sourceIp: string): Key {
  return { pk, sk: `${sk}#${hashedNetwork([pk, sk], sourceIp).slice(0, 16)}` };
}

/** Returns 16 bits of a hashed address: enough to notice frequent visitors, too few to identify anybody. */
export function addressMark(owner: string, sourceIp: string): string {
  return hashedNetwork([owner], sourceIp).slice(0, 4);
}

/** Hashes an IPv4 address, or the /48 network of an IPv6 address, because one subscriber has many addresses. */
function hashedNetwork(salt: readonly string[], sourceIp: string): string {
  return sha256([...salt, sourceIp.split(':').slice(0, 3).join(':')].join('\n'));
}
