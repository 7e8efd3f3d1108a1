import { accountRows } from '../merchants/merchant/merchant.table.ts';
import { createSilence, forgetSilence } from '../phones/sender/silence.table.ts';
import type { TimedOutside } from '../runtime/outside/outside.ts';

/**
 * Writes down of which numbers the phones have fallen silent, for each merchant that is paid on them, and forgets those that are heard
 * again. `known` are those of the last run, so that nothing is written while nothing changes; gives those of this one.
 */
export async function noteSilence(
  outside: TimedOutside,
  known: readonly string[],
  silent: readonly string[],
): Promise<string[]> {
  for (const number of silent.filter((one) => !known.includes(one)))
    for (const { merchant_id } of await accountRows.list(outside, { number }))
      await outside.table.write([createSilence(outside, merchant_id, number)]);
  for (const number of known.filter((one) => !silent.includes(one)))
    for (const { merchant_id } of await accountRows.list(outside, { number }))
      await forgetSilence(outside, merchant_id, number);
  return [...silent];
}
