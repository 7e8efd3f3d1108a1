import * as z from 'zod/mini';
import type { KeyHolder } from '../merchants/merchant/key-holder.ts';
import { isTwin, otherModeHint } from '../merchants/merchant/twin.ts';
import { type Clock, nowIso } from '../runtime/outside/outside.ts';
import { MAX_DELAY_SECONDS } from '../runtime/outside/queues.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { type KeyKind, keyKinds } from '../runtime/triggers/row.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { sha256 } from '../runtime/values/sha256.ts';

/** What the webhook of a live key hears. */
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
/** What that of an sms key does. */
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

/** An event that something caused: all but a test. */
export type CausedEventType = Exclude<WebhookEventType, 'webhook.test'>;

/** What a webhook can choose among: that of a live key hears of texts too, where the sms key has none. */
export function eventsOfKind(kind: KeyKind): readonly CausedEventType[] {
  return kind === 'sms' ? textEvents : [...moneyEvents, ...walletEvents, ...textEvents];
}

/** The kind of key whose webhook hears it. */
export function keyKindOfEvent(type: WebhookEventType): KeyKind {
  return textEvents.some((one) => one === type) ? 'sms' : 'live';
}

export const WebhookAttempt = z.object({
  number: z.number(),
  started_at: z.string(),
  duration_ms: z.number(),
  /** The HTTP status; unset if no answer came. */
  status_code: z.optional(z.number()),
  /** The first kilobyte of the answer. */
  answer: z.optional(z.string()),
  /** Why no answer came, or why the answer does not count. */
  error: z.optional(z.string()),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

export const WebhookEvent = z.object({
  event_id: z.string(),
  merchant_id: z.string(),
  /** Which of the merchant's webhooks hears it, for good: its tries and replays go there, and the other kind of key never sees it. */
  key_kind: z._default(z.enum(keyKinds), 'live'),
  type: WebhookEventType,
  /** The body as it is posted, byte for byte the same in every try. */
  body: z.string(),
  state: z.enum(['pending', 'delivered', 'gave_up']),
  /** Tries made in all; `round_tries` of them since the event was made or last replayed. */
  tries: z.number(),
  round_tries: z.number(),
  /** Counts replays. */
  round: z.number(),
  /** Set while it is pending. */
  next_try_at: z.optional(z.string()),
  /** While it is pending: when housekeeping looks for it, where its next try is lost. */
  due_at: z.optional(z.string()),
  /** The try that ended it. */
  ended_by: z.optional(WebhookAttempt),
  /** Whether its next try has a slot in the lane of a slow receiver, which is at `next_try_at`. */
  has_slot: z.optional(z.boolean()),
  created_at: z.string(),
  /** Which change caused it, by its place among others (`orderOf`); none caused a test. */
  caused_by: z.optional(z.string()),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

interface EventCaused {
  /** Identifies what happened; unique per occurrence. */
  readonly cause: string;
  /** When it happened (ISO). */
  readonly at: string;
  readonly data: object;
  /** Which change caused it (`orderOf`). */
  readonly caused_by?: string | undefined;
}

/**
 * A new event, due now. `cause` identifies what happened and is unique per occurrence: the same cause has the same id, so a
 * change that the stream delivers again creates no second event, not even for another of the merchant's webhooks.
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
    body: JSON.stringify({ type, timestamp: at, livemode: !isTwin(merchant_id), data }),
    state: 'pending',
    tries: 0,
    round_tries: 0,
    round: 0,
    next_try_at: at,
    created_at: at,
    ...(caused_by && { caused_by }),
  };
}

/** The id of an event follows from what caused it, so that the event can be found by its cause. */
export function eventIdOf(merchantId: string, type: WebhookEventType, cause: string): string {
  return `evt_${sha256(`${merchantId} ${type} ${cause}`).slice(0, 32)}`;
}

/** The event, due again now. */
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

/** `event` is the one that has the id, where it is not the holder's. */
export function noEvent(event?: KeyHolder, holder?: KeyHolder): PublicError {
  const hint = event && holder && otherModeHint('event', event.merchant_id, holder.merchant_id);
  const kept = 'Events are kept for 30 days; GET /api/v1/webhook/event lists them.';
  return new PublicError('not_found', `You have no webhook event with this id. ${hint ?? kept}`);
}

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
