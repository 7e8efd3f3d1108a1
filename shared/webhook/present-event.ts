import { parseLossless } from '../runtime/values/json.ts';
import type { WebhookAttempt, WebhookEvent } from './event.ts';
import type { EventAndAttemptsResponse, EventResponse } from './responses.ts';

/** An event as its merchant sees it. */
export function presentEvent(event: WebhookEvent): EventResponse {
  return {
    id: event.event_id,
    type: event.type,
    status: event.state,
    tries: event.tries,
    next_try_at: event.next_try_at ?? null,
    created_at: event.created_at,
    body: parseLossless(event.body),
  };
}

/** The same with each try. */
export function presentEventAndAttempts(
  event: WebhookEvent,
  attempts: readonly WebhookAttempt[],
): EventAndAttemptsResponse {
  return {
    ...presentEvent(event),
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
