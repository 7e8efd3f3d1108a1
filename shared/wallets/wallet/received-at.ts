import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';

/**
 * When the phone got the text, by its own clock; when it reached us where that clock says nothing or a time to come. However long ago
 * that is: a phone tells its whole inbox when it is asked to, and an old payment counted as new would pay a charge of today.
 */
export function receivedAt(phoneEvent: PhoneEvent): string {
  return new Date(toldOrArrivedMs(phoneEvent, Number.POSITIVE_INFINITY)).toISOString();
}

/** The same in milliseconds for what orders a wallet's texts: a clock that had been reset says nothing about their order. */
export function receivedMs(phoneEvent: PhoneEvent): number {
  return toldOrArrivedMs(phoneEvent, INBOX_SECONDS);
}

const INBOX_SECONDS = 2 * 365 * 24 * 60 * 60;

function toldOrArrivedMs({ event, arrived_at }: PhoneEvent, longestAgoSeconds: number): number {
  // A clock that counts backwards from 1970 is no better than one that was reset.
  const toldMs = Math.max(0, Date.parse(event.payload.receivedAt ?? ''));
  const arrivedMs = Date.parse(arrived_at);
  const isPlausible = toldMs <= arrivedMs && toldMs > arrivedMs - longestAgoSeconds * 1000;
  return isPlausible ? toldMs : arrivedMs;
}
