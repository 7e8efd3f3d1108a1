import { shownMoney, unbroken, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { fieldAmount } from '../../../ghana/typed.ts';
import { confirmsUnprovenUpToPesewas, type Merchant } from '../../../merchants/merchant/merchant.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { takeOf } from '../../../money/charge/goods.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { decideRelease } from '../../../money/goods/decide-release.ts';
import { isPaidUnproven } from '../../../money/payment/backing.ts';
import { missingPesewas, paymentsOf } from '../../../money/payment/payment.ts';
import { type ShownPayment, shownOf, shownPaid, shownReceipt } from '../../../money/payment/shown-payment.ts';
import { looksLikeAnother, type Receipt, vouchedAtTills } from '../../../money/receipt/receipt.ts';
import { lastDigits, receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { type Green, greenOf, isHandedOut, mayBeHandedOut } from '../../../money/till/green.ts';
import { type CannotTake, isBeingChecked, mayUndo, refusalOf, takenSince } from '../../../money/till/take.ts';
import type { Shift, Till } from '../../../money/till/till.table.ts';
import { type Clock, nowIso } from '../../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { heldWords } from '../charges/held-words.ts';
import { readerOf } from '../charges/reader.ts';
import { undoerOf } from '../charges/undoer.ts';
import { heldAddress } from '../parts/addresses.ts';
import type { Remark } from '../parts/content.ts';
import { isOfNewWallet, type VoiceView, voiceView } from './till-voice.ts';

/** Maximum number of paid sticker charges to show, and of unpaid ones. */
const MAX_SCANNED = 8;
/** Maximum number of payments to show whose amount differs from the amount due. */
const MAX_OTHERS = 5;

/** Most customers pay within this time after opening the sticker's page. */
const JUST_OPENED_MS = 2 * MINUTE_MS;
/** After this time, a payment is probably not from the customer at the counter. */
const JUST_ARRIVED_MS = 5 * MINUTE_MS;

export interface TillRows {
  readonly merchant: Merchant;
  readonly user: User;
  readonly till: Till;
  readonly shift: Shift;
  readonly amountPesewas: number | undefined;
  readonly typed: string | undefined;
  readonly arrived: readonly Receipt[];
  readonly taken: readonly Charge[];
  readonly scanned: readonly Charge[];
  readonly justTaken: string | undefined;
  /** A tapped payment, and the sticker charges that its payer may have opened. */
  readonly question: { readonly tapped: Receipt; readonly open: readonly Charge[] } | undefined;
  /** A rejected form, whose error is shown instead of the green boxes. */
  readonly refused: { readonly tapped: string | undefined; readonly message: string } | undefined;
}

export interface TillLine extends Pick<ShownPayment, 'doubt'> {
  readonly amount: string;
  readonly payer: string;
  /** The end of the payment's ID, if another payment looks the same. */
  readonly idEnd?: string | undefined;
  readonly at: string;
  /** Remark about the payment, unless it repeats the badge. */
  readonly remark: Remark | undefined;
}

export interface GreenView {
  readonly reference: string;
  readonly amount: string;
  readonly words: readonly string[];
  /** True for an amber box with a warning sign, instead of a green box with a tick. */
  readonly needsLook: boolean;
  readonly payer: string;
  readonly paidAt: string;
  /** Time at which the box disappears (ISO). */
  readonly until: string;
  readonly canHandOut: boolean;
}

type Tap =
  | { readonly action: 'take'; readonly receiptId: string; readonly amount: string }
  | { readonly action: 'open'; readonly href: string }
  | { readonly action: 'nothing' };

export interface ArrivedView extends TillLine {
  readonly tap: Tap;
  /** False for an unverified payment above the shop’s limit: a tap explains why it is refused. */
  readonly isTakeable: boolean;
  /** Payments that are probably not the customer's come later, under headings of their own. */
  readonly group: 'recent' | 'earlier' | 'other';
}

export interface ScannedView extends TillLine {
  readonly reference: string;
  readonly canHandOut: boolean;
}

export interface TakenView extends TillLine {
  readonly reference: string;
  readonly canUndo: boolean;
}

export type Step =
  | { readonly kind: 'keypad'; readonly typed: string | undefined; readonly isWrong: boolean }
  | { readonly kind: 'due'; readonly amount: string; readonly numbers: readonly WalletView[] }
  | { readonly kind: 'refused'; readonly message: string; readonly href: string | undefined }
  | QuestionView;

interface WalletView {
  readonly network: string;
  readonly accountName: string;
  readonly number: string;
}

export interface QuestionView {
  readonly kind: 'question';
  readonly amount: string;
  /** The amount formatted for a form field. */
  readonly fieldAmount: string;
  readonly payer: string;
  readonly receiptId: string;
  readonly choices: readonly { readonly reference: string; readonly note: string | undefined; readonly at: string }[];
}

/** The content of a till's page, without markup. Amounts are formatted like `GHS 1,234.50`. */
export interface TillView {
  readonly now: string;
  readonly tillId: string;
  readonly shiftId: string;
  readonly greens: readonly GreenView[] | undefined;
  readonly step: Step;
  /** True if an amount is due, or a customer has just opened the sticker's page. */
  readonly isPaymentExpected: boolean;
  readonly arrived: readonly ArrivedView[];
  /** True if more payments have arrived than are listed. */
  readonly isMore: boolean;
  readonly unverifiedNote: string | undefined;
  /** Says who checks the wallet. */
  readonly whoLooks: string;
  /** Charges opened at the till's sticker. Undefined if the till has no sticker. */
  readonly sticker: { readonly paid: readonly ScannedView[]; readonly unpaid: readonly ScannedView[] } | undefined;
  readonly taken: readonly TakenView[];
  readonly voice: VoiceView;
}

export function tillView(outside: Clock, rows: TillRows): TillView {
  const { merchant, user, till, shift, taken, scanned, refused } = rows;
  const arrived = arrivedOf(outside, rows);
  const greens = refused ? undefined : greensOf(outside, rows);
  const step = stepOf(rows);
  return {
    now: nowIso(outside),
    tillId: till.till_id,
    shiftId: shift.shift_id,
    greens: greens?.map((green) => greenView(merchant, green)),
    step,
    isPaymentExpected: step.kind === 'due' || scanned.some((charge) => isJustOpened(outside, charge)),
    arrived: inOrder(
      arrived.map((one) => ({
        ...arrivedView(merchant, user, one, looksLikeAnother(one.receipt, rows.arrived)),
        group: groupOf(outside, one, rows),
      })),
    ),
    isMore: arrived.length < rows.arrived.length,
    unverifiedNote: unverifiedNote(merchant, arrived),
    whoLooks: `${whoLooks(merchant)}.`,
    sticker: till.sticker === undefined ? undefined : stickerView(outside, merchant, scanned),
    taken: taken.map((charge) => takenView(outside, user, charge)),
    voice: voiceView(outside, merchant, {
      greens: greens ?? [],
      charges: [...taken, ...scanned],
      arrived: arrived.map(({ receipt, refusal }) => {
        const remark = arrivedRemark(receipt, refusal);
        return { receipt, needsLook: remark.tone === 'look', isOnlyUnverified: remark === UNVERIFIED };
      }),
    }),
  };
}

function stepOf({ merchant, amountPesewas, typed, question, user, arrived, refused }: TillRows): Step {
  if (refused?.tapped !== undefined) {
    const isHeld = arrived.some(({ receipt_id }) => receipt_id === refused.tapped);
    // People without this permission can only ask a manager.
    const href = isHeld && may(user, 'receipts:assign') ? heldAddress(refused.tapped) : undefined;
    return { kind: 'refused', message: refused.message, href };
  }
  if (amountPesewas === undefined) return { kind: 'keypad', typed, isWrong: typed !== undefined };
  const amount = shownMoney(amountPesewas);
  if (!question) return { kind: 'due', amount, numbers: merchant.momo_accounts.map(walletView) };
  const { receipt_id, payer_name } = receiptFor(readerOf(user), question.tapped);
  return {
    kind: 'question',
    amount,
    fieldAmount: fieldAmount(amountPesewas),
    payer: payer_name ?? 'an unknown payer',
    receiptId: receipt_id,
    choices: question.open.map((charge) => ({
      reference: charge.reference,
      note: cameWith(charge).customer_note,
      at: charge.created_at,
    })),
  };
}

function walletView({ network, account_name, number }: Merchant['momo_accounts'][number]): WalletView {
  return { network: networks[network].name, accountName: account_name, number: shownNumber(number) };
}

/** Returns green boxes for payments that were just taken or made at the sticker. */
function greensOf(outside: Clock, { merchant, amountPesewas, taken, scanned, justTaken }: TillRows): readonly Green[] {
  const tapped = taken.filter(({ reference }) => reference === justTaken && amountPesewas === undefined);
  // If the cashier typed an amount, other payments do not turn green, because their customers may have paid too little.
  const due = scanned.filter(({ amount_pesewas }) => amountPesewas === undefined || amount_pesewas === amountPesewas);
  return [...tapped, ...due].flatMap((charge) => greenOf(outside, merchant, charge) ?? []);
}

function greenView(merchant: Merchant, green: Green): GreenView {
  const { charge, until, arrivedPesewas, isUnproven } = green;
  const isTap = takeOf(charge) !== undefined;
  return {
    reference: charge.reference,
    amount: shownOf(charge, arrivedPesewas).amount,
    words: greenWords(merchant, green),
    needsLook: isUnproven || !green.mayLeave || green.missingPesewas > 0,
    payer: payerOf(charge),
    paidAt: charge.paid_at ?? '',
    until,
    canHandOut: !isTap && green.mayLeave,
  };
}

function greenWords(
  merchant: Merchant,
  { charge, tooMuchPesewas, missingPesewas: missing, isUnproven, mayLeave: canLeave }: Green,
): string[] {
  const tooMuch = shownOf(charge, tooMuchPesewas);
  const isTooMuch = tooMuchPesewas > 0;
  const label = paymentsOf(charge).every(isOfNewWallet) ? 'New wallet' : NOT_PROVEN;
  const leaves = takeOf(charge)
    ? 'You can hand over the goods. This payment is not verified, but it is within the shop’s limit.'
    : `${NOT_PROVEN}: tap “${HAND_OVER}” first`;
  const needsLook = isUnproven && (!canLeave || isTooMuch);
  return [
    ...(missing > 0 ? [`${wholeMoney(missing)} still due`] : []),
    ...(isUnproven && !canLeave ? [`${label}: do not hand over the goods yet`] : []),
    // A manager sends an overpayment back. If the cashier also gave change, the customer would get the money twice.
    ...(isTooMuch ? [`${tooMuch.amountText} too much: give no change`] : []),
    ...(isTooMuch && !tooMuch.doubt ? ['A manager sends it back by MoMo'] : []),
    ...(needsLook ? [whoLooks(merchant)] : []),
    ...(isUnproven && canLeave ? [leaves] : []),
  ];
}

/** Name of the button that clears the green box. */
export const HAND_OVER = 'Mark as handed over';

/** Says who checks the wallet. A cashier usually has neither its SIM nor its PIN. */
function whoLooks({ momo_accounts }: Merchant): string {
  const [only, ...others] = momo_accounts;
  const phone = only && others.length === 0 ? `the phone with ${unbroken(shownNumber(only.number))}` : 'the MoMo phone';
  return `Ask whoever has ${phone} to check the balance`;
}

function payerOf(charge: Charge): string {
  return paymentsOf(charge).at(-1)?.payer_name ?? charge.reference;
}

/** Shows charges opened at the sticker during this shift. Expired ones are hidden. */
function stickerView(outside: Clock, merchant: Merchant, scanned: readonly Charge[]) {
  const isPaid = (charge: Charge) => paymentsOf(charge).length > 0;
  const paid = scanned.filter((charge) => isPaid(charge) && charge.state !== 'pending').slice(0, MAX_SCANNED);
  // Customers of partly paid charges are still at the counter.
  const partly = scanned.filter((charge) => isPaid(charge) && charge.state === 'pending').slice(0, MAX_SCANNED);
  const open = scanned.filter((charge) => !isPaid(charge) && statusOf(outside, charge) === 'pending');
  const view = (charge: Charge) => scannedView(outside, merchant, charge);
  return { paid: paid.map(view), unpaid: [...partly, ...open.slice(0, MAX_SCANNED)].map(view) };
}

function isJustOpened(outside: Clock, charge: Charge): boolean {
  const openedMs = outside.now() - Date.parse(charge.created_at);
  return paymentsOf(charge).length === 0 && statusOf(outside, charge) === 'pending' && openedMs < JUST_OPENED_MS;
}

function scannedView(outside: Clock, merchant: Merchant, charge: Charge): ScannedView {
  const { customer_note } = cameWith(charge);
  const payer = payerOf(charge);
  return {
    ...lineOf({
      amount: shownMoney(charge.amount_pesewas),
      doubt: doubtOfPaid(charge),
      payer: customer_note === undefined ? payer : `${payer} · ${customer_note}`,
      at: charge.paid_at ?? charge.created_at,
      remark: stickerRemark(charge),
    }),
    reference: charge.reference,
    // If the charge has a green box, the button is in that box.
    canHandOut:
      mayBeHandedOut(charge) &&
      typeof decideRelease(outside, merchant, charge) !== 'string' &&
      !greenOf(outside, merchant, charge),
  };
}

function lineOf({ remark, ...line }: TillLine & { readonly remark: Remark }): TillLine {
  const isShown = line.doubt !== undefined && (remark.label === line.doubt.badge || remark.label === NOT_PROVEN);
  return { ...line, remark: isShown ? undefined : remark };
}

function doubtOfPaid(charge: Charge): ShownPayment['doubt'] {
  const { pesewas, doubt } = shownPaid(charge);
  return pesewas > 0 ? doubt : undefined;
}

function stickerRemark(charge: Charge): Remark {
  const { state, disputed } = charge;
  if (state === 'reversed') return TAKEN_BACK;
  if (disputed) return IN_DOUBT;
  if (isHandedOut(charge)) return { tone: 'plain', label: 'Handed over' };
  const missing = missingPesewas(charge);
  if (state === 'success' && missing > 0) return { tone: 'look', label: `${wholeMoney(missing)} still due` };
  if (state === 'success') return isPaidUnproven(charge) ? UNVERIFIED : { tone: 'good', label: 'Paid' };
  const { pesewas, amount } = shownPaid(charge);
  return pesewas > 0 ? { tone: 'look', label: `Only ${amount} paid` } : { tone: 'waiting', label: 'Waiting' };
}

interface Arrived {
  readonly receipt: Receipt;
  readonly refusal: CannotTake | undefined;
}

/** Lists payments of the typed amount first, then the others. */
function arrivedOf(outside: Clock, { arrived, shift, amountPesewas }: TillRows): Arrived[] {
  const isMeant = ({ amount_pesewas }: Receipt) => amount_pesewas === amountPesewas;
  const others = arrived.filter((one) => !isMeant(one)).slice(0, MAX_OTHERS);
  const since = takenSince(outside, shift);
  return [...arrived.filter(isMeant), ...others].map((receipt) => ({
    receipt,
    // A payment can be taken once its check is over.
    refusal: refusalOf(receipt, { since, amountPesewas, isBeingChecked: isBeingChecked(outside, receipt) }),
  }));
}

/** In each group, puts the payments that can be taken first. */
function inOrder(arrived: readonly ArrivedView[]): ArrivedView[] {
  const place = ({ group, isTakeable }: ArrivedView) => groups.indexOf(group) * 2 + (isTakeable ? 0 : 1);
  return arrived.toSorted((one, other) => place(one) - place(other));
}

const groups: readonly ArrivedView['group'][] = ['recent', 'earlier', 'other'];

function groupOf(outside: Clock, { receipt, refusal }: Arrived, { amountPesewas }: TillRows): ArrivedView['group'] {
  const isOther = receipt.amount_pesewas !== amountPesewas || refusal === 'for_another';
  if (amountPesewas !== undefined && isOther) return 'other';
  return Date.parse(receipt.received_at) < outside.now() - JUST_ARRIVED_MS ? 'earlier' : 'recent';
}

function arrivedView(
  merchant: Merchant,
  user: User,
  { receipt, refusal }: Arrived,
  needsId: boolean,
): Omit<ArrivedView, 'group'> {
  const shown = receiptFor(readerOf(user), receipt);
  const { amount, pesewas, doubt } = shownReceipt(shown);
  const isAllowed = !doubt || vouchedAtTills(receipt) !== undefined || pesewas <= confirmsUnprovenUpToPesewas(merchant);
  const { payer_name = 'Unknown payer', received_at, transaction_id } = shown;
  const isTakeable = refusal === undefined && isAllowed;
  const mayCheck = may(user, 'receipts:assign');
  const remark = isTakeable ? arrivedRemark(shown, refusal) : whyNot(shown, refusal, mayCheck);
  const idEnd = needsId && transaction_id ? lastDigits(transaction_id) : undefined;
  const line = lineOf({ amount, doubt, payer: payer_name, idEnd, at: received_at, remark });
  // For a manager, a tap opens the page with the evidence.
  const tap = mayCheck && !isTakeable ? openHeld(shown) : tapOn(shown, refusal);
  return { ...line, tap, isTakeable };
}

/** Tells a manager the reason on the payment's page, and a cashier who decides. */
function whyNot(receipt: Receipt, refusal: CannotTake | undefined, mayCheck: boolean): Remark {
  if (refusal === undefined && !mayCheck) return FOR_A_MANAGER;
  // Payments without a bill are ordinary at a till.
  if (refusal === undefined) return receipt.reason && receipt.reason !== 'no_charge' ? heldWords(receipt) : ABOVE_LIMIT;
  return mayCheck && BY_HOLD_REASON.has(refusal) ? heldWords(receipt) : arrivedRemark(receipt, refusal);
}

function openHeld({ receipt_id }: Receipt): Tap {
  return { action: 'open', href: heldAddress(receipt_id) };
}

/** A payment that is not allowed can be tapped, too: the answer says why. */
function tapOn(receipt: Receipt, refusal: CannotTake | undefined): Tap {
  const { receipt_id, amount_pesewas = 0 } = receipt;
  return refusal === undefined
    ? { action: 'take', receiptId: receipt_id, amount: fieldAmount(amount_pesewas) }
    : { action: 'nothing' };
}

function unverifiedNote(merchant: Merchant, arrived: readonly Arrived[]): string | undefined {
  const unverified = arrived.filter(({ receipt, refusal }) => arrivedRemark(receipt, refusal) === UNVERIFIED);
  if (unverified.length === 0) return undefined;
  const because = unverified.every(({ receipt }) => isOfNewWallet(receipt))
    ? 'your wallet’s balance is not entered yet'
    : 'the wallet’s other texts do not confirm it';
  const limit = wholeMoney(confirmsUnprovenUpToPesewas(merchant));
  return `${because}. The shop accepts up to ${limit} each without proof. If one is forged, the shop loses the goods.`;
}

/** Label that is explained at the end of the list. */
export const NOT_PROVEN = 'Not verified';

const UNVERIFIED: Remark = { tone: 'look', label: NOT_PROVEN };
const IN_DOUBT: Remark = { tone: 'look', label: 'In doubt' };
const TAKEN_BACK: Remark = { tone: 'bad', label: 'Reversed' };
const FOR_A_MANAGER: Remark = { tone: 'look', label: 'For a manager' };
const ABOVE_LIMIT: Remark = { tone: 'plain', label: 'Above the limit' };

/** Short labels in the list. Tapping a payment shows the full explanation. */
const REMARKS: Readonly<Record<CannotTake, Remark>> = {
  gone: { tone: 'bad', label: 'Already used' },
  other_amount: { tone: 'plain', label: 'Other amount' },
  before_shift: { tone: 'plain', label: 'Before this shift' },
  for_another: { tone: 'plain', label: 'For a bill' },
  doubtful: FOR_A_MANAGER,
  checking: { tone: 'waiting', label: 'Being checked' },
  not_proven: UNVERIFIED,
  limit: UNVERIFIED,
  large: FOR_A_MANAGER,
};

const BY_HOLD_REASON: ReadonlySet<CannotTake> = new Set(['for_another', 'doubtful', 'large']);

function arrivedRemark({ proof, reason }: Receipt, refusal: CannotTake | undefined): Remark {
  if (refusal !== undefined) return reason === 'reversed' ? TAKEN_BACK : REMARKS[refusal];
  return proof?.state === 'proven' ? { tone: 'good', label: 'Verified' } : UNVERIFIED;
}

function takenView(outside: Clock, user: User, charge: Charge): TakenView {
  const { reference, amount_pesewas, payment, created_at } = charge;
  return {
    ...lineOf({
      amount: shownMoney(amount_pesewas),
      doubt: doubtOfPaid(charge),
      payer: payment?.payer_name ?? reference,
      at: takeOf(charge)?.at ?? created_at,
      remark: takenRemark(charge),
    }),
    reference,
    canUndo: mayUndo(outside, charge, undoerOf(user)),
  };
}

function takenRemark({ state, disputed }: Charge): Remark {
  if (state === 'reversed') return TAKEN_BACK;
  if (state === 'cancelled') return { tone: 'plain', label: 'Undone' };
  return disputed ? IN_DOUBT : { tone: 'good', label: 'Taken' };
}
