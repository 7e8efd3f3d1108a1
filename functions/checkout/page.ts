import { merchantCache } from '../../shared/merchants/merchant/merchant.table.ts';
import type { Transaction } from '../../shared/money/transaction/transaction.table.ts';
import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { checkoutPage, errorPage, suspendedPage } from '../../shared/pages/checkout/page.ts';
import { http } from '../../shared/runtime/http/http.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import { manifest } from '../manifest.ts';

/**
 * The page a customer pays from. `?claim` opens the form of `checkout/claim` in it, `?text` that of `checkout/text`, `?network=` shows how to pay from there, and
 * `?receipt` stays where a paid charge would go on to the shop.
 */
export const handler = http(manifest['checkout/page'], { errorPage }, async ({ path, query }, outside) => {
  const transaction = await chargeOfCode(outside, path.access_code);
  if (await isSuspended(outside, transaction)) return suspendedPage(outside);
  return checkoutPage(outside, transaction, {
    claiming: query.claim !== undefined,
    network: query.network,
    payText: query.text === undefined ? undefined : 'open',
    isReceipt: query.receipt !== undefined,
  });
});

/** Whether nobody is to pay a charge now, because its merchant is suspended. What was paid stays to be seen. */
async function isSuspended(outside: Outside, { state, merchant_id }: Transaction): Promise<boolean> {
  if (state !== 'pending') return false;
  return (await merchantCache.get(outside, merchant_id))?.suspended_at !== undefined;
}
