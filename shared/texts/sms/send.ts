import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { knownSenders } from '../../merchants/merchant/senders.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { isTwin, retentionOf } from '../../merchants/merchant/twin.ts';
import { chooseSender } from '../../phones/sender/choose-sender.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { IdOutside, Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { optedOutOf, recipientOptedOut, stillOptedIn } from '../conversation/opt-out.table.ts';
import { debitCredits } from '../credits/credits.table.ts';
import { refuseByMagic } from './magic-numbers.ts';
import { messageId, newSendId } from './message-id.ts';
import type { SendResponse } from './responses.ts';
import { MAX_SAFE_SEGMENTS, sizeOf } from './segments.ts';
import { createSend, FIRST_CHECK_MS, OPERATOR, type Send } from './send.table.ts';
import type { SendRequest } from './send-request.ts';

/**
 * A merchant's text to up to 50 numbers, and the writes that accept it and debit a credit for each. The table's stream carries it on
 * to the phones. A test costs no credit and reaches no phone.
 * @throws PublicError `invalid_request`, `no_sender_available`, `queue_full`, `recipient_opted_out`; when written `insufficient_credits`.
 */
export async function acceptSend(
  outside: Outside,
  merchant: Merchant,
  request: SendRequest & Pick<Send, 'reference' | 'has_code' | 'useless_at'>,
) {
  const { merchant_id } = merchant;
  if (isTwin(merchant_id)) refuseByMagic(request.to);
  const { from, reference, has_code, useless_at } = request;
  const sender = chooseSender(outside, await knownSenders(outside, merchant_id), {
    ...merchant,
    from,
    // Codes do not wait behind their merchant's other texts.
    ...(has_code && { merchant_id: '' }),
  });
  const category = request.purpose === 'transactional' ? undefined : request.purpose;
  if (category) await refuseOptedOut(outside, merchant_id, request.to);
  const send = {
    ...newSend(outside, merchant, request, sender.number),
    ...(category && { category }),
    ...(reference && { reference }),
    ...(has_code && { has_code }),
    ...(useless_at && { useless_at }),
  };
  const texts = send.to.length;
  const paid = [...debitCredits(merchant_id, texts), ...countTests(outside, merchant_id, texts)];
  const wanted = category ? stillOptedIn(merchant_id, send.to) : [];
  return { send, sender, writes: [...paid, createSend(send), ...wanted] };
}

/** Names all who have opted out, which the transaction that debits could not. */
async function refuseOptedOut(outside: Outside, merchantId: string, to: readonly string[]): Promise<void> {
  const optedOut = await optedOutOf(outside, merchantId, to);
  if (optedOut.size > 0) throw recipientOptedOut(to, optedOut);
}

/** A new send from the number `from`, not yet written; without a merchant it is the operator's own. */
export function newSend(
  outside: Pick<Outside, 'now' | 'randomBytes' | 'retentionDays'>,
  merchant: Pick<Merchant, 'merchant_id'> | undefined,
  request: SendRequest,
  from: string,
): Send {
  const nowMs = outside.now();
  const created_at = new Date(nowMs).toISOString();
  return {
    send_id: newSendId(nowMs, outside.randomBytes),
    merchant_id: merchant?.merchant_id,
    from,
    to: request.to,
    message: request.message,
    metadata: request.metadata,
    created_at,
    ...endOfRetention(retentionOf(outside, merchant?.merchant_id), created_at),
    next_check_at: new Date(nowMs + FIRST_CHECK_MS).toISOString(),
  };
}

/** The answer of `send`. The gateway uses our message ids, so the first one is known before the gateway is asked. */
export function presentSend(send: Send): SendResponse {
  const size = sizeOf(send.message);
  return {
    id: send.send_id,
    livemode: !isTwin(send.merchant_id),
    ids: send.to.map((_, index) => messageId(send.send_id, index)),
    to: send.to,
    from: send.from,
    status: 'pending',
    gateway_message_id: send.send_id,
    count: send.to.length,
    ...size,
    ...(size.segments > MAX_SAFE_SEGMENTS && {
      warning: `This text is split into ${size.segments} SMS. Phones may refuse more than ${MAX_SAFE_SEGMENTS}; if so, it fails and its credits are refunded.`,
    }),
  };
}

/** Longer than housekeeping asks what became of a text. */
export const OPERATOR_TEXT_KEPT_SECONDS = 8 * 24 * 60 * 60;

interface OperatorText extends Pick<Send, 'from' | 'message' | 'purpose'> {
  readonly to: string;
  /** It is not sent later than this. */
  readonly uselessAfterMs: number;
}

/**
 * A text of the operator's own, not yet written. It costs no credit, is in no merchant's list, and no webhook reports it: what a code or
 * a link opens is for its recipient alone.
 */
export function operatorText(
  outside: Pick<Outside, 'now' | 'randomBytes' | 'retentionDays'>,
  { from, to, message, purpose, uselessAfterMs }: OperatorText,
): Send {
  const nowMs = outside.now();
  return {
    ...newSend(outside, undefined, { to: [to], message }, from),
    ...(purpose && { purpose }),
    useless_at: new Date(nowMs + uselessAfterMs).toISOString(),
    expires_at_epoch_seconds: Math.floor(nowMs / 1000) + OPERATOR_TEXT_KEPT_SECONDS,
  };
}

/** The number that a text of the operator's leaves from. @throws PublicError `no_sender_available`, `queue_full`. */
export function operatorSender(outside: IdOutside, senders: readonly Sender[]): string {
  return chooseSender(outside, senders, { merchant_id: OPERATOR, from: 'random' }).number;
}
