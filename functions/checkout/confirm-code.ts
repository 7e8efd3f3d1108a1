import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { answerPhoneClaim, errorPage } from '../../shared/pages/checkout/page.ts';
import { CodeConfirmation, confirmCode } from '../../shared/pages/checkout/phone-claim.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: CodeConfirmation, form: true, errorPage };

/** Confirms a payment with the claim code that was texted to the payer. */
export const handler = http(manifest['checkout/confirm-code'], options, async (httpRequest, outside) => {
  const charge = await chargeOfCode(outside, httpRequest.path.access_code);
  const claim = await confirmCode(outside, charge, httpRequest.body, httpRequest.sourceIp);
  return answerPhoneClaim(outside, httpRequest, charge, { claim });
});
