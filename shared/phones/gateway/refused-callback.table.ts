/*
 * refused callbacks   REFUSED_CALLBACK / <gateway>#<device>#<reason>   how many, and when the last one came
 *
 * They explain why a phone is not heard. They raise no alarm, because anybody on the internet can post here. For the same reason
 * the rows are few: devices without a key here share one, and so do the posts to accounts that do not exist. What strangers post is
 * counted together, whether there is such an account or not: otherwise the time of an answer, with or without a write, would tell a stranger whether
 * an account exists.
 */
import * as z from 'zod/mini';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import { endsIn, nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';

const RefusedCallback = z.object({
  reason: z.enum(['unknown_device', 'wrong_signature', 'clock', 'not_an_event', 'unknown_gateway']),
  /** Unset where there is no such account. */
  gateway: z.optional(z.string()),
  /** Of the devices without a key here, the last one's. Unset where the post was no event. */
  device_id: z.optional(z.string()),
  /** How far ahead the phone's clock was; negative if it was behind. */
  skew_seconds: z.optional(z.number()),
  /** A lower bound: each instance of the function counts one in ten seconds. */
  count: z.number(),
  first_at: z.string(),
  last_at: z.string(),
});
export type RefusedCallback = z.infer<typeof RefusedCallback>;
export type Refused = Pick<RefusedCallback, 'reason' | 'gateway' | 'device_id' | 'skew_seconds'>;

const refusedRows = rows(RefusedCallback, { pk: 'REFUSED_CALLBACK', sk: '<sk>' });
/** Each instance of the function writes this often for a phone and reason, and this often for all strangers together. */
const REFUSED_NOTED_SECONDS = 10;
/** How long a refused callback explains anything. */
const KEPT_SECONDS = 7 * DAY_SECONDS;
/** A device's id has 21; no phone posts a longer one. */
const MAX_DEVICE_CHARACTERS = 64;

const STRANGERS = 'strangers';

const isDue = onceEvery(REFUSED_NOTED_SECONDS);

/** Counts a refused callback. False if one like it was counted a moment ago. */
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

/** What was refused in the last days, by account, phone and reason. */
export async function listRefused(outside: TimedOutside): Promise<RefusedCallback[]> {
  const items = await outside.table.list('REFUSED_CALLBACK');
  const current = items.filter((item) => Number(item.expires_at_epoch_seconds) * 1000 > outside.now());
  return current.map(refusedRows.parse);
}
