/**
 * phone   PHONE / <gateway>#<device>   last signed callback, pings and inbox request of a phone
 * pings   PHONE / <gateway>#           when the account's phones began to ping
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
  /** Last time the phone was asked to resend its inbox because of this structure. Unset once it is posted again. */
  asked_ms: z.optional(z.number()),
  /** First callback since that request. */
  again_ms: z.optional(z.number()),
  /** True if the release that asked understood the structure. */
  is_understood: z.optional(z.boolean()),
});
export type KnownForm = z.infer<typeof KnownForm>;

const Lookalike = z.object({
  sender: z.string(),
  network: Network,
  /** A lower bound: each function instance counts at most one callback per minute. */
  count: z.number(),
  last_ms: z.number(),
});
type Lookalike = z.infer<typeof Lookalike>;

const Phone = z.object({
  gateway: z.string(),
  device_id: z.string(),
  /** Last signed callback, in milliseconds since 1970. */
  heard_ms: z.number(),
  pinged_ms: z.optional(z.array(z.number())),
  /** Time in milliseconds by which the last recorded text arrived after its time stamp. */
  delay_ms: z.optional(z.number()),
  late: z.optional(z.object({ at_ms: z.number(), delay_ms: z.number() })),
  /** Time of the last recorded text that was understood, in milliseconds since 1970. */
  read_ms: z.optional(z.number()),
  odd_forms: z.optional(z.array(KnownForm)),
  /** Senders that imitate a network's name. Their texts never count as receipts. */
  lookalikes: z.optional(z.array(Lookalike)),
});
export type Phone = z.infer<typeof Phone>;

const Pings = z.object({ gateway: z.string(), pings_since_ms: z.number() });

const phoneRows = rows(Phone, { pk: 'PHONE', sk: '<gateway>#<device_id>' });
const ofAccount = (gateway: string) => ({ gateway, device_id: '' });

const PHONE_KEPT_SECONDS = 30 * DAY_SECONDS;
/** Minimum number of seconds between two recorded contacts with a phone, per function instance. */
export const HEARD_NOTED_SECONDS = 5 * 60;
const PING_NOTED_SECONDS = 60;
/** Pings to keep: enough to measure the interval even if one ping is lost or late. */
const PINGS_KEPT = 4;

const isDue = onceEvery(HEARD_NOTED_SECONDS);
/** Late texts have a separate rate limit, because they must be recorded immediately. */
const isLateDue = onceEvery(HEARD_NOTED_SECONDS);
const isPingDue = onceEvery(PING_NOTED_SECONDS);

/** Delay above which a text is late. */
export const LATE_MS = 2 * MINUTE_MS;

interface HeardPost {
  readonly isPing?: boolean;
  readonly isRead?: boolean;
  readonly delayMs?: number | undefined;
}

/**
 * Records a signed callback. `delayMs` is the time since the text's time stamp. `isRead` means that the text was
 * understood.
 */
export async function noteHeard(
  outside: TimedOutside,
  gateway: string,
  device_id: string,
  { isPing = false, isRead = false, delayMs: delay_ms }: HeardPost,
): Promise<void> {
  const Key = phoneRows.key({ gateway, device_id });
  const isLate = delay_ms !== undefined && delay_ms > LATE_MS;
  const isNoteDue = isLate ? isLateDue : isPing ? isPingDue : isDue;
  if (!isNoteDue(outside, Key.sk)) return;
  const nowMs = outside.now();
  const pinged = isPing ? (Phone.safeParse(await outside.table.get(Key)).data?.pinged_ms ?? []) : [];
  // A phone resends its ping if the response is late. Count the two as one ping.
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
 * Records the structure of a signed callback that was not understood. @throws PublicError `busy`, or an error from the
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
    const { first_ms = nowMs, asked_ms, again_ms } = before ?? {};
    const again = asked_ms === undefined ? again_ms : nowMs;
    const noted = { fault, form, count: (before?.count ?? 0) + 1, first_ms, last_ms: nowMs, again_ms: again };
    const others = known.filter((one) => one !== before && nowMs - one.last_ms < FORM_KEPT_MS);
    return [noted, ...others].slice(0, REMEMBERED);
  });
}

/** Records the request because of these structures. `is_understood` says which of them this release understands. */
export async function noteFormsAsked(outside: TimedOutside, phone: Phone, asked: readonly KnownForm[]): Promise<void> {
  const { gateway, device_id } = phone;
  await changeList(outside, { gateway, device_id }, 'odd_forms', (known = []) =>
    known.map((one) => {
      const same = asked.find(({ fault, form, last_ms }) => {
        return fault === one.fault && form === one.form && last_ms === one.last_ms;
      });
      return same ? { ...one, asked_ms: outside.now(), is_understood: same.is_understood } : one;
    }),
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

/** Changes one list in a phone's row, and sets other fields. @throws PublicError `busy`. */
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

/** Minimum pause between two inbox requests to a phone. Without a pause, forged texts could keep the phone busy. */
export const INBOX_ASKED_MS = 10 * MINUTE_MS;
/** Pause before retrying an inbox request that the server does not support. */
export const NO_INBOX_MS = DAY_MS;

/**
 * Reserves a request to resend a phone's inbox. Returns the delay of the phone's last recorded text in milliseconds.
 * Returns undefined after a recent request, or if the server does not support such requests.
 */
export async function reserveInboxRequest(
  outside: TimedOutside,
  gateway: string,
  device_id: string,
): Promise<number | undefined> {
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
  return taken && (Phone.safeParse(taken).data?.delay_ms ?? 0);
}

export async function noteNoInbox(outside: TimedOutside, gateway: string, device_id: string): Promise<void> {
  const next = { next_inbox_ms: outside.now() + NO_INBOX_MS };
  const when = 'attribute_exists(next_inbox_ms)';
  await outside.table.update(phoneRows.change({ gateway, device_id }, next, { when }));
}

/** Records when an account's phones began to ping. Keeps a time that is already recorded. */
export async function expectPings(outside: TimedOutside, gateway: string): Promise<void> {
  await outside.table.update(
    phoneRows.change(ofAccount(gateway), { gateway }, { once: { pings_since_ms: outside.now() } }),
  );
}

export async function expectNoPings(outside: TableOutside, gateway: string): Promise<void> {
  await outside.table.write([phoneRows.remove(ofAccount(gateway))]);
}

/** Lists all known phones, and the time when each account's phones began to ping (milliseconds since 1970). */
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
