import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { answerPhoneClaim, errorPage } from '../../shared/pages/checkout/page.ts';
import { askForCode, CodeRequest } from '../../shared/pages/checkout/phone-claim.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: CodeRequest, form: true, errorPage };

/**
 * Texts a claim code to the number a customer paid from. The response does not reveal whether a payment came from that
 * number.
 */
export const handler = http(manifest['checkout/ask-for-code'], options, async (httpRequest, outside) => {
  const charge = await chargeOfCode(outside, httpRequest.path.access_code);
  const claim = await askForCode(outside, charge, httpRequest.body, httpRequest.sourceIp);
  return answerPhoneClaim(outside, httpRequest, charge, { claim });
});
