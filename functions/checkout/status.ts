import { heldAsCustomerSees } from '../../shared/money/payment/backing.ts';
import { endedPartsOf } from '../../shared/money/receipt/ended-parts.ts';
import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { presentStatus } from '../../shared/pages/checkout/checkout-view.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

export const handler = http(manifest['checkout/status'], {}, async ({ path }, outside) => {
  const charge = await chargeOfCode(outside, path.access_code);
  return ok('Charge found', presentStatus(outside, charge, await endedPartsOf(outside, charge, heldAsCustomerSees)));
});
