import { networks } from '../../../ghana/network.ts';
import { english, filled, spokenMoney, spokenName } from '../../../ghana/spoken/spoken.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import {
  type Backing,
  backingOfCharge,
  backingOfOne,
  backingOfReceipt,
  isDoubted,
} from '../../../money/payment/backing.ts';
import { missingPesewas, type Payment, paidPesewas, paymentsOf } from '../../../money/payment/payment.ts';
import { shownOf, shownReceipt } from '../../../money/payment/shown-payment.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { shownIdOf } from '../../../money/receipt/shown-receipt.ts';
import type { Green } from '../../../money/till/green.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';

/**
 * Sound for a payment. `paid`: the amount. `check`: "Check this one". `back`: a reversal. `soft`: a quiet sound without
 * words, for wallets whose payments cannot be verified yet.
 */
type Sound = 'paid' | 'check' | 'soft' | 'back';

export interface HeardView {
  readonly payment: string;
  readonly sound: Sound;
  readonly words: string;
  /** True if this announcement plays only on devices that have already announced the payment. */
  readonly isLater: boolean;
  /**
   * Time at which the payment's green box disappears. Until then, the till plays a sound for the payment even if the
   * voice is off.
   */
  readonly until: string | undefined;
}

export interface VoiceView {
  readonly language: string;
  readonly test: string;
  readonly heard: readonly HeardView[];
  readonly softNote: string | undefined;
}

interface VoiceRows {
  readonly greens: readonly Green[];
  /** Charges that this till may have announced as paid. */
  readonly charges: readonly Charge[];
  readonly arrived: readonly ArrivedRow[];
}

interface ArrivedRow {
  readonly receipt: Receipt;
  readonly needsLook: boolean;
  /** True if the only problem is that the payment is unverified. */
  readonly isOnlyUnverified: boolean;
}

const WORDS = english;
/** Payments older than this are not announced. Checking a payment takes up to two and a half minutes. */
const NEWS_MS = 3 * MINUTE_MS;

/** Decides what a till announces. The script plays each announcement once per device. */
export function voiceView(outside: Clock, merchant: Merchant, { greens, charges, arrived }: VoiceRows): VoiceView {
  const heard = [
    ...greens.map((green) => ({ at: lastOf(green.charge)?.received_at, view: heardGreen(green) })),
    ...charges.map((charge) => ({ at: lastOf(charge)?.received_at, view: heardLater(outside, charge) })),
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

/** Announces a charge as paid if it is fully verified. Otherwise, says to check the payment. */
function heardGreen(green: Green): HeardView | undefined {
  const { charge } = green;
  const last = lastOf(charge);
  if (!last) return undefined;
  const words = isPaidAloud(green) ? paidWords(charge) : undefined;
  const sound = words !== undefined ? 'paid' : isSoft(charge) ? 'soft' : 'check';
  return { payment: shownIdOf(last), sound, words: words ?? wordsOf(sound), isLater: false, until: green.until };
}

function isPaidAloud({ charge, missingPesewas: missing }: Green): boolean {
  return isSure(backingOfCharge(charge)) && missing === 0;
}

function isSure(backing: Backing): boolean {
  return backing === 'verified' || backing === 'test';
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

function heardLater({ now }: Clock, charge: Charge): HeardView | undefined {
  const last = lastOf(charge);
  if (!last) return undefined;
  const at = { payment: shownIdOf(last), isLater: true, until: undefined };
  if (charge.state === 'reversed') {
    const payment = charge.payment ?? last;
    const { pesewas } = shownOf(charge, payment.amount_pesewas);
    const isVerified = isSure(backingOfOne(charge, payment));
    return { ...at, ...takenBack(isVerified ? amountWords(pesewas, payment.payer_name) : undefined) };
  }
  if (!isDoubted(charge)) return undefined;
  const isNews = now() - Date.parse(last.received_at) < NEWS_MS;
  return { ...at, sound: 'check', words: isNews ? WORDS.check : WORDS.check_earlier };
}

/** Announces a payment that nobody has taken yet, without calling it paid. */
function heardArrived({ now }: Clock, { receipt, needsLook, isOnlyUnverified }: ArrivedRow): HeardView | undefined {
  const at = { payment: shownIdOf(receipt), until: undefined };
  if (receipt.reason === 'reversed') {
    const { pesewas } = shownReceipt(receipt);
    const isVerified = isSure(backingOfReceipt(receipt));
    return { ...at, ...takenBack(isVerified ? amountWords(pesewas, receipt.payer_name) : undefined), isLater: true };
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

/** Returns true for a payment whose only flaw is that its wallet or network cannot verify payments. */
function isSoftPayment(payment: Pick<Receipt, 'proof' | 'network'> & Partial<Pick<Payment, 'marked'>>): boolean {
  const { proof, network, marked } = payment;
  if (marked || proof?.state !== 'unproven') return false;
  const isUnsure = proof.why !== undefined && UNSURE.has(proof.why);
  return isOfNewWallet({ proof }) || (network !== undefined && networks[network].provesAfterLinks !== 0 && isUnsure);
}

const UNSURE: ReadonlySet<string> = new Set(['balance_gap', 'balance_unsure', 'no_balance']);

/** Returns true if nobody has named the wallet's balance, so its payments cannot be verified yet. */
export function isOfNewWallet({ proof }: Pick<Receipt, 'proof'>): boolean {
  return proof?.why === 'not_anchored';
}

function softNote({ momo_accounts }: Merchant, payments: readonly Pick<Receipt, 'proof'>[]): string | undefined {
  if (payments.some(isOfNewWallet))
    return 'Your wallet’s balance is not entered yet. Until then, no payment is verified, and each makes a soft sound.';
  const unsure = momo_accounts
    .map(({ network }) => networks[network])
    .find((one) => one.isRead && one.provesAfterLinks !== 0);
  return unsure && `${unsure.short} payments often stay unverified. Each one makes a soft sound.`;
}
