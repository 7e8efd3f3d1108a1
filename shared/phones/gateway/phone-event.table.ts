/**
 * phone event   PHONE_EVENT#<gateway>#<device>#<event id> / PHONE_EVENT   a wallet text forwarded by a phone. The text
 *                                                                         is deleted once the event is settled. For
 *                                                                         other texts, only the arrival is stored.
 *                                                                         `said` is a hash of sender and text
 *   gsi2   OPEN#PHONE_EVENT#<0 or 1> / <arrived_at>#<event id>     until the event is settled
 */
import * as z from 'zod/mini';
import { endsIn, nowIso, type Outside, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { Job } from '../../runtime/outside/queues.ts';
import { rows } from '../../runtime/table/rows.ts';
import { spread } from '../../runtime/table/spread.ts';
import { createItem, FIRST_TIME, type Item, LAST_SORT } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { ReceivedEvent } from './callback.ts';

const PhoneEvent = z.object({
  gateway: z.string(),
  event: ReceivedEvent,
  arrived_at: z.string(),
  /** Result of the settled event, stored instead of its text. */
  settled: z.optional(z.unknown()),
  /** Set if the text could not be read, but starts as the network's texts about outgoing money do. */
  may_be_money_out: z.optional(z.literal(true)),
});
export type PhoneEvent = z.infer<typeof PhoneEvent>;

export const PhoneEventJob = z.object({ gateway: z.string(), device_id: z.string(), event_id: z.string() });
export type PhoneEventJob = z.infer<typeof PhoneEventJob>;

const openEvents = spread('OPEN#PHONE_EVENT', 2);
export const phoneEventRows = rows(PhoneEvent, {
  pk: 'PHONE_EVENT#<gateway>#<device_id>#<event_id>',
  sk: 'PHONE_EVENT',
});

/** Lifetime of an event. It must exceed the time for which phones resend events, and the longest wait of a job. */
export const PHONE_EVENT_KEPT_SECONDS = 30 * DAY_SECONDS;

/** Stores an event. Returns false if it is already stored. */
export async function keepPhoneEvent(
  outside: TimedOutside,
  gateway: string,
  event: ReceivedEvent,
  noted: Pick<PhoneEvent, 'may_be_money_out'> = {},
): Promise<boolean> {
  const { sender, message } = event.payload;
  const said = sha256([sender, message].join('\n')).slice(0, 12);
  return keep(outside, gateway, event, (id) => {
    const arrived_at = nowIso(outside);
    const open = { gsi2pk: openEvents.of(id), gsi2sk: `${arrived_at}#${id}` };
    const kept: PhoneEvent = { gateway, event: { ...event, id }, arrived_at, ...noted };
    return { ...open, ...kept, said };
  });
}

/**
 * Stores a text under its event id. If the id belongs to a different text, a new id is used: a reinstalled app restarts
 * its ids at 1.
 */
async function keep(
  outside: TimedOutside,
  gateway: string,
  { id, deviceId: device_id }: ReceivedEvent,
  itemFor: (id: string) => Item,
): Promise<boolean> {
  const { said } = itemFor(id);
  const isSame = (current: Item) =>
    said === undefined ? 'stranger' in current : !('stranger' in current) && (current.said ?? said) === said;
  const create = async (event_id: string): Promise<Stored> => {
    let stored: Stored = 'new';
    const key = phoneEventRows.key({ gateway, device_id, event_id });
    await outside.table.write([
      createItem({ ...key, ...itemFor(event_id), ...endsIn(outside, PHONE_EVENT_KEPT_SECONDS) }, (current) => {
        stored = !current || isSame(current) ? 'known' : 'other';
        return undefined;
      }),
    ]);
    return stored;
  };
  const first = await create(id);
  return (first === 'other' ? await create(`${id}-${String(said ?? 'stranger')}`) : first) === 'new';
}

/** `other`: a different text has this id. */
type Stored = 'new' | 'known' | 'other';

export function phoneEventJob(item: Item): Job & { readonly body: PhoneEventJob } {
  const { gateway, event } = phoneEventRows.parse(item);
  const { deviceId: device_id, payload } = event;
  const body: PhoneEventJob = { gateway, device_id, event_id: event.id };
  // Group by SIM, because a gateway can serve many merchants' phones.
  return { body, group: `${gateway}#${device_id}#${payload.simNumber ?? ''}` };
}

/** Marks an event as settled and deletes its text. `settled` must not contain the text. */
export async function closePhoneEvent(outside: Outside, job: PhoneEventJob, { event }: PhoneEvent, settled: object) {
  const forgotten: ReceivedEvent = { ...event, payload: { ...event.payload, message: '' } };
  const closed = { event: forgotten, settled, gsi2pk: undefined, gsi2sk: undefined };
  await outside.table.update(phoneEventRows.change(job, closed, { when: 'attribute_exists(pk)' }));
}

/** Result stored for a text that is not from a network. */
export const StrangersText = z.object({ looks_like_payment: z.boolean() });

/**
 * Records the arrival of a text that is not from a network, without its sender and content. Returns false for a
 * repeated text.
 */
export async function noteStrangersText(
  outside: TimedOutside,
  gateway: string,
  event: ReceivedEvent,
  looks_like_payment: boolean,
): Promise<boolean> {
  return keep(outside, gateway, event, () => ({ stranger: { looks_like_payment } }));
}

export async function postponePhoneEvent(outside: Outside, job: PhoneEventJob, at: string): Promise<void> {
  const next = { gsi2sk: `${at}#${job.event_id}` };
  await outside.table.update(phoneEventRows.change(job, next, { when: 'attribute_exists(gsi2pk)' }));
}

/** Lists unsettled events that were due before `at` (ISO), oldest first. */
export async function listUnsettledPhoneEvents(
  outside: TableOutside,
  at: string,
  limit: number,
): Promise<PhoneEventJob[]> {
  const page = { between: [FIRST_TIME, at], limit } as const;
  const found = await Promise.all(openEvents.partitions.map((one) => outside.table.listIndex('gsi2', one, page)));
  const items = found.flatMap((page) => page.items);
  const oldestFirst = items.toSorted((one, other) => (String(one.gsi2sk) < String(other.gsi2sk) ? -1 : 1));
  return oldestFirst.slice(0, limit).map((item) => phoneEventJob(item).body);
}

const MAX_POSTPONED = 100;

/** Lists the gateways of unsettled events that are postponed beyond `at` (ISO). */
export async function listPostponed(outside: TableOutside, at: string): Promise<string[]> {
  const page = { between: [at, LAST_SORT], limit: MAX_POSTPONED } as const;
  const found = await Promise.all(openEvents.partitions.map((one) => outside.table.listIndexKeys('gsi2', one, page)));
  return found.flatMap(({ keys }) => keys.map(({ pk }) => pk.split('#')[1] ?? ''));
}
