import { merchantEndpoint } from '../../shared/merchant/endpoint.ts';
import { AssignRequest, assignReceipt } from '../../shared/receipt/assign-receipt.ts';
import { ok } from '../../shared/runtime/http.ts';
import { presentTransaction } from '../../shared/transaction/transaction.ts';
import { manifest } from '../manifest.ts';

/** Gives a held receipt to a pending charge, once and whatever its amount: the merchant has looked at both. */
export const handler = merchantEndpoint(
  manifest['receipt/assign'],
  { body: AssignRequest },
  async ({ merchant, path, body, commit }, outside) => {
    const { paid, pieces } = await assignReceipt(outside, merchant.merchant_id, path.id, body.reference);
    return commit(pieces, ok('Receipt assigned', presentTransaction(outside, paid)));
  },
);
