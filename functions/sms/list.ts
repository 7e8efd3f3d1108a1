import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS, pageOf, TIME_PARAMETERS } from '../../shared/runtime/http/pagination.ts';
import { listSendsByQuery } from '../../shared/texts/sms/list-sends.ts';
import { presentSendAndMessages } from '../../shared/texts/sms/present-message.ts';
import type { SendListResponse } from '../../shared/texts/sms/responses.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['sms/list'],
  { query: ['status', ...TIME_PARAMETERS, ...PAGE_PARAMETERS] },
  async ({ merchant, query }, outside) => {
    const page = pageOf(query);
    const { entries, next } = await listSendsByQuery(outside, merchant.merchant_id, page, query);
    return ok<SendListResponse>('Sent texts', { sends: entries.map(presentSendAndMessages) }, metaOf(page, next));
  },
);
