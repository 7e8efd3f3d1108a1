import { PHONE_EVENT_KEPT_SECONDS, type PhoneEvent } from '../gateway/phone-event.table.ts';

/** When the phone got the text, by its own clock where that makes sense: not in the future, nor longer ago than it is kept. */
export function receivedAt({ event, arrived_at }: PhoneEvent): string {
  const toldMs = Date.parse(event.payload.receivedAt ?? '');
  const arrivedMs = Date.parse(arrived_at);
  const isPlausible = toldMs <= arrivedMs && toldMs > arrivedMs - PHONE_EVENT_KEPT_SECONDS * 1000;
  return isPlausible ? new Date(toldMs).toISOString() : arrived_at;
}
