import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { makeRequests } from '../../shared/money/request/make-requests.ts';
import { readRequests } from '../../shared/money/request/read-requests.ts';
import { presentMade } from '../../shared/money/request/request.ts';
import { ManyRequestsBody } from '../../shared/money/request/request-body.ts';
import type { MadeRequestsResponse } from '../../shared/money/request/responses.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { manifest } from '../manifest.ts';

const row = manifest['request/create-many'];

/** Creates up to 1,000 payment requests, or none if any is invalid. */
export const handler = merchantRoute(
  row,
  { body: ManyRequestsBody, writesBefore: true },
  ({ merchant, causer: by, body, headers, rawBody, commit }, outside) => {
    const given = headers['idempotency-key'];
    // Without an idempotency key, an interrupted call could not be resumed.
    const key = given ?? outside.randomBytes(18).toString('base64url');
    const header = given === undefined ? `the header Idempotency-Key: ${key}` : 'the same Idempotency-Key';
    const howToFinish = `Repeat this request in a second with ${header}. The remaining requests will be created, and none will be created twice.`;
    const once = { key, route: `${row.method} ${row.path}`, content: rawBody, howToFinish };
    const { all, errorAt } = readRequests(body);
    const many = { all: all.map((one) => ({ ...one, by })), errorAt };
    return makeRequests(outside, merchant, { many, once }, (requests, writes) =>
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
