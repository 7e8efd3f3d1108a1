import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { answerPhoneClaim, errorPage } from '../../shared/pages/checkout/page.ts';
import { askForPayText, PayTextRequest } from '../../shared/pages/checkout/pay-text.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: PayTextRequest, form: true, errorPage };

/** Texts a customer what to type into their network's menu, over which the page cannot be seen. Nothing in the answer tells of the number. */
export const handler = http(manifest['checkout/text'], options, async (request, outside) => {
  const transaction = await chargeOfCode(outside, request.path.access_code);
  const { network } = request.query;
  const text = await askForPayText(outside, transaction, request.body, { network, sourceIp: request.sourceIp });
  return answerPhoneClaim(outside, request, transaction, { claim: text, form: 'payText' });
});
