import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { makeRequest } from '../../shared/money/request/make-request.ts';
import { presentRequest } from '../../shared/money/request/request.ts';
import { RequestBody } from '../../shared/money/request/request-body.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Creates a payment request. */
export const handler = merchantRoute(
  manifest['request/create'],
  { body: RequestBody },
  ({ merchant, causer: by, body, commit }, outside) =>
    makeRequest(outside, merchant, { ...body, by }, (request, writes) =>
      commit(writes, ok('Request created', presentRequest(outside, request))),
    ),
);
