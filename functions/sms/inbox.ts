import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS, pageOf, TIME_PARAMETERS } from '../../shared/runtime/http/pagination.ts';
import { listAnswersByQuery, presentAnswer } from '../../shared/texts/inbox/list-answers.ts';
import type { InboxResponse } from '../../shared/texts/inbox/responses.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['sms/inbox'],
  { query: [...TIME_PARAMETERS, ...PAGE_PARAMETERS] },
  async ({ merchant, query }, outside) => {
    const page = pageOf(query);
    const { entries: answers, next } = await listAnswersByQuery(outside, merchant.merchant_id, page, query);
    return ok<InboxResponse>('Replies', { answers: answers.map(presentAnswer) }, metaOf(page, next));
  },
);
