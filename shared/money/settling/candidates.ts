import type { Outside } from '../../runtime/outside/outside.ts';
import { askedPesewas, type Charge, getCharges, listOpenReferences, listReferences } from '../charge/charge.table.ts';
import { isRestOwed, isSettled, MAX_CHARGE_LIFETIME_MS } from '../charge/charge.ts';
import { isInWholeName, isNamed, nameWords, wholeName } from '../charge/customer-name.ts';
import { findCharges } from '../charge/lookup.table.ts';
import { cameWith, isNamedByMerchant } from '../charge/origin.ts';
import type { Term } from '../charge/search.ts';
import {
  CLOCK_TOLERANCE_MS,
  isSamePayer,
  listTyped,
  MAX_LOOKUPS,
  madeWithin,
  NAME_DECIDES_MS,
} from '../matching/match.ts';
import { listOfPayer } from '../matching/payers-bills.ts';
import { type Detail, detailTyped, mayNameBill, namesDetailOf } from '../matching/typed-detail.ts';
import {
  isNearReference,
  mayHoldReference,
  namesCharge,
  nearTo,
  readTypedReference,
} from '../matching/typed-reference.ts';
import { withoutReplaced } from '../payment/backing.ts';
import { missingPesewas, type Payment, paidPesewas, paymentsOf } from '../payment/payment.ts';
import type { PaymentReceipt } from '../receipt/receipt.ts';
import { findRequest } from '../request/request.table.ts';
import { recordedSums } from '../request/sums.ts';
import { acceptsHeld } from './assign-receipt.ts';

/** Maximum number of bills to show for a payment. */
export const MAX_SHOWN = 5;
/** Maximum number of charges to examine per amount or payer's number. */
const MAX_OF_AMOUNT = 20;
/** Maximum number of charges to examine per word of the payer's name. */
const MAX_OF_WORD = 5;
/** Maximum number of words of a name to search for: given names and a family name. */
const MAX_WORDS = 3;
/** Maximum number of bills to show that the payer may have paid a second time. Open bills need the other places. */
const MAX_REPEATED = 2;
/** Maximum number of references to compare with a mistyped one. One read returns this many index entries. */
const MAX_NEAR = 2000;

export interface Candidate {
  readonly charge: Charge;
  readonly isPayable: boolean;
  /** Reference that the payer typed: this charge's, one that resembles it, another charge's, or none. */
  readonly reference: 'named' | 'near' | 'other' | 'none';
  /** Detail of this charge that the payer typed instead of a reference. */
  readonly detail: Detail | undefined;
  /** True if the payer typed a detail of another candidate that this charge does not share. */
  readonly isOutnamed?: boolean;
  /** True if the same payer paid this charge shortly before or after, so the payment may be a second one for it. */
  readonly isRepeated?: boolean;
  /** Result of comparing the payer's name with the customer's. `unknown`: the charge has no customer name. */
  readonly name: 'fits' | 'shares' | 'differs' | 'unknown';
  /** True if the payer's name, or what they typed, contains what the customer answered at a link, such as a name. */
  readonly isAnswered: boolean;
  /** True if the network's text names the customer's number as the payer's. */
  readonly isCustomersNumber: boolean;
  /** Amount still due, or the charge's whole amount if nothing is due. */
  readonly duePesewas: number;
  /** True if a part has arrived and the remainder is due. */
  readonly isRest: boolean;
  readonly excessPesewas: number;
  readonly isLater: boolean;
}

export interface Candidates {
  /** The likeliest first. */
  readonly ranked: readonly Candidate[];
  /** Includes charges that can no longer be paid. */
  readonly compared: readonly Candidate[];
  /** True if more charges than were compared may be in the payer's name. */
  readonly isCut: boolean;
}

/** Returns a merchant's charges that a held payment may be meant for. The number of reads is bounded. */
export async function candidatesOf(outside: Outside, merchantId: string, receipt: PaymentReceipt): Promise<Candidates> {
  const [named, inName, likely] = await Promise.all([
    getNamed(outside, merchantId, receipt),
    listOfPayersName(outside, merchantId, receipt),
    Promise.all([
      listOfAmount(outside, merchantId, receipt),
      ...payerTerms(receipt).map((term) => listOfTerm(outside, merchantId, receipt, term)),
    ]),
  ]);
  const theirs = await listOfCustomer(outside, merchantId, receipt, named);
  const all = [...named, ...theirs, ...inName.repeated, ...inName.charges, ...likely.flat()];
  const found = new Map(all.map((charge) => [charge.reference, charge]));
  const theirOwn = [...found.values()].filter(({ merchant_id }) => merchant_id === merchantId);
  const known = await Promise.all(theirOwn.map((charge) => candidate(outside, receipt, charge)));
  const { payer_reference = '' } = receipt;
  // Many bills may have the same order number.
  const naming = new Map(known.filter(({ detail }) => detail).map((one) => [detailsOf(one.charge), one.charge]));
  // The payer may have named a bill that was paid since.
  const compared = known.map((one) => ({
    ...one,
    isRepeated: inName.repeated.some(({ reference }) => reference === one.charge.reference),
    isOutnamed: [...naming.values()].some((other) => namesDetailOf(payer_reference, other, one.charge)),
  }));
  const mayShow = compared
    .filter(
      ({ charge, isPayable, reference, isRepeated }) =>
        isPayable || isRepeated || reference === 'named' || isSuggested(receipt, charge),
    )
    .toSorted((one, other) => scoreOf(receipt, other) - scoreOf(receipt, one));
  const likelier = mayShow.filter((one) => isLikely(receipt, one));
  // Many charges may share a part of the payer's name. It counts only if no better candidate can be paid.
  const ranked = likelier.some(({ isPayable }) => isPayable) ? likelier : mayShow;
  return { ranked, compared, isCut: inName.isCut };
}

export async function candidate(outside: Outside, receipt: PaymentReceipt, charge: Charge): Promise<Candidate> {
  const missing = await missingOf(outside, withoutVouched(charge, receipt));
  const duePesewas = missing || charge.amount_pesewas;
  // Anybody can type another customer's details at a link.
  const typed = isNamedByMerchant(charge) ? detailTyped(receipt.payer_reference ?? '', charge) : undefined;
  const name = compareName(receipt, charge);
  const isCustomersNumber = receipt.payer_phone !== undefined && receipt.payer_phone === charge.customer_phone;
  // The payer's own name or number names no bill.
  const isOwn = (typed === 'name' && name === 'fits') || (typed === 'phone number' && isCustomersNumber);
  return {
    charge,
    isPayable: acceptsHeld(outside, charge, receipt),
    reference: compareReference(receipt, charge),
    detail: isOwn ? undefined : typed,
    name,
    isAnswered: isAnswered(receipt, charge),
    isCustomersNumber,
    duePesewas,
    isRest: missing > 0 && missing < askedPesewas(charge),
    excessPesewas: receipt.amount_pesewas - duePesewas,
    isLater: Date.parse(charge.created_at) > Date.parse(receipt.received_at) + CLOCK_TOLERANCE_MS,
  };
}

/** Returns the charge without the payments that `receipt` would replace if a person vouched for it. */
function withoutVouched(charge: Charge, receipt: PaymentReceipt): Charge {
  return withoutReplaced(charge, { ...receipt, proof: { state: 'proven' } });
}

/**
 * Returns the amount still due on a charge. For an underpaid charge of a payment request, this is at most what is
 * still due on the whole request.
 */
async function missingOf(outside: Outside, charge: Charge): Promise<number> {
  const { origin } = charge;
  if (!isRestOwed(charge) || origin.kind !== 'request') return missingPesewas(charge);
  const request = await findRequest(outside, origin.slug);
  const restPesewas = Math.max(0, askedPesewas(charge) - paidPesewas(charge));
  return request ? Math.min(restPesewas, recordedSums(request).openPesewas) : restPesewas;
}

async function getNamed(outside: Outside, merchantId: string, receipt: PaymentReceipt): Promise<Charge[]> {
  const { suggested_reference, payer_reference = null, reason, amount_pesewas: pesewas } = receipt;
  const { named, bare } = readTypedReference(payer_reference);
  const typed = [...named, ...bare].slice(0, MAX_LOOKUPS);
  const isUnclear = reason === 'reference_unclear' && mayHoldReference(payer_reference);
  const near = isUnclear ? await listNear(outside, merchantId, receipt) : [];
  const { between } = pageSince(receipt, MAX_OF_AMOUNT);
  const references = new Set([...(suggested_reference ? [suggested_reference] : []), ...typed, ...near]);
  const [known, ofDetails] = await Promise.all([
    references.size > 0 ? getCharges(outside, [...references]) : [],
    payer_reference && mayNameBill(payer_reference)
      ? listTyped(outside, merchantId, { typed: payer_reference, pesewas, between, isForPerson: true })
      : [],
  ]);
  return [...known, ...ofDetails.filter((one) => isNamedByMerchant(one) && detailTyped(payer_reference ?? '', one))];
}

async function listOfCustomer(
  outside: Outside,
  merchantId: string,
  receipt: PaymentReceipt,
  named: readonly Charge[],
): Promise<Charge[]> {
  const charge = receipt.reason === 'amount_of_another' && named.find((one) => isSuggested(receipt, one));
  if (!charge) return [];
  const { customer_phone, email } = charge;
  const terms: Term[] = [
    ...[...new Set([customer_phone, receipt.payer_phone])].flatMap((one): Term[] => (one ? [`phone:${one}`] : [])),
    ...(email ? [`email:${email.toLowerCase()}` as const] : []),
  ];
  const page = pageSince(receipt, MAX_OF_AMOUNT);
  const found = await Promise.all(terms.map((term) => findCharges(outside, merchantId, [term], page)));
  // Anybody can type this customer's number at a public link.
  return found.flatMap(({ entries }) => entries.filter(isNamedByMerchant));
}

async function listNear(outside: Outside, merchantId: string, receipt: PaymentReceipt): Promise<string[]> {
  const made = madeWithin(receipt.received_at, MAX_CHARGE_LIFETIME_MS);
  const lists = await Promise.all([
    listReferences(outside, merchantId, made, { limit: MAX_NEAR }),
    listReferences(outside, merchantId, made, { limit: MAX_NEAR, openedBy: 'stranger' }),
  ]);
  return lists
    .flat()
    .filter(nearTo(receipt.payer_reference ?? null))
    .slice(0, MAX_SHOWN);
}

/**
 * Finds the newest charges of the amount that existed when the payment arrived, and the first later ones. Open charges that
 * can be matched by name have their own index. The search finds all others, including paid ones.
 */
async function listOfAmount(outside: Outside, merchantId: string, receipt: PaymentReceipt): Promise<Charge[]> {
  const { amount_pesewas, received_at } = receipt;
  const made = madeWithin(received_at, MAX_CHARGE_LIFETIME_MS);
  const terms: [Term] = [`amount:${amount_pesewas}`];
  const before = { between: [made[0], `${made[1]}~`], newestFirst: true, limit: MAX_OF_AMOUNT } as const;
  const after = { between: [made[1], '~'], limit: MAX_OF_AMOUNT } as const;
  const [open, ...found] = await Promise.all([
    listOpenReferences(outside, merchantId, amount_pesewas, { made, limit: MAX_SHOWN }),
    ...[before, after].map((page) => findCharges(outside, merchantId, terms, page)),
  ]);
  const charges = found.flatMap(({ entries }) => entries);
  const known = new Set(charges.map(({ reference }) => reference));
  const others = open.filter((reference) => !known.has(reference));
  return [...charges, ...(await getCharges(outside, others))];
}

/**
 * Finds charges of the amount in the payer's whole name, however many others share a part of it. They are open, or were
 * when the payment arrived.
 */
async function listOfPayersName(outside: Outside, merchantId: string, receipt: PaymentReceipt) {
  const { amount_pesewas: pesewas, payer_name: name = '' } = receipt;
  const { between } = pageSince(receipt, MAX_OF_AMOUNT);
  const paid = { merchants: [merchantId], name, phone: undefined, pesewas, between, maxPaid: MAX_OF_AMOUNT };
  const { charges, isCut, mayBePaid } = await listOfPayer(outside, paid);
  const wasOpen = (charge: Charge) =>
    acceptsHeld(outside, charge, receipt) || (charge.paid_at ?? '') > receipt.received_at;
  const open = charges.filter(wasOpen);
  return {
    charges: open.slice(0, MAX_OF_AMOUNT),
    isCut: isCut || open.length > MAX_OF_AMOUNT,
    repeated: mayBePaid.filter((charge) => isRepeated(receipt, charge)).slice(0, MAX_REPEATED),
  };
}

/** True if the same payer paid this charge at most two hours before the payment or after it. */
function isRepeated({ payer_name, payer_phone, amount_pesewas, received_at }: PaymentReceipt, charge: Charge) {
  const isLately = (at: string) => Math.abs(Date.parse(at) - Date.parse(received_at)) <= NAME_DECIDES_MS;
  const isSame = (one: Payment) =>
    one.amount_pesewas === amount_pesewas && isLately(one.received_at) && isSamePayer(one, { payer_name, payer_phone });
  return (isSettled(charge) || charge.state === 'reversed') && paymentsOf(charge).some(isSame);
}

async function listOfTerm(
  outside: Outside,
  merchantId: string,
  receipt: PaymentReceipt,
  term: Term,
): Promise<Charge[]> {
  const limit = term.startsWith('phone:') ? MAX_OF_AMOUNT : MAX_OF_WORD;
  return (await findCharges(outside, merchantId, [term], pageSince(receipt, limit))).entries;
}

/**
 * Returns the start of the period in which the charge was created: one maximum charge lifetime before the payment. The
 * period ends now, because the shop may have created the charge after the payment.
 */
function pageSince({ received_at }: PaymentReceipt, limit: number) {
  const [from] = madeWithin(received_at, MAX_CHARGE_LIFETIME_MS);
  return { between: [from, '~'] as const, newestFirst: true, limit };
}

/**
 * Returns the payer's number and the longest words of the payer's name, which occur in the fewest names. If the
 * reference is unclear, also words that the payer typed, which may be a customer's name.
 */
function payerTerms({ payer_name = '', payer_phone, payer_reference = '', reason }: PaymentReceipt): Term[] {
  const longest = (name: string) => {
    const words = nameWords(name).filter((word) => word.length > 1);
    return words.toSorted((one, other) => other.length - one.length).slice(0, MAX_WORDS);
  };
  const typed = reason === 'reference_unclear' ? longest(payer_reference.replace(/\d/g, ' ')) : [];
  const words = [...new Set([...longest(payer_name), ...typed])];
  return [...(payer_phone ? [`phone:${payer_phone}` as const] : []), ...words.map((word) => `name:${word}` as const)];
}

function detailsOf({ merchant_reference, customer_phone, customer_name }: Charge): string {
  return JSON.stringify([merchant_reference, customer_phone, customer_name]);
}

function compareReference(receipt: PaymentReceipt, { reference }: Charge): Candidate['reference'] {
  const { payer_reference = null } = receipt;
  if (namesCharge(payer_reference, { reference })) return 'named';
  if (mayHoldReference(payer_reference) && isNearReference(payer_reference, reference)) return 'near';
  const { named, isBroken } = readTypedReference(payer_reference);
  return named.length > 0 || isBroken ? 'other' : 'none';
}

function compareName({ payer_name }: PaymentReceipt, { customer_name }: Charge): Candidate['name'] {
  if (!customer_name || !payer_name) return 'unknown';
  const words = nameWords(customer_name);
  if (words.length > 0 && isNamed(wholeName(customer_name) ?? words, payer_name)) return 'fits';
  return words.some((word) => word.length > 1 && isNamed([word], payer_name)) ? 'shares' : 'differs';
}

function isAnswered({ payer_name = '', payer_reference = '' }: PaymentReceipt, charge: Charge): boolean {
  const { customer_note } = cameWith(charge);
  return isInWholeName(customer_note, payer_name) || isInWholeName(customer_note, payer_reference);
}

function isLikely(receipt: PaymentReceipt, candidate: Candidate): boolean {
  const { charge, reference, detail, excessPesewas, isCustomersNumber, isRepeated = false } = candidate;
  const isTyped = reference === 'named' || reference === 'near' || detail !== undefined;
  const isInName = isNamedByMerchant(charge) && isInWholeName(charge.customer_name, receipt.payer_name ?? '');
  return isTyped || isCustomersNumber || isInName || isRepeated || excessPesewas === 0 || isSuggested(receipt, charge);
}

function isSuggested({ suggested_reference }: PaymentReceipt, { reference }: Charge): boolean {
  return suggested_reference === reference;
}

function scoreOf(
  receipt: PaymentReceipt,
  {
    charge,
    isPayable,
    isLater,
    reference,
    detail,
    isOutnamed,
    name,
    isAnswered,
    isCustomersNumber,
    excessPesewas,
    isRepeated,
  }: Candidate,
): number {
  return (
    (isSuggested(receipt, charge) ? 16 : 0) +
    { named: 12, near: 8, other: 0, none: 0 }[reference] +
    (detail && !isOutnamed ? 8 : 0) +
    (isCustomersNumber ? 4 : { fits: 4, shares: 1, differs: 0, unknown: 0 }[name]) +
    (excessPesewas === 0 ? 3 : 0) +
    (isRepeated ? 9 : 0) +
    // Above the shop's own bills that have only the amount.
    (isAnswered ? 5 : 0) +
    (isNamedByMerchant(charge) ? 4 : 0) +
    (isPayable ? 2 : 0) +
    (isLater ? 0 : 1)
  );
}
