/**
 * refused callbacks   REFUSED_CALLBACK / <gateway>#<device>#<reason>   number of rejected callbacks, and the time of
 *                                                                      the last one
 *
 * These rows do not raise an alarm, because anybody can send callbacks. To limit their number, all devices without a
 * key share one row, and so do all unknown accounts. Callbacks to unknown accounts are also counted, so that response
 * times do not reveal which accounts exist.
 */
import * as z from 'zod/mini';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import { endsIn, nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';

const RefusedCallback = z.object({
  reason: z.enum(['unknown_device', 'wrong_signature', 'clock', 'not_an_event', 'unknown_gateway']),
  /** Unset if the account does not exist. */
  gateway: z.optional(z.string()),
  /** Device id in the latest callback. Unset if the callback was not an event. */
  device_id: z.optional(z.string()),
  /** Clock offset in seconds; positive if the phone was ahead. */
  skew_seconds: z.optional(z.number()),
  /** A lower bound: each function instance counts at most one rejection every ten seconds. */
  count: z.number(),
  first_at: z.string(),
  last_at: z.string(),
});
export type RefusedCallback = z.infer<typeof RefusedCallback>;
export type Refused = Pick<RefusedCallback, 'reason' | 'gateway' | 'device_id' | 'skew_seconds'>;

const refusedRows = rows(RefusedCallback, { pk: 'REFUSED_CALLBACK', sk: '<sk>' });
/**
 * Minimum seconds between two writes by one function instance, per phone and reason. Unknown devices count as one
 * phone.
 */
const REFUSED_NOTED_SECONDS = 10;
const KEPT_SECONDS = 7 * DAY_SECONDS;
/** Maximum length of a device id. Real ids have 21 characters. */
const MAX_DEVICE_CHARACTERS = 64;

const STRANGERS = 'strangers';

const isDue = onceEvery(REFUSED_NOTED_SECONDS);

/** Counts a rejected callback. Returns false if a similar one was counted moments ago. */
export async function noteRefused(outside: TimedOutside, { reason, gateway, device_id, skew_seconds }: Refused) {
  const hasKey = reason === 'wrong_signature' || reason === 'clock';
  const sk = [gateway ?? '', hasKey ? device_id : '', reason].join('#');
  if (!isDue(outside, hasKey ? sk : STRANGERS)) return false;
  const now = nowIso(outside);
  const set = {
    reason,
    ...(gateway !== undefined && { gateway }),
    ...(device_id !== undefined && { device_id: device_id.slice(0, MAX_DEVICE_CHARACTERS) }),
    ...(skew_seconds !== undefined && { skew_seconds }),
    last_at: now,
    ...endsIn(outside, KEPT_SECONDS),
  };
  await outside.table.update(refusedRows.change({ sk }, set, { once: { first_at: now }, add: { count: 1 } }));
  return true;
}

export async function listRefused(outside: TimedOutside): Promise<RefusedCallback[]> {
  const items = await outside.table.list('REFUSED_CALLBACK');
  const current = items.filter((item) => Number(item.expires_at_epoch_seconds) * 1000 > outside.now());
  return current.map(refusedRows.parse);
}
