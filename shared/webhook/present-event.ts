import { type Reader, withoutIds } from '../money/receipt/shown-receipt.ts';
import { parseLossless } from '../runtime/values/json.ts';
import { statusOfEvent, type WebhookAttempt, type WebhookEvent } from './event.ts';
import type { EventAndAttemptsResponse, EventResponse } from './responses.ts';

/** Returns an event as shown to a key holder, with or without the full ids of held payments. */
export function presentEvent(event: WebhookEvent, seesIds: Reader['seesIds']): EventResponse {
  return {
    id: event.event_id,
    type: event.type,
    status: statusOfEvent(event),
    tries: event.tries,
    next_try_at: (event.state === 'pending' && event.next_try_at) || null,
    created_at: event.created_at,
    body: parseLossless(withoutIds({ seesIds }, event.body)),
  };
}

export function presentEventAndAttempts(
  event: WebhookEvent,
  attempts: readonly WebhookAttempt[],
  seesIds: Reader['seesIds'],
): EventAndAttemptsResponse {
  return {
    ...presentEvent(event, seesIds),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      started_at: attempt.started_at,
      duration_ms: attempt.duration_ms,
      status_code: attempt.status_code ?? null,
      answer: attempt.answer ?? null,
      error: attempt.error ?? null,
    })),
  };
}
