/**
 * refused callbacks   REFUSED_CALLBACK / <gateway>#<device>#<reason>   the number of refused callbacks, and the time of
 *                                                                      the last one
 *
 * These rows explain why callbacks from a phone do not arrive. They do not raise an alarm, because anybody on the
 * internet can send callbacks here. For the same reason, the number of rows is limited: all devices without a key share
 * one row, and so do all callbacks to unknown accounts. Callbacks from outside are counted in the same way whether or
 * not the account exists. Otherwise the response time, which is longer with a write, would reveal whether the account
 * exists.
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
  /**
   * The device id in the callback or, for devices without a key here, in the latest one. Unset if the callback was not
   * an event.
   */
  device_id: z.optional(z.string()),
  /** Seconds that the phone's clock was ahead. Negative if it was behind. */
  skew_seconds: z.optional(z.number()),
  /** A lower bound, because each function instance counts at most one refusal in ten seconds. */
  count: z.number(),
  first_at: z.string(),
  last_at: z.string(),
});
export type RefusedCallback = z.infer<typeof RefusedCallback>;
export type Refused = Pick<RefusedCallback, 'reason' | 'gateway' | 'device_id' | 'skew_seconds'>;

const refusedRows = rows(RefusedCallback, { pk: 'REFUSED_CALLBACK', sk: '<sk>' });
/**
 * Minimum seconds between two writes by one function instance, per phone and reason. All unknown devices count as one
 * phone.
 */
const REFUSED_NOTED_SECONDS = 10;
const KEPT_SECONDS = 7 * DAY_SECONDS;
/** Maximum length of a device id. Real ones have 21 characters. */
const MAX_DEVICE_CHARACTERS = 64;

const STRANGERS = 'strangers';

const isDue = onceEvery(REFUSED_NOTED_SECONDS);

/** Counts a refused callback. Returns false if a similar one was counted moments ago. */
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
