import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { type AccountOfNumber, accountRows, merchantRows } from '../../merchants/merchant/merchant.table.ts';
import { nameDecidesUpToPesewas } from '../../merchants/merchant/merchant.ts';
import { isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import type { ForMoney, ReadFor } from '../charge/change-charge.table.ts';
import {
  askedPesewas,
  CHARGE_LIFETIME_MS,
  type Charge,
  chargeRows,
  getCharges,
  getOpenCharges,
  isMatchedByName,
  listOpenReferences,
  listReferences,
  type OpenCharge,
  type OpenCharges,
} from '../charge/charge.table.ts';
import { accountsOf, endedAtParts, isRestOwed, isSettled, MAX_CHARGE_LIFETIME_MS } from '../charge/charge.ts';
import { isNamed, isSameName, matchableName } from '../charge/customer-name.ts';
import { findCharges, listInNameOf } from '../charge/lookup.table.ts';
import { isNamedByMerchant, isNamedByStaff } from '../charge/origin.ts';
import { fitsAmount, givesWay, isUnproven, partGivingWay, withoutReplaced } from '../payment/backing.ts';
import {
  MAX_PART_PAYMENTS,
  type MatchedBy,
  missingPesewas,
  type Payment,
  paidPesewas,
  paymentsOf,
  refundedPesewas,
} from '../payment/payment.ts';
import { listMatched } from '../receipt/receipt.table.ts';
import { type HeldReason, isTestTransactionId, type Receipt } from '../receipt/receipt.ts';
import type { ToConfirm } from './admit.ts';
import { otherBillOf, payerOf } from './other-bill.ts';
import { listOfPayer } from './payers-bills.ts';
import { detailTyped, listOfDetails, namesDetailOf } from './typed-detail.ts';
import { mayHoldPart, mayHoldReference, nearTo, readTypedReference } from './typed-reference.ts';

export type Match =
  | {
      readonly pays: ForMoney & ToConfirm & ReadFor<'waiting'>;
      readonly matchedBy: Extract<MatchedBy, 'reference' | 'name'>;
    }
  | { readonly isPartOf: Charge }
  /** `isSuggested`: the payment's text does not name the charge, so it cannot replace the charge's payment. */
  | { readonly held: HeldReason; readonly about?: Charge; readonly isSuggested?: boolean };

/**
 * Maximum time by which a payment without a reference may seem older than its charge. Phones' clocks differ little,
 * because the network sets them.
 */
export const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Maximum age of a charge that can be matched by name. After that, anybody with that name could be the payer. */
export const NAME_DECIDES_MS = 2 * HOUR_MS;

/**
 * Maximum number of charges for the same amount to compare with a payer's name. If there are more, no charge is matched
 * by name.
 */
export const MAX_CANDIDATES = 200;

/** Maximum number of charges of a week in the payer's name to compare. If there are more, no charge is matched by name. */
const MAX_IN_NAME = 400;

export const MAX_LOOKUPS = 4;
const MAX_NEAR = 5000;

interface ToMatch {
  readonly payment: WalletPayment;
  readonly receipt: Arrived & Pick<Receipt, 'momo_number' | 'merchant_id'>;
  readonly accounts: readonly AccountOfNumber[];
  /** The payment as it is held now, if it is being re-evaluated. */
  readonly current?: Pick<Receipt, 'suggested_reference' | 'merchant_id'> | undefined;
}

/**
 * Finds the charge that a payment is meant for. A payment whose reference field contains anything like a reference is
 * never matched by name.
 */
export async function matchPayment(outside: TableOutside, given: ToMatch): Promise<Match> {
  const match = await matchFreely(outside, given);
  const isAboutNone = 'held' in match && !match.about;
  return (isAboutNone && (await byKnownCharge(outside, given))) || match;
}

async function matchFreely(outside: TableOutside, { payment, receipt, accounts }: ToMatch): Promise<Match> {
  const { momo_number: momoNumber } = receipt;
  if (!momoNumber) return holdUnplaced(outside, 'number_unknown', { payment, receipt });
  if (accounts.length > 0 && !accounts.some(({ network }) => network === payment.network)) {
    return { held: 'network_differs' };
  }
  return (
    (await byTypedReference(outside, payment, { ...receipt, momoNumber }, accounts)) ??
    (await byPayersName(outside, payment, receipt, accounts))
  );
}

/**
 * Holds a payment whose number is unknown or has no phone. A charge of the payment's own merchant that the payment names
 * is only recorded: such a payment never confirms anything.
 */
export async function holdUnplaced(
  outside: TableOutside,
  held: 'number_unknown' | 'number_not_placed',
  { payment, receipt: { merchant_id } }: Pick<ToMatch, 'payment'> & { readonly receipt: Pick<Receipt, 'merchant_id'> },
): Promise<Match> {
  const about = merchant_id === undefined ? undefined : await namedChargeOf(outside, payment, merchant_id);
  return { held, ...(about && { about }) };
}

/** Finds the merchant's charge whose reference is the only one in a payment's reference field. */
export async function namedChargeOf(
  outside: TableOutside,
  { reference }: Pick<WalletPayment, 'reference'>,
  merchantId: string,
): Promise<Charge | undefined> {
  const { named, bare, isBroken } = readTypedReference(reference);
  const [only, ...others] = [...named, ...bare];
  if (isBroken || only === undefined || others.length > 0) return undefined;
  const charge = await chargeRows.find(outside, { reference: only });
  return charge?.merchant_id === merchantId ? charge : undefined;
}

/**
 * Re-evaluates a payment that is held for a charge that its text does not name, for example because its payer's name
 * matched while the charge was disputed. Names match only pending charges, so a charge that has ended is found only by
 * the stored suggestion. The suggestion never pays a charge.
 */
async function byKnownCharge(
  outside: TableOutside,
  { payment, receipt, current }: ToMatch,
): Promise<Match | undefined> {
  const { suggested_reference: reference, merchant_id } = current ?? {};
  const charge = reference === undefined ? undefined : await chargeRows.find(outside, { reference });
  if (!charge || charge.merchant_id !== merchant_id) return undefined;
  const match = matchByReference(payment, receipt, charge);
  if ('held' in match) return { ...match, isSuggested: true };
  // A pending charge no longer fits the payment's amount or name.
  return charge.state === 'expired' ? { held: 'charge_expired', about: charge, isSuggested: true } : undefined;
}

type Arrived = Pick<Receipt, 'received_at' | 'proof'>;

async function byTypedReference(
  outside: TableOutside,
  payment: WalletPayment,
  { momoNumber, ...arrived }: Arrived & { readonly momoNumber: string },
  accounts: readonly AccountOfNumber[],
): Promise<Match | undefined> {
  const receivedAt = arrived.received_at;
  const unclear: Match = { held: 'reference_unclear' };
  const { named, bare, isBroken } = readTypedReference(payment.reference);
  if (isBroken || named.length > 1 || named.length + bare.length > MAX_LOOKUPS) return unclear;
  const found = await Promise.all([...named, ...bare].map((reference) => chargeRows.find(outside, { reference })));
  const here = found.filter((charge) => isPaidOn(charge, payment, momoNumber, accounts));
  const [reference] = named;
  if (reference) {
    const charge = here.find((one) => one.reference === reference);
    const isAlone = here.every((one) => one === charge || !isWaiting(one, receivedAt));
    return charge && isAlone ? unlessSwapped(outside, payment, arrived, charge) : unclear;
  }
  const waiting = here.filter((charge) => isWaiting(charge, receivedAt));
  if (waiting.length > 1) return unclear;
  // Ten digits that match a charge's reference are never a phone number: those begin with 0, and references do not.
  const [charge = here[0]] = waiting;
  if (charge) return unlessSwapped(outside, payment, arrived, charge);
  return (await isNearAReference(outside, payment.reference, receivedAt, accounts)) ? unclear : undefined;
}

/**
 * Matches a payment by reference. If the payment's amount is exactly that of a different charge for the same customer,
 * the customer may have swapped the references, and a person decides.
 */
async function unlessSwapped(
  outside: TableOutside,
  payment: WalletPayment,
  arrived: Arrived,
  charge: Charge,
): Promise<Match> {
  const { received_at: receivedAt, proof } = arrived;
  const match = matchByReference(payment, arrived, charge);
  if ('held' in match || isTestTransactionId(payment.transactionId) || isOfAmount(payment, charge, proof)) return match;
  const made = madeWithin(receivedAt, CHARGE_LIFETIME_MS);
  const madeIfLong = madeWithin(receivedAt, MAX_CHARGE_LIFETIME_MS);
  const counted = withoutReplaced(charge, ofPayment(payment, proof));
  const other = await otherBillOf(outside, payment, counted, { receivedAt, made, madeIfLong });
  if (!other) return match;
  const mayBeOfAmount = proof?.state === 'checking' && isOfAmount(payment, charge, { state: 'proven' });
  return { held: mayBeOfAmount ? 'checking' : 'amount_of_another', about: charge };
}

/** If a charge's parts total no more than this, they do not affect matching, because anybody could have added them. */
const MAX_IGNORED_PARTS_PESEWAS = 99;

/**
 * True if a payment is exactly the amount still due on a charge. Also true if it is the charge's whole amount and the
 * parts total less than GHS 1, because anybody can add such parts. For a verified payment, this total does not include
 * unverified parts.
 */
function isOfAmount(payment: WalletPayment, charge: Charge, proof: Arrived['proof']): boolean {
  const { parts = [], ...counted } = withoutReplaced(charge, ofPayment(payment, proof));
  if (payment.amountPesewas === missingPesewas({ ...counted, parts })) return true;
  const left = isUnproven({ proof }) ? parts : parts.filter((part) => !givesWay(part));
  return (
    charge.state === 'pending' &&
    payment.amountPesewas === charge.amount_pesewas &&
    paidPesewas({ ...counted, parts: left }) <= MAX_IGNORED_PARTS_PESEWAS
  );
}

function ofPayment({ network, transactionId: transaction_id }: WalletPayment, proof: Arrived['proof']) {
  return { network, transaction_id, proof };
}

async function isNearAReference(
  outside: TableOutside,
  reference: string | null,
  receivedAt: string,
  accounts: readonly AccountOfNumber[],
): Promise<boolean> {
  const mayBeWhole = mayHoldReference(reference);
  if (!mayBeWhole && !mayHoldPart(reference)) return false;
  if (accounts.length === 0) return mayBeWhole;
  const isNear = nearTo(reference);
  for (const { merchant_id } of accounts) {
    const madeLately = madeWithin(receivedAt, CHARGE_LIFETIME_MS);
    const lately = await listReferences(outside, merchant_id, madeLately, { limit: MAX_NEAR + 1 });
    const isTooMany = mayBeWhole && lately.length > MAX_NEAR;
    if (isTooMany || lately.some(isNear)) return true;
    const madeBefore = madeWithin(receivedAt, MAX_CHARGE_LIFETIME_MS);
    const before = await listReferences(outside, merchant_id, [madeBefore[0], madeLately[0]], { limit: MAX_NEAR });
    const near = before.filter(isNear);
    // Compare only the newest charges opened by strangers. A flood of them must not make payments ambiguous.
    const opened = await listReferences(outside, merchant_id, madeLately, { limit: MAX_NEAR, openedBy: 'stranger' });
    if (opened.some(isNear)) return true;
    if ((await getOpenCharges(outside, near)).some(({ expires_at }) => expires_at >= receivedAt)) return true;
  }
  return false;
}

async function byPayersName(
  outside: TableOutside,
  payment: WalletPayment,
  arrived: Arrived,
  accounts: readonly AccountOfNumber[],
): Promise<Match> {
  const open = await listOpenOfAmount(outside, payment, arrived, accounts);
  const matched = open ? matchByName(payment, arrived, open) : ({ held: 'too_many_open' } as const);
  const fits = 'fits' in matched ? matched.fits : undefined;
  // Such a payment belongs to no other charge, and to no cashier.
  const merchants = [...new Set([...(fits ? [fits] : []), ...accounts].map(({ merchant_id }) => merchant_id))];
  if (await namesOther(outside, payment, arrived, { fits, open, merchants })) return { held: 'reference_unclear' };
  if ('held' in matched) return matched;
  const compared = { fits: matched.fits, merchants };
  const mayBeOthers = [mayPayAnother, mayRepeatAnother].map((rule) => rule(outside, payment, arrived, compared));
  if ((await Promise.all(mayBeOthers)).includes(true)) return { held: 'several_fit' };
  const merchant = await merchantRows.find(outside, matched.fits);
  if (!merchant || payment.amountPesewas > nameDecidesUpToPesewas(merchant)) return { held: 'name_only' };
  if (!matched.fits.disputed) return { pays: matched.fits, matchedBy: 'name' };
  const about = await chargeRows.find(outside, matched.fits);
  return { held: 'charge_disputed', ...(about && { about }) };
}

interface Fitting {
  readonly fits: OpenCharge;
  readonly merchants: readonly string[];
}

/**
 * True if another customer's open charge, of any age, is for the payment's amount and in the payer's whole name or with
 * the number that the network reports. Also true if the payer has just paid one of these charges: `mayRepeatAnother`
 * reads an index, which may not list that payment yet.
 */
async function mayPayAnother(
  outside: TableOutside,
  payment: WalletPayment,
  { received_at: receivedAt, proof }: Arrived,
  { fits, merchants }: Fitting,
): Promise<boolean> {
  const { payerName: name, amountPesewas: pesewas } = payment;
  const [from, to] = madeWithin(receivedAt, MAX_CHARGE_LIFETIME_MS);
  const { phone } = payerOf(payment);
  const paid = { merchants, name, phone, pesewas, between: [from, `${to}~`], most: MAX_IN_NAME } as const;
  const { charges, isCut } = await listOfPayer(outside, paid);
  const others = charges.filter(({ reference }) => reference !== fits.reference);
  const isAnothers = others.some(
    (other) =>
      other.state === 'pending' &&
      isWaiting(other, receivedAt) &&
      fitsAmount(other, ofPayment(payment, proof), pesewas) &&
      !isSameCustomer(other, fits),
  );
  const paying = { payer_name: name, payer_phone: phone };
  const isRepeated = others
    .flatMap(countedPayments)
    .some((one) => one.amount_pesewas === pesewas && isSamePayer(one, paying) && one.received_at >= fits.created_at);
  return isCut || isAnothers || isRepeated;
}

function countedPayments(charge: Charge): Payment[] {
  return charge.state === 'success' || charge.state === 'pending' ? paymentsOf(charge) : [];
}

/** True if the payer paid another charge of this amount since `fits` was opened, and may be paying it a second time. */
async function mayRepeatAnother(
  outside: TableOutside,
  payment: WalletPayment,
  { received_at }: Arrived,
  { fits, merchants }: Fitting,
): Promise<boolean> {
  const { payerName: payer_name, amountPesewas: amount_pesewas } = payment;
  const paying = { payer_name, payer_phone: payerOf(payment).phone, amount_pesewas, received_at };
  const paid = await Promise.all(merchants.map((id) => listPaidLately(outside, id, paying)));
  return paid.flat().some((one) => one.reference !== fits.reference && one.received_at >= fits.created_at);
}

type Payer = Pick<Receipt, 'payer_name' | 'payer_phone'>;

interface Paying extends Payer, Pick<Receipt, 'received_at'> {
  readonly amount_pesewas: number;
}

/** Lists a merchant's matched payments of the same amount and payer that arrived since two hours before the given one. */
export async function listPaidLately(outside: TableOutside, merchantId: string, paying: Paying) {
  const [since] = madeWithin(paying.received_at, NAME_DECIDES_MS);
  const paid = await listMatched(outside, merchantId, [since, '~']);
  return paid.filter((one) => one.amount_pesewas === paying.amount_pesewas && isSamePayer(one, paying));
}

/** True if two payments have the same payer's name, and no different phone numbers. */
export function isSamePayer(one: Payer, other: Payer): boolean {
  const [phone, others] = [one.payer_phone, other.payer_phone];
  const isOtherPhone = phone !== undefined && others !== undefined && phone !== others;
  return !isOtherPhone && one.payer_name?.toUpperCase() === other.payer_name?.toUpperCase();
}

/** Returns undefined if there are too many to compare. */
async function listOpenOfAmount(
  outside: TableOutside,
  { payerIsInstitution, amountPesewas }: WalletPayment,
  { received_at: receivedAt }: Arrived,
  accounts: readonly AccountOfNumber[],
): Promise<OpenCharge[] | undefined> {
  // Payments through a bank or agent all have the same payer name.
  if (payerIsInstitution) return [];
  const made = madeWithin(receivedAt, NAME_DECIDES_MS);
  const references = await listOpenReferencesOf(outside, accounts, amountPesewas, { made });
  return references.length > MAX_CANDIDATES ? undefined : getOpenCharges(outside, references);
}

/** Maximum number of the newest charges of an amount to compare with what a payer typed. */
const MAX_OF_AMOUNT = 50;

interface Compared {
  readonly fits: OpenCharge | undefined;
  readonly open: readonly OpenCharge[] | undefined;
  readonly merchants: readonly string[];
}

/**
 * True if the payer typed a detail of an open charge other than `fits`, such as its order number, or the order number of
 * a paid one of the amount.
 */
async function namesOther(
  outside: TableOutside,
  { reference: typed, amountPesewas }: WalletPayment,
  { received_at: receivedAt }: Arrived,
  { fits, open = [], merchants }: Compared,
): Promise<boolean> {
  if (!typed) return false;
  const isOther = (other: OpenCharge) =>
    (isWaiting(other, receivedAt) || isPaidOrder(other)) && namesDetailOf(typed, other, fits ?? {});
  // The payer may be paying it a second time.
  const isPaidOrder = (other: OpenCharge) =>
    other.state === 'success' && other.amount_pesewas === amountPesewas && detailTyped(typed, other) === 'order number';
  if (open.some(isOther)) return true;
  const page = { newestFirst: true, limit: MAX_OF_AMOUNT };
  const [from, to] = madeWithin(receivedAt, MAX_CHARGE_LIFETIME_MS);
  const found = await Promise.all(
    merchants.map(async (id) => {
      const [{ entries: ofAmount }, named] = await Promise.all([
        findCharges(outside, id, [`amount:${amountPesewas}`], page),
        listTyped(outside, id, { typed, pesewas: amountPesewas, between: [from, `${to}~`] }),
      ]);
      return [...ofAmount, ...named];
    }),
  );
  // Anybody can type another customer's details at a link.
  return found.flat().some((other) => isNamedByMerchant(other) && isOther(other));
}

interface Typed {
  readonly typed: string;
  readonly pesewas: number;
  readonly between: readonly [string, string];
  /** If true, includes charges in the typed name from a website that are for another amount. */
  readonly isForPerson?: boolean;
}

/**
 * Lists a merchant's charges whose order number, phone number or customer's name was typed. Of the names that a website
 * supplied, only those of the amount count: one checkout as “School Fees” would otherwise hold all payments with these
 * words.
 */
export async function listTyped(
  outside: TableOutside,
  merchantId: string,
  { typed, pesewas, between, isForPerson = false }: Typed,
): Promise<Charge[]> {
  const [ofDetails, { named, namedOfAny }] = await Promise.all([
    listOfDetails(outside, merchantId, typed),
    listInNameOf(outside, { merchants: [merchantId], payerName: typed, pesewas, between }),
  ]);
  const ofAmount = new Set(named);
  const inName = await getCharges(outside, [...ofAmount.union(new Set(namedOfAny))].slice(0, MAX_OF_AMOUNT));
  const counts = (charge: Charge) => isForPerson || isNamedByStaff(charge) || ofAmount.has(charge.reference);
  return [...ofDetails, ...inName.filter(counts)];
}

export async function listOpenReferencesOf(
  outside: TableOutside,
  accounts: readonly Pick<AccountOfNumber, 'merchant_id'>[],
  amountPesewas: number,
  { made, madeIfLong, limit = MAX_CANDIDATES + 1 }: Omit<OpenCharges, 'limit'> & Partial<Pick<OpenCharges, 'limit'>>,
): Promise<string[]> {
  const merchants = new Set(accounts.map(({ merchant_id }) => merchant_id));
  const found = await Promise.all(
    [...merchants].map((id) => listOpenReferences(outside, id, amountPesewas, { made, limit, madeIfLong })),
  );
  return found.flat();
}

export function madeWithin(receivedAt: string, lifeMs: number): readonly [string, string] {
  const receivedMs = Date.parse(receivedAt);
  return [isoOf(receivedMs - lifeMs), isoOf(receivedMs + CLOCK_TOLERANCE_MS)];
}

/**
 * True if a charge can be paid to this number: the charge's page shows the number, or the number belongs to the
 * charge's merchant. `accounts`: the accounts on `momoNumber`.
 */
export function isPaidOn(
  charge: Charge | undefined,
  payment: WalletPayment,
  momoNumber: string,
  accounts: readonly AccountOfNumber[],
): charge is Charge {
  if (!charge || !mayBelongTo(charge.merchant_id, accounts)) return false;
  const itsOwn = accounts.filter(({ merchant_id }) => merchant_id === charge.merchant_id);
  return [...accountsOf(charge), ...itsOwn].some(
    ({ number, network }) => number === momoNumber && network === payment.network,
  );
}

/**
 * True if the number belongs to the merchant or to nobody. Charges may still be open on a merchant's former number,
 * which may belong to nobody.
 */
function mayBelongTo(merchantId: string, accounts: readonly AccountOfNumber[]): boolean {
  return accounts.length === 0 || accounts.some(({ merchant_id }) => merchant_id === merchantId);
}

/**
 * True if a stored payment belongs to this merchant. Also true if it belongs to no merchant but was paid to a number
 * that may be this merchant's.
 */
export async function mayBeOf(
  outside: TableOutside,
  { merchant_id, momo_number }: Pick<Receipt, 'merchant_id' | 'momo_number'>,
  merchantId: string,
): Promise<boolean> {
  if (merchant_id !== undefined) return merchant_id === merchantId;
  return !momo_number || mayBelongTo(merchantId, await accountRows.list(outside, { number: momo_number }));
}

export function isWaiting(charge: Pick<Charge, 'state' | 'paid_as' | 'expires_at'>, receivedAt: string): boolean {
  const { state, paid_as, expires_at } = charge;
  return (state === 'pending' || state === 'expired') && paid_as === undefined && receivedAt <= expires_at;
}

/**
 * Matches a payment to the charge whose reference was typed, or holds it if anything contradicts the match. An
 * overpayment pays the charge; an underpayment becomes a part. Once the charge has the maximum number of parts, only a
 * verified payment can be added, and it replaces an unverified part.
 */
export function matchByReference(
  payment: WalletPayment,
  { received_at: receivedAt, proof }: Arrived,
  charge: Charge,
): Match {
  const without = withoutReplaced(charge, ofPayment(payment, proof));
  // The payment request still needs the remaining amount, so this is not a second payment.
  if (isRestOwed(charge))
    return isRestInTime(without, payment, receivedAt) && !isReplacingRefunded(charge, without)
      ? { isPartOf: charge }
      : { held: 'charge_expired', about: charge };
  if (isSettled(charge)) return { held: 'already_paid', about: charge };
  if (charge.state === 'reversed') return { held: 'charge_reversed', about: charge };
  if (charge.state === 'cancelled') return { held: 'charge_cancelled', about: charge };
  if (receivedAt > charge.expires_at) return { held: 'charge_expired', about: charge };
  const isExpired = charge.state === 'expired';
  // A verified payment of the whole amount needs none of the parts, of which one is in doubt. Parts of an expired charge
  // no longer count.
  const isWhole = payment.amountPesewas >= charge.amount_pesewas;
  const mayReplace = isExpired || (charge.parts ?? []).every(givesWay);
  if (charge.disputed && !(isWhole && proof?.state === 'proven' && mayReplace))
    // A payment of the whole amount may still pay an expired charge once it is verified.
    return { held: isExpired && !isWhole ? 'charge_expired' : 'charge_disputed', about: charge };
  if (payment.amountPesewas >= missingPesewas(without)) return { pays: charge, matchedBy: 'reference' };
  if (isExpired) return { held: 'charge_expired', about: charge };
  const isFull = (without.parts ?? []).length >= MAX_PART_PAYMENTS;
  if (isFull && (proof?.state !== 'proven' || !partGivingWay(charge))) return { held: 'amount_differs', about: charge };
  return { isPartOf: charge };
}

/**
 * Returns true if a charge was closed as paid before all of its parts had arrived, and the payment is no larger than
 * the missing amount and was made before the charge expired.
 */
function isRestInTime(charge: Charge, { amountPesewas }: WalletPayment, receivedAt: string): boolean {
  const { parts = [], disputed, expires_at } = charge;
  const isInTime = endedAtParts(charge) && receivedAt <= expires_at;
  const isRest = amountPesewas <= askedPesewas(charge) - paidPesewas(charge);
  return isInTime && isRest && !disputed && parts.length < MAX_PART_PAYMENTS;
}

/** True if a payment would replace a part of a charge that has refunds. The refunds could then exceed the new total. */
function isReplacingRefunded(charge: Charge, without: Charge): boolean {
  return refundedPesewas(charge.refunds) > 0 && paidPesewas(without) < paidPesewas(charge);
}

/**
 * Finds the open charge that fits the amount and the payer. `open`: recent charges on this number whose full or
 * outstanding amount is the payment's. If one customer restarted the checkout, returns that customer's newest charge, or
 * the disputed one. Other ambiguous payments are held. The amount alone never confirms a charge.
 */
export function matchByName(
  payment: WalletPayment,
  arrived: Arrived,
  open: readonly OpenCharge[],
): { readonly fits: OpenCharge } | { readonly held: HeldReason } {
  const candidates = open.filter((charge) => isCandidate(charge, payment, arrived));
  if (candidates.length === 0) return { held: 'no_charge' };
  const fitting = candidates
    .filter((charge) => fitsPayer(charge, payment.payerName))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const [newest, ...others] = fitting;
  if (!newest) return { held: 'name_differs' };
  if (others.some((charge) => !isSameCustomer(charge, newest))) return { held: 'several_fit' };
  return { fits: fitting.find(({ disputed }) => disputed) ?? newest };
}

function isCandidate(charge: OpenCharge, payment: WalletPayment, { received_at: receivedAt, proof }: Arrived): boolean {
  const createdMs = Date.parse(charge.created_at);
  const receivedMs = Date.parse(receivedAt);
  return (
    charge.state === 'pending' &&
    fitsAmount(charge, ofPayment(payment, proof), payment.amountPesewas) &&
    createdMs <= receivedMs + CLOCK_TOLERANCE_MS &&
    receivedMs <= createdMs + NAME_DECIDES_MS &&
    receivedAt <= charge.expires_at
  );
}

export function fitsPayer(charge: Pick<Charge, 'customer_name' | 'origin'>, payerName: string): boolean {
  const words = isMatchedByName(charge) ? matchableName(charge.customer_name ?? '') : undefined;
  return words !== undefined && isNamed(words, payerName);
}

type Customer = Pick<Charge, 'merchant_id' | 'customer_name' | 'email' | 'customer_phone'>;

/**
 * True if two of a merchant's charges are for the same customer: the names match, the e-mail or phone number matches,
 * and nothing differs. Anybody could enter these details, so use the result only to choose among one customer's
 * checkouts.
 */
export function isSameCustomer(one: Customer, other: Customer): boolean {
  const [words, otherWords] = [matchableName(one.customer_name ?? ''), matchableName(other.customer_name ?? '')];
  if (one.merchant_id !== other.merchant_id || !words || !otherWords || !isSameName(words, otherWords)) return false;
  const contacts = [
    [one.email?.toLowerCase(), other.email?.toLowerCase()],
    [one.customer_phone, other.customer_phone],
  ].filter(([mine, theirs]) => mine && theirs);
  return contacts.length > 0 && contacts.every(([mine, theirs]) => mine === theirs);
}
