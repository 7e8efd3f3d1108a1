import { mayBeNumber } from '../../ghana/phone-number.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { type Clock, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { backOff, Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { isUnsure } from '../../wallets/chain/anchor.ts';
import { differenceOf, type Gap, paymentsOf } from '../../wallets/chain/branches.ts';
import {
  addGap,
  ChainChanged,
  chainRows,
  getTexts,
  listGaps,
  listSettledTexts,
  replaceChain,
  type Wallet,
} from '../../wallets/chain/chain.table.ts';
import { afterReversal, type Chain, headOf, OVERTAKEN_MS } from '../../wallets/chain/chain.ts';
import { MAX_FAILED, withFailed, withoutCounts } from '../../wallets/chain/guesses.ts';
import { linkTexts, retryIfChainChanged } from '../../wallets/chain/link-texts.ts';
import { FEW_WAITING } from '../../wallets/chain/plan-links.ts';
import { disputeReversal } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { isUnproven } from '../payment/backing.ts';
import { isOpenRefund } from '../payment/payment.ts';
import type { UnexplainedJob } from '../receipt/proof-job.ts';
import {
  checkReceipt,
  createReceipt,
  getReceipts,
  paymentUseRows,
  receiptRows,
  replaceReceipt,
  usePayment,
} from '../receipt/receipt.table.ts';
import {
  isNotThere,
  isSameText,
  isTestTransactionId,
  isUndoneMark,
  mayShareWallet,
  type Origin,
  paymentReceiptId,
  type Receipt,
} from '../receipt/receipt.ts';
import { textLeft, textsAt, textWithoutNumber } from '../receipt/texts-of-payment.ts';
import { typedAt } from '../receipt/typed-use.ts';
import { readReceipt } from '../receipt/wallet-text-of.ts';
import { holdAgain } from './matched-receipt.ts';
import { removePayment } from './remove-payment.ts';
import { secondInPlaceOf } from './second-payment.ts';

type ReversalReading = Extract<Reading, { kind: 'reversal' }>;
type OfWallet = Origin & Required<Pick<Origin, 'momo_number'>>;

type PaymentId = Required<Pick<Receipt, 'network' | 'transaction_id'>>;

/**
 * Result of settling a reversal. `not shown`: the wallet's balance chain has not confirmed it yet. `unknown`: a person
 * must read the text.
 */
type Reversed = 'reversed' | 'not shown' | 'unknown';

/**
 * Reverses the payments that a text reports as reversed. Only disputes the payments if the words may not be the
 * network's, or if the wallet's balance chain could confirm the reversal but does not. Otherwise, one forged text could
 * reverse a verified charge, cancel its refunds and revoke its credits. If the text is uncertain, only a matching
 * balance confirms the reversal. `isAgain`: the text was settled before.
 */
export async function settleReversal(
  outside: Outside,
  { isInOwnWords, ...reading }: ReversalReading,
  origin: Origin,
  { isAgain = false } = {},
): Promise<Reversed> {
  const { momo_number, numbers_of_phone = [] } = origin;
  if (momo_number && isInOwnWords) return reversePayments(outside, { ...reading, isAgain }, { ...origin, momo_number });
  const { network, transactionIds, isReworded } = reading;
  // A text from a phone without a reported SIM number may be about any number assigned to that phone.
  const numbers = momo_number ? [momo_number] : [undefined, ...numbers_of_phone];
  const mayArrive = transactionIds.length === 1 && !isReworded;
  for (const id of transactionIds) {
    const payment = { network, transaction_id: id };
    for (const number of numbers)
      await doubtPayment(outside, payment, { ...origin, momo_number: number }, { mayArrive, isAgain });
    // The payment's text may have arrived without a SIM number.
    const unnumbered = momo_number ? await textWithoutNumber(outside, payment) : undefined;
    if (momo_number && unnumbered?.state === 'held')
      await doubtPayment(
        outside,
        payment,
        { ...origin, momo_number: undefined, numbers_of_phone: [momo_number] },
        { isAgain },
      );
  }
  return 'unknown';
}

async function reversePayments(
  outside: Outside,
  { network, transactionIds, ...reading }: Omit<ReversalReading, 'isInOwnWords'> & { readonly isAgain: boolean },
  origin: OfWallet,
): Promise<Reversed> {
  const outcomes: Reversed[] = [];
  for (const id of transactionIds) {
    const reported = { ...reading, isOnlyId: transactionIds.length === 1 };
    outcomes.push(await reversePayment(outside, { network, transaction_id: id }, origin, reported));
  }
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'unknown';
}

/** If a text names two ids with different outcomes, the outcome that comes first in this list counts. */
const OUTCOMES: readonly Reversed[] = ['reversed', 'not shown'];

interface ReportedReversal extends Pick<ReversalReading, 'reportedPesewas' | 'amountsPesewas'> {
  /** False if the text may deny or only announce the reversal. */
  readonly isCertain: boolean;
  /** False if the text names two ids. Neither is then reserved for a payment that may still arrive. */
  readonly isOnlyId: boolean;
  readonly isAgain: boolean;
}

/**
 * Reverses a payment. If the payment has not arrived yet, stores its id, so that it can never confirm anything. Returns
 * `unknown` if no payment with this id exists or can still arrive, or if an uncertain text is about a reversed payment.
 * Only disputes the payment if the wallet's balance chain could confirm the reversal but does not. Without such a
 * chain, only disputes the payment if a refund is open or the text is uncertain. Ignores the chain if `reported` is
 * unset, as for test accounts.
 */
export async function reversePayment(
  outside: Outside,
  payment: PaymentId,
  origin: OfWallet,
  reported?: ReportedReversal,
): Promise<Reversed> {
  const { network, transaction_id } = payment;
  const wallet = { network, momo_number: origin.momo_number };
  let mayBeTyped = false;
  const outcome = await retryIfChanged(
    async () => {
      const tried = reported?.reportedPesewas ? await countTry(outside, payment, origin) : undefined;
      const known = reported && (await knownOfWallet(outside, wallet));
      const receipt_id = paymentReceiptId(network, origin.momo_number, transaction_id);
      // Read before the payment's use: a text that is assigned at this moment is then found through its use.
      const unnumbered = await textsWithoutNumber(outside, payment);
      const { use, current, mark } = await findPayment(outside, payment, origin);
      mayBeTyped = mayBeTypedElsewhere(current);
      const isDoubt = known !== undefined || reported?.isCertain === false;
      const reversed = isDoubt && !current ? doubted(outside) : ({ state: 'held', reason: 'reversed' } as const);
      // Store the reversal for this wallet only. The reversal's text is no evidence about payments to other wallets.
      const early = { ...origin, ...payment, ...reversed, receipt_id: current?.receipt_id ?? receipt_id };
      const { marked, absent, unchanged } = alsoReversed(outside, unnumbered, early, reported);
      if (!current) {
        // Never reserve an id that could be a phone number.
        const mayArrive = !isDoubt || reported?.isOnlyId === true;
        const isKept = mayArrive && !mayBeNumber(transaction_id);
        if (isKept) await outside.table.write([createReceipt(early), ...marked, ...absent, ...unchanged]);
        else if (marked.length > 0 && !reported?.isAgain) await outside.table.write(marked);
        if (!isKept || (isDoubt && !known)) return 'unknown';
        return known || use ? 'not shown' : 'reversed';
      }
      const isCertain = reported === undefined || (reported.isCertain && isWhole(reported, current));
      if (current.reason === 'reversed') {
        // An uncertain text may say that the reversal was undone.
        if (!isCertain) return 'unknown';
        // The first text may have been about a part of the payment.
        const isNew = current.amount_pesewas === undefined && !current.marked && current.text !== origin.text;
        if (isNew) await outside.table.write([replaceReceipt(current, { ...current, ...early })]);
        return 'reversed';
      }
      const counted = mark ?? current;
      const reference = counted.state === 'matched' ? counted.reference : undefined;
      const charge = reference === undefined ? undefined : await chargeRows.find(outside, { reference });
      const shown =
        known &&
        (shownByText(known.chain, current, tried, reported) ??
          (isCertain ? await shownByBreak(outside, known, current) : undefined));
      const isGuarded = !known && reported !== undefined && (await isTypedForKnown(outside, origin, current));
      if (known ? !shown : isGuarded || !isCertain || hasOpenRefund(charge)) {
        await doubtPayment(outside, payment, origin, reported);
        return 'not shown';
      }
      const second = charge && (await secondInPlaceOf(outside, charge, counted.receipt_id));
      const reversal_verified = known && shown && !shown.gap ? true : undefined;
      await outside.table.write([
        replaceReceipt(current, { ...current, ...reversed, reversal_verified }),
        ...marked,
        ...absent,
        ...(mark ? [replaceReceipt(mark, { ...mark, ...reversed })] : []),
        ...(charge
          ? await removePayment(outside, charge, counted, second)
          : // An undone mark uses no id. The merchant only typed an id, which may be another merchant's.
            use || current.marked
            ? []
            : usePayment({ ...current, ...payment }, undefined)),
        ...(known && shown ? goOn(known.chain, shown, hashOf(payment, origin)) : []),
      ]);
      return 'reversed';
    },
    {
      isChanged: (error) => error instanceof Changed || error instanceof ChainChanged,
      tries: REVERSAL_TRIES,
      pause: (attempt) => backOff(outside, Math.min(attempt, 3)),
    },
  );
  // A person may have typed the id at the same moment.
  if (mayBeTyped && (await typedAt(outside, payment, origin.momo_number)))
    return reversePayment(outside, payment, origin, reported);
  // Link the payments that could not be linked before the reversal.
  if (outcome === 'reversed' && reported?.reportedPesewas) await linkTexts(outside, wallet, [], FEW_WAITING);
  return outcome;
}

/** Reads the texts about a payment that were forwarded without a SIM number. */
async function textsWithoutNumber(outside: TableOutside, payment: PaymentId): Promise<Receipt[]> {
  const texts = await textsAt(outside, payment, []);
  return texts.filter(({ momo_number }) => momo_number === undefined);
}

/**
 * Marks the held texts without a SIM number that may report a reversed payment: as reversed, or in doubt if `reversed` is
 * a doubt or states another amount. With `reported`, also puts texts in doubt whose phone does not have the number,
 * because it may be registered only since. `absent` fails if the first such text is stored at this moment, and `unchanged`
 * if the others change.
 */
function alsoReversed(
  outside: Clock,
  texts: readonly Receipt[],
  reversed: Receipt & PaymentId,
  reported?: Pick<ReportedReversal, 'amountsPesewas'>,
): { marked: TableWrite[]; absent: TableWrite[]; unchanged: TableWrite[] } {
  const { network, transaction_id, merchant_id, state, reason, reversal_doubt_at } = reversed;
  // A test payment always has its number.
  if (isTestTransactionId(transaction_id)) return { marked: [], absent: [], unchanged: [] };
  const isOthers = ({ merchant_id: owner, known_to = owner }: Receipt) =>
    known_to !== undefined && merchant_id !== undefined && known_to !== merchant_id;
  const isOpen = (one: Receipt) => one.state === 'held' && one.reason !== 'reversed' && !one.marked;
  const isKnown = (one: Receipt) => reason !== 'reversed' && one.reversal_doubt_at !== undefined;
  const isHere = (one: Receipt) => mayShareWallet(one, reversed);
  const isMeant = (one: Receipt) =>
    one.receipt_id !== reversed.receipt_id &&
    isOpen(one) &&
    !isKnown(one) &&
    (isHere(one) || (reported !== undefined && !isOthers(one)));
  const as = (one: Receipt) =>
    isHere(one) && (!reported || isWhole(reported, one)) ? { state, reason, reversal_doubt_at } : doubted(outside);
  const first = paymentReceiptId(network, undefined, transaction_id);
  const isFirst = texts.some(({ receipt_id }) => receipt_id === first);
  return {
    marked: texts.filter(isMeant).map((one) => replaceReceipt(one, { ...one, ...as(one) })),
    absent: isFirst || reversed.receipt_id === first ? [] : [checkReceipt(first, undefined)],
    unchanged: texts.filter((one) => !isMeant(one)).map((one) => checkReceipt(one.receipt_id, one)),
  };
}

/**
 * True if the merchant typed the payment's id for another number, whose balance is named. Only a text that continues
 * that chain may reverse the payment.
 */
async function isTypedForKnown(
  outside: TableOutside,
  { momo_number: told }: OfWallet,
  { marked, network, momo_number }: Receipt,
): Promise<boolean> {
  if (!marked || !network || !momo_number || momo_number === told) return false;
  return (await knownOfWallet(outside, { network, momo_number })) !== undefined;
}

/** Returns how a payment is held whose reversal is in doubt. */
export function doubted(outside: Clock) {
  const doubt = { reversal_doubt_at: nowIso(outside), unsuspected_reason: undefined };
  return { state: 'held', reason: 'conflict', ...doubt } as const;
}

/** False if a text states an amount other than the payment's. The text may then be about a part of the payment. */
export function isWhole(
  { amountsPesewas }: Pick<ReportedReversal, 'amountsPesewas'>,
  { amount_pesewas }: Pick<Receipt, 'amount_pesewas'>,
): boolean {
  return amount_pesewas === undefined || amountsPesewas.every((one) => one === amount_pesewas);
}

/**
 * Finds a payment's stored receipt. This is the receipt in use, unless that receipt belongs to another wallet: a text
 * to one wallet cannot reverse a payment to another, but may be about its own wallet's payment with the same id. If a
 * verified text contradicts the receipt in use, the reversal is about the verified one. The merchant may have typed the
 * id for another of their numbers. `mark`: the typed receipt that the payment's receipt confirms. The payment's receipt
 * is stored next to it.
 */
async function findPayment(outside: TableOutside, payment: PaymentId, { momo_number }: Pick<Origin, 'momo_number'>) {
  const use = await paymentUseRows.find(outside, payment);
  const used = use && (await receiptRows.find(outside, use));
  const isOfWallet = used && (!momo_number || mayShareWallet({ momo_number }, used));
  const verified = used && isUnproven(used) ? await textLeft(outside, { ...payment, momo_number }) : undefined;
  const isForged = verified?.proof?.state === 'proven' && used !== undefined && !isSameText(used, verified);
  if (isOfWallet && !mayBeTypedElsewhere(used) && !isForged) return { use, current: used, mark: undefined };
  const receipt_id = paymentReceiptId(payment.network, momo_number, payment.transaction_id);
  const here = await receiptRows.find(outside, { receipt_id });
  const typed = momo_number && mayBeTypedElsewhere(here) ? await typedAt(outside, payment, momo_number) : undefined;
  const found = typed ?? here;
  const left = await textLeft(outside, { ...payment, momo_number }, found?.momo_number);
  const beside = left ?? (found?.marked ? await textOfMark(outside, found) : undefined);
  const mark = beside && found?.marked && found.state === 'matched' && isSameText(found, beside) ? found : undefined;
  return { use, current: beside ?? found, mark };
}

/**
 * True if only a reversal, an undone mark or a text whose money a person did not find is stored, so the merchant may have
 * typed the id for another number.
 */
function mayBeTypedElsewhere(here: Receipt | undefined): boolean {
  return !here || isNotThere(here) || (here.marked ? here.state !== 'matched' : here.amount_pesewas === undefined);
}

/**
 * Finds the text stored next to a typed id that describes the real payment. This is the verified text, whatever was
 * typed, or the only text if the mark was undone.
 */
async function textOfMark(outside: TableOutside, mark: Receipt): Promise<Receipt | undefined> {
  const texts = await getReceipts(outside, mark.contradicted_by ?? []);
  const held = texts.filter((one) => one.state === 'held' && one.momo_number === mark.momo_number);
  const [only, ...others] = isUndoneMark(mark) ? held : [];
  return held.find((one) => one.proof?.state === 'proven') ?? (others.length === 0 ? only : undefined);
}

/** Balance to compare against (the chain's head), and the time (ms) when the text first arrived. */
interface Tried {
  readonly head: number;
  readonly firstMs: number;
}

/**
 * Counts the balance in a reversal's text as a guess, once per text, payment and head of the chain. The guess is
 * counted before the comparison shows whether it is right, and removed if the chain confirms the reversal.
 * @returns undefined if the balance must not be compared: somebody is guessing balances, the chain has moved past the
 * time when the text first arrived, or the payment is not a link in the chain.
 */
function countTry(outside: Outside, payment: PaymentId, origin: OfWallet): Promise<Tried | undefined> {
  const wallet = { network: payment.network, momo_number: origin.momo_number };
  const text_hash = hashOf(payment, origin);
  return retryIfChainChanged(outside, async () => {
    // Read the chain before the payment: a concurrent reversal of the payment changes the chain.
    const chain = await chainRows.find(outside, wallet);
    const nowMs = outside.now();
    if (!chain || isUnsure(chain, nowMs)) return undefined;
    const { current } = await findPayment(outside, payment, origin);
    const isTried =
      current && current.reason !== 'reversed' && (await linkedReceiptOf(outside, wallet, current)) !== undefined;
    if (!isTried) return undefined;
    const { tries = [] } = chain;
    const known = tries.filter((one) => one.text_hash === text_hash);
    const firstMs = Math.min(Date.parse(origin.received_at), ...known.map(({ at_ms }) => at_ms));
    const head = headOf(chain).balance;
    if (isOvertaken(chain, firstMs)) return undefined;
    if (known.some((one) => one.head === head)) return { head, firstMs };
    const after = [...tries, { text_hash, at_ms: nowMs, head }].slice(-1 - MAX_FAILED);
    await outside.table.write([replaceChain(chain, withFailed({ ...chain, tries: after }, 1, nowMs))]);
    return { head, firstMs };
  });
}

/**
 * Returns the receipt id of a payment's text if that text is a link in its wallet's chain. Any other text proves
 * nothing, because anybody can send one.
 */
async function linkedReceiptOf(outside: TableOutside, wallet: Wallet, payment: Receipt): Promise<string | undefined> {
  const movement = readReceipt(payment)?.walletText.movement;
  if (!movement || payment.momo_number !== wallet.momo_number) return undefined;
  const texts = await getTexts(outside, wallet, [movement]);
  // A receipt stored next to a typed payment has a different id, so use the movement's receipt id.
  const { receipt_id } = movement;
  return texts.some((text) => text.state === 'linked' && text.receipt_id === receipt_id) ? receipt_id : undefined;
}

function hashOf({ transaction_id }: PaymentId, { text = '' }: Pick<Origin, 'text'>): string {
  return sha256(`${transaction_id}\n${text}`).slice(0, 16);
}

/**
 * Adds a confirmed reversal to a chain. The reversal's text no longer counts as a guess, and the break that the
 * reversal explains no longer counts as a fault.
 */
function goOn(before: Chain, { chain, gap }: Shown, textHash: string): TableWrite[] {
  const tries = chain.tries?.filter(({ text_hash }) => text_hash === textHash);
  return [replaceChain(before, withoutCounts(chain, tries)), ...(gap ? [addGap(before, gap)] : [])];
}

/** Maximum number of attempts. High, because every text of the wallet changes its chain. */
const REVERSAL_TRIES = 12;

/** True if a refund is open. Only a person or a verified text can close the refund. */
function hasOpenRefund(charge: Charge | undefined): boolean {
  return charge !== undefined && !isTestAccount(charge.merchant_id) && (charge.refunds ?? []).some(isOpenRefund);
}

/**
 * Handles a text that reports a reversal without proof. Disputes the payment's charge, or leaves a held payment to a
 * person. If the payment has not arrived yet and `mayArrive` is set, stores the doubt under the payment's id.
 */
async function doubtPayment(
  outside: Outside,
  payment: PaymentId,
  origin: Origin,
  { mayArrive = false, isAgain = false } = {},
): Promise<void> {
  await retryIfChanged(async () => {
    let unnumbered: readonly Receipt[] | undefined = await textsWithoutNumber(outside, payment);
    let { current, mark } = await findPayment(outside, payment, origin);
    if (!current && mayArrive && origin.momo_number && !mayBeNumber(payment.transaction_id)) {
      const receipt_id = paymentReceiptId(payment.network, origin.momo_number, payment.transaction_id);
      const early = { ...origin, ...payment, receipt_id, ...doubted(outside) };
      const { marked, absent, unchanged } = alsoReversed(outside, unnumbered, early);
      await outside.table.write([createReceipt(early), ...marked, ...absent, ...unchanged]);
      unnumbered = undefined;
      // A person may have typed the id at the same moment.
      ({ current, mark } = await findPayment(outside, payment, origin));
    }
    if (!current || !(current.marked || mayShareWallet(origin, current))) return;
    const isKnown = current.reason === 'conflict' && current.reversal_doubt_at !== undefined;
    if (current.reason === 'reversed' || (isKnown && isAgain)) return;
    const counted = mark ?? current;
    // A person who checked the wallet after this text arrived overrules the text.
    if (isAgain && counted.looked_by !== undefined) return;
    const isOther = counted.marked && origin.momo_number !== counted.momo_number;
    // Settling the same text again adds no doubt.
    const at = (isAgain && counted.reversal_doubt_at) || nowIso(outside);
    const number = isOther && { reversal_doubt_number: origin.momo_number };
    const doubt = { reversal_doubt_at: at, unsuspected_reason: undefined, ...number };
    const reference = counted.state === 'matched' ? counted.reference : undefined;
    // A charge may be deleted before the receipt of its payment.
    const charge = reference && (await chargeRows.find(outside, { reference }));
    const writes = [
      ...(reference ? [replaceReceipt(counted, { ...counted, ...doubt })] : []),
      ...(charge ? [disputeReversal(charge, at)] : []),
    ];
    if (current.state === 'held') {
      // With a reason, a receipt whose mark was undone would count as a payment that can be assigned.
      const reason = isUndoneMark(current) ? undefined : 'conflict';
      writes.push(replaceReceipt(current, { ...current, ...doubt, reason }));
    }
    // The payment may also be shown through texts without its number. A person may have decided about them since.
    if (unnumbered && !(isAgain && current.reversal_doubt_at !== undefined)) {
      const early = { ...origin, ...payment, receipt_id: current.receipt_id, ...doubted(outside) };
      const { marked, absent } = alsoReversed(outside, unnumbered, early);
      writes.push(...marked, ...absent);
    }
    if (writes.length > 0) await outside.table.write(writes);
  });
}

/**
 * Holds a reversed payment for a person to decide. Called if late texts have since explained the break that confirmed
 * the reversal. The money may then still be in the wallet.
 */
export async function doubtReversal(outside: Outside, { receipt }: UnexplainedJob): Promise<void> {
  await retryIfChanged(async () => {
    const current = await receiptRows.find(outside, { receipt_id: receipt });
    if (current?.reason !== 'reversed' || !current.network || !current.transaction_id) return;
    // A text has verified the reversal since.
    if (current.reversal_verified) return;
    const { network, transaction_id, reference } = current;
    const use = await paymentUseRows.find(outside, { network, transaction_id });
    const charge = reference === undefined ? undefined : await chargeRows.find(outside, { reference });
    const held = { reason: 'conflict', suggested_reference: reference, reversal_doubt_at: nowIso(outside) } as const;
    await outside.table.write([
      holdAgain(current, held),
      ...(use?.receipt_id === receipt ? [paymentUseRows.remove({ network, transaction_id }, asRead({ ...use }))] : []),
      // A charge in any other state has dropped the payment, and may have been paid with other money.
      ...(charge?.state === 'reversed' ? [disputeReversal(charge, nowIso(outside))] : []),
    ]);
  });
}

interface KnownOfWallet {
  readonly chain: Chain;
  readonly gaps: readonly Gap[];
}

async function knownOfWallet(outside: TableOutside, wallet: Wallet): Promise<KnownOfWallet | undefined> {
  const chain = await chainRows.find(outside, wallet);
  return chain && { chain, gaps: chain.gaps > 0 ? await listGaps(outside, wallet) : [] };
}

interface Shown {
  readonly chain: Chain;
  readonly gap?: Gap;
}

/**
 * Returns the chain after a reversal whose stated balance is below the head's by exactly the payment's amount. Compares
 * only with the head for which the balance was counted as a guess.
 */
function shownByText(
  chain: Chain,
  payment: Receipt,
  tried: Tried | undefined,
  { reportedPesewas }: ReportedReversal,
): Shown | undefined {
  const amountPesewas: number = payment.amount_pesewas ?? 0;
  const isShown = amountPesewas > 0 && tried?.head === headOf(chain).balance;
  if (!isShown || reportedPesewas !== tried.head - amountPesewas) return undefined;
  return { chain: afterReversal(chain, reportedPesewas, tried.firstMs) };
}

/**
 * Returns the chain after a reversal that a known break confirms. The balance must have fallen by exactly the payment's
 * amount, and no other payment of that month may have this amount. Keeps the break, because late texts may explain it
 * differently.
 */
async function shownByBreak(
  outside: TableOutside,
  { chain, gaps }: KnownOfWallet,
  payment: Receipt,
): Promise<Shown | undefined> {
  const { receipt_id, transaction_id } = payment;
  const amountPesewas: number = payment.amount_pesewas ?? 0;
  const isFree = ({ is_push, reversal_of }: Gap) => !is_push && reversal_of === undefined;
  const fell = (gap: Gap) => amountPesewas > 0 && differenceOf(gap) === -amountPesewas;
  const gap = gaps.find((one) => isFree(one) && fell(one) && one.to.id > Number(transaction_id));
  const linked = gap && (await linkedReceiptOf(outside, chain, payment));
  if (!gap || linked === undefined) return undefined;
  const payments = paymentsOf(amountPesewas, gap, await listSettledTexts(outside, chain, [0, gap.to.id]));
  if (payments.some((one) => one.receipt_id !== linked)) return undefined;
  return { chain, gap: { ...gap, reversal_of: receipt_id } };
}

/** True if the chain has moved past a text's time, so the text's balance can no longer follow the head. */
function isOvertaken(chain: Chain, receivedMs: number): boolean {
  return headOf(chain).at_ms > receivedMs + OVERTAKEN_MS;
}
