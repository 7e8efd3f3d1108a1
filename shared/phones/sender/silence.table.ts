/*
 * silence   SILENCE#<merchant> / SILENT#<number>   since when the phone of one of a merchant's numbers is not heard: told once
 */
import * as z from 'zod/mini';
import type { Clock, TableOutside } from '../../runtime/outside/outside.ts';
import { createItem, type Item, type TableWrite } from '../../runtime/table/table.ts';

const Silence = z.object({ merchant_id: z.string(), number: z.string(), since: z.string() });
export type Silence = z.infer<typeof Silence>;

/** Where it is forgotten that a phone was told to be silent, its next silence is told again from then on. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;

const keyOf = (merchantId: string, number: string) => ({ pk: `SILENCE#${merchantId}`, sk: `SILENT#${number}` });

export const parseSilence = (item: Item): Silence => z.parse(Silence, item);

/** Stores that a number's phone is silent, for one merchant; once, until it is forgotten. */
export function createSilence({ now }: Clock, merchant_id: string, number: string): TableWrite {
  const silence: Silence = { merchant_id, number, since: new Date(now()).toISOString() };
  const expires_at_epoch_seconds = Math.floor(now() / 1000) + KEPT_SECONDS;
  return createItem({ ...keyOf(merchant_id, number), ...silence, expires_at_epoch_seconds }, () => undefined);
}

export async function forgetSilence(outside: TableOutside, merchantId: string, number: string): Promise<void> {
  await outside.table.remove(keyOf(merchantId, number));
}
