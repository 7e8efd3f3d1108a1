import { CURRENCY } from '../../ghana/country.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { orNull } from '../../runtime/values/or-null.ts';
import { presentProof } from '../../wallets/chain/proof.ts';
import { presentMarked } from '../charge/charge.ts';
import { presentArrived, proofOfReceipt } from '../payment/shown-payment.ts';
import type { Receipt } from './receipt.ts';
import type { ReceiptResponse } from './responses.ts';

export function presentReceipt(receipt: Receipt): ReceiptResponse {
  const proof = proofOfReceipt(receipt);
  return {
    id: receipt.receipt_id,
    livemode: !isTestAccount(receipt.merchant_id),
    status: receipt.state,
    ...orNull(receipt, 'reason', 'network', 'momo_number', 'transaction_id'),
    ...(receipt.amount_pesewas === undefined
      ? { amount: null, proof: presentProof(proof) }
      : presentArrived(receipt.amount_pesewas, proof)),
    currency: CURRENCY,
    ...orNull(receipt, 'payer_name', 'payer_phone', 'payer_reference', 'sender', 'text', 'received_at'),
    ...orNull(receipt, 'matched_by', 'reference', 'suggested_reference'),
    marked: presentMarked(receipt),
    set_aside: receipt.set_aside
      ? { ...orNull(receipt.set_aside, 'at', 'why'), sent_back: receipt.set_aside.sent_back ?? false }
      : null,
  };
}
