import { merchantCache } from '../../shared/merchants/merchant/merchant.table.ts';
import type { Charge } from '../../shared/money/charge/charge.table.ts';
import { cameWith } from '../../shared/money/charge/origin.ts';
import { givenCode } from '../../shared/money/link/stock.table.ts';
import { heldAsCustomerSees } from '../../shared/money/payment/backing.ts';
import { endedPartsOf } from '../../shared/money/receipt/ended-parts.ts';
import { paidAs } from '../../shared/money/receipt/paid-as.ts';
import { notedReceiptsOf } from '../../shared/money/receipt/receipt.table.ts';
import { findRequest } from '../../shared/money/request/request.table.ts';
import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { receiptPath } from '../../shared/pages/checkout/checkout-view.ts';
import { checkoutPage, errorPage, suspendedPage } from '../../shared/pages/checkout/page.ts';
import { redirect } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import { manifest } from '../manifest.ts';

/**
 * Serves the checkout page. `?claim` opens the form for claiming a payment, `?text` the form for texting the payment
 * steps. `?network=` shows how to pay from that network. `?receipt` redirects old links to the customer receipt.
 */
export const handler = http(manifest['checkout/page'], { errorPage }, async ({ path, query }, outside) => {
  const charge = await chargeOfCode(outside, path.access_code);
  if (await isSuspended(outside, charge)) return suspendedPage(outside);
  const { request } = cameWith(charge);
  if (await isAskedNoMore(outside, charge)) return redirect(`/r/${request}`);
  if (query.receipt !== undefined) return redirect(receiptPath(charge.access_code));
  return checkoutPage(outside, charge, {
    claiming: query.claim !== undefined,
    network: query.network,
    payText: query.text === undefined ? undefined : 'open',
    second: await notedReceiptsOf(outside, charge, heldAsCustomerSees),
    ended: await endedPartsOf(outside, charge, heldAsCustomerSees),
    bill: await paidAs(outside, charge),
    code: await givenCode(outside, charge),
  });
});

/**
 * True for an unpaid charge whose payment request was cancelled or paid. Without this check, the checkout page would
 * still accept payment.
 */
async function isAskedNoMore(outside: Outside, charge: Charge): Promise<boolean> {
  const { request } = cameWith(charge);
  if (charge.state !== 'pending' || request === undefined) return false;
  return (await findRequest(outside, request))?.state !== 'open';
}

/** True for an unpaid charge of a suspended merchant. */
async function isSuspended(outside: Outside, { state, merchant_id }: Charge): Promise<boolean> {
  if (state !== 'pending') return false;
  return (await merchantCache.get(outside, merchant_id))?.suspended_at !== undefined;
}
