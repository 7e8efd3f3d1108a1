import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { makeRequests } from '../../shared/money/request/make-requests.ts';
import { readRequests } from '../../shared/money/request/read-requests.ts';
import { presentMade } from '../../shared/money/request/request.ts';
import { ManyRequestsBody } from '../../shared/money/request/request-body.ts';
import type { MadeRequestsResponse } from '../../shared/money/request/responses.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { manifest } from '../manifest.ts';

/** Makes up to 1,000 payment requests, all of them or none. */
export const handler = merchantRoute(
  manifest['request/create-many'],
  { body: ManyRequestsBody, writesBefore: true },
  ({ merchant, body, headers, rawBody, commit }, outside) => {
    const key = headers['idempotency-key'];
    const seed = key === undefined ? undefined : `${key}\n${rawBody}`;
    return makeRequests(outside, merchant, readRequests(body), seed, (requests, writes) =>
      commit(
        writes,
        ok<MadeRequestsResponse>(`Created ${counted(requests.length, 'request')}`, {
          count: requests.length,
          requests: requests.map((request) => presentMade(outside, request)),
        }),
      ),
    );
  },
);
