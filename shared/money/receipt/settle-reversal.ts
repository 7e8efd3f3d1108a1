import { mayBeNumber } from '../../ghana/phone-number.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { differenceOf } from '../../wallets/chain/branches.ts';
import { chainRows, listGaps, type Wallet } from '../../wallets/chain/chain.table.ts';
import { headOf, isEstablished } from '../../wallets/chain/chain.ts';
import { disputeTransaction } from '../transaction/change-transaction.table.ts';
import { transactionRows } from '../transaction/transaction.table.ts';
import { takePaymentBack } from './charge-parts.ts';
import { createReceipt, paymentUseRows, receiptRows, replaceReceipt, usePayment } from './receipt.table.ts';
import { type Origin, paymentReceiptId, type Receipt } from './receipt.ts';

type ToldReversal = Extract<Reading, { kind: 'reversal' }>;
type OfWallet = Origin & Required<Pick<Origin, 'momo_number'>>;

/** What identifies a payment in the whole network. */
type PaymentId = Required<Pick<Receipt, 'network' | 'transaction_id'>>;

/** `not shown`: the wallet's chain does not show it so far. `unknown`: a person reads the text. */
type Reversed = 'reversed' | 'not shown' | 'unknown';

/**
 * Takes the payments back that a text says were reversed. It only puts them in doubt where the words may not be the network's, and
 * where the wallet's chain can show it and does not: one forged line would reverse a verified charge, and end the refunds and credits of it.
 */
export async function settleReversal(
  outside: Outside,
  { network, transactionIds, isCertain, toldPesewas }: ToldReversal,
  origin: Origin,
  senders: readonly Sender[],
): Promise<Reversed> {
  const { momo_number } = origin;
  if (momo_number && isCertain) {
    const shows = await chainShows(outside, { network, momo_number }, toldPesewas);
    return reversePayments(outside, { network, transactionIds }, { ...origin, momo_number }, shows);
  }
  // If the phone reported no number, it may be any number that is in a phone.
  const numbers = momo_number ? [momo_number] : [undefined, ...senders.map(({ number }) => number)];
  for (const id of transactionIds) {
    for (const number of numbers)
      await doubtPayment(outside, { network, transaction_id: id }, { ...origin, momo_number: number });
  }
  return 'unknown';
}

/** Reverses payments of a wallet. */
async function reversePayments(
  outside: Outside,
  { network, transactionIds }: Pick<ToldReversal, 'network' | 'transactionIds'>,
  origin: OfWallet,
  shows: ChainShows | undefined,
): Promise<Reversed> {
  let outcome: Reversed = 'unknown';
  for (const id of transactionIds) {
    // Which of two ids is the payment's is not known, and nothing is held for one that is not.
    const mayArrive = !shows || transactionIds.length === 1;
    const one = await reversePayment(outside, { network, transaction_id: id }, origin, { shows, mayArrive });
    if (one === 'reversed' || outcome === 'unknown') outcome = one;
  }
  return outcome;
}

/**
 * Reverses a payment, or stores its id if the payment has not arrived yet, so that it never confirms anything; `unknown` if the
 * payment of this id is unknown and none can still arrive. What its chain could show and does not (`shows`) is only in doubt.
 */
export async function reversePayment(
  outside: Outside,
  payment: PaymentId,
  origin: OfWallet,
  { shows, mayArrive = true }: { readonly shows?: ChainShows | undefined; readonly mayArrive?: boolean } = {},
): Promise<Reversed> {
  const { network, transaction_id } = payment;
  return retryIfChanged(async () => {
    const receipt_id = paymentReceiptId(network, origin.momo_number, transaction_id);
    const use = await paymentUseRows.find(outside, payment);
    const current = await receiptRows.find(outside, { receipt_id: use?.receipt_id ?? receipt_id });
    const reversed = { state: 'held', reason: shows && !current ? 'conflict' : 'reversed' } as const;
    // The same payment may also be stored from a phone that reported no number.
    const other = await receiptRows.find(outside, { receipt_id: paymentReceiptId(network, undefined, transaction_id) });
    const isOther = other?.state === 'held' && other.reason !== 'reversed' && other.receipt_id !== current?.receipt_id;
    const others = isOther ? [replaceReceipt(other, { ...other, ...reversed })] : [];
    if (!current) {
      // A phone number in the text is not the id of a payment that is still to arrive.
      if (!mayArrive || mayBeNumber(transaction_id)) return 'unknown';
      // For this wallet only: a text to it says nothing about another wallet's payments.
      const tombstone = { ...origin, receipt_id, ...payment, ...reversed };
      await outside.table.write([createReceipt(tombstone), ...others]);
      return shows ? 'not shown' : 'reversed';
    }
    // A text to one wallet reverses nothing in another.
    if (current.momo_number !== undefined && current.momo_number !== origin.momo_number) return 'unknown';
    if (current.reason === 'reversed') return 'reversed';
    const reference = current.state === 'matched' ? current.reference : undefined;
    const charge = reference === undefined ? undefined : await transactionRows.find(outside, { reference });
    // Each text tries one balance, and a charge has one try: the text that disputed it.
    const mayTellBalance = !charge?.disputed || charge.disputed.text_hash === hashOf(origin.text);
    if (shows && !shows(current, mayTellBalance)) {
      await doubtPayment(outside, payment, origin);
      return 'not shown';
    }
    await outside.table.write([
      replaceReceipt(current, { ...current, ...reversed }),
      ...others,
      ...(charge
        ? await takePaymentBack(outside, charge, current.receipt_id)
        : [usePayment({ ...current, ...payment }, undefined)]),
    ]);
    return 'reversed';
  });
}

function hashOf(text = ''): string {
  return sha256(text).slice(0, 16);
}

/**
 * Disputes the charge that a payment paid, if a text says that the payment was reversed but nothing shows that it is true; a payment
 * that is held waits for a person from now on. The text itself is stored as unread.
 */
async function doubtPayment(
  outside: Outside,
  payment: PaymentId,
  { momo_number, text }: Pick<Origin, 'momo_number' | 'text'>,
): Promise<void> {
  const { network, transaction_id } = payment;
  await retryIfChanged(async () => {
    const use = await paymentUseRows.find(outside, payment);
    const current = await receiptRows.find(outside, {
      receipt_id: use?.receipt_id ?? paymentReceiptId(network, momo_number, transaction_id),
    });
    if (!current || (momo_number && current.momo_number && current.momo_number !== momo_number)) return;
    if (current.reason === 'reversed' || current.reason === 'conflict') return;
    if (use?.reference)
      return outside.table.write([disputeTransaction(outside, use.reference, 'reversal', hashOf(text))]);
    if (current.state !== 'held') return;
    await outside.table.write([replaceReceipt(current, { ...current, reason: 'conflict' })]);
  });
}

/** What a chain needs of a payment that a text says was reversed. */
interface OfReversed {
  readonly transaction_id?: string | undefined;
  readonly amount_pesewas?: number | undefined;
}

/** Whether a chain shows that a payment was reversed; where `mayTellBalance`, the balance that the reversal's own text states counts. */
type ChainShows = (payment: OfReversed, mayTellBalance: boolean) => boolean;

/**
 * Evidence of a reversal where the chain of its wallet is established, or decides: its text's balance continues the chain by exactly what
 * the payment brought, or the wallet fell by exactly that in a known break after it. Undefined where the chain can show nothing.
 */
async function chainShows(
  outside: TableOutside,
  wallet: Wallet,
  toldPesewas: number | null,
): Promise<ChainShows | undefined> {
  const chain = await chainRows.find(outside, wallet);
  if (!chain || (chain.mode !== 'enforce' && !isEstablished(chain))) return undefined;
  const gaps = chain.gaps > 0 ? await listGaps(outside, wallet) : [];
  return ({ transaction_id, amount_pesewas = 0 }, mayTellBalance) => {
    if (amount_pesewas <= 0) return false;
    // That a wallet is empty can be guessed.
    const isContinued =
      toldPesewas !== null && toldPesewas > 0 && toldPesewas === headOf(chain).balance - amount_pesewas;
    if (mayTellBalance && isContinued) return true;
    return gaps.some(
      (gap) => !gap.is_push && differenceOf(gap) === -amount_pesewas && gap.to.id > Number(transaction_id),
    );
  };
}
