import { heldAsCustomerSees } from '../../shared/money/payment/backing.ts';
import { endedPartsOf } from '../../shared/money/receipt/ended-parts.ts';
import { secondReceiptsOf } from '../../shared/money/receipt/receipt.table.ts';
import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { checkoutPath } from '../../shared/pages/checkout/checkout-path.ts';
import { receiptPage } from '../../shared/pages/checkout/customer-receipt.ts';
import { errorPage } from '../../shared/pages/checkout/page.ts';
import { redirect } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

/** Serves the customer receipt for a paid charge. The page can be printed or sent. */
export const handler = http(manifest['checkout/receipt'], { errorPage }, async ({ path }, outside) => {
  const charge = await chargeOfCode(outside, path.access_code);
  const second = await secondReceiptsOf(outside, charge, heldAsCustomerSees);
  const ended = await endedPartsOf(outside, charge, heldAsCustomerSees);
  return (await receiptPage(outside, charge, { second, ended })) ?? redirect(checkoutPath(charge.access_code), 303);
});
