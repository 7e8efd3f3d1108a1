import { shownMoney } from '../../ghana/money.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { codeOf } from '../../money/charge/goods.ts';
import { backingOfCharge } from '../../money/payment/backing.ts';
import { idNameOf, overpaidPesewas, paidPesewas, paymentsOf } from '../../money/payment/payment.ts';
import { notVerifiedYet, shownPayment } from '../../money/payment/shown-payment.ts';
import { paymentIdFor, type Reader } from '../../money/receipt/shown-receipt.ts';
import { sharedWords, receiptWords as words } from '../words/words.ts';
import { momentOf, sentBackOf } from './checkout-view.ts';

/** Lines of a customer receipt. Omits the payer's name, because the link may be shared. */
export interface ReceiptFacts {
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly but: readonly string[];
}

export function receiptFacts(charge: Charge, reader: Pick<Reader, 'seesIds'>): ReceiptFacts | undefined {
  const { merchant_name, description, paid_at, reference, amount_pesewas, state } = charge;
  if (paid_at === undefined || (state !== 'success' && state !== 'reversed')) return undefined;
  const payments = paymentsOf(charge);
  const backing = backingOfCharge(charge);
  return {
    lines: [
      [words.paidTo, merchant_name],
      ...(description ? [[words.purpose, description] as const] : []),
      [words.amount, shownMoney(amount_pesewas)],
      [words.paidOn, momentOf(paid_at).shown],
      [words.reference, reference],
      ...codeLine(charge),
      ...payments.map((payment) => {
        const { amount, doubt } = shownPayment(payment.amount_pesewas, backing);
        return [
          idNameOf(payment),
          `${paymentIdFor(reader, payment)}${payments.length > 1 && !doubt ? `, ${amount}` : ''}`,
        ] as const;
      }),
      [words.tax, sharedWords.noInvoice],
    ],
    but: butOf(charge),
  };
}

/** Omits the stock code itself, because customer receipts are shared. */
function codeLine(charge: Charge): (readonly [string, string])[] {
  const code = codeOf(charge);
  if (code === undefined) return [];
  const { state: is, at, number } = code;
  if (is === 'given') return [[words.code, at ? words.codeGivenOn(momentOf(at).shown) : words.codeGiven]];
  if (is === 'taken_back') return number === undefined ? [] : [[words.code, words.codeWasGiven]];
  return charge.state === 'success' ? [[words.code, words.codeNotGiven]] : [];
}

function butOf(charge: Charge): string[] {
  const { state, amount_pesewas, reversed_at, merchant_name, origin } = charge;
  const backing = backingOfCharge(charge);
  const [paid, over] = [paidPesewas(charge), overpaidPesewas(charge)];
  const { amount, doubt } = shownPayment(paid, backing);
  if (state === 'reversed') {
    // Do not say that the shop still has the rest: it may have been sent back since.
    const [said, saidOn] =
      paid > 0 ? [words.reversedPart, words.reversedPartOn] : [words.reversedWhole, words.reversedWholeOn];
    return [reversed_at ? saidOn(merchant_name, momentOf(reversed_at).shown) : said(merchant_name)];
  }
  if (doubt) return [notVerifiedYet(merchant_name), ...sentBackOf(charge)];
  return [
    ...(over > 0 && origin.kind !== 'request' ? [words.tooMuch(shownPayment(over, backing).amount)] : []),
    ...(paid < amount_pesewas ? [words.accepted(amount, merchant_name)] : []),
    ...sentBackOf(charge),
  ];
}
