/*
 * silence   SILENCE#<merchant> / SILENT#<number>   since when the phone of one of a merchant's numbers is not heard: told once
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { createItem, type Item, type TableWrite } from '../../runtime/table/table.ts';

const Silence = z.object({ merchant_id: z.string(), number: z.string(), since: z.string() });
export type Silence = z.infer<typeof Silence>;

/** Where it is forgotten that a phone was told to be silent, its next silence is told again from then on. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;

const keyOf = (merchantId: string, number: string) => ({ pk: `SILENCE#${merchantId}`, sk: `SILENT#${number}` });

export const parseSilence = (item: Item): Silence => z.parse(Silence, item);

/** Stores that a number's phone is silent, for one merchant; once, until it is forgotten. */
export function createSilence(outside: Clock, merchant_id: string, number: string): TableWrite {
  const silence: Silence = { merchant_id, number, since: nowIso(outside) };
  const ends = endsIn(outside, KEPT_SECONDS);
  return createItem({ ...keyOf(merchant_id, number), ...silence, ...ends }, () => undefined);
}

export async function forgetSilence(outside: TableOutside, merchantId: string, number: string): Promise<void> {
  await outside.table.remove(keyOf(merchantId, number));
}
