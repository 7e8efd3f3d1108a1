import { networks } from '../../../ghana/network.ts';
import { english, filled, spokenMoney, spokenName } from '../../../ghana/spoken/spoken.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { backingOfCharge } from '../../../money/payment/backing.ts';
import { missingPesewas, type Payment, paidPesewas, paymentsOf } from '../../../money/payment/payment.ts';
import { shownOf, shownReceipt } from '../../../money/payment/shown-payment.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { shownIdOf } from '../../../money/receipt/shown-receipt.ts';
import type { Green } from '../../../money/till/green.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';

/**
 * A till hears a payment as `paid` with its words, as `check` with "Check this one", or as `back` once taken back.
 * `soft` is one quiet sound without words, for wallets whose payments are never verified yet.
 */
type Sound = 'paid' | 'check' | 'soft' | 'back';

export interface HeardView {
  readonly payment: string;
  readonly sound: Sound;
  readonly words: string;
  /** Only heard where the payment was heard before: old disputes and reversals are no news to another device. */
  readonly isLater: boolean;
  /** Green: heard as a sound even with the voice turned off. */
  readonly isGreen: boolean;
}

export interface VoiceView {
  readonly language: string;
  readonly test: string;
  readonly heard: readonly HeardView[];
  readonly softNote: string | undefined;
}

interface VoiceRows {
  readonly greens: readonly Green[];
  /** Charges that this till may have said to be paid. */
  readonly charges: readonly Charge[];
  readonly arrived: readonly ArrivedRow[];
}

interface ArrivedRow {
  readonly receipt: Receipt;
  readonly needsLook: boolean;
  /** Nothing but its proof is missing. */
  readonly isOnlyUnverified: boolean;
}

const WORDS = english;
/** A payment that arrived earlier is no news: its check takes at most two and a half minutes. */
const NEWS_MS = 3 * MINUTE_MS;

/** Decides what a till says. The page's script only plays it, once on a device. */
export function voiceView(outside: Clock, merchant: Merchant, { greens, charges, arrived }: VoiceRows): VoiceView {
  const heard = [
    ...greens.map((green) => ({ at: lastOf(green.charge)?.received_at, view: heardGreen(green) })),
    ...charges.map((charge) => ({ at: lastOf(charge)?.received_at, view: heardLater(charge) })),
    ...arrived.map((one) => ({ at: one.receipt.received_at, view: heardArrived(outside, one) })),
  ];
  const payments = [...greens.flatMap(({ charge }) => paymentsOf(charge)), ...arrived.map(({ receipt }) => receipt)];
  const example = filled(WORDS.paid, { amount: spokenMoney(3600, WORDS) ?? '' });
  return {
    language: WORDS.language,
    test: `${WORDS.try} ${example}`,
    heard: heard
      .toSorted((one, other) => ((one.at ?? '') < (other.at ?? '') ? -1 : 1))
      .flatMap(({ view }) => view ?? []),
    softNote: softNote(merchant, payments),
  };
}

function lastOf(charge: Charge): Payment | undefined {
  return paymentsOf(charge)
    .toSorted((one, other) => (one.received_at < other.received_at ? -1 : 1))
    .at(-1);
}

/** Says only verified money as paid. The whole charge decides: one unverified part makes all of it one to check. */
function heardGreen(green: Green): HeardView | undefined {
  const { charge } = green;
  const last = lastOf(charge);
  if (!last) return undefined;
  const words = isPaidAloud(green) ? paidWords(charge) : undefined;
  const sound = words !== undefined ? 'paid' : isSoft(charge) ? 'soft' : 'check';
  return { payment: shownIdOf(last), sound, words: words ?? wordsOf(sound), isLater: false, isGreen: true };
}

function isPaidAloud({ charge, missingPesewas: missing }: Green): boolean {
  const backing = backingOfCharge(charge);
  return (backing === 'verified' || backing === 'test') && missing === 0;
}

function paidWords(charge: Charge): string | undefined {
  const payers = new Set(paymentsOf(charge).map(({ payer_name }) => payer_name));
  const { pesewas, backing } = shownOf(charge, paidPesewas(charge));
  const paid = payers.size === 1 ? amountWords(pesewas, [...payers][0]) : amountWords(pesewas, undefined);
  return paid !== undefined && backing === 'test' ? filled(WORDS.test, { paid }) : paid;
}

function amountWords(pesewas: number, payer: string | undefined): string | undefined {
  const amount = spokenMoney(pesewas, WORDS);
  if (amount === undefined) return undefined;
  const name = payer === undefined ? undefined : spokenName(payer, WORDS);
  return name === undefined ? filled(WORDS.paid, { amount }) : filled(WORDS.paid_by, { amount, name });
}

function takenBack(paid: string | undefined): Pick<HeardView, 'sound' | 'words'> {
  return { sound: 'back', words: filled(WORDS.taken_back, { paid: paid ?? '' }).trim() };
}

function heardLater(charge: Charge): HeardView | undefined {
  const last = lastOf(charge);
  if (!last) return undefined;
  const at = { payment: shownIdOf(last), isLater: true, isGreen: false };
  if (charge.state === 'reversed') {
    const { amount_pesewas, payer_name } = charge.payment ?? last;
    return { ...at, ...takenBack(amountWords(shownOf(charge, amount_pesewas).pesewas, payer_name)) };
  }
  return charge.disputed ? { ...at, sound: 'check', words: WORDS.check } : undefined;
}

/** An arrived payment is never said as paid: its tap turns the till green. */
function heardArrived({ now }: Clock, { receipt, needsLook, isOnlyUnverified }: ArrivedRow): HeardView | undefined {
  const at = { payment: shownIdOf(receipt), isGreen: false };
  if (receipt.reason === 'reversed') {
    const { pesewas } = shownReceipt(receipt);
    return { ...at, ...takenBack(amountWords(pesewas, receipt.payer_name)), isLater: true };
  }
  const isNews = now() - Date.parse(receipt.received_at) < NEWS_MS;
  if (!needsLook || !isNews) return undefined;
  const sound = isOnlyUnverified && isSoftPayment(receipt) ? 'soft' : 'check';
  return { ...at, sound, words: wordsOf(sound), isLater: false };
}

function wordsOf(sound: Sound): string {
  return sound === 'soft' ? '' : WORDS.check;
}

function isSoft(charge: Charge): boolean {
  return !charge.disputed && missingPesewas(charge) === 0 && paymentsOf(charge).every(isSoftPayment);
}

/** Payments that no chain can verify: of a new wallet, and of some networks. Nothing else may be wrong with them. */
function isSoftPayment(payment: Pick<Receipt, 'proof' | 'network'> & Partial<Pick<Payment, 'marked'>>): boolean {
  const { proof, network, marked } = payment;
  if (marked || proof?.state !== 'unproven') return false;
  const isUnsure = proof.why !== undefined && UNSURE.has(proof.why);
  return isOfNewWallet({ proof }) || (network !== undefined && !networks[network].mayEnforce && isUnsure);
}

const UNSURE: ReadonlySet<string> = new Set(['balance_gap', 'balance_unsure', 'no_balance']);

/** A new wallet has too few receipts to verify payments; nothing is wrong with it. */
export function isOfNewWallet({ proof }: Pick<Receipt, 'proof'>): boolean {
  return proof?.why === 'not_established';
}

function softNote({ momo_accounts }: Merchant, payments: readonly Pick<Receipt, 'proof'>[]): string | undefined {
  if (payments.some(isOfNewWallet))
    return 'Your wallet is new here. Until it is known, a payment makes one soft sound.';
  const unsure = momo_accounts.map(({ network }) => networks[network]).find((one) => one.isRead && !one.mayEnforce);
  return unsure && `${unsure.short} payments often stay unverified. Those make one soft sound.`;
}
