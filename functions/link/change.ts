import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { changeLink } from '../../shared/money/link/change-link.ts';
import { changedFields, presentLink } from '../../shared/money/link/link.ts';
import { ChangeLinkRequest } from '../../shared/money/link/link-request.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['link/change'],
  { body: ChangeLinkRequest },
  ({ merchant, path, body, by, commit }, outside) =>
    changeLink(
      outside,
      { merchant_id: merchant.merchant_id, slug: path.slug, by },
      (link) => changedFields(outside, link, body),
      ({ after, values }, writes) => commit(writes, ok('Link changed', presentLink(outside, after)), values),
    ),
);
