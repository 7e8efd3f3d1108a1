/**
 * lease   LEASE / <name>   holder and end time of an exclusive task, and the memo of its last run
 */
import { isoOf, nowIso, type TableOutside, type WriteOutside } from '../outside/outside.ts';
import { changeItem } from './table.ts';

export interface Lease {
  readonly memo: unknown;
  release(memo: unknown): Promise<void>;
}

/** Acquires a lease for `seconds`, or returns undefined while another process holds it. */
export async function acquireLease(outside: WriteOutside, name: string, seconds: number): Promise<Lease | undefined> {
  const Key = { pk: 'LEASE', sk: name };
  const holder = outside.randomBytes(12).toString('base64url');
  const nowMs = outside.now();
  const item = await outside.table.update(
    changeItem(
      Key,
      { holder, until_ms: nowMs + seconds * 1000, started_at: isoOf(nowMs) },
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
  const { finished_at: at, memo } = (await outside.table.get({ pk: 'LEASE', sk: name })) ?? {};
  return typeof at === 'string' ? { at, memo } : undefined;
}
