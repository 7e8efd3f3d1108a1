/**
 * phone   PHONE / <gateway>#<device>   the phone's last signed callback, pings, inbox request and delay of its texts,
 *                                      the forms of callbacks that were not understood, and senders that imitate a
 *                                      network
 * pings   PHONE / <gateway>#           the time when the account's phones began to ping, set by `gateway connect`
 *
 * There are few of these rows, and they are always read together.
 */
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import { endsIn, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { OddForm } from './odd-form.ts';

const KnownForm = z.extend(OddForm, {
  count: z.number(),
  first_ms: z.number(),
  last_ms: z.number(),
  /** The time the phone was asked to repost its inbox, after a new release began to understand this form. */
  asked_ms: z.optional(z.number()),
});
export type KnownForm = z.infer<typeof KnownForm>;

const Lookalike = z.object({
  sender: z.string(),
  network: Network,
  /** A lower bound, because each function instance counts at most one callback per minute. */
  count: z.number(),
  last_ms: z.number(),
});
type Lookalike = z.infer<typeof Lookalike>;

const Phone = z.object({
  gateway: z.string(),
  device_id: z.string(),
  /** In milliseconds since 1970, like the times below. */
  heard_ms: z.number(),
  pinged_ms: z.optional(z.array(z.number())),
  /** Delay between the phone and this service for the last recorded text. Only for forwarding apps. */
  delay_ms: z.optional(z.number()),
  late: z.optional(z.object({ at_ms: z.number(), delay_ms: z.number() })),
  /** Time of the last recorded text that was understood. */
  read_ms: z.optional(z.number()),
  odd_forms: z.optional(z.array(KnownForm)),
  /** Senders whose names imitate a network's name. Their texts are never treated as receipts. */
  lookalikes: z.optional(z.array(Lookalike)),
});
export type Phone = z.infer<typeof Phone>;

const Pings = z.object({ gateway: z.string(), pings_since_ms: z.number() });

const phoneRows = rows(Phone, { pk: 'PHONE', sk: '<gateway>#<device_id>' });
const ofAccount = (gateway: string) => ({ gateway, device_id: '' });

const PHONE_KEPT_SECONDS = 30 * DAY_SECONDS;
/** Minimum seconds between two records of contact with a phone, per function instance. */
export const HEARD_NOTED_SECONDS = 5 * 60;
/** Minimum seconds between two recorded pings, even if the phone pings more often. */
const PING_NOTED_SECONDS = 60;
/** Number of pings to keep, enough to measure the interval even if a ping is lost or late. */
const PINGS_KEPT = 4;

const isDue = onceEvery(HEARD_NOTED_SECONDS);
/** Late texts have a rate limit of their own, because a late text must be recorded immediately. */
const isLateDue = onceEvery(HEARD_NOTED_SECONDS);
const isPingDue = onceEvery(PING_NOTED_SECONDS);

/**
 * A forwarded text that takes longer than this is late, because the payer is waiting at the counter. SMSGate's app
 * sends texts within seconds.
 */
export const LATE_MS = 2 * MINUTE_MS;

/**
 * Records a signed callback, which shows that the phone is on and that its key and clock are correct. `delayMs` is the
 * time since the phone received the text. `isRead` is true for a text that was understood.
 */
export async function noteHeard(
  outside: TimedOutside,
  gateway: string,
  device_id: string,
  { isPing = false, isRead = false, delayMs: delay_ms }: { isPing?: boolean; isRead?: boolean; delayMs?: number },
): Promise<void> {
  const Key = phoneRows.key({ gateway, device_id });
  const isLate = delay_ms !== undefined && delay_ms > LATE_MS;
  const isNoteDue = isLate ? isLateDue : isPing ? isPingDue : isDue;
  if (!isNoteDue(outside, Key.sk)) return;
  const nowMs = outside.now();
  const pinged = isPing ? (Phone.safeParse(await outside.table.get(Key)).data?.pinged_ms ?? []) : [];
  // If the response is late, the phone resends its ping, possibly to another function instance. Both copies count as
  // one ping.
  const before = pinged.filter((atMs) => nowMs - atMs >= PING_NOTED_SECONDS * 1000);
  const set = {
    gateway,
    device_id,
    heard_ms: nowMs,
    ...(isRead && { read_ms: nowMs }),
    ...(delay_ms !== undefined && { delay_ms }),
    ...(isLate && { late: { at_ms: nowMs, delay_ms } }),
    ...(isPing && { pinged_ms: [nowMs, ...before].slice(0, PINGS_KEPT) }),
    ...endsIn(outside, PHONE_KEPT_SECONDS),
  };
  await outside.table.update(phoneRows.change({ gateway, device_id }, set));
}

const REMEMBERED = 5;
export const FORM_KEPT_MS = 7 * DAY_MS;

/**
 * Records the form of a signed callback that was not understood. @throws PublicError `busy`, or an error from the
 * table.
 */
export async function noteOddForm(
  outside: TimedOutside,
  gateway: string,
  device_id: string,
  { fault, form }: OddForm,
): Promise<void> {
  const nowMs = outside.now();
  await changeList(outside, { gateway, device_id, heard_ms: nowMs }, 'odd_forms', (known = []) => {
    const before = known.find((one) => one.fault === fault && one.form === form);
    // If a form recurs after an inbox request, the phone needs another request.
    const first_ms = before && before.asked_ms === undefined ? before.first_ms : nowMs;
    const noted = { fault, form, count: (before?.count ?? 0) + 1, first_ms, last_ms: nowMs };
    const others = known.filter((one) => one !== before && nowMs - one.last_ms < FORM_KEPT_MS);
    return [noted, ...others].slice(0, REMEMBERED);
  });
}

export async function noteFormsAsked(outside: TimedOutside, phone: Phone, asked: readonly KnownForm[]): Promise<void> {
  const isAsked = ({ fault, form, last_ms }: KnownForm) =>
    asked.some((one) => one.fault === fault && one.form === form && one.last_ms === last_ms);
  const { gateway, device_id } = phone;
  await changeList(outside, { gateway, device_id }, 'odd_forms', (known = []) =>
    known.map((one) => (isAsked(one) ? { ...one, asked_ms: outside.now() } : one)),
  );
}

const isLookalikeDue = onceEvery(PING_NOTED_SECONDS);

export async function noteLookalike(
  outside: TimedOutside,
  gateway: string,
  device_id: string,
  { sender, network }: Pick<Lookalike, 'sender' | 'network'>,
): Promise<void> {
  if (!isLookalikeDue(outside, phoneRows.key({ gateway, device_id }).sk)) return;
  const nowMs = outside.now();
  await changeList(outside, { gateway, device_id, heard_ms: nowMs }, 'lookalikes', (known = []) => {
    const before = known.find((one) => one.sender === sender);
    const noted = { sender, network, count: (before?.count ?? 0) + 1, last_ms: nowMs };
    return [noted, ...known.filter((one) => one !== before)].slice(0, REMEMBERED);
  });
}

/** Changes one list in a phone's row, and stores the other fields given in `set`. @throws PublicError `busy`. */
async function changeList<Name extends 'odd_forms' | 'lookalikes'>(
  outside: TimedOutside,
  set: Pick<Phone, 'gateway' | 'device_id'> & Partial<Phone>,
  name: Name,
  change: (known: Phone[Name]) => Phone[Name],
): Promise<void> {
  await retryIfChanged(async () => {
    const item = await outside.table.get(phoneRows.key(set));
    const list = change(Phone.safeParse(item).data?.[name]);
    const stored = await outside.table.update(
      phoneRows.change(
        set,
        { ...set, [name]: list, ...endsIn(outside, PHONE_KEPT_SECONDS) },
        asRead({ [name]: item?.[name] }),
      ),
    );
    if (!stored) throw phoneRows.changed();
  });
}

/** Minimum pause between two inbox requests to a phone, so that forged texts cannot keep the phone busy. */
export const INBOX_ASKED_MS = 10 * MINUTE_MS;
/** Pause before another inbox request to a server that does not support them, in case the server has been updated. */
export const NO_INBOX_MS = DAY_MS;

/**
 * Reserves an inbox request. Returns false if the phone was asked recently, or if its server did not support inbox
 * requests.
 */
export async function reserveInboxRequest(outside: TimedOutside, gateway: string, device_id: string): Promise<boolean> {
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

export async function noteNoInbox(outside: TimedOutside, gateway: string, device_id: string): Promise<void> {
  const next = { next_inbox_ms: outside.now() + NO_INBOX_MS };
  const when = 'attribute_exists(next_inbox_ms)';
  await outside.table.update(phoneRows.change({ gateway, device_id }, next, { when }));
}

/** Records the time when an account's phones began to ping. Reconnecting the account does not change this time. */
export async function expectPings(outside: TimedOutside, gateway: string): Promise<void> {
  await outside.table.update(
    phoneRows.change(ofAccount(gateway), { gateway }, { once: { pings_since_ms: outside.now() } }),
  );
}

export async function expectNoPings(outside: TableOutside, gateway: string): Promise<void> {
  await outside.table.write([phoneRows.remove(ofAccount(gateway))]);
}

/** Lists all known phones and, for each account, the time when its phones began to ping (milliseconds since 1970). */
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
