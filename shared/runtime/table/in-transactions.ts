import { hasCode } from '../values/errors.ts';
import { busy, isThrottled } from './contention.ts';
import type { Table, TableWrite } from './table.ts';

interface Many {
  /** What each of the rows needs. */
  readonly rows: readonly (readonly TableWrite[])[];
  /** How many of them are written together. */
  readonly together: number;
  /** Stand in the first transaction. */
  readonly first?: readonly TableWrite[];
  /** Between two, where one partition takes no more. */
  readonly pauseMs?: number;
  /** What is told where a later transaction is refused: that so many rows are written, and what finishes it. */
  readonly onlySome: (written: number) => string;
}

/**
 * Writes more rows than a transaction takes, in their order; `commit` writes the last of them, which may be all, together with what says
 * that all are written. Whoever asks for the same rows again goes on, where writing a row again changes nothing.
 * @throws PublicError `busy` with `onlySome` where the table takes no more in between; otherwise what refuses a transaction.
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
