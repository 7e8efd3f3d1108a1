import { errorPage } from '../../shared/pages/pay/frame.ts';
import { answerOpening, PayPartRequest } from '../../shared/pages/request/open.ts';
import { requestOfSlug } from '../../shared/pages/request/page.ts';
import { asksForJson } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: PayPartRequest, form: true, errorPage };

/** Opens a charge for what is open of a payment request, or a part of it, and leads to its checkout page. */
export const handler = http(manifest['r/open'], options, async ({ path, body, headers, sourceIp }, outside) => {
  const found = await requestOfSlug(outside, path.slug);
  return answerOpening(outside, found, body, { sourceIp, isJson: asksForJson(headers) });
});
