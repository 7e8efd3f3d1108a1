import { shownMoney } from '../../shared/ghana/money.ts';
import { Network } from '../../shared/ghana/network.ts';
import { shownNumber } from '../../shared/ghana/shown-number.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { missingPesewas } from '../../shared/money/payment/payment.ts';
import { receiptRows } from '../../shared/money/receipt/receipt.table.ts';
import { paymentReceiptId, type Receipt } from '../../shared/money/receipt/receipt.ts';
import { heldWords } from '../../shared/pages/dashboard/charges/held-words.ts';
import type { TableOutside } from '../../shared/runtime/outside/outside.ts';
import type { Outcome } from '../phone/payment.ts';

/** Returns the service's decision about a payment, or undefined if undecided. */
export async function outcomeOf(
  outside: TableOutside,
  transactionId: string,
  number: string,
): Promise<Outcome | undefined> {
  const ids = Network.options.map((network) => ({ receipt_id: paymentReceiptId(network, number, transactionId) }));
  const [receipt] = await receiptRows.findMany(outside, ids);
  if (receipt?.state === 'held') return receipt.reason === 'checking' ? undefined : held(receipt, number);
  const reference = receipt?.reference;
  const charge = reference ? await chargeRows.find(outside, { reference }) : undefined;
  if (!charge) return undefined;
  const missing = `It counts towards ${reference}: ${shownMoney(missingPesewas(charge))} is still due.`;
  const paid = `${reference} is paid. The charge’s page shows this when you return to it, or within 20 seconds.`;
  return { message: charge.state === 'pending' ? missing : paid, isCounted: true };
}

/**
 * Returns the outcome of an unmatched payment, which a customer can claim for a charge. `number` selects the wallet.
 */
function held(receipt: Receipt, number: string): Outcome {
  const claim = ' Take it at a till, or claim it on the checkout page by this ID and the payer’s name.';
  const message = `The payment came to ${shownNumber(number)} and did not confirm a charge, so it is held. ${heldWords(receipt).explanation}${receipt.suggested_reference ? '' : claim}`;
  return { message, isCounted: false };
}
