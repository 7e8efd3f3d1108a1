/**
 * silence   SILENCE#<merchant> / SILENT#<number>   the time since which a merchant's phone has been silent, reported
 *                                                  once
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';

const Silence = z.object({ merchant_id: z.string(), number: z.string(), since: z.string() });
export type Silence = z.infer<typeof Silence>;

/** The row is deleted after this time, so that a later silence is reported again. */
const KEPT_SECONDS = 7 * DAY_SECONDS;

export const silenceRows = rows(Silence, { pk: 'SILENCE#<merchant_id>', sk: 'SILENT#<number>' });

/** Records that the phone with a merchant's number is silent. The row is written only once until it expires. */
export function createSilence(outside: Clock, merchant_id: string, number: string): TableWrite {
  const silence: Silence = { merchant_id, number, since: nowIso(outside) };
  return silenceRows.createOnce({ ...silence, ...endsIn(outside, KEPT_SECONDS) });
}

export async function forgetSilence(outside: TableOutside, merchant_id: string, number: string): Promise<void> {
  await outside.table.remove(silenceRows.key({ merchant_id, number }));
}
