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
 * Derives an id for a text that has none. A plain hash could reveal a code in the text, so the hash includes the
 * phone's key. The first line prevents the id from being a valid callback signature.
 */
export function idOfText(key: string, content: string): string {
  return createHmac('sha256', key).update(`id\n${content}`).digest('hex');
}

/** A phone's report about an outgoing text. `messageId` is the id that this service chose. */
export const StateReport = z.object({
  event: z.enum(['sms:sent', 'sms:delivered', 'sms:failed', 'sms:cancelled']),
  deviceId: z.string(),
  payload: z.object({ messageId: z.string(), reason: z.catch(z.nullish(z.string()), undefined) }),
});
export type StateReport = z.infer<typeof StateReport>;

/** Failure reason of a cancelled text. The app gives no reason. */
export const CANCELLED = 'Cancelled';

/**
 * An event id. Rejects numbers above 2^53, which lose digits in JSON. Rejects 0 and empty ids, which every text would
 * share.
 */
const EventId = z.union([
  z.string().check(z.regex(/[\p{L}1-9]/u)),
  z.pipe(z.number().check(z.refine((id) => Number.isSafeInteger(id) && id !== 0)), z.transform(String)),
]);

/** A device id. Some apps send a number. */
const DeviceId = z.union([
  z.string(),
  z.pipe(z.number().check(z.refine((id) => Number.isSafeInteger(id))), z.transform(String)),
]);

/** Fields of every callback. A missing event id is derived from the text. */
export const CallbackEvent = z.object({
  event: z.string(),
  id: z.catch(z.optional(EventId), undefined),
  deviceId: DeviceId,
  isEncrypted: z.catch(z.optional(z.boolean()), undefined),
});
export type CallbackEvent = z.infer<typeof CallbackEvent>;

/** Event that each phone sends at a configured interval. */
export const PING = 'system:ping';
export const STARTED = 'app:started';

/** Reason to reject a callback: unknown phone, wrong key, or wrong time. */
export type Refusal =
  | { readonly reason: 'unknown_device' | 'wrong_signature' }
  /** Clock offset in seconds; positive if the phone is ahead. */
  | { readonly reason: 'clock'; readonly skew_seconds: number };

export interface Callback {
  readonly deviceId: string;
  readonly rawBody: string;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

/**
 * Returns the reason to reject a callback, or undefined for a valid callback. `signature` is the lower-case hex
 * HMAC-SHA256 of the raw body and `timestamp`. `timestamp` is in seconds and must be within five minutes of now.
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
  readonly signedAtSeconds: number | undefined;
  readonly sign: (key: string) => Buffer;
}

/**
 * Returns the reason to reject a callback, or undefined if one of these keys signed it within five minutes of now. The
 * `clock` reason requires a correct signature.
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
