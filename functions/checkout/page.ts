import { checkoutPage, unknownPage } from '../../shared/checkout/page.ts';
import { http } from '../../shared/runtime/http.ts';
import { getTransactionByAccessCode } from '../../shared/transaction/transaction.table.ts';
import { manifest } from '../manifest.ts';

/** The page a customer pays from. */
export const handler = http(manifest['checkout/page'], {}, async ({ path }, outside) => {
  const transaction = await getTransactionByAccessCode(outside, path.access_code);
  return transaction ? checkoutPage(outside, transaction) : unknownPage();
});
