import type { Outside } from '../runtime/outside/outside.ts';
import { invalidRequest, PublicError } from '../runtime/values/errors.ts';
import { isAvailable, type Sender } from './sender.ts';

/**
 * The sender a text leaves from. `wanted` is a sender's number, `random`, or undefined for the merchant's default or, without
 * one, for any.
 * @throws PublicError `invalid_request` for a number that is not a sender's, `no_sender_available` if none can send now.
 */
export function chooseSender(
  outside: Pick<Outside, 'randomBytes'>,
  senders: readonly Sender[],
  wanted: string | undefined,
  merchantDefault: string | undefined,
): Sender {
  const number = wanted === 'random' ? undefined : (wanted ?? merchantDefault);
  if (number === undefined) return anyOf(outside, senders.filter(isAvailable));
  const sender = senders.find((one) => one.number === number);
  if (!sender && wanted !== undefined) {
    const message = `${wanted} is not a sender: use a number from GET /api/v1/sms/from, or "random"`;
    throw invalidRequest([{ field: 'from', message }]);
  }
  if (!sender || !isAvailable(sender)) {
    throw unavailable(`The sender ${number} cannot send at the moment. Use "from": "random" to send from another.`);
  }
  return sender;
}

function anyOf(outside: Pick<Outside, 'randomBytes'>, available: readonly Sender[]): Sender {
  const sender = available[outside.randomBytes(4).readUInt32BE() % available.length];
  if (!sender) throw unavailable('No sender number is available at the moment. Nothing was debited; try again later.');
  return sender;
}

function unavailable(message: string): PublicError {
  return new PublicError('no_sender_available', message, { headers: { 'retry-after': '60' } });
}
