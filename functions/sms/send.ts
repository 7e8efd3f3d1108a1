import { debitCredits } from '../../shared/credits/credits.table.ts';
import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { countTests } from '../../shared/merchant/test-limit.table.ts';
import { isTwin } from '../../shared/merchant/twin.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { chooseSender } from '../../shared/sender/choose-sender.ts';
import { rememberedSenders } from '../../shared/sender/sender.table.ts';
import { testSenders } from '../../shared/sender/test-senders.ts';
import { refuseByMagic } from '../../shared/sms/magic-numbers.ts';
import { createSend } from '../../shared/sms/send.table.ts';
import { newSend, presentSend } from '../../shared/sms/send.ts';
import { SendRequest } from '../../shared/sms/send-request.ts';
import { manifest } from '../manifest.ts';

/**
 * Accepts a text to up to 50 numbers and debits a credit for each. The table's stream carries it on to the phones. A test costs no
 * credit and reaches no phone.
 */
export const handler = merchantRoute(
  manifest['sms/send'],
  { body: SendRequest, readAhead: rememberedSenders },
  async ({ merchant, body, commit }, outside) => {
    const { merchant_id } = merchant;
    const isTest = isTwin(merchant_id);
    if (isTest) refuseByMagic(body.to);
    const senders = isTest ? testSenders : await rememberedSenders(outside);
    const sender = chooseSender(outside, senders, { ...merchant, from: body.from });
    const send = newSend(outside, merchant, body, sender.number);
    const texts = send.to.length;
    const paid = isTest ? countTests(outside, merchant_id, texts) : [debitCredits(merchant_id, texts)];
    return commit([...paid, createSend(send)], ok(`Queued SMS from ${send.from}`, presentSend(send)));
  },
);
