import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { requireLink } from '../../shared/money/link/link.table.ts';
import { presentLink } from '../../shared/money/link/link.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(manifest['link/show'], {}, async ({ merchant, path }, outside) =>
  ok('Link found', presentLink(outside, await requireLink(outside, merchant.merchant_id, path.slug))),
);
