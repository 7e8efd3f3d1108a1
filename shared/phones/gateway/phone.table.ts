/*
 * phone   PHONE / <gateway>#<device>   when it last posted something that it had signed, and when it pinged;
 *                                      when it was last asked for its inbox; how late its texts are posted
 * pings   PHONE / <gateway>#           since when the phones of an account are to ping: set by `gateway connect`
 *
 * Few, and read together.
 */
import * as z from 'zod/mini';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import { endsIn, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';

const Phone = z.object({
  gateway: z.string(),
  device_id: z.string(),
  /** In milliseconds since 1970, as the times below. */
  heard_ms: z.number(),
  /** Its last pings, the newest first. */
  pinged_ms: z.optional(z.array(z.number())),
  /** How long a text took from the phone to us, of those that are noted the last one. Where a forwarding app posts them. */
  delay_ms: z.optional(z.number()),
  /** The last text that took too long. */
  late: z.optional(z.object({ at_ms: z.number(), delay_ms: z.number() })),
});
export type Phone = z.infer<typeof Phone>;

const Pings = z.object({ gateway: z.string(), pings_since_ms: z.number() });

const phoneRows = rows(Phone, { pk: 'PHONE', sk: '<gateway>#<device_id>' });
/** The row of an account, beside those of its phones. */
const ofAccount = (gateway: string) => ({ gateway, device_id: '' });

/** A phone that is not heard from for this long is forgotten. */
const PHONE_KEPT_SECONDS = 30 * 24 * 60 * 60;
/** Each instance of a function writes down this often that it heard from a phone, however much the phone posts. */
export const HEARD_NOTED_SECONDS = 5 * 60;
/** A phone that pings more often than this is written down less often than it pings, which is often enough. */
const PING_NOTED_SECONDS = 60;
/** Enough to know its interval: a ping that was lost, or came late, changes nothing. */
const PINGS_KEPT = 4;

const isDue = onceEvery(HEARD_NOTED_SECONDS);
/** Apart from those that come in time: what is late must not wait until something else is noted again. */
const isLateDue = onceEvery(HEARD_NOTED_SECONDS);
const isPingDue = onceEvery(PING_NOTED_SECONDS);

/** A text that takes longer from the phone to us keeps its payer waiting at the counter. SMSGate's app posts within seconds. */
export const LATE_MS = 2 * 60 * 1000;

/**
 * Records that a phone posted something that it had signed: it is alive, and its key and clock are right. `delayMs` is how long ago it received
 * what it posted.
 */
export async function noteHeard(
  outside: TimedOutside,
  gateway: string,
  device_id: string,
  { isPing = false, delayMs: delay_ms }: { isPing?: boolean; delayMs?: number },
): Promise<void> {
  const Key = phoneRows.key({ gateway, device_id });
  const isLate = delay_ms !== undefined && delay_ms > LATE_MS;
  const isNoteDue = isLate ? isLateDue : isPing ? isPingDue : isDue;
  if (!isNoteDue(outside, Key.sk)) return;
  const nowMs = outside.now();
  const pinged = isPing ? (Phone.safeParse(await outside.table.get(Key)).data?.pinged_ms ?? []) : [];
  // The phone posts a ping again whose answer was late, and another instance may take that: it is one ping all the same.
  const before = pinged.filter((atMs) => nowMs - atMs >= PING_NOTED_SECONDS * 1000);
  const set = {
    gateway,
    device_id,
    heard_ms: nowMs,
    ...(delay_ms !== undefined && { delay_ms }),
    ...(isLate && { late: { at_ms: nowMs, delay_ms } }),
    ...(isPing && { pinged_ms: [nowMs, ...before].slice(0, PINGS_KEPT) }),
    ...endsIn(outside, PHONE_KEPT_SECONDS),
  };
  await outside.table.update(phoneRows.change({ gateway, device_id }, set));
}

/** A phone is asked for its inbox this often at most, so that forged texts cannot keep it busy. */
export const INBOX_ASKED_MS = 10 * 60 * 1000;
/** A server that cannot have a phone read its inbox is asked again after a day: it may have been updated. */
export const NO_INBOX_MS = 24 * 60 * 60 * 1000;

/** Takes the turn to ask a phone for its inbox. False if it was asked a moment ago, or its server cannot. */
export async function takeInboxTurn(outside: TimedOutside, gateway: string, device_id: string): Promise<boolean> {
  const nowMs = outside.now();
  const taken = await outside.table.update(
    phoneRows.change(
      { gateway, device_id },
      { next_inbox_ms: nowMs + INBOX_ASKED_MS },
      {
        when: 'attribute_not_exists(next_inbox_ms) OR next_inbox_ms <= :now',
        values: { ':now': nowMs },
        once: endsIn(outside, PHONE_KEPT_SECONDS),
      },
    ),
  );
  return taken !== undefined;
}

/** Records that a phone's server cannot have it read its inbox. */
export async function noteNoInbox(outside: TimedOutside, gateway: string, device_id: string): Promise<void> {
  const next = { next_inbox_ms: outside.now() + NO_INBOX_MS };
  const when = 'attribute_exists(next_inbox_ms)';
  await outside.table.update(phoneRows.change({ gateway, device_id }, next, { when }));
}

/** Records since when the phones of an account are to ping. Connecting it again does not restart that time. */
export async function expectPings(outside: TimedOutside, gateway: string): Promise<void> {
  await outside.table.update(
    phoneRows.change(ofAccount(gateway), { gateway }, { once: { pings_since_ms: outside.now() } }),
  );
}

/** Records that they no longer have to ping. */
export async function expectNoPings(outside: TableOutside, gateway: string): Promise<void> {
  await outside.table.write([phoneRows.remove(ofAccount(gateway))]);
}

/** Every phone that was heard from, and since when each account's are to ping, in milliseconds since 1970. */
export async function listPhones(
  outside: TableOutside,
): Promise<{ phones: Phone[]; pingsSinceMs: ReadonlyMap<string, number> }> {
  const items = await outside.table.list('PHONE');
  const pings = items.flatMap((item) => Pings.safeParse(item).data ?? []);
  return {
    phones: items.filter(({ device_id }) => device_id !== undefined).map(phoneRows.parse),
    pingsSinceMs: new Map(pings.map(({ gateway, pings_since_ms }) => [gateway, pings_since_ms])),
  };
}
