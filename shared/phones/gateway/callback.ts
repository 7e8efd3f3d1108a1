import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { GatewayAccount } from './accounts.ts';
import { FRESH_SECONDS } from './fresh-callback.ts';

/** A text that a phone received, as it is stored. */
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
 * The id of a text whose app gives it none: the same for the same words of the same phone. It is made with the phone's key, because a code
 * can be found from a plain hash of its text. The first line keeps it from being a signature of anything that a phone posts.
 */
export function idOfText(key: string, content: string): string {
  return createHmac('sha256', key).update(`id\n${content}`).digest('hex');
}

/** What a phone posts about a text that it sends for us; `messageId` is the id under which it was handed over. */
export const StateReport = z.object({
  event: z.enum(['sms:sent', 'sms:delivered', 'sms:failed', 'sms:cancelled']),
  deviceId: z.string(),
  payload: z.object({ messageId: z.string(), reason: z.catch(z.nullish(z.string()), undefined) }),
});
export type StateReport = z.infer<typeof StateReport>;

/** The reason of a text that was cancelled, for which the app gives none. */
export const CANCELLED = 'Cancelled';

/** A JSON number beyond 2^53 has lost digits, and 0 or a blank is the same for every text. */
const EventId = z.union([
  z.string().check(z.regex(/[\p{L}1-9]/u)),
  z.pipe(z.number().check(z.refine((id) => Number.isSafeInteger(id) && id !== 0)), z.transform(String)),
]);

/** Some apps number phones. */
const DeviceId = z.union([
  z.string(),
  z.pipe(z.number().check(z.refine((id) => Number.isSafeInteger(id))), z.transform(String)),
]);

/** The fields of every callback. A text whose event has no usable id gets one from what it says. */
export const CallbackEvent = z.object({
  event: z.string(),
  id: z.catch(z.optional(EventId), undefined),
  deviceId: DeviceId,
});
export type CallbackEvent = z.infer<typeof CallbackEvent>;

/** Posted by each phone at the interval set in its app: the proof that its callbacks arrive, even when nothing happens. */
export const PING = 'system:ping';
/** Posted when the app starts: after an update, a restart of the phone, or because Android had stopped it. */
export const STARTED = 'app:started';

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
 * HMAC-SHA256 of the raw body and the timestamp under the device's key, `timestamp` is in seconds and within five minutes of now.
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

/** Something that a phone signed, by whatever scheme. */
interface Signed {
  readonly deviceId: string;
  readonly signature: string | undefined;
  /** Undefined where it does not say so. */
  readonly signedAtSeconds: number | undefined;
  /** What the signature has to be, of 32 bytes. */
  readonly sign: (key: string) => Buffer;
}

/**
 * Why it is not from a phone with one of these keys, or not within five minutes of now; undefined if it is. The clock is blamed only where the
 * signature is right for the time that was sent.
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
