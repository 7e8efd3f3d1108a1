import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { answerPhoneClaim, errorPage } from '../../shared/pages/checkout/page.ts';
import { askForPayText, PayTextRequest } from '../../shared/pages/checkout/pay-text.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: PayTextRequest, form: true, errorPage };

/**
 * Texts the payment steps to a customer, who cannot see the page while dialling. The response reveals nothing about the
 * phone number.
 */
export const handler = http(manifest['checkout/text'], options, async (httpRequest, outside) => {
  const charge = await chargeOfCode(outside, httpRequest.path.access_code);
  const { network } = httpRequest.query;
  const text = await askForPayText(outside, charge, httpRequest.body, { network, sourceIp: httpRequest.sourceIp });
  return answerPhoneClaim(outside, httpRequest, charge, { claim: text, form: 'payText' });
});
