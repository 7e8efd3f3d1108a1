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
export const MendedPost = z.strictObject({
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

/** Returns true if the callback has a sender outside its payload. Only a forged text could put a sender there. */
export function namesOtherSender(post: unknown, payload: unknown): boolean {
  return sendersIn(post) > ownSenders(payload);
}

function sendersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, one: unknown) => sum + sendersIn(one), ownSenders(value));
}

function ownSenders(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? SENDER_NAMES.filter((name) => Object.hasOwn(value, name)).length
    : 0;
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
