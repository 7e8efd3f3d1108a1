import { arrivedPesewas } from '../../ghana/arrived.ts';
import type { Network } from '../../ghana/network.ts';
import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { type AccountOfNumber, accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import { isoOf, type Outside, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { Checked } from '../../wallets/chain/check-text.ts';
import { type ArrivedText, paidNumber, receivedAt, unplacedNumber } from '../../wallets/wallet/paid-number.ts';
import { disputeCharge, noteUnproven } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { UnprovenLimitReached } from '../goods/unproven.table.ts';
import { type Admitted, admit, reasonFor } from '../matching/admit.ts';
import { type Match, matchPayment } from '../matching/match.ts';
import type { MatchedBy } from '../payment/payment.ts';
import {
  contradictionOf,
  createReceipt,
  findUse,
  getReceipts,
  type PaymentUse,
  PaymentUsed,
  paymentUseRows,
  ReceiptChanged,
  receiptRows,
  releasePayment,
  removeReceipt,
  replaceReceipt,
  usePayment,
} from '../receipt/receipt.table.ts';
import {
  factsOf,
  type HeldReason,
  isSameText,
  type Origin,
  type PaymentReceipt,
  paymentReceiptId,
  type Receipt,
} from '../receipt/receipt.ts';
import { isSameMovement, withoutRepeated } from '../receipt/repeated-text.ts';
import { noteSecond } from '../receipt/second-receipts.ts';
import { contradict, contradictedBy, doubtMarks, typedUse, yieldTyped } from '../receipt/typed-use.ts';
import { changePayment } from './change-payment.ts';
import { paymentOf } from './matched-receipt.ts';
import { countPart, payWithReceipt } from './pay-charge.ts';
import { payWithSecond, type Replaced, replaceable } from './second-payment.ts';
import { settleReversal } from './settle-reversal.ts';

/**
 * Settles a text that arrived at a phone: a payment is matched to its charge, or held or kept unread for a person; a
 * reversal takes its payment back; a network's other texts are ignored, and texts of other senders are not stored to begin with.
 * Settling a text again changes nothing. `checked` is what the wallet's other texts say about it.
 * @returns a receipt that is kept beside another one, of which the wallet's chain may say more later: a reversal, or a second text of a payment.
 */
export async function settleReceipt(
  outside: Outside,
  { phoneEvent, reading, senders, checked }: ArrivedText,
): Promise<string | undefined> {
  const { sender, message: text } = phoneEvent.event.payload;
  if (reading.kind !== 'payment' && reading.kind !== 'reversal' && reading.kind !== 'unread') return undefined;
  // As other texts by which no money moves.
  if (reading.kind === 'payment' && reading.amountPesewas <= 0) return undefined;
  const unplaced = unplacedNumber(phoneEvent, senders);
  const momo_number = paidNumber(phoneEvent, senders) ?? unplaced;
  const accounts = momo_number ? await accountRows.list(outside, { number: momo_number }) : [];
  // If several merchants are paid on one number, none of them may see a payment that is not matched.
  const merchant_id = accounts.length === 1 ? accounts[0]?.merchant_id : undefined;
  const received_at = receivedAt(phoneEvent);
  // From now on: an old text is kept as long as a new one.
  const ends = endOfRetention(outside, phoneEvent.arrived_at);
  const origin: Origin = { momo_number, sender, text, received_at, merchant_id, ...ends };

  if (reading.kind === 'payment') {
    return settlePayment(outside, reading, origin, { accounts, checked, isUnplaced: unplaced !== undefined });
  }
  if (reading.kind === 'reversal') {
    // A phone may put in doubt what is in no phone, and reverses nothing of it.
    const reversal = unplaced ? { ...reading, isCertain: false } : reading;
    const outcome = await settleReversal(outside, reversal, origin, senders);
    if (outcome === 'reversed') return undefined;
    const unread = await keepUnread(outside, origin, reading.network, phoneEvent);
    return outcome === 'not shown' ? unread : undefined;
  }
  await keepUnread(outside, origin, reading.network, phoneEvent);
  return undefined;
}

/** Facts about a payment that its text does not state. */
interface Known {
  readonly accounts: readonly AccountOfNumber[];
  /** The proof by the wallet's other texts; undefined for a test's payment. */
  readonly checked?: Checked | undefined;
  /** Its number is in no phone: nobody knows whether the phone that reports it has that number. */
  readonly isUnplaced?: boolean;
  /** The receipt as it is stored, where the payment is decided about again. */
  readonly current?: Receipt | undefined;
}

/** All that a payment is decided by: besides its text and what is known of it, what is in the table already. */
interface Case extends Known {
  readonly payment: WalletPayment;
  readonly receipt: Omit<PaymentReceipt, 'state'>;
  /** A text of the payment that was stored before. */
  readonly stored?: Receipt;
  /** The use of the payment, through any of its texts. */
  readonly use?: PaymentUse;
  /** Unproven payments have confirmed as much on its wallet today as they may. */
  readonly isLimitReached?: boolean;
}

/** A decision about a payment, its reason, and its writes: all of them or none. */
export interface Decision {
  /** `read`: a machine has read what somebody had typed. */
  readonly action: 'pay' | 'part' | 'hold' | 'ignore' | 'read';
  readonly reason: MatchedBy | HeldReason | 'copy' | 'unchanged';
  readonly writes: readonly TableWrite[];
  /** The receipt of a second text, which has an id of its own. */
  readonly beside?: string;
}

/** Each of several things may be found to stand there already, and to have changed again. */
const MAX_DECISIONS = 10;

/** Settles a payment, as `settleReceipt` does, and returns the same. A test's never came in a text. */
export async function settlePayment(
  outside: Outside,
  payment: WalletPayment,
  origin: Origin,
  known: Known,
): Promise<string | undefined> {
  const receipt: Omit<PaymentReceipt, 'state'> = {
    ...origin,
    receipt_id:
      known.current?.receipt_id ?? paymentReceiptId(payment.network, origin.momo_number, payment.transactionId),
    network: payment.network,
    transaction_id: payment.transactionId,
    amount_pesewas: arrivedPesewas(payment.amountPesewas),
    balance_pesewas: payment.balancePesewas ?? undefined,
    payer_name: payment.payerName,
    // A phone number in the reference may have been typed by the payer.
    [payment.via === null ? 'payer_phone' : 'said_phone']: payment.payerPhone ?? undefined,
    payer_reference: payment.reference ?? undefined,
    proof: known.checked?.proof,
  };
  return retryIfChanged(
    async (refused) => {
      const standing = standingAfter(refused, receipt);
      const given = { ...known, ...standing, payment, receipt };
      const { writes, beside } = await decide(outside, standing.stored ? await asRepeated(outside, given) : given);
      if (writes.length > 0) await outside.table.write(writes);
      return receipt.proof?.state === 'checking' ? beside : undefined;
    },
    {
      // If `current` is no longer what is stored, the caller reads it again.
      isChanged: (error) => error instanceof Changed && !(known.current && isOf(receipt, error)),
      tries: MAX_DECISIONS,
    },
  );
}

/** A text of a payment that is stored already, with no proof that belongs to another text. */
async function asRepeated(outside: TableOutside, given: Case): Promise<Case> {
  if (!given.checked) return given;
  const checked = await withoutRepeated(outside, given.receipt, given.checked, true);
  return { ...given, checked, receipt: { ...given.receipt, proof: checked.proof } };
}

/** Reads what a refused write found. A charge that has moved on is read again. */
function standingAfter(
  refused: unknown,
  receipt: Pick<Receipt, 'receipt_id'>,
): Pick<Case, 'stored' | 'use' | 'isLimitReached'> {
  if (isOf(receipt, refused)) return { stored: refused.receipt };
  if (refused instanceof PaymentUsed) return { use: refused.use };
  return { isLimitReached: refused instanceof UnprovenLimitReached };
}

function isOf({ receipt_id }: Pick<Receipt, 'receipt_id'>, refused: unknown): refused is ReceiptChanged {
  return refused instanceof ReceiptChanged && refused.receipt.receipt_id === receipt_id;
}

/** Decides about a payment. What comes first here takes precedence over what follows. */
export async function decide(outside: TimedOutside, given: Case): Promise<Decision> {
  const { payment, receipt, accounts, current, stored } = given;
  const match: Match = given.isUnplaced
    ? { held: 'number_not_placed' }
    : await matchPayment(outside, payment, receipt, accounts);
  const found = await admitMatch(outside, match, given);
  const mayConfirm = !('held' in found);
  const named = chargeNamedBy(match);

  // A text of it may be stored whose phone reported no number: if they contradict each other, neither may confirm anything.
  const contradiction = mayConfirm ? await contradictionOf(outside, receipt) : undefined;
  if (contradiction && current) return hold(given, 'conflict', undefined, inDoubt(contradiction, receipt));
  if (contradiction) return decideSecondText(outside, contradiction, (await asRepeated(outside, given)).receipt);
  if (stored?.marked && stored.reason !== 'reversed') {
    const isTyped = stored.state === 'matched';
    const beside = inConflict(stored, receipt, 'conflict');
    const known = await receiptRows.find(outside, beside);
    if (isTyped && named && named.merchant_id !== stored.merchant_id)
      return known ? COPY : decideAsUntyped(outside, given, stored, beside);
    const isDoubtful = isTyped && !isSameText(stored, receipt);
    // A verified text stands beside what somebody typed by mistake, and takes its use.
    const isOwn = isDoubtful && receipt.proof?.state === 'proven' && (known === undefined || mayPay(known));
    if (isOwn) {
      const { receipt_id } = beside;
      const use = await findUse(outside, receipt, merchantsOf(accounts));
      return decide(outside, { ...given, stored: undefined, receipt: { ...receipt, receipt_id }, current: known, use });
    }
    if (known) return COPY;
    // A mark that a person undid stands for nothing: the text takes its place, or contradicts the first one.
    if (!isTyped) {
      const [first] = await getReceipts(outside, stored.contradicted_by ?? []);
      if (first) return decideSecondText(outside, first, receipt);
      return decide(outside, { ...given, stored: undefined, current: stored });
    }
  }
  if (stored) {
    const merchant_id = named?.merchant_id ?? receipt.merchant_id;
    return decideSecondText(outside, stored, { ...receipt, merchant_id });
  }
  const decision = await decideText(outside, given, found, named);
  if (decision.action === 'ignore') return decision;
  const others = merchantsOf(accounts).filter((id) => named !== undefined && id !== named.merchant_id);
  return { ...decision, writes: [...decision.writes, ...(await doubtMarks(outside, receipt, others))] };
}

const COPY = { action: 'ignore', reason: 'copy', writes: [] } as const satisfies Decision;

/** The charge that a payment's reference names, whether or not the payment may confirm it. */
function chargeNamedBy(match: Match): Pick<Charge, 'merchant_id'> | undefined {
  if ('held' in match) return match.about;
  if ('isPartOf' in match) return match.isPartOf;
  return match.matchedBy === 'reference' ? match.pays : undefined;
}

/** Decides about a text that names a bill of another merchant than the one who typed its id: beside the mark, as if nobody had typed. */
async function decideAsUntyped(
  outside: TimedOutside,
  given: Case,
  typed: Receipt,
  { receipt_id }: Receipt,
): Promise<Decision> {
  const [first] = await getReceipts(outside, typed.contradicted_by ?? []);
  if (first) return decideSecondText(outside, first, given.receipt);
  return decide(outside, { ...given, stored: undefined, receipt: { ...given.receipt, receipt_id } });
}

/** Decides about the only text of a payment. Ids that were typed speak for the merchant of the charge that it names. */
async function decideText(
  outside: TimedOutside,
  given: Case,
  found: Awaited<ReturnType<typeof admitMatch>>,
  named: Pick<Charge, 'merchant_id'> | undefined,
): Promise<Decision> {
  const { receipt, accounts, current } = given;
  const merchants = named ? [named.merchant_id] : merchantsOf(accounts);
  const use = given.use ?? ('held' in found ? await useByAnother(outside, receipt, merchants) : undefined);
  const read = await readTyped(outside, use, receipt, current);
  if (read) return read;
  const isProven = receipt.proof?.state === 'proven';
  const meant = chargeOf(found);
  const yields = use && meant && isProven ? await yieldTyped(outside, use, receipt, meant.reference) : undefined;
  if (use && !yields) return decideUsed(outside, use, given);
  if ('held' in found) return hold(given, found.held, found.about, found.noted);
  const isOverTyped = yields !== undefined;
  if ('replaces' in found) {
    const writes = await payWithSecond(outside, found, receipt, { current, isOverTyped });
    return { action: 'pay', reason: 'reference', writes: [...writes, ...(yields ?? [])] };
  }
  const { counted_in } = found;
  if ('isPartOf' in found) {
    const part = { matched_by: 'reference', counted_in, current, isOverTyped } as const;
    const { writes } = countPart(outside, found.isPartOf, receipt, part);
    return { action: 'part', reason: 'reference', writes: [...writes, ...found.writes, ...(yields ?? [])] };
  }
  const matched = { matched_by: found.matchedBy, counted_in, current, isOverTyped };
  const { writes } = await payWithReceipt(outside, found.pays, receipt, matched);
  return { action: 'pay', reason: found.matchedBy, writes: [...writes, ...found.writes, ...(yields ?? [])] };
}

/** The charge that a payment would count for. */
function chargeOf(found: Awaited<ReturnType<typeof admitMatch>>): Pick<Charge, 'reference'> | undefined {
  if ('held' in found) return undefined;
  if ('replaces' in found) return found.replaces;
  return 'pays' in found ? found.pays : found.isPartOf;
}

function merchantsOf(accounts: readonly AccountOfNumber[]): string[] {
  return accounts.map(({ merchant_id }) => merchant_id);
}

function mayPay({ state, reason, set_aside }: Receipt): boolean {
  return state === 'held' && reason !== 'reversed' && set_aside === undefined;
}

/** A payment to hold, with the charge that it is for if that is certain. */
interface Held {
  readonly held: HeldReason;
  readonly about?: Pick<Charge, 'reference' | 'merchant_id'> | undefined;
  readonly noted?: readonly TableWrite[];
}

/** Lets a payment confirm the charge that it matches, or holds it, as its proof allows. */
async function admitMatch(
  outside: TimedOutside,
  match: Match,
  { receipt, checked, current, isLimitReached }: Case,
): Promise<Held | Replaced | (Exclude<Match, Held> & Admitted)> {
  if ('held' in match) {
    const { held, about } = match;
    // A request is still open when its charge of the day has ended: its page says that the money came.
    const isLate = held === 'charge_expired' && about?.origin.kind === 'request';
    if (!about || (held !== 'already_paid' && !isLate)) return match;
    const replaces = checked && !isLate && (await replaceable(outside, about, receipt, checked));
    return replaces || { ...match, noted: await noteSecond(outside, about, receipt) };
  }
  const charge = 'pays' in match ? match.pays : match.isPartOf;
  const admission = await admit(outside, charge, receipt, checked);
  if ('writes' in admission && !isLimitReached) return { ...match, ...admission };
  const held = 'held' in admission ? admission.held : reasonFor(receipt.proof?.why);
  // A name alone does not make it certain which charge was meant.
  const about = 'pays' in match && match.matchedBy === 'name' ? undefined : charge;
  if (!about || current || held === 'large_amount') return { held, about };
  return { held, about, noted: [noteUnproven(outside, about, held === 'checking' ? 'checking' : 'not confirmed')] };
}

/** Held for a person, or until it is proven. */
function hold(
  { receipt, current }: Case,
  reason: HeldReason,
  meant?: Held['about'],
  also: Held['noted'] = [],
): Decision {
  const merchant_id = meant?.merchant_id ?? receipt.merchant_id;
  const held: Receipt = { ...receipt, merchant_id, state: 'held', reason, suggested_reference: meant?.reference };
  if (current && !current.marked && isSameState(current, held))
    return { action: 'ignore', reason: 'unchanged', writes: [] };
  return { action: 'hold', reason, writes: [current ? replaceReceipt(current, held) : createReceipt(held), ...also] };
}

function isSameState(current: Receipt, held: Receipt): boolean {
  const facts = ({ reason, suggested_reference, proof }: Receipt) =>
    [reason, suggested_reference, proof?.state, proof?.why].join('\n');
  return facts(current) === facts(held);
}

/** A further text of a payment: a copy, the payment that a reversal was waiting for, or a contradiction. */
async function decideSecondText(
  outside: TimedOutside,
  first: Receipt,
  second: Omit<PaymentReceipt, 'state'>,
): Promise<Decision> {
  if (first.amount_pesewas === undefined) {
    const { state, reason = 'reversed' } = first;
    return { action: 'hold', reason, writes: [replaceReceipt(first, { ...second, state, reason })] };
  }
  const isSame = isSameText(first, second);
  const isTyped = first.marked !== undefined && first.state === 'matched';
  const read = isSame && isTyped ? await readMarked(outside, first, second) : undefined;
  if (read) return read;
  if (isSame && !isTyped) return COPY;
  // The texts do not show which one is true: a forger may have sent a true id first. So both are kept, and neither
  // confirms anything automatically any more.
  const { network, transaction_id } = second;
  const use = await paymentUseRows.find(outside, { network, transaction_id });
  const cause = first.reason === 'reversed' ? 'reversed' : 'conflict';
  const beside = inConflict(first, second, cause);
  const writes = [
    // A copy of the second text adds nothing.
    { ...createReceipt(beside), refused: () => undefined },
    ...(isTyped
      ? contradict(outside, first, beside.receipt_id)
      : [
          // The charge of a matched one may end meanwhile: then it is held, and the doubt stays with it.
          ...inDoubt(first, beside),
          ...(use?.reference && cause === 'conflict' ? [disputeCharge(outside, use.reference, 'conflict')] : []),
        ]),
  ];
  return { action: 'hold', reason: cause, writes, beside: beside.receipt_id };
}

/** Reads a typed id's text that came to another of the merchant's numbers than somebody said. */
async function readTyped(
  outside: TimedOutside,
  use: PaymentUse | undefined,
  read: Omit<PaymentReceipt, 'state'>,
  current: Receipt | undefined,
): Promise<Decision | undefined> {
  const typed = await typedUse(outside, use);
  return typed && isSameText(typed, read) ? readMarked(outside, typed, read, current) : undefined;
}

/**
 * A text of a payment by which somebody had marked a charge as paid: it takes the place of what they typed, and its proof counts. Undefined
 * where a text to another wallet has used the id.
 */
async function readMarked(
  outside: TimedOutside,
  typed: Receipt,
  read: Omit<PaymentReceipt, 'state'>,
  current?: Receipt,
): Promise<Decision | undefined> {
  const { network, transaction_id } = read;
  if (await paymentUseRows.find(outside, { network, transaction_id })) return undefined;
  const { merchant_id = '', matched_by, reference = '' } = typed;
  const charge = await chargeRows.find(outside, { reference });
  const changed = charge
    ? changePayment(outside, charge, typed.receipt_id, ({ matched_by, counted_in, counted_pesewas }) =>
        paymentOf(read, { matched_by, counted_in, counted_pesewas }),
      )
    : [];
  const receipt: Receipt = { ...read, merchant_id, matched_by, reference, state: 'matched' };
  const isThere = typed.receipt_id === read.receipt_id;
  const stored = isThere ? typed : current;
  const used = { reference, merchant_id };
  const writes = [
    ...(isThere ? [] : [removeReceipt(typed)]),
    stored ? replaceReceipt(stored, receipt) : createReceipt(receipt),
    releasePayment({ network, transaction_id, marked: typed.marked }, used),
    ...usePayment(read, used, true),
    ...changed,
  ];
  return { action: 'read', reason: 'hand', writes };
}

/** The second text under an id of its own, the same for each copy of it. */
function inConflict(first: Receipt, second: Omit<PaymentReceipt, 'state'>, reason: HeldReason): Receipt {
  const facts = sha256(factsOf(second));
  const receipt_id = `${second.receipt_id}-${facts.slice(0, 8)}`;
  // Whoever typed an id does not thereby own what a text says of it.
  const owner = first.marked ? undefined : first.merchant_id;
  return { ...second, receipt_id, merchant_id: owner ?? second.merchant_id, state: 'held', reason };
}

/** A text that waits for more than a person is contradicted from now on, and verified no longer by what both report. */
function inDoubt(first: Receipt, second: Omit<Receipt, 'state'>): TableWrite[] {
  if (first.reason === 'reversed') return [];
  const doubted = contradictedBy(first, second.receipt_id);
  if (first.state !== 'held') return [replaceReceipt(first, doubted)];
  const proof = isSameMovement(first, second) ? { proof: { state: 'unproven' } as const } : {};
  return [replaceReceipt(first, { ...doubted, ...proof, reason: 'conflict' })];
}

/** By its receipt of this wallet it is a copy, or a contradiction that `createReceipt` finds. */
async function useByAnother(
  outside: TableOutside,
  { network, transaction_id, receipt_id }: Omit<PaymentReceipt, 'state'>,
  merchantIds: readonly string[],
): Promise<PaymentUse | undefined> {
  const use = await findUse(outside, { network, transaction_id }, merchantIds);
  return use?.receipt_id === receipt_id ? undefined : use;
}

/** A payment whose id was used before through another receipt, or was reversed. */
async function decideUsed(
  outside: TimedOutside,
  { receipt_id, reference }: PaymentUse,
  given: Case,
): Promise<Decision> {
  if (reference === undefined) return hold(given, 'reversed');
  const found = await receiptRows.find(outside, { receipt_id });
  const used = given.current && !found?.marked ? undefined : found;
  if (used?.reason === 'reversed') return hold(given, 'reversed');
  // Its receipt may have ended: then the texts cannot be compared, and a payment that was used stays used.
  const isCopy = !used || isSameText(used, given.receipt);
  if (isCopy) return hold(given, 'already_paid');
  if (used.state !== 'matched' || used.reference !== reference) return hold(given, 'conflict');
  const doubted = used.marked
    ? contradict(outside, used, given.receipt.receipt_id)
    : [replaceReceipt(used, used), disputeCharge(outside, reference, 'conflict')];
  return hold(given, 'conflict', undefined, doubted);
}

/** An unread text is private, and of no use later. */
const UNREAD_KEPT_DAYS = RETENTION.leastDays;

/** Stores a network's text that is not understood. The same text has the same id, whatever the id of the phone's event. */
async function keepUnread(
  outside: Outside,
  origin: Origin,
  network: Network,
  { event, arrived_at }: PhoneEvent,
): Promise<string> {
  const { momo_number, sender, text } = origin;
  const ends = endOfRetention({ retentionDays: UNREAD_KEPT_DAYS }, arrived_at);
  // The time that the phone reports, because it is the same in every copy, though not always in the same form.
  const { receivedAt } = event.payload;
  const receivedMs = Date.parse(receivedAt ?? '');
  const fields = [momo_number, sender, text, Number.isNaN(receivedMs) ? receivedAt : isoOf(receivedMs)];
  const hash = sha256(fields.join('\n'));
  const receipt_id = `TEXT-${hash.slice(0, 32)}`;
  const unread = createReceipt({ ...origin, ...ends, receipt_id, network, state: 'unread' });
  await outside.table.write([{ ...unread, refused: () => undefined }]);
  return receipt_id;
}
