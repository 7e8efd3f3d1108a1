/**
 * lease   LEASE / <name>   the current holder of an exclusive task, the time when the lease ends, and the last holder's
 *                          memo
 */
import { isoOf, nowIso, type TableOutside, type WriteOutside } from '../outside/outside.ts';
import { changeItem } from './table.ts';

export interface Lease {
  readonly memo: unknown;
  release(memo: unknown): Promise<void>;
}

/**
 * Acquires a lease for `seconds`, after which a crashed holder loses it. Returns undefined while another process holds
 * it.
 */
export async function acquireLease(outside: WriteOutside, name: string, seconds: number): Promise<Lease | undefined> {
  const Key = { pk: 'LEASE', sk: name };
  const holder = outside.randomBytes(12).toString('base64url');
  const nowMs = outside.now();
  const item = await outside.table.update(
    changeItem(
      Key,
      { holder, until_ms: nowMs + seconds * 1000, started_at: isoOf(nowMs) },
      {
        // This process may already be the holder, because the SDK repeats a request if the response is lost. A lease
        // that ends much later than ours would was acquired with a wrong clock. Without the check, it would last for as
        // long as that clock was ahead.
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

/** Returns the end time (ISO) and memo of the last completed run. Returns undefined if no run has completed. */
export async function lastFinished(outside: TableOutside, name: string) {
  const { finished_at: at, memo } = (await outside.table.get({ pk: 'LEASE', sk: name })) ?? {};
  return typeof at === 'string' ? { at, memo } : undefined;
}
