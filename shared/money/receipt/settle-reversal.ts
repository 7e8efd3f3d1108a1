import { mayBeNumber } from '../../ghana/phone-number.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { backOff, Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import { differenceOf, type Gap } from '../../wallets/chain/branches.ts';
import { ChainChanged, chainRows, listGaps, replaceChain, type Wallet } from '../../wallets/chain/chain.table.ts';
import { afterReversal, type Chain, headOf, isEstablished } from '../../wallets/chain/chain.ts';
import { isHeldUp, isUnsure } from '../../wallets/chain/guesses.ts';
import { FEW_WAITING, linkTexts } from '../../wallets/chain/link-texts.ts';
import { isOpenRefund } from '../payment/payment.ts';
import { disputeTransaction } from '../transaction/change-transaction.table.ts';
import { type Transaction, transactionRows } from '../transaction/transaction.table.ts';
import { takePaymentBack } from './charge-parts.ts';
import { createReceipt, paymentUseRows, receiptRows, replaceReceipt, usePayment } from './receipt.table.ts';
import { type Origin, paymentReceiptId, type Receipt } from './receipt.ts';

type ToldReversal = Extract<Reading, { kind: 'reversal' }>;
type OfWallet = Origin & Required<Pick<Origin, 'momo_number'>>;

/** What identifies a payment in the whole network. */
type PaymentId = Required<Pick<Receipt, 'network' | 'transaction_id'>>;

/**
 * `not shown`: the wallet's chain does not show it so far. `guessed`: nor is the balance in its text right. `unknown`: a person reads
 * the text.
 */
type Reversed = 'reversed' | 'not shown' | 'guessed' | 'unknown';

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
  if (momo_number && isCertain)
    return reversePayments(outside, { network, transactionIds, toldPesewas }, { ...origin, momo_number });
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
  { network, transactionIds, toldPesewas }: Pick<ToldReversal, 'network' | 'transactionIds' | 'toldPesewas'>,
  origin: OfWallet,
): Promise<Reversed> {
  const outcomes: Reversed[] = [];
  for (const id of transactionIds) {
    const isOnlyId = transactionIds.length === 1;
    outcomes.push(await reversePayment(outside, { network, transaction_id: id }, origin, { toldPesewas, isOnlyId }));
  }
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'unknown';
}

/** The outcome of a text that names two ids is the first that one of them has. */
const OUTCOMES: readonly Reversed[] = ['reversed', 'guessed', 'not shown'];

/** What a reversal's text says besides the payment's id. */
interface Told {
  /** The balance after it, in pesewas. */
  readonly toldPesewas: number | null;
  /** Which of two ids is the payment's is not known, and nothing is held for one that is not. */
  readonly isOnlyId: boolean;
}

/**
 * Reverses a payment, or stores its id if the payment has not arrived yet, so that it never confirms anything; `unknown` if the
 * payment of this id is unknown and none can still arrive. What the wallet's chain could show and does not is only in doubt, and so is,
 * where no chain can show anything, what would end an open refund. Without `told`, as for a test account's payment, no chain is asked.
 */
export async function reversePayment(
  outside: Outside,
  payment: PaymentId,
  origin: OfWallet,
  told?: Told,
): Promise<Reversed> {
  let isMoved = false;
  const outcome = await retryIfChanged(
    async () => {
      const { network, transaction_id } = payment;
      const known = told && (await knownOfWallet(outside, { network, momo_number: origin.momo_number }));
      const receipt_id = paymentReceiptId(network, origin.momo_number, transaction_id);
      const use = await paymentUseRows.find(outside, payment);
      const current = await receiptRows.find(outside, { receipt_id: use?.receipt_id ?? receipt_id });
      const reversed = { state: 'held', reason: known && !current ? 'conflict' : 'reversed' } as const;
      // The same payment may also be stored from a phone that reported no number.
      const other = await receiptRows.find(outside, {
        receipt_id: paymentReceiptId(network, undefined, transaction_id),
      });
      const isOther =
        other?.state === 'held' && other.reason !== 'reversed' && other.receipt_id !== current?.receipt_id;
      const others = isOther ? [replaceReceipt(other, { ...other, ...reversed })] : [];
      if (!current) {
        // A phone number in the text is not the id of a payment that is still to arrive.
        const mayArrive = !known || told.isOnlyId;
        if (!mayArrive || mayBeNumber(transaction_id)) return 'unknown';
        // For this wallet only: a text to it says nothing about another wallet's payments.
        const tombstone = { ...origin, receipt_id, ...payment, ...reversed };
        await outside.table.write([createReceipt(tombstone), ...others]);
        return known ? 'not shown' : 'reversed';
      }
      // A text to one wallet reverses nothing in another.
      if (current.momo_number !== undefined && current.momo_number !== origin.momo_number) return 'unknown';
      if (current.reason === 'reversed') return 'reversed';
      const reference = current.state === 'matched' ? current.reference : undefined;
      const charge = reference === undefined ? undefined : await transactionRows.find(outside, { reference });
      const shown = known
        ? shownBy(known, current, told, { ...origin, nowMs: outside.now() })
        : hasOpenRefund(charge) && 'not shown';
      if (typeof shown === 'string') {
        await doubtPayment(outside, payment, origin);
        return shown;
      }
      await outside.table.write([
        replaceReceipt(current, { ...current, ...reversed }),
        ...others,
        ...(charge
          ? await takePaymentBack(outside, charge, current.receipt_id)
          : [usePayment({ ...current, ...payment }, undefined)]),
        ...(known && shown && shown !== known.chain ? [replaceChain(known.chain, shown)] : []),
      ]);
      isMoved = known !== undefined && shown !== known.chain;
      return 'reversed';
    },
    {
      isChanged: (error) => error instanceof Changed || error instanceof ChainChanged,
      tries: REVERSAL_TRIES,
      pause: (attempt) => backOff(outside, Math.min(attempt, 3)),
    },
  );
  const { momo_number } = origin;
  // Payments that came after it waited for it.
  if (isMoved) await linkTexts(outside, { network: payment.network, momo_number }, [], FEW_WAITING);
  return outcome;
}

/** Each text of the wallet changes its chain. */
const REVERSAL_TRIES = 12;

/** A text that nothing backs ends no refund: a person does, or a verified text. */
function hasOpenRefund(charge: Transaction | undefined): boolean {
  return charge !== undefined && !isTwin(charge.merchant_id) && (charge.refunds ?? []).some(isOpenRefund);
}

/**
 * Disputes the charge that a payment paid, if a text says that the payment was reversed but nothing shows that it is true; a payment
 * that is held waits for a person from now on. The text itself is stored as unread.
 */
async function doubtPayment(
  outside: Outside,
  payment: PaymentId,
  { momo_number }: Pick<Origin, 'momo_number'>,
): Promise<void> {
  const { network, transaction_id } = payment;
  await retryIfChanged(async () => {
    const use = await paymentUseRows.find(outside, payment);
    const current = await receiptRows.find(outside, {
      receipt_id: use?.receipt_id ?? paymentReceiptId(network, momo_number, transaction_id),
    });
    if (!current || (momo_number && current.momo_number && current.momo_number !== momo_number)) return;
    if (current.reason === 'reversed' || current.reason === 'conflict') return;
    if (use?.reference) return outside.table.write([disputeTransaction(outside, use.reference, 'reversal')]);
    if (current.state !== 'held') return;
    await outside.table.write([replaceReceipt(current, { ...current, reason: 'conflict' })]);
  });
}

/** The chain of a wallet, and its breaks. */
interface KnownOfWallet {
  readonly chain: Chain;
  readonly gaps: readonly Gap[];
}

/** Undefined where the chain can show nothing: it is not established, and does not decide. */
async function knownOfWallet(outside: TableOutside, wallet: Wallet): Promise<KnownOfWallet | undefined> {
  const chain = await chainRows.find(outside, wallet);
  if (!chain || (chain.mode !== 'enforce' && !isEstablished(chain))) return undefined;
  return { chain, gaps: chain.gaps > 0 ? await listGaps(outside, wallet) : [] };
}

/**
 * The chain after a reversal that it shows: the wallet fell by exactly what the payment brought in a known break after it, or the balance
 * in the reversal's own text continues the chain by exactly that. A balance that does not is a guess (`guessed`), and counts as one of
 * the wallet: while balances are guessed it shows nothing.
 */
function shownBy(
  { chain, gaps }: KnownOfWallet,
  payment: Pick<Receipt, 'transaction_id' | 'amount_pesewas'>,
  { toldPesewas }: Told,
  { received_at, nowMs }: Pick<Origin, 'received_at'> & { readonly nowMs: number },
): Chain | 'guessed' | 'not shown' {
  const amountPesewas: number = payment.amount_pesewas ?? 0;
  if (amountPesewas <= 0) return 'not shown';
  const fell = (gap: Gap) => !gap.is_push && differenceOf(gap) === -amountPesewas;
  if (gaps.some((gap) => fell(gap) && gap.to.id > Number(payment.transaction_id))) return chain;
  // That a wallet is empty can be guessed.
  if (!toldPesewas || isUnsure(chain, nowMs) || isHeldUp(chain, nowMs)) return 'not shown';
  if (toldPesewas !== headOf(chain).balance - amountPesewas) return 'guessed';
  return afterReversal(chain, toldPesewas, Date.parse(received_at));
}
