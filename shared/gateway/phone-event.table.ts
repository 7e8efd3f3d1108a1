/*
 * phone event   PHONE_EVENT#<gateway>#<device>#<event id> / PHONE_EVENT   a text that arrived at a phone, as it was posted
 *   gsi2   OPEN#PHONE_EVENT / <arrived_at>#<event id>     until it is settled
 */
import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Job } from '../runtime/outside/queues.ts';
import { FIRST_TIME, type Item } from '../runtime/table/table.ts';
import { ReceivedEvent } from './callback.ts';

const PhoneEvent = z.object({
  gateway: z.string(),
  event: ReceivedEvent,
  arrived_at: z.string(),
});
export type PhoneEvent = z.infer<typeof PhoneEvent>;

/** Where an event is kept, as it is queued. */
export const PhoneEventJob = z.object({ gateway: z.string(), device_id: z.string(), event_id: z.string() });
export type PhoneEventJob = z.infer<typeof PhoneEventJob>;

const OPEN_PARTITION = 'OPEN#PHONE_EVENT';
const keyOf = ({ gateway, device_id, event_id }: PhoneEventJob) => ({
  pk: `PHONE_EVENT#${gateway}#${device_id}#${event_id}`,
  sk: 'PHONE_EVENT',
});

/** A phone's texts are personal: those that did not become receipts are deleted after this. Longer than their job can wait. */
export const PHONE_EVENT_KEPT_SECONDS = 30 * 24 * 60 * 60;

/** Stores an event; one that the phone posts again is stored once. */
export async function keepPhoneEvent(outside: Outside, gateway: string, event: ReceivedEvent): Promise<void> {
  const nowMs = outside.now();
  const kept: PhoneEvent = { gateway, event, arrived_at: new Date(nowMs).toISOString() };
  await outside.table.write([
    {
      put: {
        Item: {
          ...keyOf({ gateway, device_id: event.deviceId, event_id: event.id }),
          gsi2pk: OPEN_PARTITION,
          gsi2sk: `${kept.arrived_at}#${event.id}`,
          ...kept,
          expires_at_epoch_seconds: Math.floor(nowMs / 1000) + PHONE_EVENT_KEPT_SECONDS,
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
      refused: () => undefined,
    },
  ]);
}

export async function getPhoneEvent(
  outside: Pick<Outside, 'table'>,
  job: PhoneEventJob,
): Promise<PhoneEvent | undefined> {
  const item = await outside.table.get(keyOf(job));
  return item && z.parse(PhoneEvent, item);
}

/** The job that the stream creates from a stored event. */
export function phoneEventJob(item: Item): Job & { readonly body: PhoneEventJob } {
  const { gateway, event } = z.parse(PhoneEvent, item);
  const body: PhoneEventJob = { gateway, device_id: event.deviceId, event_id: event.id };
  return { body, group: gateway };
}

/** Marks an event as settled: housekeeping no longer looks for it. */
export async function closePhoneEvent(outside: Outside, job: PhoneEventJob): Promise<void> {
  await outside.table.update({
    update: { Key: keyOf(job), UpdateExpression: 'REMOVE gsi2pk, gsi2sk', ConditionExpression: 'attribute_exists(pk)' },
  });
}

/** Sets when an event that is not settled is looked for next (ISO). */
export async function postponePhoneEvent(outside: Outside, job: PhoneEventJob, at: string): Promise<void> {
  await outside.table.update({
    update: {
      Key: keyOf(job),
      UpdateExpression: 'SET gsi2sk = :at',
      ConditionExpression: 'attribute_exists(gsi2pk)',
      ExpressionAttributeValues: { ':at': `${at}#${job.event_id}` },
    },
  });
}

/** The events that are not settled and were to be looked for before `at` (ISO), the oldest first. */
export async function listUnsettledPhoneEvents(outside: Outside, at: string, limit: number): Promise<PhoneEventJob[]> {
  const { items } = await outside.table.listIndex('gsi2', OPEN_PARTITION, { between: [FIRST_TIME, at], limit });
  return items.map((item) => phoneEventJob(item).body);
}
