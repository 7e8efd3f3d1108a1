import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { requestRows } from '../../shared/money/request/request.table.ts';
import { presentRequest } from '../../shared/money/request/request.ts';
import type { RequestListResponse } from '../../shared/money/request/responses.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS, pageOf } from '../../shared/runtime/http/pagination.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['request/list'],
  { query: PAGE_PARAMETERS },
  async ({ merchant, query }, outside) => {
    const page = pageOf(query);
    const { entries: requests, next } = await requestRows.page(outside, merchant, page);
    return ok<RequestListResponse>(
      'Requests',
      { requests: requests.map((request) => presentRequest(outside, request)) },
      metaOf(page, next),
    );
  },
);
