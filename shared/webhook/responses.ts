import * as z from 'zod/mini';
import { time, timeOrNull } from '../runtime/http/responses.ts';
import { answer, described } from '../runtime/values/described.ts';
import { WebhookEventType } from './event.ts';

const endpoint = {
  url: described(z.string(), 'The address that events are posted to.', {
    format: 'uri',
    examples: ['https://shop.example.com/hooks'],
  }),
  events: described(z.nullable(z.array(WebhookEventType)), 'The types of events that are posted; null for all.'),
  enabled: described(z.boolean(), 'Whether events are posted. Setting the address again enables them.'),
  disabled_reason: described(
    z.nullable(z.enum(['gone', 'failing'])),
    '`gone`: your server responded with 410. `failing`: every attempt failed for five days.',
  ),
  disabled_at: timeOrNull('When it was disabled.'),
  failing_since: timeOrNull('When attempts began to fail.'),
  created_at: time('When it was first set.'),
};

export const WebhookResponse = answer('Webhook', endpoint);
export type WebhookResponse = z.infer<typeof WebhookResponse>;

export const WebhookAndSecretResponse = answer('WebhookAndSecret', {
  ...endpoint,
  secret: described(z.string(), 'Signs the events. Keep it as safe as your keys.', {
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
});
export type WebhookAndSecretResponse = z.infer<typeof WebhookAndSecretResponse>;

const event = {
  id: described(z.string(), 'Equals the `webhook-id` header of every attempt and replay.', {
    examples: ['evt_9f86d081884c7d659a2feaa0c55ad015'],
  }),
  type: WebhookEventType,
  status: described(
    z.enum(['pending', 'delivered', 'gave_up', 'kept']),
    '`pending`: attempts remain. `delivered`: your server responded with 2xx. `gave_up`: all ten attempts failed, or the webhook was disabled or removed. `kept`: a test’s event that no webhook gets, listed for seven days.',
  ),
  tries: described(z.int(), 'Attempts so far.'),
  next_try_at: timeOrNull('When the next attempt is due.'),
  created_at: time('When it happened; for some types to the second.'),
  body: described(z.unknown(), 'The posted body.', { type: 'object' }),
};

export const EventResponse = answer('WebhookDelivery', event);
export type EventResponse = z.infer<typeof EventResponse>;

export const EventAndAttemptsResponse = answer('WebhookDeliveryAndAttempts', {
  ...event,
  attempts: z.array(
    z.object({
      number: described(z.int(), 'From 1.'),
      started_at: time('When the attempt was made.'),
      duration_ms: described(z.number(), 'The time until your server responded.'),
      status_code: described(z.nullable(z.int()), 'The status code of the response, if any.'),
      answer: described(z.nullable(z.string()), 'The first kilobyte of the response.'),
      error: described(
        z.nullable(z.string()),
        'Why there was no response, the target of a redirect, which is not followed, or that a 2xx response is a web page, which your program may not have sent.',
      ),
    }),
  ),
});
export type EventAndAttemptsResponse = z.infer<typeof EventAndAttemptsResponse>;

export const EventListResponse = z.object({ events: z.array(EventResponse) });
export type EventListResponse = z.infer<typeof EventListResponse>;

export const TestEventData = z.object({ message: z.string() });
