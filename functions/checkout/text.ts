import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { answerPhoneClaim, errorPage } from '../../shared/pages/checkout/page.ts';
import { askForPayText, PayTextRequest } from '../../shared/pages/checkout/pay-text.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: PayTextRequest, form: true, errorPage };

/** Texts a customer what to type into their network's menu, over which the page cannot be seen. Nothing in the answer tells of the number. */
export const handler = http(manifest['checkout/text'], options, async (httpRequest, outside) => {
  const transaction = await chargeOfCode(outside, httpRequest.path.access_code);
  const { network } = httpRequest.query;
  const text = await askForPayText(outside, transaction, httpRequest.body, { network, sourceIp: httpRequest.sourceIp });
  return answerPhoneClaim(outside, httpRequest, transaction, { claim: text, form: 'payText' });
});
