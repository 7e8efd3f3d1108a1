/**
 * sent code   SENT_CODE#<number> / CODE   expiry of the latest one-time code sent to a person by any merchant
 */
import * as z from 'zod/mini';
import type { Clock, TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';

const sentCodeRows = rows(z.object({ until: z.string() }), {
  pk: 'SENT_CODE#<number>',
  sk: 'CODE',
});

/** Records that a person has a one-time code that is valid until `until` (ISO). Never shortens the stored time. */
export async function noteSentCode(outside: TableOutside, number: string, until: string): Promise<void> {
  const set = { until, expires_at_epoch_seconds: Math.ceil(Date.parse(until) / 1000) };
  const when = 'attribute_not_exists(#until) OR #until < :until';
  await outside.table.update(sentCodeRows.change({ number }, set, { when }));
}

export async function mayHaveCode(outside: TableOutside & Clock, number: string): Promise<boolean> {
  const sent = await sentCodeRows.find(outside, { number });
  return sent !== undefined && outside.now() < Date.parse(sent.until);
}
