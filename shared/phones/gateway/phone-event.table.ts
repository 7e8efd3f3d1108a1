/*
 * phone event   PHONE_EVENT#<gateway>#<device>#<event id> / PHONE_EVENT   a wallet's text that arrived at a phone, as it was
 *                                                                        posted; without its words once it is settled, and of any
 *                                                                        other text only that it came
 *   gsi2   OPEN#PHONE_EVENT#<0 or 1> / <arrived_at>#<event id>     until it is settled
 */
import * as z from 'zod/mini';
import { endsIn, nowIso, type Outside, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { Job } from '../../runtime/outside/queues.ts';
import { rows } from '../../runtime/table/rows.ts';
import { spread } from '../../runtime/table/spread.ts';
import { createItem, FIRST_TIME, type Item, LAST_SORT } from '../../runtime/table/table.ts';
import { ReceivedEvent } from './callback.ts';

const PhoneEvent = z.object({
  gateway: z.string(),
  event: ReceivedEvent,
  arrived_at: z.string(),
  /** What is known of it once it is settled: its words are forgotten then. */
  settled: z.optional(z.unknown()),
});
export type PhoneEvent = z.infer<typeof PhoneEvent>;

/** Where an event is kept, as it is queued. */
export const PhoneEventJob = z.object({ gateway: z.string(), device_id: z.string(), event_id: z.string() });
export type PhoneEventJob = z.infer<typeof PhoneEventJob>;

const openEvents = spread('OPEN#PHONE_EVENT', 2);
export const phoneEventRows = rows(PhoneEvent, {
  pk: 'PHONE_EVENT#<gateway>#<device_id>#<event_id>',
  sk: 'PHONE_EVENT',
});

/** For how long it is known that a text came. Longer than a phone posts it again, and than its job can wait. */
export const PHONE_EVENT_KEPT_SECONDS = 30 * 24 * 60 * 60;

/** Stores an event; one that the phone posts again is stored once, and is false. */
export async function keepPhoneEvent(outside: TimedOutside, gateway: string, event: ReceivedEvent): Promise<boolean> {
  const arrived_at = nowIso(outside);
  const open = { gsi2pk: openEvents.of(event.id), gsi2sk: `${arrived_at}#${event.id}` };
  const kept: PhoneEvent = { gateway, event, arrived_at };
  return keep(outside, { gateway, device_id: event.deviceId, event_id: event.id }, { ...open, ...kept });
}

async function keep(outside: TimedOutside, job: PhoneEventJob, item: Item): Promise<boolean> {
  let isNew = true;
  const known = () => {
    isNew = false;
    return undefined;
  };
  await outside.table.write([
    createItem({ ...phoneEventRows.key(job), ...item, ...endsIn(outside, PHONE_EVENT_KEPT_SECONDS) }, known),
  ]);
  return isNew;
}

/** The job that the stream creates from a stored event. */
export function phoneEventJob(item: Item): Job & { readonly body: PhoneEventJob } {
  const { gateway, event } = phoneEventRows.parse(item);
  const { deviceId: device_id, payload } = event;
  const body: PhoneEventJob = { gateway, device_id, event_id: event.id };
  // A SIM's texts share the queue fairly with those of others: one gateway may have the phones of all merchants.
  return { body, group: `${gateway}#${device_id}#${payload.simNumber ?? ''}` };
}

/**
 * Marks an event as settled: housekeeping no longer looks for it, and its words are forgotten. What a person may still need of
 * them is in the receipt; `settled` is what else is kept, and holds no words.
 */
export async function closePhoneEvent(outside: Outside, job: PhoneEventJob, { event }: PhoneEvent, settled: object) {
  const forgotten: ReceivedEvent = { ...event, payload: { ...event.payload, message: '' } };
  const closed = { event: forgotten, settled, gsi2pk: undefined, gsi2sk: undefined };
  await outside.table.update(phoneEventRows.change(job, closed, { when: 'attribute_exists(pk)' }));
}

/** What is kept of a text whose sender is no wallet: that it came, so that it is counted once. */
export const StrangersText = z.object({ looks_like_payment: z.boolean() });

/** Records that a text came which is not a wallet's: neither its sender nor its words are stored. False where it came before. */
export async function noteStrangersText(
  outside: TimedOutside,
  gateway: string,
  { deviceId: device_id, id: event_id }: Pick<ReceivedEvent, 'deviceId' | 'id'>,
  looks_like_payment: boolean,
): Promise<boolean> {
  return keep(outside, { gateway, device_id, event_id }, { stranger: { looks_like_payment } });
}

/** Sets when an event that is not settled is looked for next (ISO). */
export async function postponePhoneEvent(outside: Outside, job: PhoneEventJob, at: string): Promise<void> {
  const next = { gsi2sk: `${at}#${job.event_id}` };
  await outside.table.update(phoneEventRows.change(job, next, { when: 'attribute_exists(gsi2pk)' }));
}

/** The events that are not settled and were to be looked for before `at` (ISO), the oldest first. */
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

/** More than this many are not listed: that there are some is what matters. */
const MAX_POSTPONED = 100;

/** The gateway of each event that is not settled and is not looked for until `at` (ISO). */
export async function listPostponed(outside: TableOutside, at: string): Promise<string[]> {
  const page = { between: [at, LAST_SORT], limit: MAX_POSTPONED } as const;
  const found = await Promise.all(openEvents.partitions.map((one) => outside.table.listIndexKeys('gsi2', one, page)));
  return found.flatMap(({ keys }) => keys.map(({ pk }) => pk.split('#')[1] ?? ''));
}
