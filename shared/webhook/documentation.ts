import { paid } from '../money/charge/documentation.ts';
import type { DocumentedEvent, Operation } from '../runtime/http/operation.ts';
import { type Parameter, pageParameters, timeParameters } from '../runtime/http/query-parameters.ts';
import { NoData } from '../runtime/http/responses.ts';
import { WebhookRequest } from './endpoint.ts';
import {
  EventAndAttemptsResponse,
  EventListResponse,
  EventResponse,
  TestEventData,
  WebhookAndSecretResponse,
  WebhookResponse,
} from './responses.ts';

const webhook: WebhookResponse = {
  url: 'https://shop.example.com/hooks',
  events: null,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: '2026-11-20T08:00:00.000Z',
};

const webhookAndSecret: WebhookAndSecretResponse = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

const event: EventResponse = {
  id: 'evt_9f86d081884c7d659a2feaa0c55ad015',
  type: 'charge.success',
  status: 'delivered',
  tries: 1,
  next_try_at: null,
  created_at: '2026-11-20T08:30:00.000Z',
  body: { type: 'charge.success', timestamp: '2026-11-20T08:30:00.000Z', livemode: true, data: paid },
};

const eventId: Parameter = { description: 'The event’s id.', schema: { type: 'string' }, example: event.id };

/**
 * These parameters filter by the time when the service recorded an event. Its `created_at` can be the network's time,
 * which may differ.
 */
const eventTimeParameters = {
  from: {
    ...timeParameters.from,
    description: 'Only events recorded at this time (ISO 8601) or later.',
  },
  to: {
    ...timeParameters.to,
    description: 'Only events recorded at this time (ISO 8601) or earlier.',
  },
};

const ofWebhook = { tag: 'Your webhook', path: {} } as const;

export const webhookOperations = {
  'webhook/set': {
    ...ofWebhook,
    summary: 'Set the webhook',
    description:
      'Sets the address and the types of your events, and returns the secret that signs them. A new address replaces the old one; the secret stays. Events contain whole transaction ids, with which a payment can be claimed: a key with `webhooks:write` can therefore read them.',
    body: {
      schema: WebhookRequest,
      examples: {
        url: { summary: 'All events', value: { url: 'https://shop.example.com/hooks' } },
        events: {
          summary: 'Only some types of events',
          value: { url: 'https://shop.example.com/hooks', events: ['charge.success', 'charge.reversed'] },
        },
      },
    },
    success: { message: 'Webhook set', data: WebhookAndSecretResponse, example: webhookAndSecret },
  },
  'webhook/show': {
    ...ofWebhook,
    summary: 'Show the webhook',
    description: 'The address set with this kind of key, and whether deliveries succeed.',
    success: { message: 'Webhook', data: WebhookResponse, example: webhook },
    errors: ['not_found'],
  },
  'webhook/remove': {
    ...ofWebhook,
    summary: 'Remove the webhook',
    description: 'Removes the webhook of this kind of key, and its secret. Also succeeds if none is set.',
    success: { message: 'Webhook removed', data: NoData, example: {} },
  },
  'webhook/roll-secret': {
    ...ofWebhook,
    summary: 'Roll the secret',
    description:
      'Creates a new secret. For 24 hours both secrets sign each event, so that your server can switch at any time.',
    success: { message: 'Webhook secret rolled', data: WebhookAndSecretResponse, example: webhookAndSecret },
    errors: ['not_found'],
  },
  'webhook/test': {
    ...ofWebhook,
    summary: 'Send a test event',
    description:
      'Posts a `webhook.test` to your address; the event shows the response. At most ten tests and replays a minute.',
    success: {
      message: 'Test event queued',
      data: EventResponse,
      example: {
        ...event,
        type: 'webhook.test',
        status: 'pending',
        tries: 0,
        next_try_at: event.created_at,
        body: {
          type: 'webhook.test',
          timestamp: event.created_at,
          livemode: true,
          data: { message: 'Momo Kiosk can reach this address.' },
        },
      } satisfies EventResponse,
    },
    errors: ['not_found'],
  },
  'webhook/list-events': {
    ...ofWebhook,
    summary: 'List events',
    description:
      'The events of the last 30 days for the webhook of this kind of key, newest first; events of one charge in the order of its changes, others only to the second. With a live key, changes that no webhook gets (none is set, it is disabled, or the type is not among its `events`) are not listed. With a test key they are listed as `kept` for seven days, at most 2,000 a day.',
    query: { ...pageParameters, ...eventTimeParameters },
    success: {
      message: 'Webhook events',
      data: EventListResponse,
      example: { events: [event] } satisfies EventListResponse,
      isPage: true,
    },
  },
  'webhook/show-event': {
    tag: 'Your webhook',
    summary: 'Show an event',
    description: 'One event with every delivery attempt.',
    path: { id: eventId },
    success: {
      message: 'Webhook event',
      data: EventAndAttemptsResponse,
      example: {
        ...event,
        attempts: [
          {
            number: 1,
            started_at: '2026-11-20T08:30:00.512Z',
            duration_ms: 84,
            status_code: 200,
            answer: 'ok',
            error: null,
          },
        ],
      } satisfies EventAndAttemptsResponse,
    },
  },
  'webhook/replay': {
    tag: 'Your webhook',
    summary: 'Replay an event',
    description: 'Sends an event again, with the same `webhook-id` and as many new attempts.',
    path: { id: eventId },
    success: {
      message: 'Webhook event queued',
      data: EventResponse,
      example: { ...event, status: 'pending', next_try_at: '2026-11-20T09:12:00.000Z' } satisfies EventResponse,
    },
  },
} satisfies Record<string, Operation>;

export const webhookEvents = {
  'webhook.test': {
    summary: 'A test event',
    description: 'Sent by `POST /api/v1/webhook/test`.',
    data: TestEventData,
    example: { message: 'Momo Kiosk can reach this address.' },
  },
} satisfies Record<string, DocumentedEvent>;
