import { debitCredits } from '../../shared/credits/credits.table.ts';
import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { chooseSender } from '../../shared/sender/choose-sender.ts';
import { rememberedSenders } from '../../shared/sender/sender.table.ts';
import { createSend } from '../../shared/sms/send.table.ts';
import { newSend, presentSend } from '../../shared/sms/send.ts';
import { SendRequest } from '../../shared/sms/send-request.ts';
import { manifest } from '../manifest.ts';

/** Accepts a text to up to 50 numbers and debits a credit for each. The table's stream carries it on to the phones. */
export const handler = merchantRoute(
  manifest['sms/send'],
  { body: SendRequest },
  async ({ merchant, body, commit }, outside) => {
    const senders = await rememberedSenders(outside);
    const sender = chooseSender(outside, senders, { ...merchant, from: body.from });
    const send = newSend(outside, merchant, body, sender.number);
    const answer = ok(`Queued SMS from ${send.from}`, presentSend(send));
    return commit([debitCredits(merchant.merchant_id, send.to.length), createSend(send)], answer);
  },
);
