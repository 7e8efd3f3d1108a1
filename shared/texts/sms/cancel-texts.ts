import { type IdOutside, nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { counted } from '../../runtime/values/counted.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { getSendAndMessages, type Message, moveMessage, type SendAndMessages } from './message.table.ts';
import { messageId, parseMessageId } from './message-id.ts';
import { isUntaken } from './states.ts';
import { refundTexts } from './text-outcome.ts';

interface Wish {
  /** A message id. The first message's id is also the send's id: cancelling it cancels the whole send. */
  readonly id: string;
  readonly messageId?: string | undefined;
}

/**
 * Cancels a send's texts that have not been handed to a phone, and refunds them. `commit` performs the writes, if any.
 * @throws PublicError `not_found`, or `text_not_pending` for a verification code or if nothing is left to cancel.
 */
export function cancelTexts<Result>(
  outside: TimedOutside & IdOutside,
  merchantId: string,
  wish: Wish,
  commit: (writes: readonly TableWrite[], cancelled: number, after: SendAndMessages) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const { send, messages, chosen } = await findTexts(outside, merchantId, wish);
    if (send.has_code)
      throw new PublicError(
        'text_not_pending',
        'A code cannot be cancelled. It expires on its own, or when a newer code is sent.',
      );
    const indexes = chosen.filter(isUntaken).map(({ index }) => index);
    if (indexes.length === 0 && !chosen.every(({ state }) => state === 'cancelled')) throw nothingLeft(chosen);
    const refused = () => new Changed('busy', 'These texts are being sent right now. Try again.');
    const writes = [
      ...indexes.map((index) => ({
        ...moveMessage(outside, send, index, { to: 'cancelled', isUntaken: true }),
        refused,
      })),
      ...refundTexts(outside, send, indexes),
    ];
    const cancelled_at = nowIso(outside);
    const after = messages.map(
      (message): Message =>
        indexes.includes(message.index) ? { ...message, state: 'cancelled', cancelled_at } : message,
    );
    return commit(writes, indexes.length, { send, messages: after });
  });
}

async function findTexts(outside: TimedOutside, merchantId: string, { id, messageId: only }: Wish) {
  const place = parseMessageId(id);
  const found = place && (await getSendAndMessages(outside, place.sendId));
  if (!place || found?.send.merchant_id !== merchantId || found.send.to[place.index] === undefined)
    throw notFound('You have no text with this id. Use one of the ids that POST /api/v1/sms/send returned.');
  const { send, messages } = found;
  const idOf = ({ index }: Message) => messageId(send.send_id, index);
  const named = only?.toLowerCase() ?? (place.index > 0 ? id.toLowerCase() : undefined);
  const chosen = messages.filter((message) => named === undefined || idOf(message) === named);
  if (chosen.length === 0 || (place.index > 0 && named !== id.toLowerCase()))
    throw notFound('This send has no text with this message_id. Use one of the send’s own message ids.');
  return { send, messages, chosen };
}

function notFound(message: string): PublicError {
  return new PublicError('not_found', message);
}

function nothingLeft(chosen: readonly Message[]): PublicError {
  const [only] = chosen;
  const what =
    chosen.length === 1 && only
      ? `This text is ${only.state}`
      : `None of these ${counted(chosen.length, 'text')} are still scheduled or pending`;
  return new PublicError(
    'text_not_pending',
    `${what}. Only scheduled and pending texts can be cancelled. Nothing was changed.`,
  );
}
