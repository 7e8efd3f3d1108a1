import { type Clock, nowSeconds } from '../outside/outside.ts';
import { sha256 } from '../values/sha256.ts';
import type { Key, TableWrite } from './table.ts';

interface Limit {
  readonly most: number;
  readonly keptSeconds: number;
  /** How many are counted at once. */
  readonly count?: number;
}

/** One more of what a row counts, or `count` more, in the transaction of what is counted; refused beyond `most`. */
export function countUpTo(
  outside: Clock,
  Key: Key,
  { most, keptSeconds, count = 1 }: Limit,
  refused: TableWrite['refused'],
): TableWrite {
  const end = nowSeconds(outside) + keptSeconds;
  return {
    update: {
      Key,
      UpdateExpression: 'SET expires_at_epoch_seconds = :end ADD counted :count',
      ConditionExpression: 'attribute_not_exists(counted) OR counted <= :left',
      ExpressionAttributeValues: { ':count': count, ':left': most - count, ':end': end },
    },
    refused,
  };
}

/** Beyond a limit for everybody, so many times as much is there for addresses that had few. */
export const TIMES_FOR_FEW = 10;

export interface FairLimit {
  /** Whose limit, and the period that it is for. An address has a row beside it. */
  readonly key: Key;
  readonly keptSeconds: number;
  readonly most: number;
  /** Of these, for one address. */
  readonly mostOfAddress?: number;
  /** What an address may have where `most` is reached. */
  readonly few: number;
  readonly refused: () => Error;
}

class TotalReached extends Error {}

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
  const { key, keptSeconds, most, mostOfAddress = most, few, refused } = limit;
  const ofAddress = { pk: key.pk, sk: `${key.sk}#${addressOf(key, sourceIp)}` };
  try {
    return await write([
      countUpTo(outside, key, { most, keptSeconds }, () => new TotalReached()),
      countUpTo(outside, ofAddress, { most: mostOfAddress, keptSeconds }, refused),
    ]);
  } catch (error) {
    if (!(error instanceof TotalReached)) throw error;
  }
  return write([
    countUpTo(outside, key, { most: TIMES_FOR_FEW * most, keptSeconds }, refused),
    countUpTo(outside, ofAddress, { most: few, keptSeconds }, refused),
  ]);
}

/** Hashed with whose limit and its period, so that no row says where somebody was. */
function addressOf({ pk, sk }: Key, sourceIp: string): string {
  return sha256([pk, sk, networkOf(sourceIp)].join('\n')).slice(0, 16);
}

/** Anyone with an IPv6 address has very many that begin alike. */
export function networkOf(sourceIp: string): string {
  return sourceIp.split(':').slice(0, 3).join(':');
}
