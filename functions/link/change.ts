import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { changeLink, requireLink } from '../../shared/money/link/link.table.ts';
import { changedFields, presentLink } from '../../shared/money/link/link.ts';
import { ChangeLinkRequest } from '../../shared/money/link/link-request.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Changes what a merchant gives of one of its payment links. */
export const handler = merchantRoute(
  manifest['link/change'],
  { body: ChangeLinkRequest },
  async ({ merchant, path, body, commit }, outside) => {
    const link = await requireLink(outside, merchant.merchant_id, path.slug);
    const fields = changedFields(outside, link, body);
    const answer = ok('Link changed', presentLink(outside, { ...link, ...fields }));
    return commit(Object.keys(fields).length > 0 ? [changeLink(link, fields)] : [], answer);
  },
);
