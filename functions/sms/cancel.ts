import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { cancelTexts } from '../../shared/texts/sms/cancel-texts.ts';
import { presentSendAndMessages } from '../../shared/texts/sms/present-message.ts';
import type { SendAndMessagesResponse } from '../../shared/texts/sms/responses.ts';
import { manifest } from '../manifest.ts';

/** Cancels a send's unsent texts, or just one of them. */
export const handler = merchantRoute(
  manifest['sms/cancel'],
  { query: ['message_id'] },
  ({ merchant, path, query, commit }, outside) =>
    cancelTexts(
      outside,
      merchant.merchant_id,
      { id: path.id, messageId: query.message_id },
      (writes, cancelled, after) =>
        commit(
          writes,
          ok<SendAndMessagesResponse>(`Cancelled ${counted(cancelled, 'text')}`, presentSendAndMessages(after)),
        ),
    ),
);
