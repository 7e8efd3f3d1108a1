import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { GatewayAccount } from './accounts.ts';
import { FRESH_SECONDS } from './fresh-callback.ts';

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

/**
 * Derives an id for a text whose app does not provide one. The hash includes the phone's key, because a plain hash
 * could reveal a code in the text. The first line ensures that the id is never a valid signature of a callback.
 */
export function idOfText(key: string, content: string): string {
  return createHmac('sha256', key).update(`id\n${content}`).digest('hex');
}

/**
 * A phone's report about a text that it is sending for this service. `messageId` is the id that this service gave to
 * the gateway.
 */
export const StateReport = z.object({
  event: z.enum(['sms:sent', 'sms:delivered', 'sms:failed', 'sms:cancelled']),
  deviceId: z.string(),
  payload: z.object({ messageId: z.string(), reason: z.catch(z.nullish(z.string()), undefined) }),
});
export type StateReport = z.infer<typeof StateReport>;

/** The reason stored for a cancelled text, because the app does not give a reason. */
export const CANCELLED = 'Cancelled';

/**
 * The id of an event. A JSON number above 2^53 is rejected because it has lost digits. 0 and an empty id are rejected
 * because every text would share them.
 */
const EventId = z.union([
  z.string().check(z.regex(/[\p{L}1-9]/u)),
  z.pipe(z.number().check(z.refine((id) => Number.isSafeInteger(id) && id !== 0)), z.transform(String)),
]);

/** The id of a device, which some apps send as a number. */
const DeviceId = z.union([
  z.string(),
  z.pipe(z.number().check(z.refine((id) => Number.isSafeInteger(id))), z.transform(String)),
]);

/** The fields of every callback. If the event has no usable id, an id is derived from the content of its text. */
export const CallbackEvent = z.object({
  event: z.string(),
  id: z.catch(z.optional(EventId), undefined),
  deviceId: DeviceId,
  isEncrypted: z.catch(z.optional(z.boolean()), undefined),
});
export type CallbackEvent = z.infer<typeof CallbackEvent>;

/**
 * The event that each phone sends at the interval configured in its app. It shows that callbacks arrive even if nothing
 * else happens.
 */
export const PING = 'system:ping';
/**
 * The event sent when the app starts: after an update, after a restart of the phone, or after Android has stopped the
 * app.
 */
export const STARTED = 'app:started';

/** Reasons to refuse a callback: the phone has no key here, it used a different key, or its time is wrong. */
export type Refusal =
  | { readonly reason: 'unknown_device' | 'wrong_signature' }
  /** Seconds that the phone's clock is ahead. Negative if it is behind. */
  | { readonly reason: 'clock'; readonly skew_seconds: number };

export interface Callback {
  readonly deviceId: string;
  readonly rawBody: string;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

/**
 * Returns the reason to refuse a callback, or undefined if the callback is recent and comes from one of the account's
 * phones. `signature` is the lower-case hex HMAC-SHA256 of the raw body and the timestamp, with the device's key.
 * `timestamp` is in seconds and must be within five minutes of the current time.
 */
export function refusalOf(
  { signing_keys }: Pick<GatewayAccount, 'signing_keys'>,
  { deviceId, rawBody, signature, timestamp = '' }: Callback,
  nowMs: number,
): Refusal | undefined {
  const signedAtSeconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : undefined;
  const sign = (key: string) =>
    createHmac('sha256', key)
      .update(rawBody + timestamp)
      .digest();
  return refusalOfSigned(signing_keys, { deviceId, signature, signedAtSeconds, sign }, nowMs);
}

interface Signed {
  readonly deviceId: string;
  readonly signature: string | undefined;
  /** Undefined if the callback does not include a timestamp. */
  readonly signedAtSeconds: number | undefined;
  readonly sign: (key: string) => Buffer;
}

/**
 * Returns the reason to refuse a callback, or undefined if it was signed with one of these keys within five minutes of
 * the current time. The reason is `clock` only if the signature is correct for the stated time.
 */
export function refusalOfSigned(
  keys: Readonly<Record<string, string>>,
  { deviceId, signature = '', signedAtSeconds, sign }: Signed,
  nowMs: number,
): Refusal | undefined {
  const key = Object.hasOwn(keys, deviceId) ? keys[deviceId] : undefined;
  if (!key) return { reason: 'unknown_device' };
  const shown = /^[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(32);
  if (!timingSafeEqual(shown, sign(key)) || signedAtSeconds === undefined) return { reason: 'wrong_signature' };
  if (Math.abs(signedAtSeconds - nowMs / 1000) <= FRESH_SECONDS) return undefined;
  return { reason: 'clock', skew_seconds: Math.floor(signedAtSeconds) - Math.floor(nowMs / 1000) };
}
