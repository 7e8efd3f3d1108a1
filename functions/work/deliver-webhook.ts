import { queue } from '../../shared/runtime/triggers/queue.ts';
import { deliverWebhook } from '../../shared/webhook/deliver-webhook.ts';
import { WebhookJob } from '../../shared/webhook/event.ts';
import { manifest } from '../manifest.ts';

export const handler = queue(manifest['work/deliver-webhook'], WebhookJob, (job, _delivery, outside) =>
  deliverWebhook(outside, job),
);
