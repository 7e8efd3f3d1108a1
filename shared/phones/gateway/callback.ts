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
  event: z.enum(['sms:sent', 'sms:delivered', 'sms:failed', 'sms:cancelled']),
  deviceId: z.string(),
  payload: z.object({ messageId: z.string(), reason: z.nullish(z.string()) }),
});
export type StateReport = z.infer<typeof StateReport>;

/** The reason of a text that was cancelled, for which the app gives none. */
export const CANCELLED = 'Cancelled';

/** The fields of every callback. */
export const CallbackEvent = z.object({ event: z.string(), id: z.string(), deviceId: z.string() });
export type CallbackEvent = z.infer<typeof CallbackEvent>;

/** Posted by each phone at the interval set in its app: the proof that its callbacks arrive, even when nothing happens. */
export const PING = 'system:ping';
/** Posted when the app starts: after an update, a restart of the phone, or because Android had stopped it. */
export const STARTED = 'app:started';

/** Whether this service reads what an event of this kind says; a phone may be configured to post others too. */
export function isRead({ event }: CallbackEvent): boolean {
  return event === 'sms:received' || StateReport.shape.event.safeParse(event).success;
}

/** Why a callback is refused: a phone without a key here, another key, or a phone whose clock is wrong. */
export type Refusal =
  | { readonly reason: 'unknown_device' | 'wrong_signature' }
  /** How far the phone's clock is ahead; negative if it is behind. */
  | { readonly reason: 'clock'; readonly skew_seconds: number };

/** What a phone posted, and what proves that it did. */
export interface Callback {
  readonly deviceId: string;
  readonly rawBody: string;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

/**
 * Why a callback is not from one of the account's phones, or not fresh; undefined if it is. `signature` is the lower-case hex
 * HMAC-SHA256 of the raw body and the timestamp under the device's key, `timestamp` is in seconds and within five minutes of
 * now. The clock is blamed only where the signature is right for the timestamp that was sent.
 */
export function refusalOf(account: GatewayAccount, callback: Callback, nowMs: number): Refusal | undefined {
  const { deviceId, rawBody, signature = '', timestamp = '' } = callback;
  const key = Object.hasOwn(account.signing_keys, deviceId) ? account.signing_keys[deviceId] : undefined;
  if (!key) return { reason: 'unknown_device' };
  const expected = createHmac('sha256', key)
    .update(rawBody + timestamp)
    .digest();
  const shown = /^[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(32);
  if (!/^\d{1,12}$/.test(timestamp) || !timingSafeEqual(shown, expected)) return { reason: 'wrong_signature' };
  if (Math.abs(Number(timestamp) - nowMs / 1000) <= FRESH_SECONDS) return undefined;
  return { reason: 'clock', skew_seconds: Number(timestamp) - Math.floor(nowMs / 1000) };
}

export const FRESH_SECONDS = 5 * 60;
