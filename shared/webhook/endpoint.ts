import { createHmac } from 'node:crypto';
import { closestMatch } from 'leven';
import * as z from 'zod/mini';
import type { KeyHolder } from '../merchants/merchant/key-holder.ts';
import { type IdOutside, isoOf, nowIso, type Outside } from '../runtime/outside/outside.ts';
import { MAX_URL_CHARACTERS, publicUrlProblem } from '../runtime/outside/public-url.ts';
import { DAY_MS } from '../runtime/values/calendar.ts';
import { described, requestBody } from '../runtime/values/described.ts';
import { invalidRequest, PublicError } from '../runtime/values/errors.ts';
import type { WebhookEndpoint } from './endpoint.table.ts';
import { eventsOfKind, WebhookEventType } from './event.ts';
import type { WebhookAndSecretResponse, WebhookResponse } from './responses.ts';

const ChosenEvent = z.enum(WebhookEventType.options, {
  error: ({ input }) => {
    const typed = typeof input === 'string' ? input.slice(0, MAX_TYPE_CHARACTERS) : '';
    const meant =
      closestMatch(typed, WebhookEventType.options, { maxDistance: 2 }) ??
      ELSEWHERE.find(([name]) => name.test(typed))?.[1];
    if (meant) return `is not an event type. Did you mean "${meant}"?`;
    const alike = WebhookEventType.options.filter((type) => type.split('.')[0] === typed.split('.')[0]);
    return `must be one of ${(alike.length > 0 ? alike : WebhookEventType.options).join(', ')}`;
  },
});
/** Event names of other services, mapped to our event types. */
const ELSEWHERE: readonly [RegExp, WebhookEventType][] = [
  [/refund/, 'charge.refunded'],
  [/dispute|chargeback/, 'charge.disputed'],
  // Our charges never fail: an unpaid charge expires.
  [/^(charge|payment|transaction)\.(failed|declined|abandoned|timeout)$/, 'charge.expired'],
  [
    /^(charge|payment|transaction|invoice|order)\.(complete|completed|confirmed|paid|succeeded|success|successful)$/,
    'charge.success',
  ],
  [/^(sms|message|text)\.sent$/, 'sms.delivered'],
  [/^(sms|message|text)\.undelivered$/, 'sms.failed'],
];
const MAX_TYPE_CHARACTERS = 40;
const MAX_TYPES = WebhookEventType.options.length;

export const WebhookRequest = requestBody('WebhookRequest', {
  url: described(
    z.string('must be an https:// address'),
    'An https address on port 443 of a public host. On your own machine (`npm start`) also `http://localhost`, with any port.',
    { format: 'uri', maxLength: MAX_URL_CHARACTERS, examples: ['https://shop.example.com/hooks'] },
  ),
  events: z.optional(
    described(
      z
        .array(ChosenEvent, 'must be a list of event types')
        .check(
          z.minLength(1, 'must contain at least one type. Omit it to get all types.'),
          z.maxLength(MAX_TYPES, `must contain at most ${MAX_TYPES} types`),
        ),
      'The types of events to post; all if left out, also when you set the address again. `webhook.test` is always posted.',
      { examples: [['charge.success', 'charge.reversed']] },
    ),
  ),
});
export type WebhookRequest = z.infer<typeof WebhookRequest>;

export const OLD_SECRET_MS = DAY_MS;

/**
 * Returns the endpoint, enabled, with a new URL and event types. Existing secrets are kept.
 * @throws PublicError `invalid_request` for an unusable URL, or for event types that this kind of webhook never
 * receives.
 */
export function withUrl(
  outside: Pick<Outside, 'now' | 'randomBytes' | 'allowsThisMachine'>,
  { merchant_id, key_kind }: KeyHolder,
  { current, slowMs }: { readonly current: WebhookEndpoint | undefined; readonly slowMs: number | undefined },
  { url, events }: WebhookRequest,
): WebhookEndpoint {
  const problem = publicUrlProblem(url, outside.allowsThisMachine);
  if (problem) throw invalidRequest([{ field: 'url', message: problem }]);
  const possible: readonly string[] = eventsOfKind(key_kind);
  const wrong = events?.findIndex((type) => !possible.includes(type)) ?? -1;
  if (wrong >= 0) {
    const message = `must be one of ${possible.join(', ')}, the event types for a key of kind ${key_kind}`;
    throw invalidRequest([{ field: `events[${wrong}]`, message }]);
  }
  return {
    merchant_id,
    key_kind,
    url,
    ...(events && { events: [...new Set(events)] }),
    secrets: current?.secrets ?? [{ secret: newWebhookSecret(outside.randomBytes) }],
    created_at: current?.created_at ?? nowIso(outside),
    ...(slowMs !== undefined && { slow_ms: slowMs }),
  };
}

/** Returns the endpoint with a new secret. The previous one stays valid for 24 hours; older ones expire immediately. */
export function withNewSecret(outside: IdOutside, endpoint: WebhookEndpoint): WebhookEndpoint {
  const [current] = endpoint.secrets;
  const valid_until = isoOf(outside.now() + OLD_SECRET_MS);
  return {
    ...endpoint,
    secrets: [
      { secret: newWebhookSecret(outside.randomBytes) },
      ...(current ? [{ secret: current.secret, valid_until }] : []),
    ],
  };
}

export function currentSecret({ secrets }: WebhookEndpoint): string {
  const [current] = secrets;
  if (!current) throw new Error('The webhook endpoint has no secret');
  return current.secret;
}

export function validSecrets({ secrets }: WebhookEndpoint, nowMs: number): string[] {
  const now = isoOf(nowMs);
  return secrets.filter(({ valid_until }) => !valid_until || valid_until > now).map(({ secret }) => secret);
}

/** Returns the endpoint as shown to its merchant, without secrets. */
export function presentEndpoint(endpoint: WebhookEndpoint): WebhookResponse {
  return {
    url: endpoint.url,
    events: endpoint.events ?? null,
    enabled: !endpoint.disabled_at,
    disabled_reason: endpoint.disabled_reason ?? null,
    disabled_at: endpoint.disabled_at ?? null,
    failing_since: endpoint.failing_since ?? null,
    created_at: endpoint.created_at,
  };
}

export function presentEndpointAndSecret(endpoint: WebhookEndpoint): WebhookAndSecretResponse {
  return { ...presentEndpoint(endpoint), secret: currentSecret(endpoint) };
}

export function noEndpoint(): PublicError {
  return new PublicError('not_found', 'No webhook is set for this kind of key. Set one with PUT /api/v1/webhook.');
}

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** Creates a secret: `whsec_` and 24 random bytes in base64. */
export function newWebhookSecret(randomBytes: (length: number) => Buffer): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** Returns the signature headers, with one `v1,<base64>` per valid secret, separated by spaces. */
export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
