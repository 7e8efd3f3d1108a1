import { presentStatus } from '../../shared/checkout/checkout-view.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { getTransactionByAccessCode } from '../../shared/transaction/transaction.table.ts';
import { manifest } from '../manifest.ts';

/** Tells an open checkout page whether its charge is paid. */
export const handler = http(manifest['checkout/status'], {}, async ({ path }, outside) => {
  const transaction = await getTransactionByAccessCode(outside, path.access_code);
  if (!transaction)
    throw new PublicError(
      'not_found',
      'No charge has this checkout code. Use the whole authorization_url, as initialize returned it.',
    );
  return ok('Charge found', presentStatus(outside, transaction));
});
