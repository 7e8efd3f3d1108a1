/**
 * webhook event   EVENT#<id> / EVENT   content of the event and progress of its delivery
 *   gsi1          MERCHANT#<holder>#EVENT / <second>#<sequence number of the change>#<id>; for a test event <created_at>#<id>
 *   gsi2          DUE#EVENT#<0 to 3> / <holder>#<next_try_at>#<id>   while pending; later than `next_try_at` once the attempt is queued
 * webhook try     EVENT#<id> / ATTEMPT#<nnn>   a delivery attempt; the final attempt is stored in the event's row
 * webhook calls   WEBHOOK_CALLS#<holder> / <minute>   number of events that a holder tested or replayed in that minute
 */
import * as z from 'zod/mini';
import { holderId, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { type Clock, isoOf, type Outside, type TableOutside } from '../runtime/outside/outside.ts';
import { listInTurns } from '../runtime/table/in-turns.ts';
import { countUpTo } from '../runtime/table/limits.ts';
import { rows } from '../runtime/table/rows.ts';
import { spread } from '../runtime/table/spread.ts';
import { asRead, createItem, putItem, type TableWrite } from '../runtime/table/table.ts';
import { DAY_SECONDS } from '../runtime/values/calendar.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { WebhookAttempt, WebhookEvent } from './event.ts';

/** Lifetime of an event and its attempts, in seconds. */
export const EVENT_KEPT_SECONDS = 30 * DAY_SECONDS;
/** Lifetime in seconds of test events that only `listen` reads. */
const KEPT_ONLY_SECONDS = 7 * DAY_SECONDS;
const dueEvents = spread('DUE#EVENT', 4);
/** An attempt that is postponed by at most this time keeps its index key, which saves a write. */
const EARLY_MS = 10_000;
const partition = (eventId: string) => `EVENT#${eventId}`;
const indexPartition = (holder: KeyHolder) => `MERCHANT#${holderId(holder)}#EVENT`;
export const webhookEventRows = rows(WebhookEvent, {
  pk: 'EVENT#<event_id>',
  sk: 'EVENT',
  gsi1: { pk: indexPartition, sk: placeOf },
  largestUnits: 30,
});
function placeOf({ caused_by, created_at, event_id }: Pick<WebhookEvent, 'caused_by' | 'created_at' | 'event_id'>) {
  return `${caused_by ?? created_at}#${event_id}`;
}
/** Returns the range of sort keys between two times. Sort keys have a resolution of one second. */
export function eventsBetween({ fromMs, toMs }: { fromMs: number; toMs: number }) {
  return [isoOf(fromMs - (fromMs % 1000)), `${isoOf(toMs)}~`] as const;
}

const dueSort = (event: WebhookEvent, at: string) => `${holderId(event)}#${at}#${event.event_id}`;
const dueKey = (event: WebhookEvent, dueAt: string) => ({
  gsi2pk: dueEvents.of(event.event_id),
  gsi2sk: dueSort(event, dueAt),
});

export async function getEventAndAttempts(outside: Outside, eventId: string) {
  const items = await outside.table.list(partition(eventId));
  const event = items.find(({ sk }) => sk === 'EVENT');
  if (!event) return undefined;
  const attempts = items.filter((item) => item !== event).map((item) => z.parse(WebhookAttempt, item));
  return withAttempts(webhookEventRows.parse(event), attempts);
}

const NEWEST_TRIES = 3;

/** Reads existing events with their newest attempts, in two requests. */
export async function getEventsAndNewestTries(outside: TableOutside, eventIds: readonly string[]) {
  const events = await webhookEventRows.findMany(
    outside,
    eventIds.map((event_id) => ({ event_id })),
  );
  const keys = events.flatMap((event) => newestNumbers(event).map((number) => attemptKey(event, number)));
  const tries = await outside.table.getMany(keys);
  return events.map((event) => {
    const attempts = tries
      .filter(({ pk }) => pk === partition(event.event_id))
      .map((item) => z.parse(WebhookAttempt, item));
    return withAttempts(event, attempts);
  });
}

function withAttempts(event: WebhookEvent, others: readonly WebhookAttempt[]) {
  const attempts = [...others, ...(event.ended_by ? [event.ended_by] : [])];
  return { event, attempts: attempts.toSorted((one, other) => one.number - other.number) };
}

/** Returns the numbers of the newest attempts, except the one stored in the event's own row. */
function newestNumbers({ tries, ended_by }: WebhookEvent): number[] {
  const least = Math.max(1, tries - NEWEST_TRIES + 1);
  const newest = Array.from({ length: tries - least + 1 }, (_, n) => least + n);
  return newest.filter((number) => number !== ended_by?.number);
}

/** Returns the index key of a holder's newest event. */
export async function newestEventKey(outside: TableOutside, holder: KeyHolder): Promise<string | undefined> {
  const page = { newestFirst: true, limit: 1 };
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(holder), page);
  return keys[0]?.sort;
}

/** Lists about `limit` pending events due before `at` (ISO), alternating between webhooks. */
export async function listDueEvents(outside: Outside, at: string, limit: number): Promise<WebhookEvent[]> {
  const items = await listInTurns(outside.table, dueEvents.partitions, at, limit);
  return items.map(webhookEventRows.parse).filter(({ state }) => state === 'pending');
}

/** Hides an event from `listDueEvents` until `at` (ISO), because the next attempt is already queued. */
export async function hideUntil(outside: TableOutside, event: WebhookEvent, at: string): Promise<void> {
  await outside.table.update(webhookEventRows.change(event, { gsi2sk: dueSort(event, at) }, isStill(event)));
}

export function createWebhookEvent(event: WebhookEvent): TableWrite {
  return createItem(itemOf(event, event.state === 'pending' ? event.next_try_at : undefined), () => undefined);
}

/** Replaces `before` with `after`. Fails with `EventMovedOn` if the event has changed. */
export function replaceWebhookEvent(
  outside: Pick<Outside, 'randomBytes'>,
  before: WebhookEvent,
  after: WebhookEvent,
): TableWrite {
  // Distinguishes a retry of this write from an identical change by another worker.
  const write_id = outside.randomBytes(12).toString('base64url');
  const refused: TableWrite['refused'] = (current) => (current?.write_id === write_id ? undefined : new EventMovedOn());
  return putItem({ ...itemOf(after, dueAfter(before, after)), write_id }, { ...isStill(before), refused });
}

function dueAfter(before: WebhookEvent, { next_try_at }: WebhookEvent): string | undefined {
  const dueAt = before.due_at ?? before.next_try_at;
  const earlyMs = Date.parse(next_try_at ?? '') - Date.parse(dueAt ?? '');
  return earlyMs >= 0 && earlyMs <= EARLY_MS ? dueAt : next_try_at;
}

function isStill({ state, tries, round }: WebhookEvent) {
  return asRead({ state, tries, round });
}

export class EventMovedOn extends PublicError {
  constructor() {
    super('busy', 'The event is being sent right now. Check again in a second.');
  }
}

export function putAttempt(event: WebhookEvent, attempt: WebhookAttempt): TableWrite {
  const { merchant_id } = event;
  return putItem({ ...attemptKey(event, attempt.number), merchant_id, ...attempt, ...timeToLive(event) });
}

function attemptKey({ event_id }: Pick<WebhookEvent, 'event_id'>, number: number) {
  return { pk: partition(event_id), sk: `ATTEMPT#${String(number).padStart(3, '0')}` };
}

function itemOf(event: WebhookEvent, due_at: string | undefined) {
  return webhookEventRows.item({ ...(due_at && dueKey(event, due_at)), ...timeToLive(event), ...event, due_at });
}

function timeToLive({ created_at, is_kept }: WebhookEvent) {
  const keptSeconds = is_kept ? KEPT_ONLY_SECONDS : EVENT_KEPT_SECONDS;
  return { expires_at_epoch_seconds: Math.floor(Date.parse(created_at) / 1000) + keptSeconds };
}

/** Maximum number of tests and replays per holder per minute. */
export const MAX_CALLS_PER_MINUTE = 10;

/** Counts a test or replay. Fails if the limit is exceeded. */
export function countCall(outside: Clock, holder: KeyHolder): TableWrite {
  return countUpTo(outside, {
    key: (minute) => ({ pk: `WEBHOOK_CALLS#${holderId(holder)}`, sk: minute }),
    per: 'minute',
    most: { counted: MAX_CALLS_PER_MINUTE },
    refused: `At most ${MAX_CALLS_PER_MINUTE} events can be tested or replayed per minute. Nothing was done. Wait, then try again.`,
  });
}
