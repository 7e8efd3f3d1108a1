import * as z from 'zod/mini';
import { time, timeOrNull } from '../runtime/http/responses.ts';
import { WebhookEventType } from './event.ts';

const endpoint = {
  url: z
    .string()
    .check(
      z.meta({ description: 'Where events are posted.', format: 'uri', examples: ['https://shop.example.com/hooks'] }),
    ),
  events: z.nullable(z.array(WebhookEventType)).check(z.describe('The types of events that are posted; null for all.')),
  enabled: z.boolean().check(z.describe('Whether events are posted. Setting the address again enables it.')),
  disabled_reason: z
    .nullable(z.enum(['gone', 'failing']))
    .check(z.describe('`gone`: your server answered 410. `failing`: every try failed for five days.')),
  disabled_at: timeOrNull('When it was disabled; null while events are posted.'),
  failing_since: timeOrNull('When the tries began to fail; null while deliveries succeed.'),
  created_at: time('When it was set.'),
};

export const WebhookResponse = z.object(endpoint).check(z.meta({ id: 'Webhook' }));
export type WebhookResponse = z.infer<typeof WebhookResponse>;

export const WebhookAndSecretResponse = z
  .object({
    ...endpoint,
    secret: z.string().check(
      z.meta({
        description: 'Signs the events. Keep it as safe as your keys.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
    ),
  })
  .check(z.meta({ id: 'WebhookAndSecret' }));
export type WebhookAndSecretResponse = z.infer<typeof WebhookAndSecretResponse>;

const event = {
  id: z.string().check(
    z.meta({
      description: 'Also the header `webhook-id`, in every try and replay.',
      examples: ['evt_9f86d081884c7d659a2feaa0c55ad015'],
    }),
  ),
  type: WebhookEventType,
  status: z
    .enum(['pending', 'delivered', 'gave_up'])
    .check(z.describe('`delivered`: your server answered 2xx. `gave_up`: all ten tries failed.')),
  tries: z.int().check(z.describe('Tries made so far.')),
  next_try_at: timeOrNull('When the next try is due.'),
  created_at: time('When it happened; of some types to the second.'),
  body: z.unknown().check(z.meta({ type: 'object', description: 'What is posted.' })),
};

export const EventResponse = z.object(event).check(z.meta({ id: 'WebhookDelivery' }));
export type EventResponse = z.infer<typeof EventResponse>;

export const EventAndAttemptsResponse = z
  .object({
    ...event,
    attempts: z.array(
      z.object({
        number: z.int().check(z.describe('From 1.')),
        started_at: time('When it was made.'),
        duration_ms: z.number().check(z.describe('How long your server took to answer.')),
        status_code: z
          .nullable(z.int())
          .check(z.describe('The status code of your server’s answer; null if there was none.')),
        answer: z.nullable(z.string()).check(z.describe('The first kilobyte of the answer.')),
        error: z.nullable(z.string()).check(z.describe('Why there was no answer.')),
      }),
    ),
  })
  .check(z.meta({ id: 'WebhookDeliveryAndAttempts' }));
export type EventAndAttemptsResponse = z.infer<typeof EventAndAttemptsResponse>;

export const EventListResponse = z.object({ events: z.array(EventResponse) });
export type EventListResponse = z.infer<typeof EventListResponse>;

/** The `data` of `webhook.test`. */
export const TestEventData = z.object({ message: z.string() });
