/*
 * phone   PHONE / <gateway>#<device>   when it last posted something that it had signed, and when it pinged;
 *                                      when it was last asked for its inbox; how late its texts are posted;
 *                                      the forms of posts that were not understood; senders that look like a network
 * pings   PHONE / <gateway>#           since when the phones of an account are to ping: set by `gateway connect`
 *
 * Few, and read together.
 */
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { onceEvery } from '../../runtime/outside/once-every.ts';
import { endsIn, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead } from '../../runtime/table/table.ts';
import { OddForm } from './odd-form.ts';

const KnownForm = z.extend(OddForm, {
  /** The count of posts that had it. */
  count: z.number(),
  first_ms: z.number(),
  last_ms: z.number(),
  /** The time at which the phone was asked for its inbox, because such posts are understood by now. */
  asked_ms: z.optional(z.number()),
});
export type KnownForm = z.infer<typeof KnownForm>;

const Lookalike = z.object({
  /** The sender as the phone shows it. */
  sender: z.string(),
  network: Network,
  /** A lower bound: each instance of the function counts one in a minute. */
  count: z.number(),
  last_ms: z.number(),
});
type Lookalike = z.infer<typeof Lookalike>;

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
  /** The last noted time at which a text that it posted was understood. */
  read_ms: z.optional(z.number()),
  /** The forms of signed posts that were not understood, the newest first. */
  odd_forms: z.optional(z.array(KnownForm)),
  /** Senders of texts that it posted whose names look like a network's. What they write is no receipt. */
  lookalikes: z.optional(z.array(Lookalike)),
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
 * what it posted; `isRead` says that it was a text that was understood.
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
  // The phone posts a ping again whose answer was late, and another instance may take that: it is one ping all the same.
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

/** Forms and senders that are remembered of a phone; of more the newest. */
const REMEMBERED = 5;
/** A form that was not posted for this long is forgotten. */
export const FORM_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Records the form of a post that a phone had signed and that was not understood. @throws PublicError `busy`, or an error of the table. */
export async function noteOddForm(
  outside: TimedOutside,
  gateway: string,
  device_id: string,
  { fault, form }: OddForm,
): Promise<void> {
  const nowMs = outside.now();
  await changeList(outside, { gateway, device_id, heard_ms: nowMs }, 'odd_forms', (known = []) => {
    const before = known.find((one) => one.fault === fault && one.form === form);
    // A post that comes again after the phone was asked for its inbox has to be asked for again.
    const first_ms = before && before.asked_ms === undefined ? before.first_ms : nowMs;
    const noted = { fault, form, count: (before?.count ?? 0) + 1, first_ms, last_ms: nowMs };
    const others = known.filter((one) => one !== before && nowMs - one.last_ms < FORM_KEPT_MS);
    return [noted, ...others].slice(0, REMEMBERED);
  });
}

/** Records that a phone was asked for what it had posted in these forms. */
export async function noteFormsAsked(outside: TimedOutside, phone: Phone, asked: readonly KnownForm[]): Promise<void> {
  const isAsked = ({ fault, form, last_ms }: KnownForm) =>
    asked.some((one) => one.fault === fault && one.form === form && one.last_ms === last_ms);
  const { gateway, device_id } = phone;
  await changeList(outside, { gateway, device_id }, 'odd_forms', (known = []) =>
    known.map((one) => (isAsked(one) ? { ...one, asked_ms: outside.now() } : one)),
  );
}

const isLookalikeDue = onceEvery(PING_NOTED_SECONDS);

/** Records that a text came from a sender whose name looks like a network's. */
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

/** Changes one list of a phone's row, and stores what else is `set`. @throws PublicError `busy`. */
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
