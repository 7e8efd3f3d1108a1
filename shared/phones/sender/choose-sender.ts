import type { Outside } from '../../runtime/outside/outside.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { fullForMs, isAvailable, type Sender, sendingOf, unavailableMessages, whyUnavailable } from './sender.ts';

interface Wish {
  readonly merchant_id: string;
  /** A sender's number, `random`, or undefined for the default. */
  readonly from: string | undefined;
  /** The merchant's own; without one, any. */
  readonly default_from?: string | undefined;
}

type ChoosingOutside = Pick<Outside, 'randomBytes' | 'now'>;

/**
 * The sender a merchant's text leaves from.
 * @throws PublicError `invalid_request` for a number that is not a sender's, `no_sender_available` if none can send now,
 * `queue_full` if too many of the merchant's texts wait on those that can.
 */
export function chooseSender(outside: ChoosingOutside, senders: readonly Sender[], wish: Wish): Sender {
  const { merchant_id, from, default_from } = wish;
  const number = from === 'random' ? undefined : (from ?? default_from);
  if (number === undefined) return anyOf(outside, senders.filter(isAvailable), merchant_id);
  const sender = sendingOf(senders).find((one) => one.number === number);
  if (!sender && from !== undefined) {
    const message = `${from} is not a sender: use a number from GET /api/v1/sms/from, or "random"`;
    throw invalidRequest([{ field: 'from', message }]);
  }
  const reason = sender && whyUnavailable(sender);
  if (!sender || reason) {
    const why = reason ? ` ${unavailableMessages[reason]}` : '';
    throw unavailable(
      `The sender ${number} cannot send at the moment.${why} Use "from": "random" to send from another.`,
    );
  }
  const waitMs = fullForMs(outside, sender, merchant_id);
  if (waitMs > 0) throw queueFull(`on ${number}`, waitMs, ' Use "from": "random" to send from another.');
  return sender;
}

function anyOf(outside: ChoosingOutside, available: readonly Sender[], merchantId: string): Sender {
  if (available.length === 0) {
    throw unavailable('No sender number is available at the moment. Nothing was debited; try again later.');
  }
  const waitsMs = available.map((sender) => fullForMs(outside, sender, merchantId));
  const open = available.filter((_, n) => (waitsMs[n] ?? 0) <= 0);
  const sender = open[outside.randomBytes(4).readUInt32BE() % open.length];
  if (!sender) throw queueFull('on every sender', Math.min(...waitsMs), '');
  return sender;
}

function unavailable(message: string): PublicError {
  return new PublicError('no_sender_available', message, { headers: { 'retry-after': '60' } });
}

function queueFull(where: string, waitMs: number, whatElse: string): PublicError {
  return new PublicError(
    'queue_full',
    `More of your texts are waiting ${where} than can be sent in a day. Nothing was debited; wait until some have left.${whatElse}`,
    { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } },
  );
}
