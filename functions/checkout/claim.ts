import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { ClaimRequest, claim } from '../../shared/pages/checkout/claim.ts';
import { answerPaid, checkoutPage, errorPage } from '../../shared/pages/checkout/page.ts';
import { asksForJson } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: ClaimRequest, form: true, errorPage };

/** Confirms an unrecognised payment with its transaction id and the payer's name. */
export const handler = http(
  manifest['checkout/claim'],
  options,
  async ({ path, query, body, headers, sourceIp }, outside) => {
    const charge = await chargeOfCode(outside, path.access_code);
    const refusal = await claim(outside, charge, body, sourceIp);
    if (!refusal) return answerPaid(outside, headers, charge);
    if (asksForJson(headers)) throw refusal.error;
    return checkoutPage(outside, charge, { refusal, network: query.network });
  },
);
