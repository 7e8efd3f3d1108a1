import { openRequestCharge } from '../../shared/money/request/open-request-charge.ts';
import { answerOpening } from '../../shared/pages/pay/open.ts';
import { errorPage } from '../../shared/pages/pay/shop-page.ts';
import { askedAt, PayPartRequest, requestOfSlug, requestPage } from '../../shared/pages/request/page.ts';
import { asksForJson } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: PayPartRequest, form: true, errorPage };

/** Opens a charge for all or part of a payment request and redirects to the checkout page. */
export const handler = http(manifest['r/open'], options, async ({ path, body: typed, headers, sourceIp }, outside) => {
  const { merchant, request } = await askedAt(outside, path.slug);
  return answerOpening({
    merchant,
    isJson: asksForJson(headers),
    open: () => openRequestCharge(outside, merchant, request.slug, { typed, sourceIp }),
    // Reread the request: a new payment may be the reason for the error.
    again: async (error) => requestPage(outside, await requestOfSlug(outside, path.slug), { error, typed }),
  });
});
