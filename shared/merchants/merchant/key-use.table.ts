/**
 * key use   KEY_USE#<sha256 of the key> / KEY_USE   records that a key was used in the current hour. `work/follow-up`
 *                                                   copies the time to the key's row
 *
 * Every function that accepts keys can write this row, but not the key's own row with its merchant and permissions.
 */
import * as z from 'zod/mini';
import { endsIn, isoOf, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { Item } from '../../runtime/table/table.ts';
import { DAY_SECONDS, HOUR_MS } from '../../runtime/values/calendar.ts';
import { type ApiKey, setLastUse } from './api-key.table.ts';

const KEPT_SECONDS = DAY_SECONDS;

const KeyUse = z.object({ hash: z.string(), last_used_at: z.string() });
const keyUseRows = rows(KeyUse, { pk: 'KEY_USE#<hash>', sk: 'KEY_USE' });

/** Cached keys whose use has already been recorded. */
const noted = new WeakSet<ApiKey>();

/** Records that a key was used, about once an hour. Runs in parallel with the request and never throws. */
export async function noteUse(outside: Pick<Outside, 'table' | 'now' | 'log'>, key: ApiKey): Promise<void> {
  if (noted.has(key)) return;
  noted.add(key);
  const hourAgo = isoOf(outside.now() - HOUR_MS);
  if (key.last_used_at !== undefined && key.last_used_at > hourAgo) return;
  try {
    const { hash, merchant_id } = key;
    const use = { hash, merchant_id, last_used_at: nowIso(outside), ...endsIn(outside, KEPT_SECONDS) };
    const when = 'attribute_not_exists(pk) OR last_used_at <= :before';
    const isOld = { when, values: { ':before': hourAgo }, refused: () => undefined };
    await outside.table.write([keyUseRows.put(use, isOld)]);
  } catch (error) {
    outside.log.warn('key_use_not_noted', { merchant_id: key.merchant_id, error });
  }
}

export async function carryUse(outside: TableOutside, image: Item): Promise<void> {
  const { hash, last_used_at } = keyUseRows.parse(image);
  await setLastUse(outside, hash, last_used_at);
}
