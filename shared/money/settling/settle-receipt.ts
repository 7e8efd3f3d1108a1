import { arrivedPesewas } from '../../ghana/arrived.ts';
import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import { type Reading, type WalletPayment, withoutProof } from '../../ghana/wallet-text/reading.ts';
import { type AccountOfNumber, accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import { isoOf, nowIso, type Outside, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { plainText } from '../../runtime/values/plain-text.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { Checked } from '../../wallets/chain/check-text.ts';
import {
  type ArrivedText,
  numbersOfPhone,
  paidNumber,
  receivedAt,
  unplacedNumber,
} from '../../wallets/wallet/paid-number.ts';
import type { ReadFor } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { UnprovenLimitReached } from '../goods/unproven.table.ts';
import { type Admitted, admit, reasonFor } from '../matching/admit.ts';
import { holdUnplaced, type Match, matchPayment } from '../matching/match.ts';
import { readTypedReference } from '../matching/typed-reference.ts';
import { isDenied } from '../payment/backing.ts';
import { isSamePayment, type MatchedBy, paymentsOf } from '../payment/payment.ts';
import {
  checkReceipt,
  createReceipt,
  findUse,
  getReceipts,
  LATE,
  OWED,
  type PaymentUse,
  PaymentUsed,
  paymentUseRows,
  ReceiptChanged,
  receiptRows,
  removeReceipt,
  replaceReceipt,
} from '../receipt/receipt.table.ts';
import {
  factsOf,
  type HeldReason,
  isNotThere,
  isPayment,
  isSameText,
  isUndoneMark,
  mayShareWallet,
  type Origin,
  type PaymentReceipt,
  paymentOfReceiptId,
  paymentReceiptId,
  type Receipt,
  unverifiedTextId,
} from '../receipt/receipt.ts';
import { isSameMovement, withoutRepeated } from '../receipt/repeated-text.ts';
import { noteSecond, noteWaiting } from '../receipt/second-receipts.ts';
import {
  comparedCopyOf,
  contradictionOf,
  countedCopyOf,
  distinctTextsAt,
  textLeft,
  textsAt,
  textWithoutNumber,
} from '../receipt/texts-of-payment.ts';
import {
  contradict,
  contradictedBy,
  doubtElsewhere,
  doubtMarks,
  foreignUse,
  isElsewhere,
  takeOverUse,
  typedBy,
} from '../receipt/typed-use.ts';
import { findRequest } from '../request/request.table.ts';
import { isPaidVerified, readSums } from '../request/sums.ts';

import { isTextOf } from './matched-receipt.ts';
import { merchantOfPhone, ownerOfText } from './merchant-of-phone.ts';
import { countPart, payWithReceipt } from './pay-charge.ts';
import { readCounted } from './read-counted.ts';
import { payWithSecond, type Replaced, replaceable } from './second-payment.ts';
import { isWhole, settleReversal } from './settle-reversal.ts';

/**
 * Settles a text that a phone received. Matches or holds a payment, reverses a payment that the network took back, and
 * keeps unparsed texts, texts that need proof and have none, and other incoming money that names a charge, for a person.
 * Ignores a network's other texts, and never stores texts from other senders. Idempotent. `checked`: the proof from the
 * wallet's other texts.
 * @returns the id of a receipt to re-evaluate later, because the wallet's chain may still verify it, or because a text
 * about the same payment may be settled at the same moment.
 */
export async function settleReceipt(
  outside: Outside,
  { phoneEvent, reading: read, senders, checked }: ArrivedText,
): Promise<string | undefined> {
  const { sender, message: text } = phoneEvent.event.payload;
  const reading = checked?.proof.state === 'proven' ? read : withoutProof(read);
  const isSettled = reading.kind === 'payment' || reading.kind === 'reversal' || reading.kind === 'unread';
  // A customer may pay a bill through a bank. The text then states no payer.
  const mayPayBill =
    reading.kind === 'money_in' && (readTypedReference(text).named.length > 0 || mayNameBill(reading.message));
  if (read.kind === 'stranger' || (!isSettled && !mayPayBill)) return undefined;
  if (reading.kind === 'payment' && reading.amountPesewas <= 0) return undefined;
  const unplaced = unplacedNumber(phoneEvent, senders);
  const momo_number = paidNumber(phoneEvent, senders) ?? unplaced;
  const accounts = momo_number ? await accountRows.list(outside, { number: momo_number }) : [];
  // If several merchants share a number, none of them may see an unmatched payment.
  const sole = accounts.length === 1 ? accounts[0]?.merchant_id : undefined;
  const received_at = receivedAt(phoneEvent);
  // Retention starts on arrival, so an old text is kept as long as a new one.
  const ends = endOfRetention(outside, phoneEvent.arrived_at);
  const numbers_of_phone = momo_number ? undefined : numbersOfPhone(phoneEvent, senders);
  const arrived = { momo_number, numbers_of_phone, sender, text, received_at, ...ends };
  const ofPhone = momo_number ? undefined : await merchantOfPhone(outside, { phoneEvent, senders, reading });

  if (reading.kind === 'payment') {
    const owner = ofPhone
      ? await ownerOfText(outside, paymentReceiptOf(reading, arrived), ofPhone, phoneEvent)
      : { merchant_id: sole };
    const origin: Origin = { ...arrived, ...owner };
    return settlePayment(outside, reading, origin, { accounts, checked, isUnplaced: unplaced !== undefined });
  }
  const origin: Origin = { ...arrived, merchant_id: momo_number ? sole : ofPhone };
  if (reading.kind === 'reversal') {
    // A text about a number that no phone is assigned to can put payments in doubt, but cannot reverse them.
    const reversal = unplaced ? { ...reading, isInOwnWords: false } : reading;
    // The text may reserve ids on all numbers of the phone, including those of other merchants.
    // A phone may post one text under two event ids. A person may have looked into it since.
    const copy = await receiptRows.find(outside, { receipt_id: unreadIdOf(momo_number, phoneEvent) });
    const isAgain = copy !== undefined;
    const outcome = await settleReversal(outside, reversal, { ...origin, merchant_id: sole }, { isAgain });
    if (outcome === 'reversed') return undefined;
    const unread = await keepUnread(outside, origin, reading, phoneEvent);
    return outcome === 'not shown' ? unread : undefined;
  }
  await keepUnread(outside, origin, read, phoneEvent);
  return undefined;
}

/** Matches a reference whose digits are masked. */
const MASKED_REFERENCE = /MK[^\p{L}\p{N}*]{0,3}\*/iu;

/** True if a message may contain a charge's reference, complete or not. */
function mayNameBill(message = ''): boolean {
  const { named, bare, isBroken } = readTypedReference(message);
  return named.length + bare.length > 0 || isBroken || MASKED_REFERENCE.test(message);
}

interface Known {
  readonly accounts: readonly AccountOfNumber[];
  /** Proof from the wallet's other texts. Undefined for a test payment. */
  readonly checked?: Checked | undefined;
  /** True if no phone is assigned to the number. The reporting phone may then not have the number's SIM. */
  readonly isUnplaced?: boolean;
  readonly current?: Receipt | undefined;
  /** The text's own receipt as an unread text. Removed together with the decision. */
  readonly unread?: Receipt;
}

interface Case extends Known {
  readonly payment: WalletPayment;
  readonly receipt: Omit<PaymentReceipt, 'state'>;
  readonly stored?: Receipt;
  /** Receipts with the payment's id on the numbers of a phone that reported the payment without its number. */
  readonly onPhone?: readonly Receipt[];
  readonly use?: PaymentUse;
  readonly isLimitReached?: boolean;
}

/** A decision about a payment, its reason, and the writes to make in one transaction. */
export interface Decision {
  /** `read`: the text of a typed payment arrived. */
  readonly action: 'pay' | 'part' | 'hold' | 'ignore' | 'read';
  readonly reason: MatchedBy | HeldReason | 'copy' | 'unchanged';
  readonly writes: readonly TableWrite[];
  /**
   * Id of a receipt to re-evaluate, because its proof is still open, or because another text may yet use the payment's
   * id.
   */
  readonly again?: string | undefined;
}

/**
 * Maximum number of attempts to store a decision. High, because each attempt may find another row that exists or has
 * changed.
 */
const MAX_DECISIONS = 10;

/**
 * Settles a payment. Returns the same as `settleReceipt`. Test payments have no text, so they are passed to this
 * function directly.
 */
export async function settlePayment(
  outside: Outside,
  payment: WalletPayment,
  origin: Origin,
  known: Known,
): Promise<string | undefined> {
  const read = paymentReceiptOf(payment, origin);
  const { receipt_id = read.receipt_id, first_undone, contradicted_by, agreed_by } = known.current ?? {};
  const receipt = { ...read, receipt_id, first_undone, contradicted_by, agreed_by, proof: known.checked?.proof };
  let standing: Standing = {};
  return retryIfChanged(
    async (refused) => {
      standing = standingAfter(standing, refused, receipt);
      const ids = idsOnPhone(receipt);
      const onPhone = await getReceipts(outside, ids);
      const given = { ...known, ...standing, payment, receipt, onPhone };
      const { writes, again } = await decide(outside, standing.stored ? await asRepeated(outside, given) : given);
      // The payment's reversal may be stored at this moment, under another key.
      const isWritten = (id: string) => writes.some(({ put }) => put?.Item?.receipt_id === id);
      const unchanged = ids
        .slice(0, MAX_CHECKED)
        .filter((id) => !isWritten(id))
        .map((id) =>
          checkReceipt(
            id,
            onPhone.find(({ receipt_id }) => receipt_id === id),
          ),
        );
      const decided = known.unread ? [...writes, removeReceipt(known.unread)] : writes;
      if (decided.length > 0) await outside.table.write([...decided, ...unchanged]);
      return again;
    },
    {
      // Do not retry if `current` or `unread` is outdated: the caller must read the receipt again.
      isChanged: (error) =>
        error instanceof Changed && ![known.current && receipt, known.unread].some((one) => one && isOf(one, error)),
      tries: MAX_DECISIONS,
    },
  );
}

/** Maximum number of a phone's numbers that are checked while a payment is stored. A transaction has at most 100 writes. */
const MAX_CHECKED = 50;

/** Returns the ids of receipts that may report the same payment, or its reversal, on a number of the reporting phone. */
function idsOnPhone({ momo_number, numbers_of_phone = [], network, transaction_id }: Case['receipt']): string[] {
  const numbers = momo_number ? [] : new Set(numbers_of_phone);
  return [...numbers].map((number) => paymentReceiptId(network, number, transaction_id));
}

function paymentReceiptOf(payment: WalletPayment, origin: Origin): Omit<PaymentReceipt, 'state'> {
  return {
    ...origin,
    receipt_id: paymentReceiptId(payment.network, origin.momo_number, payment.transactionId),
    network: payment.network,
    transaction_id: payment.transactionId,
    amount_pesewas: arrivedPesewas(payment.amountPesewas),
    balance_pesewas: payment.balancePesewas ?? undefined,
    payer_name: payment.payerName,
    // On a payment from another network, the payer may have typed this phone number.
    [payment.via === null ? 'payer_phone' : 'said_phone']: payment.payerPhone ?? undefined,
    // Without invisible characters, which could show the digits in another order.
    payer_reference: plainText(payment.reference ?? '') || undefined,
  };
}

async function asRepeated(outside: TableOutside, given: Case): Promise<Case> {
  if (!given.checked) return given;
  const checked = await withoutRepeated(outside, given.receipt, given.checked, true);
  return { ...given, checked, receipt: { ...given.receipt, proof: checked.proof } };
}

type Standing = Pick<Case, 'stored' | 'use' | 'isLimitReached'>;

/**
 * Adds what this refusal found to what earlier refusals found, because one decision may need both the stored receipt
 * and the use of its id. After any other kind of refusal, nothing is known, because rows have changed.
 */
function standingAfter(before: Standing, refused: unknown, receipt: Pick<Receipt, 'receipt_id'>): Standing {
  if (isOf(receipt, refused)) return { ...before, stored: refused.receipt };
  if (refused instanceof PaymentUsed) return { ...before, use: refused.use };
  return refused instanceof UnprovenLimitReached ? { ...before, isLimitReached: true } : {};
}

function isOf({ receipt_id }: Pick<Receipt, 'receipt_id'>, refused: unknown): refused is ReceiptChanged {
  return refused instanceof ReceiptChanged && refused.receipt.receipt_id === receipt_id;
}

/** Decides what to do with a payment. Earlier checks take precedence over later ones. */
export async function decide(outside: TimedOutside, given: Case): Promise<Decision> {
  const { receipt, accounts, current, stored } = given;
  const match: Match = given.isUnplaced
    ? await holdUnplaced(outside, 'number_not_placed', given)
    : await matchPayment(outside, given);
  const found = await noteHeld(outside, await admitMatch(outside, match, given), given);
  const mayConfirm = !('held' in found);
  const named = chargeNamedBy(match);
  // A phone without a reported SIM number may have delivered another text about this payment. If the texts conflict,
  // neither may confirm anything.
  const unnumbered = await textWithoutNumber(outside, receipt);
  const merchant_id = named?.merchant_id ?? receipt.merchant_id;
  const known = current ? undefined : await storedCopy(outside, receipt, unnumbered);
  if (known) return copyOf(known);
  const isFound = stored !== undefined || paymentOfReceiptId(receipt.receipt_id) !== undefined;
  const endOfCopy = unnumbered && endOfCopyBefore(unnumbered, { ...receipt, merchant_id }, isFound);
  if (endOfCopy === 'stays') return { action: 'ignore', reason: 'copy', writes: [] };
  const isReplaced = unnumbered !== undefined && endOfCopy === 'is replaced';
  const copy = unnumbered && isCopyOf(unnumbered, receipt) ? unnumbered : undefined;
  const rival = copy && !stored && !current ? await rivalOf(outside, receipt) : undefined;
  // A copy of a text that a person set aside does not contradict the others.
  const isBesideOther = rival !== undefined || (stored !== undefined && isPayment(stored) && !stored.marked);
  if (copy?.set_aside && isBesideOther && receipt.proof?.state !== 'proven') return copyOf(copy);
  const { set_aside, reversal_doubt_at: doubtOfCopy } = isReplaced ? unnumbered : {};
  // A doubt about a reversal stays with the payment. A person decides.
  const holdDoubted = async (reversal_doubt_at: string | undefined) => {
    const { noted } = 'held' in found ? found : await heldFor(outside, found, 'conflict', { receipt });
    const doubted = { ...receipt, reversal_doubt_at, ...(set_aside && { set_aside }) };
    const held = hold({ ...given, current: stored ?? current, receipt: doubted }, 'conflict', named, noted);
    return isReplaced ? { ...held, writes: [...held.writes, removeReceipt(unnumbered)] } : held;
  };

  const replaced = await replaceCopy(outside, given, unnumbered, named);
  if (replaced) return replaced;
  const contradiction = mayConfirm && unnumbered ? await contradictionOf(outside, receipt, unnumbered) : undefined;
  if (contradiction && current) {
    const isFreed = isNotThere(contradiction) && (await isOnlyText(outside, receipt));
    // Two texts about one bill's payment are not twice the money.
    const about = !isFreed && billOf(contradiction) === named?.reference ? undefined : named;
    const noted = await notedOn(outside, about, 'conflict', given);
    if (!isFreed) return hold(given, 'conflict', about, [...inDoubt(contradiction, receipt), ...noted]);
    return hold({ ...given, receipt: { ...receipt, first_undone: true } }, 'conflict', about, noted);
  }
  const reversal = reversalOnPhone(outside, given);
  const doubt = reversal && { reversal_doubt_at: reversal === 'reversed' ? nowIso(outside) : reversal };
  const other = contradiction ?? rival;
  if (other)
    return decideSecondText(outside, other, { ...(await asRepeated(outside, given)).receipt, ...doubt }, named);
  if (stored?.marked && stored.reason !== 'reversed') {
    const decision = await decideBesideMark(outside, given, stored, { named, holdDoubted });
    if (decision) return decision;
  }
  if (!stored && reversal === 'reversed') return hold(given, 'reversed', named);
  const doubtedAt = stored ? doubtBefore(outside, stored, receipt) : (reversal ?? doubtOfCopy);
  const isReported = stored?.amount_pesewas === undefined && stored?.reason === 'conflict';
  if (doubtedAt || isReported) return holdDoubted(doubtedAt);
  if (isReplaced && set_aside && !stored) {
    const about = named ?? (await billOfCopy(outside, unnumbered));
    const reason = 'held' in match ? match.held : reasonFor(receipt.proof?.why);
    const noted = await notedAside(outside, found, about, receipt);
    const aside = hold({ ...given, receipt: { ...receipt, merchant_id, set_aside } }, reason, about, noted);
    return { ...aside, writes: [...aside.writes, removeReceipt(unnumbered)] };
  }
  const decision = stored
    ? await decideSecondText(outside, stored, { ...receipt, merchant_id, ...doubt }, named)
    : await decideText(outside, given, found, named);
  if (decision.action === 'ignore') return decision;
  const removed = isReplaced && !unnumbered.set_aside ? [removeReceipt(unnumbered)] : [];
  if (stored && decision.action !== 'read') return { ...decision, writes: [...decision.writes, ...removed] };
  const others = merchantsOf(accounts).filter((id) => named !== undefined && id !== named.merchant_id);
  return { ...decision, writes: [...decision.writes, ...(await doubtMarks(outside, receipt, others)), ...removed] };
}

/**
 * Lets a text with a SIM number replace its counted copy without the number. Returns undefined if there is no such copy,
 * or if another text still contradicts it.
 */
async function replaceCopy(
  outside: TimedOutside,
  { receipt, accounts, current, stored }: Case,
  unnumbered: Receipt | undefined,
  named: Held['about'],
): Promise<Decision | undefined> {
  const counted = await countedCopyOf(outside, receipt, unnumbered);
  // The copy may have been assigned to a shop that is not paid on this number.
  const isPaidHere = counted !== undefined && merchantsOf(accounts).includes(counted.merchant_id ?? '');
  if (!isPaidHere || (named && named.merchant_id !== counted.merchant_id)) return undefined;
  // A person may have decided about what is stored, or entered this id for another bill before matching the copy.
  const isOver =
    !stored ||
    isNotThere(stored) ||
    (stored.marked && stored.reference !== counted.reference) ||
    counted.agreed_by?.includes(stored.receipt_id);
  if (!isOver) return undefined;
  const { receipt_id } = stored ? inConflict(receipt, 'conflict') : receipt;
  return readingOf(await readCounted(outside, counted, { ...receipt, receipt_id }, { current }));
}

/** True if a text without a SIM number says the same as this text with the number. */
function isCopyOf(unnumbered: Receipt, receipt: Case['receipt']): boolean {
  return receipt.momo_number !== undefined && mayShareWallet(unnumbered, receipt) && isSameText(unnumbered, receipt);
}

/** Finds a text that contradicts this one, if it was stored beside this text's copy without the SIM number. */
async function rivalOf(outside: TableOutside, receipt: Case['receipt']): Promise<Receipt | undefined> {
  const texts = await distinctTextsAt(outside, receipt, [receipt.momo_number]);
  if (texts.some(({ receipt_id }) => receipt_id === receipt.receipt_id)) return undefined;
  const isOpen = (one: Receipt) => isPayment(one) && !one.marked && !isNotThere(one) && mayShareWallet(one, receipt);
  return texts.find((one) => isOpen(one) && !isSameText(one, receipt));
}

/**
 * Finds a stored copy of this text that other texts may hide: a copy beside a text without a SIM number, or a removed
 * copy without the number or, for a text without a number, with it.
 */
async function storedCopy(
  outside: TableOutside,
  receipt: Case['receipt'],
  unnumbered: Receipt | undefined,
): Promise<Receipt | undefined> {
  const { momo_number } = receipt;
  if (!momo_number) return comparedCopyOf(outside, receipt);
  const texts = unnumbered ? await textsAt(outside, receipt, [momo_number]) : [];
  // A removed copy without the number counts only beside another text. Otherwise, this text replaces it.
  const mayBeRemoved = receipt.proof?.state !== 'proven';
  const isRemoved = (one: Receipt) => mayBeRemoved && isNotThere(one) && one.receipt_id !== unnumbered?.receipt_id;
  const isCopy = (one: Receipt) => one.momo_number === momo_number || isRemoved(one);
  return texts.find((one) => isPayment(one) && !one.marked && isCopy(one) && isSameText(one, receipt));
}

interface Named {
  readonly named: Held['about'];
  readonly holdDoubted: (doubtedAt: string | undefined) => Promise<Decision>;
}

/**
 * Decides what to do with a text whose id a person has typed. Returns undefined if the text is about the typed payment
 * and may replace the typed data.
 */
async function decideBesideMark(
  outside: TimedOutside,
  given: Case,
  mark: Receipt,
  { named, holdDoubted }: Named,
): Promise<Decision | undefined> {
  const { receipt, accounts } = given;
  const isTyped = mark.state === 'matched';
  const beside = inConflict(receipt, 'conflict');
  const known = await receiptRows.find(outside, beside);
  if (isTyped && named && named.merchant_id !== mark.merchant_id)
    return known ? copyOf(known) : decideAsUntyped(outside, given, mark, { beside, named });
  const isDoubtful = isTyped && !isTextOf(mark, receipt, named);
  // A verified text replaces a receipt whose id was typed by mistake.
  const isOwn = isDoubtful && receipt.proof?.state === 'proven' && (known === undefined || mayPay(known));
  if (isOwn) {
    const { receipt_id } = beside;
    const use = await findUse(outside, receipt, merchantsOf(accounts));
    return decide(outside, { ...given, stored: undefined, receipt: { ...receipt, receipt_id }, current: known, use });
  }
  if (known) return copyOf(known);
  if (isTyped) return undefined;
  // If marking was undone, the text replaces the typed receipt. The text conflicts with any text that arrived earlier.
  const earlier = await getReceipts(outside, mark.contradicted_by ?? []);
  const first = earlier.find((one) => endOfCopyBefore(one, receipt, true) !== 'is replaced');
  if (first) return decideSecondText(outside, first, receipt, named);
  if (mark.reversal_doubt_at !== undefined) return holdDoubted(mark.reversal_doubt_at);
  return decide(outside, { ...given, stored: undefined, current: mark });
}

/**
 * Decides about a held copy of this text that the phone sent before without the number. Otherwise, the merchant would
 * see the payment twice. A replaced copy passes on that it was set aside. `isFound`: the payment's own receipt id leads to
 * this text.
 */
function endOfCopyBefore(
  copy: Receipt,
  receipt: Case['receipt'],
  isFound: boolean,
): 'is replaced' | 'stays' | undefined {
  if (!receipt.momo_number || copy.momo_number || copy.state !== 'held' || !copy.merchant_id) return undefined;
  const isOfWallet = copy.merchant_id === receipt.merchant_id || mayShareWallet(copy, receipt);
  if (!isOfWallet || !isSameText(copy, receipt)) return undefined;
  // A payment that was held when its charge ended stays the charge's payment, so that the charge's pages still find it.
  if (OWED.has(copy.reason)) return 'stays';
  if (copy.reason === 'number_unknown' || copy.reason === 'checking') return 'is replaced';
  // A copy that a person must still compare with other texts stays, unless this text is verified. It also stays if the
  // other texts are only found through it.
  const isOver = !isDenied(copy) || receipt.proof?.state === 'proven';
  const isInDoubt = copy.reason === 'conflict' && (!copy.contradicted_by || (isOver && isFound));
  return isInDoubt ? 'is replaced' : undefined;
}

/** Returns the bill from which a person removed the copy's payment. */
function billOfCopy(outside: TableOutside, { suggested_reference: reference }: Receipt): Promise<Charge | undefined> {
  return reference === undefined ? Promise.resolve(undefined) : chargeRows.find(outside, { reference });
}

/**
 * Returns the time of a doubt about the payment's reversal that arose before the payment's text arrived. A reversal
 * that states a different amount may concern only a part of the payment.
 */
function doubtBefore(outside: TimedOutside, before: Receipt, text: Case['receipt']): string | undefined {
  if (before.amount_pesewas !== undefined) return undefined;
  const reading = readWalletText(before.sender ?? '', before.text ?? '');
  const isOther = before.reason === 'reversed' && reading.kind === 'reversal' && !isWhole(reading, text);
  return isOther ? nowIso(outside) : before.reversal_doubt_at;
}

/**
 * Finds a reversal, or a doubt about one, that is stored under a number of the phone that reported a payment without its
 * number. A reversal on another merchant's number is only a doubt.
 * @returns the time of the doubt (ISO).
 */
function reversalOnPhone(
  outside: TimedOutside,
  { receipt, onPhone = [] }: Pick<Case, 'receipt' | 'onPhone'>,
): 'reversed' | (string & {}) | undefined {
  const { merchant_id, known_to } = receipt;
  // A doubt that only the balance caused is for the shop alone.
  const held = onPhone.filter(({ state, unsuspected_reason }) => state === 'held' && !unsuspected_reason);
  const isWholly = (one: Receipt) => one.reason === 'reversed' && doubtBefore(outside, one, receipt) === undefined;
  const reversed = held.find(isWholly);
  if (reversed && reversed.merchant_id === (merchant_id ?? known_to)) return 'reversed';
  if (reversed) return nowIso(outside);
  const doubts = held.map((one) => (isPayment(one) ? one.reversal_doubt_at : doubtBefore(outside, one, receipt)));
  return receipt.reversal_doubt_at ?? doubts.find((at) => at !== undefined);
}

/**
 * Ignores a text that is already stored. An earlier job for the text may have failed before it queued the stored
 * receipt again.
 */
function copyOf({ receipt_id, reason, proof }: Receipt): Decision {
  const isOpen =
    reason === 'checking' || reason === 'number_unknown' || (OWED.has(reason) && proof?.state === 'proven');
  return { action: 'ignore', reason: 'copy', writes: [], again: isOpen ? receipt_id : undefined };
}

function chargeNamedBy(match: Match): Held['about'] {
  if ('held' in match) return match.about;
  if ('isPartOf' in match) return match.isPartOf;
  return match.matchedBy === 'reference' ? match.pays : undefined;
}

/**
 * Handles a text whose id one merchant typed, but which names another merchant's charge. Treats the text as if nobody
 * had typed the id. The marked charge stays paid.
 */
async function decideAsUntyped(
  outside: TimedOutside,
  given: Case,
  typed: Receipt,
  { beside, named }: Pick<Named, 'named'> & { readonly beside: Receipt },
): Promise<Decision> {
  const first = (await getReceipts(outside, typed.contradicted_by ?? [])).find((one) => !isNotThere(one));
  if (first) return decideSecondText(outside, first, given.receipt, named);
  const { receipt_id } = beside;
  return decide(outside, { ...given, stored: undefined, receipt: { ...given.receipt, receipt_id } });
}

/**
 * Handles the only text about a payment. If the text contains a charge's reference, only ids that the charge's merchant
 * typed count.
 */
async function decideText(
  outside: TimedOutside,
  given: Case,
  found: Awaited<ReturnType<typeof admitMatch>>,
  named: Held['about'],
): Promise<Decision> {
  const { receipt, accounts, current } = given;
  const isProven = receipt.proof?.state === 'proven';
  const theirs = receipt.momo_number || !receipt.merchant_id ? merchantsOf(accounts) : [receipt.merchant_id];
  const merchants = named ? [named.merchant_id] : theirs;
  const use = given.use ?? ('held' in found ? await useByAnother(outside, receipt, merchants) : undefined);
  const marks = use ? await typedBy(outside, receipt, merchants) : [];
  const typed = receipt.momo_number ? marks.find((one) => isTextOf(one, receipt, named)) : undefined;
  const read = typed && readingOf(await readCounted(outside, typed, receipt, { current }));
  if (read) return read;
  // A doubt about a reversal that arrived before this text is stored on the mark.
  const reversal_doubt_at = marks.find((one) => one.reversal_doubt_at !== undefined)?.reversal_doubt_at;
  if (use && reversal_doubt_at)
    return decideUsed(outside, use, { ...given, receipt: { ...receipt, reversal_doubt_at } }, found);
  if ('held' in found) {
    const foreign = use && (await foreignUse(outside, use, receipt));
    if (use && !foreign) return decideUsed(outside, use, given, found);
    // A payment that counts for another bill of this merchant need not be sent back.
    const isOwed = OWED.has(found.held);
    if (isOwed && foreign && foreign.merchant_id === found.about?.merchant_id)
      return hold(given, 'conflict', found.about);
    // A text with the same id may be settled at the same moment, and then count for another bill.
    const mayCount = found.held === 'checking' || (isOwed && !current);
    const mayContradict = found.held === 'number_unknown' && !current;
    const again = (isProven && mayCount) || mayContradict ? receipt.receipt_id : undefined;
    return { ...hold(given, found.held, found.about, found.noted), again };
  }
  await refuseCounted(outside, chargeOf(found), receipt);
  const taken = use && isProven ? await takeOverUse(outside, receipt, chargeOf(found)) : undefined;
  if (use && !taken) return decideUsed(outside, use, given, found);
  const { over, writes: yields = [] } = taken ?? {};
  if ('replaces' in found) {
    const writes = await payWithSecond(outside, found, receipt, { current, over });
    return { action: 'pay', reason: 'reference', writes: [...writes, ...yields] };
  }
  const { counted_in } = found;
  if ('isPartOf' in found) {
    const part = { matched_by: 'reference', counted_in, current, over } as const;
    const { writes } = await countPart(outside, found.isPartOf, receipt, part);
    return { action: 'part', reason: 'reference', writes: [...writes, ...found.writes, ...yields] };
  }
  const matched = { matched_by: found.matchedBy, counted_in, current, over };
  const { writes } = await payWithReceipt(outside, found.pays, receipt, matched);
  return { action: 'pay', reason: found.matchedBy, writes: [...writes, ...found.writes, ...yields] };
}

/**
 * Refuses a text whose receipt already counts for the charge, for example because a forged text had the same id.
 * Otherwise, the text could replace its own receipt as a part, and a transaction cannot change a row twice.
 * @throws ReceiptChanged
 */
async function refuseCounted(
  outside: TableOutside,
  charge: Pick<Charge, 'parts' | 'payment'>,
  { receipt_id }: Case['receipt'],
): Promise<void> {
  const isCounted = paymentsOf(charge).some((one) => one.receipt_id === receipt_id);
  const stored = isCounted ? await receiptRows.find(outside, { receipt_id }) : undefined;
  if (stored) throw new ReceiptChanged(stored);
}

function chargeOf(
  found: Exclude<Match, Held> | Replaced,
): Pick<Charge, 'merchant_id' | 'parts' | 'payment'> & ReadFor<'waiting'> {
  if ('replaces' in found) return found.replaces;
  return 'pays' in found ? found.pays : found.isPartOf;
}

function merchantsOf(accounts: readonly AccountOfNumber[]): string[] {
  return accounts.map(({ merchant_id }) => merchant_id);
}

function mayPay({ state, reason, set_aside, reversal_doubt_at }: Receipt): boolean {
  return state === 'held' && reason !== 'reversed' && set_aside === undefined && reversal_doubt_at === undefined;
}

interface Held {
  readonly held: HeldReason;
  readonly about?: ReadFor<'waiting', 'merchant_id'> | undefined;
  readonly noted?: readonly TableWrite[];
}

async function admitMatch(
  outside: TimedOutside,
  match: Match,
  given: Case,
): Promise<Held | Replaced | (Exclude<Match, Held> & Admitted)> {
  const { receipt, checked, isLimitReached } = given;
  if ('held' in match) {
    const { held, about } = match;
    const isLate = LATE.has(held);
    if (about && (held === 'number_unknown' || held === 'number_not_placed'))
      return { ...match, noted: await notedOn(outside, about, held, { receipt }) };
    if (held === 'amount_of_another') return { ...match, noted: await notedOn(outside, about, held, given) };
    // Once the doubt is over, the charge's second payments are re-evaluated.
    if (about && held === 'charge_disputed')
      return { ...match, noted: await noteSecond(outside, about, receipt, 'not confirmed') };
    if (!about || !(isLate || held === 'already_paid')) return match;
    const mayReplace = !isLate && !match.isSuggested;
    const replaces = mayReplace && checked && (await replaceable(outside, about, receipt, checked));
    if (replaces) return replaces;
    // A payment that already counts through another text to this merchant is not a second payment.
    const counted = about.state === 'success' && paymentsOf(about).find((one) => isSamePayment(one, receipt));
    // The check of the other text decides which of the two payments counts.
    const isOpenYet = counted && counted.proof?.state === 'checking' && receipt.proof?.state === 'proven';
    if (counted) return { held: isOpenYet ? 'checking' : 'conflict', about };
    if (isLate) return admitLate(outside, { held, about }, receipt);
    return { ...match, noted: await noteSecond(outside, about, receipt) };
  }
  const { merchant_id, reference } = chargeOf(match);
  const doubt = checked && (await doubtElsewhere(outside, merchant_id, { ...receipt, reference }));
  if (doubt === 'verified') return heldFor(outside, match, 'conflict', given);
  const { state, why } = receipt.proof ?? {};
  if (doubt === 'not there' || (given.payment.needsProof && state !== 'proven'))
    return heldFor(outside, match, state === 'checking' ? 'checking' : reasonFor(why), given);
  const admission = await admit(outside, 'pays' in match ? match.pays : match.isPartOf, receipt, checked);
  if ('writes' in admission && !isLimitReached) return { ...match, ...admission };
  return heldFor(outside, match, 'held' in admission ? admission.held : reasonFor(why), given);
}

/** Holds a matched payment. */
async function heldFor(
  outside: TimedOutside,
  match: Exclude<Match, Held> | Replaced,
  held: HeldReason,
  given: Pick<Case, 'receipt' | 'current'>,
): Promise<Held> {
  if ('replaces' in match) return { held };
  // A name match alone is too uncertain to link the payment to this charge.
  const about = 'pays' in match && match.matchedBy === 'name' ? undefined : chargeOf(match);
  return { held, about, noted: await notedOn(outside, about, held, given) };
}

/** Says on the charge's page that a payment message is being checked. Otherwise, its customer might pay again. */
async function notedOn(
  outside: TimedOutside,
  about: Held['about'],
  held: HeldReason,
  { receipt, current }: Pick<Case, 'receipt' | 'current'>,
): Promise<readonly TableWrite[]> {
  const shown = current ? 'quiet' : held === 'checking' ? 'checking' : 'not confirmed';
  return about ? noteWaiting(outside, about, receipt, shown) : [];
}

/** Records a payment that a person set aside on its charge, because the person may put it back. */
async function notedAside(
  outside: TimedOutside,
  found: Awaited<ReturnType<typeof admitMatch>>,
  about: Held['about'],
  receipt: Case['receipt'],
): Promise<readonly TableWrite[]> {
  if ('held' in found && found.about && found.noted) return found.noted;
  return about ? noteWaiting(outside, about, receipt) : [];
}

/** Records a held payment on its charge, unless it is already recorded there as a second or late payment. */
async function noteHeld(
  outside: TimedOutside,
  found: Awaited<ReturnType<typeof admitMatch>>,
  { receipt }: Case,
): Promise<typeof found> {
  if (!('held' in found) || !found.about || found.noted) return found;
  return { ...found, noted: await noteWaiting(outside, found.about, receipt) };
}

/**
 * Handles a late payment for a payment request. A request stays open after its charge has expired. Once the request has
 * been paid, the late payment becomes a second payment.
 */
async function admitLate(
  outside: TimedOutside,
  { held, about }: { readonly held: HeldReason; readonly about: Charge },
  receipt: Case['receipt'],
): Promise<Held> {
  const { origin } = about;
  if (origin.kind !== 'request') return { held, about };
  const request = await findRequest(outside, origin.slug);
  const isPaid = request !== undefined && isPaidVerified(request, await readSums(outside, request));
  return { held: isPaid ? 'already_paid' : held, about, noted: await noteSecond(outside, about, receipt) };
}

function hold(
  { receipt, current }: Case,
  reason: HeldReason,
  meant?: Held['about'],
  also: Held['noted'] = [],
): Decision {
  const merchant_id = meant?.merchant_id ?? receipt.merchant_id;
  const held: Receipt = { ...receipt, merchant_id, state: 'held', reason, suggested_reference: meant?.reference };
  const isText = current?.amount_pesewas !== undefined && !current.marked;
  if (isText && isSameState(current, held)) return { action: 'ignore', reason: 'unchanged', writes: [] };
  return { action: 'hold', reason, writes: [current ? replaceReceipt(current, held) : createReceipt(held), ...also] };
}

function isSameState(current: Receipt, held: Receipt): boolean {
  const facts = ({ reason, suggested_reference, known_to, proof }: Receipt) =>
    [reason, suggested_reference, known_to, proof?.state, proof?.why].join('\n');
  return facts(current) === facts(held);
}

/**
 * Handles a further text about a payment: a copy, a contradicting text, or the text of a payment whose reversal arrived
 * first.
 */
async function decideSecondText(
  outside: TimedOutside,
  first: Receipt,
  second: Omit<PaymentReceipt, 'state'>,
  named?: Held['about'],
): Promise<Decision> {
  if (first.amount_pesewas === undefined) {
    const { state, reason = 'reversed' } = first;
    return { action: 'hold', reason, writes: [replaceReceipt(first, { ...second, state, reason })] };
  }
  const isTyped = first.marked !== undefined && first.state === 'matched';
  const isSame = isTyped ? isTextOf(first, second, named) : isSameText(first, second);
  if (isSame && !isTyped) return copyOf(first);
  const left = isNotThere(first) ? await textLeft(outside, second) : undefined;
  // A text with its number is kept beside its copy without the number, because only its own proof can be verified.
  const isCopy = left && left.momo_number !== second.momo_number && isSameText(left, second);
  if (left && !isCopy) return decideSecondText(outside, left, second, named);
  const read = isSame ? readingOf(await readCounted(outside, first, second)) : undefined;
  if (read) return read;
  const { network, transaction_id } = second;
  const use = await paymentUseRows.find(outside, { network, transaction_id });
  const used = use && (await receiptRows.find(outside, use));
  if (isSame) return holdBesideMark(first, second, used);
  // Keep both texts, since a forger who knows the id may have sent the first. Neither confirms anything automatically.
  const cause = first.reason === 'reversed' ? 'reversed' : 'conflict';
  const isOther = used?.state === 'matched' && used.receipt_id !== first.receipt_id;
  const isDoubting = cause === 'conflict' && !isTyped;
  const isOtherDoubted = isDoubting && isOther && mayShareWallet(second, used) && !isSameText(used, second);
  // A person did not find the first text's money. Only a verified text may then confirm something by itself.
  const isUsedHere = used !== undefined && !isElsewhere(used, second);
  const isFreed = isNotThere(first) && !isUsedHere && (await isOnlyText(outside, second));
  const isProven = second.proof?.state === 'proven';
  // Two texts about one bill's payment are not twice the money.
  const isOfFirst = [isNotThere(first) ? undefined : first, used].some(
    (one) => named && billOf(one) === named.reference,
  );
  const other = isOfFirst ? undefined : named;
  const beside = {
    ...inConflict(second, isFreed && isProven ? 'checking' : cause, named),
    suggested_reference: other?.reference,
    ...(isFreed && { first_undone: true }),
    ...(isNotThere(first) && { reversal_doubt_at: first.reversal_doubt_at ?? second.reversal_doubt_at }),
  };
  const writes = [
    // A copy of the second text changes nothing.
    { ...createReceipt(beside), refused: () => undefined },
    // If the charge of a matched payment closes in the meantime, the payment is held and stays contradicted.
    ...(first.state === 'matched' ? await contradict(outside, first, beside.receipt_id) : inDoubt(first, beside)),
    ...(isOtherDoubted ? await contradict(outside, used, beside.receipt_id) : []),
    ...(cause === 'conflict' && isProven
      ? await notedOn(outside, other, cause, { receipt: beside, current: undefined })
      : []),
  ];
  const isUndecided = isOpen(second) || beside.reason === 'checking';
  return { action: 'hold', reason: cause, writes, again: isUndecided ? beside.receipt_id : undefined };
}

/** Returns the decision to replace a counted payment's details with those in its text. */
function readingOf(writes: readonly TableWrite[] | undefined): Decision | undefined {
  return writes && { action: 'read', reason: 'hand', writes };
}

/** True if all other texts about the payment report money that a person did not find, and no reversal is in doubt. */
async function isOnlyText(outside: TableOutside, text: Omit<PaymentReceipt, 'state'>): Promise<boolean> {
  const texts = await distinctTextsAt(outside, text, [text.momo_number]);
  const mayBeOther = (one: Receipt) => !isNotThere(one) && !isUndoneMark(one) && !isSameText(one, text);
  return !texts.some((one) => one.reversal_doubt_at !== undefined || mayBeOther(one));
}

/**
 * Stores a text next to the typed receipt that it confirms, because another text uses the id. The marked charge is not
 * in doubt. The typed receipt refers to the text, so that the text is re-evaluated once the mark is undone or the proof
 * changes.
 */
function holdBesideMark(mark: Receipt, text: Omit<PaymentReceipt, 'state'>, used: Receipt | undefined): Decision {
  const reason = isOpen(text, used) ? 'checking' : 'conflict';
  const beside = inConflict(text, reason);
  const agreed_by = [...(mark.agreed_by ?? []), beside.receipt_id];
  const writes = [
    createReceipt(beside),
    replaceReceipt(mark, { ...contradictedBy(mark, beside.receipt_id), agreed_by }),
  ];
  return { action: 'hold', reason, writes, again: reason === 'checking' ? beside.receipt_id : undefined };
}

/** True if a proof that is still open may decide which text keeps the id. `used`: the text that has the id now. */
function isOpen({ proof }: Omit<Receipt, 'state'>, used?: Receipt): boolean {
  return proof?.state === 'checking' || (proof?.state === 'proven' && used?.proof?.state === 'checking');
}

/** Returns the second text with its own id, which is the same for every copy of that text. */
function inConflict(second: Omit<PaymentReceipt, 'state'>, reason: HeldReason, named?: Held['about']): PaymentReceipt {
  const facts = sha256(factsOf(second));
  const receipt_id = `${second.receipt_id}-${facts.slice(0, 8)}`;
  // On a shared number, the first text may be forged, so its merchant does not get the second.
  return { ...second, receipt_id, merchant_id: named?.merchant_id ?? second.merchant_id, state: 'held', reason };
}

/** Returns the bill for which a payment counts or is held. */
function billOf(receipt: Receipt | undefined): string | undefined {
  return receipt?.reference ?? receipt?.suggested_reference;
}

/**
 * Marks the first text as contradicted. A held text gets the reason `conflict`, and its proof is withdrawn if both
 * texts report the same balances.
 */
function inDoubt(first: Receipt, second: Omit<Receipt, 'state'>): TableWrite[] {
  if (first.reason === 'reversed') return [];
  const doubted = contradictedBy(first, second.receipt_id);
  if (first.state !== 'held') return [replaceReceipt(first, doubted)];
  const proof = isSameMovement(first, second) ? { proof: { state: 'unproven' } as const } : {};
  // Customers see this doubt even if they do not see a suspicion that came before it.
  const unsuspected_reason = first.unsuspected_reason && ('conflict' as const);
  return [replaceReceipt(first, { ...doubted, ...proof, reason: 'conflict', unsuspected_reason })];
}

/**
 * Finds the use of a payment's id by another receipt. A receipt with the same id is a copy or a contradiction, which
 * `createReceipt` detects.
 */
async function useByAnother(
  outside: TableOutside,
  { network, transaction_id, receipt_id }: Omit<PaymentReceipt, 'state'>,
  merchantIds: readonly string[],
): Promise<PaymentUse | undefined> {
  const use = await findUse(outside, { network, transaction_id }, merchantIds);
  return use?.receipt_id === receipt_id ? undefined : use;
}

/** Handles a payment whose id was already used through another receipt, or was reversed. */
async function decideUsed(
  outside: TimedOutside,
  { receipt_id, reference }: PaymentUse,
  given: Case,
  found: Awaited<ReturnType<typeof admitMatch>>,
): Promise<Decision> {
  const by = await receiptRows.find(outside, { receipt_id });
  // A text to another wallet proves nothing about this payment, even if it reports its own payment as reversed. A copy
  // of this payment's text does count, unless the reversal was reported to another merchant's wallet: both of that
  // wallet's texts may be forged.
  const isOthers = by?.reason === 'reversed' && !merchantsOf(given.accounts).includes(by.merchant_id ?? '');
  if (by && isElsewhere(by, given.receipt) && (isOthers || !isSameText(by, given.receipt))) {
    const reason = isOpen(given.receipt, by) ? 'checking' : 'conflict';
    const { about, noted } = 'held' in found ? found : await heldFor(outside, found, reason, given);
    const again = reason === 'checking' ? given.receipt.receipt_id : undefined;
    return { ...hold(given, reason, about, noted), again };
  }
  if (reference === undefined) return hold(given, 'reversed');
  // A text without its number may not have been compared: both texts may have been settled at the same moment. Somebody
  // may also have used the id since, for a payment that a verified text contradicts.
  const { current, receipt } = given;
  const mayDiffer = current?.reason === 'number_unknown' || receipt.proof?.state === 'proven' || by?.marked;
  const used = current && !mayDiffer ? undefined : by;
  if (used?.reason === 'reversed') return hold(given, 'reversed');
  // If the other receipt has expired, the texts cannot be compared, and the payment stays used.
  const named = 'held' in found ? found.about : chargeOf(found);
  const isCopy = !used || (used.marked ? isTextOf(used, given.receipt, named) : isSameText(used, given.receipt));
  const { momo_number, merchant_id: known_to } = given.receipt;
  // The bill was marked as paid with this payment at the moment when its text was stored.
  if (isCopy && used?.marked && !momo_number && known_to) {
    const receipt = { ...given.receipt, merchant_id: undefined, known_to };
    const again = given.current ? undefined : receipt.receipt_id;
    return { ...hold({ ...given, receipt }, 'number_unknown'), again };
  }
  if (isCopy) return hold(given, 'already_paid');
  const isMatched = used.state === 'matched' && used.reference === reference;
  if (!isMatched || !(used.marked || mayShareWallet(given.receipt, used))) return hold(given, 'conflict');
  return hold(given, 'conflict', named, await contradict(outside, used, given.receipt.receipt_id));
}

type FromNetwork = Exclude<Reading, { readonly kind: 'stranger' }>;

/** Texts that could not be parsed are kept only briefly: they are private and soon useless. */
const UNREAD_KEPT_DAYS = RETENTION.leastDays;

/**
 * Stores a network's text that could not be parsed. All copies get the same id, even from phone events with different
 * ids, unless the phone does not report the time.
 */
async function keepUnread(
  outside: Outside,
  origin: Origin,
  read: FromNetwork,
  { event, arrived_at }: PhoneEvent,
): Promise<string> {
  const ends = endOfRetention({ retentionDays: UNREAD_KEPT_DAYS }, arrived_at);
  const provable = await provableIdOf(outside, origin, read);
  const receipt_id = provable ?? unreadIdOf(origin.momo_number, { event });
  const unread = createReceipt({ ...origin, ...ends, receipt_id, network: read.network, state: 'unread' });
  await outside.table.write([{ ...unread, refused: () => undefined }]);
  return receipt_id;
}

/**
 * Returns the id under which a payment's text is found once its balance is verified. Returns undefined if that is
 * impossible, or if another text about the payment has the id.
 */
async function provableIdOf(outside: TableOutside, { momo_number, text }: Origin, read: FromNetwork) {
  if (read.kind !== 'payment' || !momo_number) return undefined;
  const receipt_id = unverifiedTextId(paymentReceiptId(read.network, momo_number, read.transactionId));
  const other = await receiptRows.find(outside, { receipt_id });
  return other === undefined || other.text === text ? receipt_id : undefined;
}

/** Returns an id shared by all copies of an unread text. */
export function unreadIdOf(
  momo_number: string | undefined,
  { event: { id, payload } }: Pick<PhoneEvent, 'event'>,
): string {
  const { sender, message } = payload;
  // Use the phone's time. Every copy of the text has the same time, though not always in the same format. Without a
  // time, two texts may differ only in digits that are masked.
  const receivedMs = Date.parse(payload.receivedAt ?? '');
  const fields = [momo_number, sender, message, Number.isNaN(receivedMs) ? id : isoOf(receivedMs)];
  return `TEXT-${sha256(fields.join('\n')).slice(0, 32)}`;
}
