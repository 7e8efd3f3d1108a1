import { hasCode } from '../values/errors.ts';
import { busy, isThrottled } from './contention.ts';
import type { Table, TableWrite } from './table.ts';

interface Many {
  readonly rows: readonly (readonly TableWrite[])[];
  readonly together: number;
  readonly first?: readonly TableWrite[];
  /** Pause between transactions, to stay below one partition's throughput limit. */
  readonly pauseMs?: number;
  /**
   * Returns the error message if a later transaction is refused. The message says how many rows were written, and how
   * to finish.
   */
  readonly onlySome: (written: number) => string;
}

/**
 * Writes more rows than fit into one transaction, in order. `commit` writes the last rows together with a completion
 * marker. Calling this function again resumes the work if the rows are idempotent.
 * @throws PublicError `busy` with `onlySome` if the table is throttled midway. Otherwise, the transaction's error.
 */
export async function writeInTransactions<Result>(
  { table, sleep }: { readonly table: Table; readonly sleep: (ms: number) => Promise<void> },
  { rows, together, first = [], pauseMs = 0, onlySome }: Many,
  commit: (writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const last = Math.max(0, Math.floor((rows.length - 1) / together) * together);
  const writesFrom = (from: number) => [...(from === 0 ? first : []), ...rows.slice(from, from + together).flat()];
  let written = 0;
  try {
    for (; written < last; written += together, await sleep(pauseMs)) await table.write(writesFrom(written));
    return await commit(writesFrom(last));
  } catch (error) {
    const isBusy = isThrottled(error) || hasCode(error, 'busy');
    throw written > 0 && isBusy ? busy(onlySome(written)) : error;
  }
}
