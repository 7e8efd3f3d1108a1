import * as z from 'zod/mini';
import { MAX_DELAY_SECONDS } from '../runtime/outside/queues.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { WebhookEvent } from './event.ts';

/** A planned try, as it is queued: it is made only if exactly `tries` were made before it. */
export const WebhookJob = z.object({ event_id: z.string(), tries: z.number() });
export type WebhookJob = z.infer<typeof WebhookJob>;

/** Queues an event's next try for its time, if SQS can delay it until then; housekeeping queues what is due later. */
export async function queueTry(outside: WorkerOutside, event: WebhookEvent): Promise<void> {
  const { event_id, tries, merchant_id, next_try_at } = event;
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(next_try_at ?? '') - outside.now()) / 1000));
  if (delaySeconds > MAX_DELAY_SECONDS) return;
  await outside.queues.send('deliver-webhook', [
    { body: { event_id, tries } satisfies WebhookJob, group: merchant_id, delaySeconds },
  ]);
}
