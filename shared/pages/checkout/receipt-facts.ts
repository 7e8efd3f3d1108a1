import { shownMoney } from '../../ghana/money.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { codeOf } from '../../money/charge/goods.ts';
import { backingOfCharge } from '../../money/payment/backing.ts';
import { idNameOf, overpaidPesewas, paidPesewas, paymentsOf } from '../../money/payment/payment.ts';
import { notVerifiedYet, shownPayment } from '../../money/payment/shown-payment.ts';
import { paymentIdFor, type Reader } from '../../money/receipt/shown-receipt.ts';
import { momentOf, sentBackOf } from './checkout-view.ts';

/** Lines of a customer receipt, for customer and shop. It names no payer, because others may have its link. */
export interface ReceiptFacts {
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** Corrections to the lines: paid in part, too much, sent back, reversed. */
  readonly but: readonly string[];
}

/** Undefined for a charge that was never paid. */
export function receiptFacts(charge: Charge, reader: Pick<Reader, 'seesIds'>): ReceiptFacts | undefined {
  const { merchant_name, description, paid_at, reference, amount_pesewas, state } = charge;
  if (paid_at === undefined || (state !== 'success' && state !== 'reversed')) return undefined;
  const payments = paymentsOf(charge);
  const backing = backingOfCharge(charge);
  return {
    lines: [
      ['Paid to', merchant_name],
      ...(description ? [['For', description] as const] : []),
      ['Amount', shownMoney(amount_pesewas)],
      ['Paid on', momentOf(paid_at).shown],
      ['Reference', reference],
      ...codeLine(charge),
      ...payments.map((payment) => {
        const { amount, doubt } = shownPayment(payment.amount_pesewas, backing);
        return [
          idNameOf(payment),
          `${paymentIdFor(reader, payment)}${payments.length > 1 && !doubt ? `, ${amount}` : ''}`,
        ] as const;
      }),
    ],
    but: butOf(charge),
  };
}

/** Says that a stock code was given, but not which: a receipt is shown around, and the code is on the payer's page. */
function codeLine(charge: Charge): (readonly [string, string])[] {
  const code = codeOf(charge);
  if (code === undefined) return [];
  const { state: is, at, number } = code;
  if (is === 'given') return [['Code', `Handed out${at ? ` on ${momentOf(at).shown}` : ''}`]];
  if (is === 'taken_back') return number === undefined ? [] : [['Code', 'Was handed out']];
  return charge.state === 'success' ? [['Code', 'Not handed out yet']] : [];
}

function butOf(charge: Charge): string[] {
  const { state, amount_pesewas, reversed_at, merchant_name } = charge;
  const backing = backingOfCharge(charge);
  const [paid, over] = [paidPesewas(charge), overpaidPesewas(charge)];
  const { amount, doubt } = shownPayment(paid, backing);
  if (state === 'reversed') {
    const at = reversed_at ? ` on ${momentOf(reversed_at).shown}` : '';
    // Other money may have left since.
    const left = paid > 0 ? 'does not have all of the money' : 'does not have the money';
    return [`The network took this payment back${at}: ${merchant_name} ${left}.`];
  }
  if (doubt) return [notVerifiedYet(merchant_name), ...sentBackOf(charge)];
  return [
    ...(over > 0 ? [`You paid ${shownPayment(over, backing).amount} too much.`] : []),
    ...(paid < amount_pesewas ? [`${amount} was paid, and ${merchant_name} accepted it.`] : []),
    ...sentBackOf(charge),
  ];
}
