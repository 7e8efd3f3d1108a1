/*
 * silence   SILENCE#<merchant> / SILENT#<number>   since when the phone of one of a merchant's numbers is not heard: told once
 */
import * as z from 'zod/mini';
import { listAccountsOfNumber } from '../merchants/merchant/merchant.table.ts';
import type { TimedOutside } from '../runtime/outside/outside.ts';
import { createItem, type Item } from '../runtime/table/table.ts';

const Silence = z.object({ merchant_id: z.string(), number: z.string(), since: z.string() });
export type Silence = z.infer<typeof Silence>;

/** Where it is forgotten that a phone was told to be silent, its next silence is told again from then on. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;

const keyOf = (merchantId: string, number: string) => ({ pk: `SILENCE#${merchantId}`, sk: `SILENT#${number}` });

export const parseSilence = (item: Item): Silence => z.parse(Silence, item);

/**
 * Writes down of which numbers the phones have fallen silent, for each merchant that is paid on them, and forgets those that are heard
 * again. `known` are those of the last run, so that nothing is written while nothing changes; gives those of this one.
 */
export async function noteSilence(
  outside: TimedOutside,
  known: readonly string[],
  silent: readonly string[],
): Promise<string[]> {
  const expires_at_epoch_seconds = Math.floor(outside.now() / 1000) + KEPT_SECONDS;
  const since = new Date(outside.now()).toISOString();
  for (const number of silent.filter((one) => !known.includes(one)))
    for (const { merchant_id } of await listAccountsOfNumber(outside, number)) {
      const silence: Silence = { merchant_id, number, since };
      const row = { ...keyOf(merchant_id, number), ...silence, expires_at_epoch_seconds };
      await outside.table.write([createItem(row, () => undefined)]);
    }
  for (const number of known.filter((one) => !silent.includes(one)))
    for (const { merchant_id } of await listAccountsOfNumber(outside, number))
      await outside.table.remove(keyOf(merchant_id, number));
  return [...silent];
}
