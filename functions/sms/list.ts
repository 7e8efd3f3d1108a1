import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import {
  choiceOf,
  filledPage,
  metaOf,
  PAGE_PARAMETERS,
  pageOf,
  TIME_PARAMETERS,
  timesOf,
} from '../../shared/runtime/http/pagination.ts';
import { listFailedSends, listSendsAndMessages } from '../../shared/sms/message.table.ts';
import { presentSendAndMessages } from '../../shared/sms/present-message.ts';
import type { SendListResponse } from '../../shared/sms/responses.ts';
import { startAfterSend } from '../../shared/sms/send.table.ts';
import { messageStates } from '../../shared/sms/states.ts';
import { manifest } from '../manifest.ts';

/** Lists a merchant's sends, newest first; `status` (of any of its texts), `from` and `to` narrow it. */
export const handler = merchantRoute(
  manifest['sms/list'],
  { query: ['status', ...TIME_PARAMETERS, ...PAGE_PARAMETERS] },
  async ({ merchant, query }, outside) => {
    const page = pageOf(query);
    const times = timesOf(query);
    const status = choiceOf(query, 'status', messageStates);
    const list = status === 'failed' ? listFailedSends : listSendsAndMessages;
    const { entries, next } = await filledPage(
      page,
      (part, maxRows) => list(outside, merchant.merchant_id, part, times, maxRows),
      ({ messages }) => status === undefined || messages.some(({ state }) => state === status),
      ({ send }) => startAfterSend(send),
    );
    return ok<SendListResponse>('Sent texts', { sends: entries.map(presentSendAndMessages) }, metaOf(page, next));
  },
);
