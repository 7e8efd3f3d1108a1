import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { addCodes } from '../../shared/money/link/add-codes.ts';
import { presentLink } from '../../shared/money/link/link.ts';
import { AddCodesRequest } from '../../shared/money/link/link-request.ts';
import type { AddedCodesResponse } from '../../shared/money/link/responses.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['link/add-codes'],
  { body: AddCodesRequest },
  ({ merchant, path, body, commit }, outside) =>
    addCodes(outside, merchant.merchant_id, { slug: path.slug, codes: body.codes }, ({ link, added, known }, writes) =>
      commit(writes, ok<AddedCodesResponse>('Codes added', { added, known, link: presentLink(outside, link) }), {
        after: { added },
      }),
    ),
);
