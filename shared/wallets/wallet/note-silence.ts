import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import { createSilence, forgetSilence } from '../../phones/sender/silence.table.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';

/**
 * Updates each merchant's list of silent phone numbers. `known` is the result of the previous run.
 * @returns the silent numbers, for the next run.
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
