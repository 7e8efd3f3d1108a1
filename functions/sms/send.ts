import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { rememberedSenders } from '../../shared/phones/sender/sender.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { refuseContention } from '../../shared/runtime/table/contention.ts';
import { acceptSend } from '../../shared/texts/sms/send.ts';
import { SendRequest } from '../../shared/texts/sms/send-request.ts';
import { presentSend, wordsToSend } from '../../shared/texts/sms/words-to-send.ts';
import { manifest } from '../manifest.ts';

/** Accepts a text to up to 50 numbers. Each number costs one credit. */
export const handler = merchantRoute(
  manifest['sms/send'],
  { body: SendRequest, readAhead: rememberedSenders },
  async ({ merchant, causer: by, body, commit }, outside) => {
    const { message, replaced } = wordsToSend(body);
    const quiet_hours = body.quiet_hours ?? merchant.quiet_hours;
    const { send, writes } = await acceptSend(outside, merchant, { ...body, by, message, quiet_hours });
    const answer = ok(`Queued SMS from ${send.from}`, presentSend(send, replaced));
    return refuseContention('Too many requests are using this credit balance at once.', () => commit(writes, answer));
  },
);
