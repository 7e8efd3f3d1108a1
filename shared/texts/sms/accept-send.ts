import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { knownSenders } from '../../merchants/merchant/senders-of.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import { chooseSender } from '../../phones/sender/choose-sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { debitCredits } from '../credits/credits.table.ts';
import { refuseByMagic } from './magic-numbers.ts';
import { createSend, type Send } from './send.table.ts';
import { newSend } from './send.ts';
import type { SendRequest } from './send-request.ts';

/**
 * A merchant's text to up to 50 numbers, and the writes that accept it and debit a credit for each. The table's stream carries it on
 * to the phones. A test costs no credit and reaches no phone.
 * @throws PublicError `invalid_request`, `no_sender_available`, `queue_full`; when written `insufficient_credits`.
 */
export async function acceptSend(
  outside: Outside,
  merchant: Merchant,
  request: SendRequest & Pick<Send, 'reference'>,
): Promise<{ send: Send; writes: TableWrite[] }> {
  const { merchant_id } = merchant;
  if (isTwin(merchant_id)) refuseByMagic(request.to);
  const sender = chooseSender(outside, await knownSenders(outside, merchant_id), { ...merchant, from: request.from });
  const { reference } = request;
  const send = { ...newSend(outside, merchant, request, sender.number), ...(reference && { reference }) };
  const texts = send.to.length;
  const paid = [...debitCredits(merchant_id, texts), ...countTests(outside, merchant_id, texts)];
  return { send, writes: [...paid, createSend(send)] };
}
