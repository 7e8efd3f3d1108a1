/**
 * If an app failed to escape quotes, a text could add a second sender to its callback. All known apps escape quotes, so
 * these checks are a precaution.
 */
import * as z from 'zod/mini';

const Scalar = z.nullable(z.union([z.string(), z.number(), z.boolean()]));
const field = z.optional(Scalar);

/**
 * An event whose app did not escape line feeds. The app may not escape quotes either, so only known fields are allowed
 * and batches are rejected.
 */
export const RepairedPost = z.strictObject({
  event: Scalar,
  id: field,
  deviceId: Scalar,
  webhookId: field,
  payload: z.strictObject({
    messageId: field,
    message: field,
    sender: field,
    phoneNumber: field,
    recipient: field,
    simNumber: field,
    receivedAt: field,
    reason: field,
    partsCount: field,
    sentAt: field,
    deliveredAt: field,
    failedAt: field,
    cancelledAt: field,
  }),
});

const SENDER_NAMES = ['sender', 'phoneNumber'];

export type SameSender = (one: string, other: string) => boolean;

/** Returns true if the callback has a different sender outside its payload. A forged text may have put it there. */
export function namesOtherSender(post: unknown, payload: unknown, isSame: SameSender): boolean {
  const own = ownSenders(payload);
  return sendersIn(post, payload).some((one) => !own.some((known) => isSame(one, known)));
}

function sendersIn(value: unknown, payload: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = value === payload ? [] : ownSenders(value);
  return [...own, ...Object.values(value).flatMap((one: unknown) => sendersIn(one, payload))];
}

/** Skips values such as `null` and objects: the sender of a real text is never one of these. */
function ownSenders(value: unknown): string[] {
  const fields = z.safeParse(z.record(z.string(), z.unknown()), value).data ?? {};
  return SENDER_NAMES.map((name) => fields[name])
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map(String)
    .filter((one) => one.trim() !== '');
}

/**
 * Returns the fields between the text and the sender. If the app does not escape quotes, a text could have added these
 * fields.
 */
export function addable(payload: unknown): readonly string[] {
  if (typeof payload !== 'object' || payload === null) return [];
  const names = Object.keys(payload);
  const words = names.indexOf('message');
  const sender = names.findLastIndex((name) => SENDER_NAMES.includes(name));
  return names.slice(words + 1, sender > words ? sender : undefined);
}
