import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { GatewayAccount } from './accounts.ts';

/** What a phone posts when it receives an SMS. */
export const ReceivedEvent = z.object({
  event: z.literal('sms:received'),
  id: z.string(),
  deviceId: z.string(),
  payload: z.object({
    message: z.string(),
    sender: z.string(),
    recipient: z.nullish(z.string()),
    simNumber: z.nullish(z.number()),
    receivedAt: z.nullish(z.string()),
  }),
});
export type ReceivedEvent = z.infer<typeof ReceivedEvent>;

/** What a phone posts about a text that it sends for us; `messageId` is the id under which it was handed over. */
export const StateReport = z.object({
  event: z.enum(['sms:sent', 'sms:delivered', 'sms:failed']),
  deviceId: z.string(),
  payload: z.object({ messageId: z.string(), reason: z.nullish(z.string()) }),
});
export type StateReport = z.infer<typeof StateReport>;

/** The fields of every callback. */
export const CallbackEvent = z.object({ event: z.string(), id: z.string(), deviceId: z.string() });
export type CallbackEvent = z.infer<typeof CallbackEvent>;

/** Whether this service acts on this kind of event; a phone may be configured to post others too. */
export function isOurs({ event }: CallbackEvent): boolean {
  return event === 'sms:received' || StateReport.shape.event.safeParse(event).success;
}

/**
 * Whether a callback is from one of the account's phones and fresh: `signature` is the lower-case hex HMAC-SHA256 of the raw
 * body and the timestamp under the device's key, `timestamp` is in seconds and within five minutes of now.
 */
export function isGenuineCallback(
  account: GatewayAccount,
  callback: { deviceId: string; rawBody: string; signature: string | undefined; timestamp: string | undefined },
  nowMs: number,
): boolean {
  const { deviceId, rawBody, signature = '', timestamp = '' } = callback;
  const key = Object.hasOwn(account.signing_keys, deviceId) ? account.signing_keys[deviceId] : undefined;
  if (!key || !/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > FRESH_SECONDS) return false;
  const expected = createHmac('sha256', key)
    .update(rawBody + timestamp)
    .digest();
  const shown = /^[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(32);
  return timingSafeEqual(shown, expected);
}

export const FRESH_SECONDS = 5 * 60;
