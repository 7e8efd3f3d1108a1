import * as z from 'zod/mini';
import type { KeyHolder } from '../merchants/merchant/key-holder.ts';
import { isTestAccount, otherModeHint } from '../merchants/merchant/test-account.ts';
import { type Clock, nowIso } from '../runtime/outside/outside.ts';
import { MAX_DELAY_SECONDS } from '../runtime/outside/queues.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { type KeyKind, keyKinds } from '../runtime/triggers/row.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { sha256 } from '../runtime/values/sha256.ts';

const moneyEvents = [
  'charge.partly_paid',
  'charge.success',
  'charge.expired',
  'charge.cancelled',
  'charge.reversed',
  'charge.unmarked',
  'charge.refunded',
  'charge.disputed',
  'charge.code_waiting',
  'link.stock_low',
  'request.paid',
  'request.reopened',
  'receipt.held',
  'receipt.unread',
] as const;
const walletEvents = [
  'wallet.payment_refused',
  'wallet.near_limit',
  'wallet.balance_unclear',
  'wallet.payment_missed',
  'wallet.reversal_suspected',
] as const;
const textEvents = [
  'sms.delivered',
  'sms.failed',
  'sms.expired',
  'sms.cancelled',
  'sms.received',
  'credits.low',
] as const;

export const WebhookEventType = z.enum([...moneyEvents, ...textEvents, ...walletEvents, 'webhook.test']);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

export type CausedEventType = Exclude<WebhookEventType, 'webhook.test'>;

/**
 * Returns the event types that a webhook can receive. A live webhook receives SMS events if the sms key has no webhook.
 */
export function eventsOfKind(kind: KeyKind): readonly CausedEventType[] {
  return kind === 'sms' ? textEvents : [...moneyEvents, ...walletEvents, ...textEvents];
}

export function keyKindOfEvent(type: WebhookEventType): KeyKind {
  return textEvents.some((one) => one === type) ? 'sms' : 'live';
}

export const WebhookAttempt = z.object({
  number: z.number(),
  started_at: z.string(),
  duration_ms: z.number(),
  status_code: z.optional(z.number()),
  answer: z.optional(z.string()),
  error: z.optional(z.string()),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

export const WebhookEvent = z.object({
  event_id: z.string(),
  merchant_id: z.string(),
  /** Kind of webhook that receives the event, including retries and replays. */
  key_kind: z._default(z.enum(keyKinds), 'live'),
  type: WebhookEventType,
  /** The request body, byte-identical in every attempt. */
  body: z.string(),
  state: z.enum(['pending', 'delivered', 'gave_up']),
  /** True for a test event that no webhook receives. Its `state` is `delivered`, so it is never sent. */
  is_kept: z.optional(z.boolean()),
  /** `tries` counts all attempts. `round_tries` counts those since the event was created or last replayed. */
  tries: z.number(),
  round_tries: z.number(),
  round: z.number(),
  next_try_at: z.optional(z.string()),
  /** Time when housekeeping checks for a lost attempt. Set while the event is pending. */
  due_at: z.optional(z.string()),
  ended_by: z.optional(WebhookAttempt),
  /** True if `next_try_at` is reserved in a slow receiver's lane. */
  has_slot: z.optional(z.boolean()),
  created_at: z.string(),
  /** Position (`orderOf`) of the change that caused the event. Unset for a test event. */
  caused_by: z.optional(z.string()),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

interface EventCaused {
  readonly cause: string;
  readonly at: string;
  readonly data: object;
  readonly caused_by?: string | undefined;
}

/**
 * Builds a new event that is due immediately. Its id is derived from `cause`, so redelivered changes create only one
 * event.
 */
export function newWebhookEvent(
  { merchant_id, key_kind }: KeyHolder,
  type: WebhookEventType,
  { cause, at, data, caused_by }: EventCaused,
): WebhookEvent {
  return {
    event_id: eventIdOf(merchant_id, type, cause),
    merchant_id,
    key_kind,
    type,
    body: JSON.stringify({ type, timestamp: at, livemode: !isTestAccount(merchant_id), data }),
    state: 'pending',
    tries: 0,
    round_tries: 0,
    round: 0,
    next_try_at: at,
    created_at: at,
    ...(caused_by && { caused_by }),
  };
}

/** Returns the event marked as delivered, so that it is never sent. */
export function keptOnly(event: WebhookEvent): WebhookEvent {
  return { ...event, state: 'delivered', is_kept: true };
}

export function statusOfEvent({
  state,
  is_kept,
}: Pick<WebhookEvent, 'state' | 'is_kept'>): WebhookEvent['state'] | 'kept' {
  return is_kept ? 'kept' : state;
}

export function eventIdOf(merchantId: string, type: WebhookEventType, cause: string): string {
  return `evt_${sha256(`${merchantId} ${type} ${cause}`).slice(0, 32)}`;
}

export function replayed(outside: Clock, event: WebhookEvent): WebhookEvent {
  const now = nowIso(outside);
  return {
    ...event,
    state: 'pending',
    round: event.round + 1,
    round_tries: 0,
    next_try_at: now,
    has_slot: undefined,
    ended_by: undefined,
  };
}

/**
 * Builds the error for an event that does not exist or that belongs to a different holder. `event` is that event's
 * holder.
 */
export function noEvent(event?: KeyHolder, holder?: KeyHolder): PublicError {
  const hint = event && holder && otherModeHint('event', event.merchant_id, holder.merchant_id);
  const kept =
    'Events are kept for 30 days (seven for test events sent without a webhook). GET /api/v1/webhook/event lists them.';
  return new PublicError('not_found', `You have no webhook event with this id. ${hint ?? kept}`);
}

/** A queued attempt. Skipped if the event no longer has this number of `tries`. */
export const WebhookJob = z.object({ event_id: z.string(), tries: z.number() });
export type WebhookJob = z.infer<typeof WebhookJob>;

/** Queues an event's next attempt. If the delay is too long for SQS, housekeeping queues the attempt later. */
export async function queueTry(outside: WorkerOutside, event: WebhookEvent): Promise<void> {
  const { event_id, tries, merchant_id, next_try_at, state } = event;
  if (state !== 'pending') return;
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(next_try_at ?? '') - outside.now()) / 1000));
  if (delaySeconds > MAX_DELAY_SECONDS) return;
  await outside.queues.send('deliver-webhook', [
    { body: { event_id, tries } satisfies WebhookJob, group: merchant_id, delaySeconds },
  ]);
}
