import { PHONE_EVENT_KEPT_SECONDS, type PhoneEvent } from '../gateway/phone-event.table.ts';

/** When the phone got the text, by its own clock where that makes sense: not in the future, nor longer ago than it is kept. */
export function receivedAt(phoneEvent: PhoneEvent): string {
  return new Date(toldOrArrivedMs(phoneEvent, PHONE_EVENT_KEPT_SECONDS)).toISOString();
}

/** The same in milliseconds for what only orders a wallet's texts: an inbox may be told of from its beginning on. */
export function receivedMs(phoneEvent: PhoneEvent): number {
  return toldOrArrivedMs(phoneEvent, INBOX_SECONDS);
}

const INBOX_SECONDS = 2 * 365 * 24 * 60 * 60;

function toldOrArrivedMs({ event, arrived_at }: PhoneEvent, longestAgoSeconds: number): number {
  const toldMs = Date.parse(event.payload.receivedAt ?? '');
  const arrivedMs = Date.parse(arrived_at);
  const isPlausible = toldMs <= arrivedMs && toldMs > arrivedMs - longestAgoSeconds * 1000;
  return isPlausible ? toldMs : arrivedMs;
}
