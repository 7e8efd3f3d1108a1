import { isMobileNumber, networks } from '../../ghana/network.ts';
import { shownNumber } from '../../ghana/shown-number.ts';
import { getMerchantOrTestAccount } from '../../merchants/merchant/merchant.table.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { inWords } from '../../runtime/values/calendar.ts';
import { hasCode } from '../../runtime/values/errors.ts';
import { fitName } from '../../texts/sms/segments.ts';
import { acceptSend, REFUSED_FOR_GOOD } from '../../texts/sms/send.ts';
import { noteReceiptText, ReceiptTexted } from '../charge/change-charge.table.ts';
import { type Charge, getCharge } from '../charge/charge.table.ts';
import { decideRelease } from '../goods/decide-release.ts';
import { UnprovenLimitReached } from '../goods/unproven.table.ts';
import { type MatchedBy, paidPesewas, paymentsOf } from '../payment/payment.ts';
import { shownToCustomer } from '../payment/shown-payment.ts';

type Receipted = Pick<Charge, 'merchant_id' | 'reference'>;

/**
 * Texts a charge's customer receipt. Costs one of the merchant's credits. Sends at most one text, because one
 * transaction debits the credit and records the text on the charge. Sends nothing if there are no credits or no sender.
 */
export function textCustomerReceipt(outside: WorkerOutside, charge: Receipted): Promise<void> {
  return retryIfChanged(() => textOnce(outside, charge));
}

async function textOnce(outside: WorkerOutside, { merchant_id, reference }: Receipted): Promise<void> {
  const [merchant, charge] = await Promise.all([
    getMerchantOrTestAccount(outside, merchant_id),
    getCharge(outside, reference, merchant_id),
  ]);
  if (!merchant?.text_receipts || merchant.suspended_at || !charge) return;
  const leaving = decideRelease(outside, merchant, charge);
  if (typeof leaving === 'string') return;
  const to = receiptNumberOf(charge);
  if (to === undefined) return;
  try {
    const text = { to: [to], message: receiptText(charge), reference };
    const { send, writes } = await acceptSend(outside, merchant, text);
    await outside.table.write([
      noteReceiptText(charge, send.send_id, leaving.counted),
      ...writes,
      ...(await leaving.count(outside)),
    ]);
  } catch (error) {
    if (error instanceof ReceiptTexted || error instanceof UnprovenLimitReached) return;
    if (!hasCode(error, ...REFUSED_FOR_GOOD)) throw error;
    outside.log.warn('receipt_not_texted', { merchant_id, reference, code: error.code });
  }
}

/**
 * Ways of matching in which the payer identified the charge: by a typed reference, or by a claim code sent to the
 * payer's number.
 */
const NAMED_BY_PAYER: ReadonlySet<MatchedBy> = new Set(['reference', 'phone']);

/**
 * Minimum payment for texting a customer receipt. On a network without fees, each text would cost the shop more than
 * the payer.
 */
const MIN_TEXTED_PESEWAS = 100;

/**
 * Returns the number to text. If the payer identified the charge, this is the number that sent all of the money, as
 * reported by the network. In all other cases, it is the number that the merchant provided, because the payer may be a
 * stranger.
 */
export function receiptNumberOf(charge: Charge): string | undefined {
  if (paidPesewas(charge) < MIN_TEXTED_PESEWAS) return undefined;
  const numbers = paymentsOf(charge).map(({ matched_by, payer_phone }) =>
    NAMED_BY_PAYER.has(matched_by) ? payer_phone : undefined,
  );
  const [payer, ...others] = new Set(numbers);
  const known = [others.length === 0 ? payer : undefined, charge.customer_phone];
  return known.find((number) => number !== undefined && isMobileNumber(number));
}

/**
 * Builds a text that fits into one SMS. Contains no links or purchases, because the number may not be the customer's,
 * and no names, because erasing a customer's data does not search texts.
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
