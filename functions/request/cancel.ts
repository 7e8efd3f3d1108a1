import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { cancelRequest } from '../../shared/money/request/make-request.ts';
import { presentRequest } from '../../shared/money/request/request.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(manifest['request/cancel'], {}, ({ merchant, path, commit }, outside) =>
  cancelRequest(outside, merchant.merchant_id, path.slug, (request, sums, writes) =>
    commit(writes, ok('Request cancelled', presentRequest(outside, request, sums))),
  ),
);
