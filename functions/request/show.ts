import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { requireRequest } from '../../shared/money/request/request.table.ts';
import { presentRequest } from '../../shared/money/request/request.ts';
import { readSums } from '../../shared/money/request/sums.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(manifest['request/show'], {}, async ({ merchant, path }, outside) => {
  const request = await requireRequest(outside, merchant.merchant_id, path.slug);
  return ok('Request found', presentRequest(outside, request, await readSums(outside, request)));
});
