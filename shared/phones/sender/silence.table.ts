/**
 * silence   SILENCE#<merchant> / SILENT#<number>   a silent phone of a merchant, reported once
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';

const Silence = z.object({ merchant_id: z.string(), number: z.string(), since: z.string() });
export type Silence = z.infer<typeof Silence>;

/** Retention of the row. A silence that lasts longer is reported again. */
const KEPT_SECONDS = 7 * DAY_SECONDS;

export const silenceRows = rows(Silence, { pk: 'SILENCE#<merchant_id>', sk: 'SILENT#<number>' });

/** Records that a merchant's phone is silent. Does nothing if the silence is already recorded. */
export function createSilence(outside: Clock, merchant_id: string, number: string): TableWrite {
  const silence: Silence = { merchant_id, number, since: nowIso(outside) };
  return silenceRows.createOnce({ ...silence, ...endsIn(outside, KEPT_SECONDS) });
}

export async function forgetSilence(outside: TableOutside, merchant_id: string, number: string): Promise<void> {
  await outside.table.remove(silenceRows.key({ merchant_id, number }));
}
