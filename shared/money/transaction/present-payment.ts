import { ghsOf } from '../../ghana/money.ts';
import { presentProof } from '../../wallets/chain/responses.ts';
import type { Payment } from './payment.ts';
import type { PaymentResponse } from './responses.ts';

/** A payment as its merchant sees it. */
export function presentPayment(payment: Payment): PaymentResponse {
  return {
    network: payment.network,
    transaction_id: payment.transaction_id,
    amount: ghsOf(payment.amount_pesewas),
    payer_name: payment.payer_name ?? null,
    payer_phone: payment.payer_phone ?? null,
    received_at: payment.received_at,
    matched_by: payment.matched_by,
    proof: presentProof(payment.proof),
    receipt_id: payment.receipt_id,
  };
}
