/**
 * lease   LEASE / <name>   holder and end time of an exclusive task, the memo of its last run, and the table's format
 */
import { isoOf, nowIso, type TableOutside, type WriteOutside } from '../outside/outside.ts';
import { changeItem } from './table.ts';

/**
 * Format of the rows, which is the major version of the releases that can read them. `npm run deploy` refuses a table of
 * another format.
 */
export const TABLE_FORMAT = 2;

export const leaseKey = (name: string) => ({ pk: 'LEASE', sk: name });

export interface Lease {
  readonly memo: unknown;
  release(memo: unknown): Promise<void>;
}

/** Acquires a lease for `seconds`, or returns undefined while another process holds it. */
export async function acquireLease(outside: WriteOutside, name: string, seconds: number): Promise<Lease | undefined> {
  const Key = leaseKey(name);
  const holder = outside.randomBytes(12).toString('base64url');
  const nowMs = outside.now();
  const item = await outside.table.update(
    changeItem(
      Key,
      { holder, until_ms: nowMs + seconds * 1000, started_at: isoOf(nowMs), format: TABLE_FORMAT },
      {
        // Accept our own lease, in case the SDK repeats the request. Ignore a lease that ends far too late, because its
        // holder's clock was wrong.
        when: 'attribute_not_exists(pk) OR until_ms <= :now OR until_ms > :latest OR holder = :holder',
        values: { ':now': nowMs, ':latest': nowMs + 2 * seconds * 1000 },
      },
    ),
  );
  if (!item) return undefined;
  const release = async (memo: unknown) => {
    const finished = { until_ms: 0, finished_at: nowIso(outside), memo: memo ?? null };
    const ours = { when: 'holder = :holder', values: { ':holder': holder } };
    await outside.table.update(changeItem(Key, finished, ours));
  };
  return { memo: item.memo, release };
}

/** Returns the end time (ISO) and memo of the last completed run, or undefined. */
export async function lastFinished(outside: TableOutside, name: string) {
  const { finished_at: at, memo } = (await outside.table.get(leaseKey(name))) ?? {};
  return typeof at === 'string' ? { at, memo } : undefined;
}
