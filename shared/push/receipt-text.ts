import { isMobileNumber, networks } from '../ghana/network.ts';
import { shownNumber } from '../ghana/shown-number.ts';
import { getMerchantOrTwin } from '../merchants/merchant/merchant.table.ts';
import { noteReceiptText, ReceiptTexted } from '../money/charge/change-charge.table.ts';
import { type Charge, getCharge } from '../money/charge/charge.table.ts';
import type { FollowUpJob } from '../money/follow-up/follow-up-job.ts';
import { mayLeave } from '../money/goods/may-leave.ts';
import { UnprovenLimitReached } from '../money/goods/unproven.table.ts';
import { type MatchedBy, paidPesewas, paymentsOf } from '../money/payment/payment.ts';
import { shownToCustomer } from '../money/payment/shown-payment.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../runtime/table/contention.ts';
import { inWords } from '../runtime/values/calendar.ts';
import { hasCode } from '../runtime/values/errors.ts';
import { fitName } from '../texts/sms/segments.ts';
import { acceptSend } from '../texts/sms/send.ts';
import { OVER } from './text-notice.ts';

/**
 * Texts the receipt of a charge, as a text of its merchant's for one credit: once, because the charge notes it in the transaction that
 * debits. Where the credits are used up, or nobody can send, the payer gets none: nothing else waits for it.
 */
export function textReceipt(outside: WorkerOutside, job: FollowUpJob): Promise<void> {
  return retryIfChanged(() => textOnce(outside, job));
}

async function textOnce(outside: WorkerOutside, { merchant_id, about }: FollowUpJob): Promise<void> {
  const [merchant, charge] = await Promise.all([
    getMerchantOrTwin(outside, merchant_id),
    getCharge(outside, about, merchant_id),
  ]);
  if (!merchant?.text_receipts || merchant.suspended_at || !charge) return;
  const leaving = mayLeave(outside, merchant, charge);
  if (typeof leaving === 'string') return;
  const to = receiptNumberOf(charge);
  if (to === undefined) return;
  try {
    const text = { to: [to], message: receiptText(charge), reference: charge.reference };
    const { send, writes } = await acceptSend(outside, merchant, text);
    await outside.table.write([
      noteReceiptText(charge, send.send_id, leaving.counted),
      ...writes,
      ...(await leaving.count(outside)),
    ]);
  } catch (error) {
    if (error instanceof ReceiptTexted || error instanceof UnprovenLimitReached) return;
    if (!hasCode(error, ...OVER)) throw error;
    outside.log.warn('receipt_not_texted', { merchant_id, reference: about, code: error.code });
  }
}

/** So matched, it was the payer who said which charge it is for: by typing its reference, or a code that came to their number. */
const NAMED_BY_PAYER: ReadonlySet<MatchedBy> = new Set(['reference', 'phone']);

/** From a cedi on: where a network asks no fee, a pesewa a text would cost the shop's credits more than whoever does it. */
const MIN_TOLD_PESEWAS = 100;

/**
 * Who is told: the number that all of it came from, as the network says, where the payer named this charge. A payment that was
 * found by a name, claimed or given by hand may be a stranger's, so that its number is told nothing. Otherwise the number that the
 * merchant has given for this charge.
 */
export function receiptNumberOf(charge: Charge): string | undefined {
  if (paidPesewas(charge) < MIN_TOLD_PESEWAS) return undefined;
  const numbers = paymentsOf(charge).map(({ matched_by, payer_phone }) =>
    NAMED_BY_PAYER.has(matched_by) ? payer_phone : undefined,
  );
  const [payer, ...others] = new Set(numbers);
  const known = [others.length === 0 ? payer : undefined, charge.customer_phone];
  return known.find((number) => number !== undefined && isMobileNumber(number));
}

/**
 * One SMS. It has no link, and nothing of what was bought: the number may not be the customer's, and the link opens the charge. It names
 * nobody, because erasing a customer does not look for names in texts.
 */
export function receiptText(charge: Charge): string {
  const { merchant_name, merchant_contact, reference, paid_at = '' } = charge;
  const payments = paymentsOf(charge);
  const [only] = payments.length === 1 ? payments : [];
  const { amount, doubt } = shownToCustomer(charge, charge.state);
  const { day, time } = inWords(paid_at);
  const sentences = [
    `${amount} ${doubt ? 'reported' : 'received'} on ${day}, ${time}${doubt ? ', not verified yet' : ''}.`,
    only ? `${networks[only.network].short} ID ${only.transaction_id}.` : `${payments.length} payments.`,
    `Reference ${reference}.`,
    ...(merchant_contact?.startsWith('+') ? [`Questions: ${shownNumber(merchant_contact)}`] : []),
  ];
  return fitName(merchant_name, { orElse: 'Paid', maxSegments: 1 }, (shop) => `${shop}: ${sentences.join(' ')}`);
}
