import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf } from '../../ghana/money.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import { presentProof } from '../../wallets/chain/responses.ts';
import type { Receipt } from './receipt.ts';
import type { ReceiptResponse } from './responses.ts';

/** A receipt as its merchant sees it. */
export function presentReceipt(receipt: Receipt): ReceiptResponse {
  return {
    id: receipt.receipt_id,
    livemode: !isTwin(receipt.merchant_id),
    status: receipt.state,
    reason: receipt.reason ?? null,
    network: receipt.network ?? null,
    momo_number: receipt.momo_number ?? null,
    transaction_id: receipt.transaction_id ?? null,
    amount: receipt.amount_pesewas === undefined ? null : ghsOf(receipt.amount_pesewas),
    currency: CURRENCY,
    payer_name: receipt.payer_name ?? null,
    payer_phone: receipt.payer_phone ?? null,
    payer_reference: receipt.payer_reference ?? null,
    sender: receipt.sender ?? null,
    text: receipt.text ?? null,
    received_at: receipt.received_at,
    proof: presentProof(receipt.proof),
    matched_by: receipt.matched_by ?? null,
    reference: receipt.reference ?? null,
    suggested_reference: receipt.suggested_reference ?? null,
    set_aside: receipt.set_aside ? { at: receipt.set_aside.at, why: receipt.set_aside.why ?? null } : null,
  };
}
