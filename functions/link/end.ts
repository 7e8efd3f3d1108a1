import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { changeLink, endNow } from '../../shared/money/link/change-link.ts';
import { presentLink } from '../../shared/money/link/link.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Ends a payment link. No new charges can be opened through it. */
export const handler = merchantRoute(manifest['link/end'], {}, ({ merchant, path, by, commit }, outside) =>
  changeLink(
    outside,
    { merchant_id: merchant.merchant_id, slug: path.slug, by },
    endNow(outside),
    ({ after, values }, writes) => commit(writes, ok('Link ended', presentLink(outside, after)), values),
  ),
);
