import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { isSuspended } from '../../shared/pages/checkout/is-suspended.ts';
import { checkoutPage, errorPage, suspendedPage } from '../../shared/pages/checkout/page.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

/**
 * The page a customer pays from. `?claim` opens the form of `checkout/claim` in it, `?network=` shows how to pay from there, and
 * `?receipt` stays where a paid charge would go on to the shop.
 */
export const handler = http(manifest['checkout/page'], { errorPage }, async ({ path, query }, outside) => {
  const transaction = await chargeOfCode(outside, path.access_code);
  if (await isSuspended(outside, transaction)) return suspendedPage(outside);
  return checkoutPage(outside, transaction, {
    claiming: query.claim !== undefined,
    network: query.network,
    isReceipt: query.receipt !== undefined,
  });
});
