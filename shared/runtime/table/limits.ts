import { type Clock, endsIn, nowIso, nowSeconds } from '../outside/outside.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../values/calendar.ts';
import { PublicError, retryAfter } from '../values/errors.ts';
import { sha256 } from '../values/sha256.ts';
import { changeItem, type Key, type TableWrite } from './table.ts';

/** How long each is, and how it is written: the beginning of an ISO time. A day is one of Accra. */
const PERIODS = {
  minute: { seconds: 60, characters: '2026-11-20T08:15'.length },
  hour: { seconds: HOUR_SECONDS, characters: '2026-11-20T08'.length },
  day: { seconds: DAY_SECONDS, characters: '2026-11-20'.length },
} as const;
type Period = keyof typeof PERIODS;

/** A limit of the service, of which docs/operate/operating.md has the table: who counts in one row, how many may be counted there, and what refuses more. */
export interface Limit {
  /** The row, given the minute, the hour or the day that it counts. */
  readonly key: (period: string) => Key;
  readonly per: Period;
  /** What the row counts, each up to its most: all of them, and shares such as those of one address or one hour. */
  readonly most: Readonly<Record<string, number>>;
  /** Words for the caller, who is told when the next period begins; or what else it means. */
  readonly refused?: string | TableWrite['refused'];
}

/** Counts one more, or `by` more, in the transaction of what is counted; refused beyond the limit. */
export function countUpTo(outside: Clock, limit: Limit, by = 1): TableWrite {
  const { key, per, most, refused } = limit;
  const ends = endsIn(outside, 2 * PERIODS[per].seconds);
  const period = periodOf(outside, limit);
  // Of the period that is counted: the refusal may come in the next one.
  const left = secondsLeft(outside, per);
  const tooMany = (says: string) => new PublicError('too_many_requests', says, retryAfter(left));
  return changeItem(key(period), ends, {
    upTo: most,
    by,
    refused: typeof refused === 'string' ? () => tooMany(refused) : refused,
  });
}

function periodOf(outside: Clock, { per }: Pick<Limit, 'per'>): string {
  return nowIso(outside).slice(0, PERIODS[per].characters);
}

/** Until the next minute, hour or day begins. */
export function secondsLeft(outside: Clock, per: Period): number {
  const { seconds } = PERIODS[per];
  return seconds - (nowSeconds(outside) % seconds);
}

/** Counts one of three in any 24 hours: no midnight gives three more at once to a number that strangers may write. The row has the last three. */
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

/** Beyond a limit for everybody, so many times as much is there for addresses that had few. */
export const TIMES_FOR_FEW = 10;

/** A limit for whatever anybody on the internet may do at a merchant's expense. An address has a row of its own beside everybody's. */
export interface FairLimit extends Omit<Limit, 'most'> {
  readonly most: number;
  /** What an address may have where `most` is reached. */
  readonly few: number;
}

class MostReached extends Error {}

/**
 * Counts what anybody on the internet may do, in the transaction of `write`. Once the total is reached only an address that has had a few
 * is refused, and everybody at ten times the total: a handful of addresses shuts nobody else out.
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

/** A limit for what costs little: each address has its own, so nobody is refused because of others. */
export interface AddressLimit extends Omit<Limit, 'most'> {
  readonly most: number;
  /** Raises the limit for the minute, hour or day that is counted. Read only where `most` is reached. */
  readonly more: (period: string) => Promise<number>;
}

/** Counts what anybody on the internet may do, by its address alone, in the transaction of `write`. */
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

/** Hashed with whose limit and its period, so that no row says where somebody was. */
function addressKey({ pk, sk }: Key, sourceIp: string): Key {
  return { pk, sk: `${sk}#${hashedNetwork([pk, sk], sourceIp).slice(0, 16)}` };
}

/** 16 bits of a hashed address: enough to count whose openings are many, and shared by too many addresses to say where somebody was. */
export function addressMark(whose: string, sourceIp: string): string {
  return hashedNetwork([whose], sourceIp).slice(0, 4);
}

/** Anyone with an IPv6 address has very many that begin alike. */
function hashedNetwork(salt: readonly string[], sourceIp: string): string {
  return sha256([...salt, sourceIp.split(':').slice(0, 3).join(':')].join('\n'));
}
