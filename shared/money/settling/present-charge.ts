import type { Outside } from '../../runtime/outside/outside.ts';
import { orNull } from '../../runtime/values/or-null.ts';
import type { Charge } from '../charge/charge.table.ts';
import { presentChargeRow, statusOf } from '../charge/charge.ts';
import type { ChargeResponse, SecondPaymentResponse } from '../charge/responses.ts';
import { backingOfCharge, hasEndedUnpaid, type PaidBill } from '../payment/backing.ts';
import { type Payment, paymentsOf } from '../payment/payment.ts';
import { cautionOfSecond, doubtOf, presentArrived, proofOfReceipt } from '../payment/shown-payment.ts';
import { endedPartsOf, withParts } from '../receipt/ended-parts.ts';
import { paidAs } from '../receipt/paid-as.ts';
import { secondReceiptsOf, secondReceiptsOfAll } from '../receipt/receipt.table.ts';
import type { PaymentReceipt } from '../receipt/receipt.ts';
import { lastDigits, paymentIdFor, type Reader, shownIdOf } from '../receipt/shown-receipt.ts';
import { closesAtParts } from './end-charge.ts';

/**
 * Returns the whole charge as a merchant's member may see it. Costs one read if the charge was paid twice and `second`
 * is omitted, and one more for the parts of an expired, cancelled or reversed charge.
 */
export async function presentCharge(
  outside: Outside,
  stored: Charge,
  reader: Pick<Reader, 'seesIds'>,
  second?: readonly PaymentReceipt[],
): Promise<ChargeResponse> {
  // Until housekeeping ends an expired charge, its row is still pending.
  const isExpired = statusOf(outside, stored) === 'expired' && !closesAtParts(stored);
  const charge: Charge = isExpired ? { ...stored, state: 'expired' } : stored;
  const seen = (payment: Payment) => {
    const transaction_id = paymentIdFor(reader, payment);
    const isWhole = transaction_id === payment.transaction_id;
    return isWhole ? payment : { ...payment, transaction_id, receipt_id: shownIdOf(payment) };
  };
  const ended = await endedPartsOf(outside, charge);
  const parts = withParts(charge, ended).parts?.map(seen);
  const shown = { ...charge, parts, payment: charge.payment && seen(charge.payment) };
  // The table still has a payment as held while the answer to its assignment is composed.
  const counted = hasEndedUnpaid(charge) ? [] : paymentsOf(charge).map(({ receipt_id }) => receipt_id);
  const receipts = (second ?? (await secondReceiptsOf(outside, charge))).filter(
    ({ receipt_id }) => !counted.includes(receipt_id),
  );
  const paid = receipts.length > 0 ? await paidAs(outside, charge) : undefined;
  const second_payments = receipts.map((receipt) => presentSecond(receipt, paid, charge));
  return presentChargeRow(outside, shown, { second_payments, ended });
}

export async function presentCharges(
  outside: Outside,
  charges: readonly Charge[],
  reader: Pick<Reader, 'seesIds'>,
): Promise<ChargeResponse[]> {
  const second = await secondReceiptsOfAll(outside, charges);
  return Promise.all(
    charges.map((charge) => presentCharge(outside, charge, reader, second.get(charge.reference) ?? [])),
  );
}

export interface SentBack {
  readonly receipt: PaymentReceipt;
  readonly second: readonly PaymentReceipt[];
}

/**
 * Returns a charge after a refund was recorded. Adds a warning if the refunded money is unverified, or if a second
 * payment is refunded while the charge's own payment is unverified.
 */
export async function presentNotedRefund(
  outside: Outside,
  charge: Charge,
  reader: Pick<Reader, 'seesIds'>,
  sentBack?: SentBack,
): Promise<ChargeResponse> {
  const caution = sentBack
    ? cautionOfSecond(sentBack.receipt, await paidAs(outside, charge))
    : doubtOf(backingOfCharge(charge));
  return {
    ...(await presentCharge(outside, charge, reader, sentBack?.second)),
    warning: caution?.warning ?? null,
  };
}

/** For a payment that is about to be settled again, because its charge is no longer paid. */
const MAY_STILL_PAY =
  'The charge is not paid, so this payment may still pay it. Verify the charge again before you send anything.';
const MAY_BE_NEEDED =
  'If the charge’s payment request still needs money, assign this payment to a new charge of the request. Otherwise, send it back.';

/** Shortens a held payment's id: anybody who reads the full id could claim the payment. */
function presentSecond(
  { transaction_id, amount_pesewas, set_aside, ...receipt }: PaymentReceipt,
  bill: PaidBill | undefined,
  { origin }: Pick<Charge, 'origin'>,
): SecondPaymentResponse {
  const ifCertain = origin.kind === 'request' ? MAY_BE_NEEDED : null;
  const warning = cautionOfSecond(receipt, bill)?.warning ?? (bill?.state === 'pending' ? MAY_STILL_PAY : ifCertain);
  return {
    receipt_id: shownIdOf({ ...receipt, transaction_id }),
    ...orNull(receipt, 'network'),
    transaction_id: lastDigits(transaction_id),
    ...presentArrived(amount_pesewas, proofOfReceipt(receipt)),
    warning: set_aside?.sent_back ? null : warning,
    ...orNull(receipt, 'received_at'),
    sent_back_at: (set_aside?.sent_back && set_aside.at) || null,
  };
}
