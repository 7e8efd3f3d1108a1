import type { Clock, Outside } from '../../runtime/outside/outside.ts';
import { invalidRequest, PublicError, retryAfter } from '../../runtime/values/errors.ts';
import { fullForMs, isAvailable, type Sender, sendingOf, unavailableMessages, unavailableReason } from './sender.ts';

interface Wish {
  readonly merchant_id: string;
  readonly from: string | undefined;
  readonly default_from?: string | undefined;
  /** True for a text with a code. Such a text is sent before the merchant's other texts. */
  readonly has_code?: boolean | undefined;
}

type ChoosingOutside = Pick<Outside, 'randomBytes' | 'now'>;

/**
 * Chooses a random sender.
 * @throws the errors of `sendersFor`.
 */
export function chooseSender(outside: ChoosingOutside, senders: readonly Sender[], wish: Wish): Sender {
  return anyOf(outside, sendersFor(outside, senders, wish));
}

/**
 * Returns the named sender, or all senders that can send now.
 * @throws PublicError `invalid_request` if the number is not a sender, `no_sender_available` if no sender can send now,
 * `queue_full` if too many of the merchant's texts are waiting.
 */
export function sendersFor(outside: Clock, senders: readonly Sender[], wish: Wish): Senders {
  const { from } = wish;
  const number = namedIn(wish);
  if (number === undefined) return openSenders(outside, senders.filter(isAvailable), wish);
  const sender = sendingOf(senders).find((one) => one.number === number);
  if (!sender && from !== undefined) {
    const message = `${from} is not a sender. Use a number from GET /api/v1/sms/from, or "random".`;
    throw invalidRequest([{ field: 'from', message }]);
  }
  const reason = sender && unavailableReason(sender);
  if (!sender || reason) {
    const reasonText = reason ? ` ${unavailableMessages[reason]}` : '';
    throw unavailable(
      `The sender ${number} cannot send at the moment.${reasonText} Use "from": "random" to send from another number.`,
    );
  }
  const waitMs = waitForMs(outside, sender, wish);
  if (waitMs > 0) throw queueFull(`on ${number}`, waitMs, ' Use "from": "random" to send from another number.');
  return [sender];
}

type Senders = readonly [Sender, ...Sender[]];

export function namedIn({ from, default_from }: Pick<Wish, 'from' | 'default_from'>): string | undefined {
  return from === 'random' ? undefined : (from ?? default_from);
}

/** Maximum number of senders to compare. At least one of ten senders is usually free soon. */
const MAX_COMPARED = 10;

/** Returns the sender that is free soonest, and its `leavesMs`. */
export async function soonestOf(
  outside: ChoosingOutside,
  senders: Senders,
  leavesMs: (sender: Sender) => Promise<number>,
): Promise<{ sender: Sender; leavesMs: number }> {
  const first = outside.randomBytes(4).readUInt32BE() % senders.length;
  // Start at a random sender, so that simultaneous callers choose different ones.
  const compared = [...senders.slice(first), ...senders.slice(0, first)].slice(0, MAX_COMPARED);
  const times = await Promise.all(compared.map(async (sender) => ({ sender, leavesMs: await leavesMs(sender) })));
  return times.reduce((soonest, one) => (one.leavesMs < soonest.leavesMs ? one : soonest));
}

function openSenders(outside: Clock, available: readonly Sender[], wish: Wish): Senders {
  if (available.length === 0) {
    throw unavailable('No sender is available at the moment. Nothing was debited. Try again later.');
  }
  const [first, ...others] = openTo(outside, available, wish);
  if (!first) {
    const waitMs = Math.min(...available.map((sender) => waitForMs(outside, sender, wish)));
    throw queueFull('on every sender', waitMs, '');
  }
  return [first, ...others];
}

/** Returns the merchant's own senders that can send now or, if there are none, the shared ones. */
export function openTo(
  outside: Clock,
  senders: readonly Sender[],
  wish: Pick<Wish, 'merchant_id' | 'has_code'>,
): readonly Sender[] {
  const open = senders.filter((one) => isAvailable(one) && waitForMs(outside, one, wish) <= 0);
  const own = open.filter(({ owner }) => owner === wish.merchant_id);
  return own.length > 0 ? own : open;
}

function waitForMs(
  outside: Clock,
  sender: Sender,
  { merchant_id, has_code }: Pick<Wish, 'merchant_id' | 'has_code'>,
): number {
  return has_code ? 0 : fullForMs(outside, sender, merchant_id);
}

function anyOf(outside: ChoosingOutside, senders: Senders): Sender {
  const [first] = senders;
  return senders[outside.randomBytes(4).readUInt32BE() % senders.length] ?? first;
}

function unavailable(message: string): PublicError {
  return new PublicError('no_sender_available', message, retryAfter(60));
}

function queueFull(where: string, waitMs: number, whatElse: string): PublicError {
  return new PublicError(
    'queue_full',
    `More of your texts are waiting ${where} than can be sent in a day. Nothing was debited. Wait until some have been sent.${whatElse}`,
    retryAfter(waitMs / 1000),
  );
}
