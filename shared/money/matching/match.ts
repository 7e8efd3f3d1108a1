import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { type AccountOfNumber, accountRows, merchantRows } from '../../merchants/merchant/merchant.table.ts';
import { nameDecidesUpToPesewas } from '../../merchants/merchant/merchant.ts';
import { FRESH_SECONDS } from '../../phones/gateway/fresh-callback.ts';
import { isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import type { ForMoney } from '../charge/change-charge.table.ts';
import {
  CHARGE_LIFETIME_MS,
  type Charge,
  chargeRows,
  getOpenCharges,
  isMatchedByName,
  listOpenReferences,
  listReferences,
  type OpenCharge,
  type OpenCharges,
} from '../charge/charge.table.ts';
import { accountsOf, isSettled, MAX_CHARGE_LIFETIME_MS } from '../charge/charge.ts';
import { isNamed, isSameName, matchableName } from '../charge/customer-name.ts';
import { MAX_PARTS, type MatchedBy, missingPesewas } from '../payment/payment.ts';
import { type HeldReason, isTestTransactionId, type Receipt } from '../receipt/receipt.ts';
import type { ToConfirm } from './admit.ts';
import { otherBillOf } from './other-bill.ts';
import { isNearReference, mayHoldReference, readTypedReference } from './typed-reference.ts';

/** The charge that a payment pays or is a part of, or why it is held. */
export type Match =
  | {
      readonly pays: ForMoney & ToConfirm;
      readonly matchedBy: Extract<MatchedBy, 'reference' | 'name'>;
    }
  /** It names this charge and is less than what it lacks. */
  | { readonly isPartOf: Charge }
  /** `about` is the charge that was meant, where that is certain. */
  | { readonly held: HeldReason; readonly about?: Charge };

/**
 * The lag allowed for a phone's clock: a payment this long before its charge still counts as made for it. Phones are
 * set by their network, to the second.
 */
export const CLOCK_TOLERANCE_MS = 60_000;

/** For how long after a charge was made a payer's name is enough. Somebody who pays later may be anybody of that name. */
export const NAME_DECIDES_MS = 2 * 60 * 60 * 1000;

/** Charges of one amount compared with a payer's name. If more wait, the name decides nothing. */
export const MAX_CANDIDATES = 200;

/** References of one payment looked up. A longer text was pasted and means something else. */
export const MAX_LOOKUPS = 4;
/** Charges of a day compared with a mistyped reference: a page of the index. With more, it could be any of them. */
const MAX_NEAR = 5000;

/**
 * Finds the charge that a payment is meant for. A payment whose reference
 * field holds anything like a charge's reference is matched by it or held, never matched by its payer's name.
 */
export async function matchPayment(
  outside: TableOutside,
  payment: WalletPayment,
  { momo_number: momoNumber, received_at: receivedAt }: Pick<Receipt, 'momo_number' | 'received_at'>,
  accounts: readonly AccountOfNumber[],
): Promise<Match> {
  if (!momoNumber) return { held: 'number_unknown' };
  if (accounts.length > 0 && !accounts.some(({ network }) => network === payment.network)) {
    return { held: 'network_differs' };
  }
  return (
    (await byTypedReference(outside, payment, { momoNumber, receivedAt }, accounts)) ??
    (await byPayersName(outside, payment, receivedAt, accounts))
  );
}

/** Undefined where the payer typed nothing like a reference. */
async function byTypedReference(
  outside: TableOutside,
  payment: WalletPayment,
  { momoNumber, receivedAt }: { readonly momoNumber: string; readonly receivedAt: string },
  accounts: readonly AccountOfNumber[],
): Promise<Match | undefined> {
  const unclear: Match = { held: 'reference_unclear' };
  const { named, bare, isBroken } = readTypedReference(payment.reference);
  if (isBroken || named.length > 1 || named.length + bare.length > MAX_LOOKUPS) return unclear;
  const found = await Promise.all([...named, ...bare].map((reference) => chargeRows.find(outside, { reference })));
  const here = found.filter((charge) => isPaidOn(charge, payment, momoNumber, accounts));
  const [reference] = named;
  if (reference) {
    const charge = here.find((one) => one.reference === reference);
    const isAlone = here.every((one) => one === charge || !isWaiting(one, receivedAt));
    return charge && isAlone ? unlessSwapped(outside, payment, receivedAt, charge) : unclear;
  }
  const waiting = here.filter((charge) => isWaiting(charge, receivedAt));
  if (waiting.length > 1) return unclear;
  // Ten digits that are a charge of this number are not a phone number: no reference begins with 0.
  const [charge = here[0]] = waiting;
  if (charge) return unlessSwapped(outside, payment, receivedAt, charge);
  return (await isNearAReference(outside, payment.reference, receivedAt, accounts)) ? unclear : undefined;
}

/**
 * Matches a payment by its reference, unless its amount is exactly that of another bill of the customer: they may have swapped two
 * references, and a person who sees both bills decides.
 */
async function unlessSwapped(
  outside: TableOutside,
  payment: WalletPayment,
  receivedAt: string,
  charge: Charge,
): Promise<Match> {
  const match = matchByReference(payment, receivedAt, charge);
  // A test says which charge it is for.
  const isCertain = isTestTransactionId(payment.transactionId) || payment.amountPesewas === missingPesewas(charge);
  if ('held' in match || isCertain) return match;
  const made = madeWithin(receivedAt, CHARGE_LIFETIME_MS);
  const madeIfLong = madeWithin(receivedAt, MAX_CHARGE_LIFETIME_MS);
  const other = await otherBillOf(outside, payment, charge, { receivedAt, made, madeIfLong });
  return other ? { held: 'amount_of_another', about: charge } : match;
}

/** True if a payer typed, with an error, the reference of a charge of this number's merchants, paid or not. */
async function isNearAReference(
  outside: TableOutside,
  reference: string | null,
  receivedAt: string,
  accounts: readonly AccountOfNumber[],
): Promise<boolean> {
  if (!mayHoldReference(reference)) return false;
  // The number belongs to no merchant any more: earlier charges may still wait on it.
  if (accounts.length === 0) return true;
  for (const { merchant_id } of accounts) {
    const madeLately = madeWithin(receivedAt, CHARGE_LIFETIME_MS);
    const lately = await listReferences(outside, merchant_id, madeLately, { limit: MAX_NEAR + 1 });
    if (lately.length > MAX_NEAR || lately.some((one) => isNearReference(reference, one))) return true;
    // Few are open for longer. Where a merchant has very many, the newest of them are compared.
    const madeBefore = madeWithin(receivedAt, MAX_CHARGE_LIFETIME_MS);
    const before = await listReferences(outside, merchant_id, [madeBefore[0], madeLately[0]], { limit: MAX_NEAR });
    const near = before.filter((one) => isNearReference(reference, one));
    // However many strangers open, they make no other charge's payment unclear: none is counted, the newest are compared.
    const opened = await listReferences(outside, merchant_id, madeLately, { limit: MAX_NEAR, openedBy: 'stranger' });
    if (opened.some((one) => isNearReference(reference, one))) return true;
    if ((await getOpenCharges(outside, near)).some(({ expires_at }) => expires_at >= receivedAt)) return true;
  }
  return false;
}

async function byPayersName(
  outside: TableOutside,
  payment: WalletPayment,
  receivedAt: string,
  accounts: readonly AccountOfNumber[],
): Promise<Match> {
  // A bank's or an agent's name is on the payments of everybody who pays through it.
  if (payment.payerIsInstitution) return { held: 'no_charge' };
  const made = madeWithin(receivedAt, NAME_DECIDES_MS);
  const references = await listOpenReferencesOf(outside, accounts, payment.amountPesewas, { made });
  if (references.length > MAX_CANDIDATES) return { held: 'too_many_open' };
  const matched = matchByName(payment, receivedAt, await getOpenCharges(outside, references));
  if ('held' in matched) return matched;
  const merchant = await merchantRows.find(outside, matched.fits);
  if (!merchant || payment.amountPesewas > nameDecidesUpToPesewas(merchant)) return { held: 'name_only' };
  return { pays: matched.fits, matchedBy: 'name' };
}

/** The open charges of an amount whose customers have matchable names, of all merchants of a number; at least `limit` where there are as many. */
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

/** The period (ISO) in which a charge that a payment of this moment is for was created, given its lifetime. */
export function madeWithin(receivedAt: string, lifeMs: number): readonly [string, string] {
  const receivedMs = Date.parse(receivedAt);
  return [isoOf(receivedMs - lifeMs), isoOf(receivedMs + CLOCK_TOLERANCE_MS)];
}

/**
 * True if a charge is paid on the number that a payment reached: the number that its page shows, or another one of its
 * merchant's. `accounts` are those of `momoNumber`.
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

/** True if money on a number may be a merchant's: the number is theirs, or nobody's while their earlier charges may still wait on it. */
function mayBelongTo(merchantId: string, accounts: readonly AccountOfNumber[]): boolean {
  return accounts.length === 0 || accounts.some(({ merchant_id }) => merchant_id === merchantId);
}

/** True if a stored payment is a merchant's, or is nobody's yet and reached a number that may be theirs. */
export async function mayBeOf(
  outside: TableOutside,
  { merchant_id, momo_number }: Pick<Receipt, 'merchant_id' | 'momo_number'>,
  merchantId: string,
): Promise<boolean> {
  if (merchant_id !== undefined) return merchant_id === merchantId;
  return !momo_number || mayBelongTo(merchantId, await accountRows.list(outside, { number: momo_number }));
}

/** True if a charge could be paid when the payment arrived, even if it has ended since. */
export function isWaiting(charge: Charge, receivedAt: string): boolean {
  const { state, paid_as, expires_at } = charge;
  return (state === 'pending' || state === 'expired') && paid_as === undefined && receivedAt <= expires_at;
}

/**
 * Decides about a payment that names a charge. The reference is certain, so a person decides about anything that contradicts
 * it. Too much also pays the charge: its merchant learns both amounts. Too little is counted until the rest arrives.
 */
export function matchByReference(payment: WalletPayment, receivedAt: string, charge: Charge): Match {
  // Nobody can have typed a reference that did not exist. A phone whose clock is off by more than this cannot post.
  const latestMs = Date.parse(receivedAt) + FRESH_SECONDS * 1000;
  if (latestMs < Date.parse(charge.created_at)) return { held: 'before_charge', about: charge };
  // A request's charge ends at what has come: what was sent in its time and is told of late is no second payment.
  const isLatePart =
    charge.origin.kind === 'request' && receivedAt <= charge.expires_at && charge.expires_at <= (charge.paid_at ?? '');
  if (isSettled(charge)) return { held: isLatePart ? 'charge_expired' : 'already_paid', about: charge };
  // The shop has not been paid: what comes now is no second payment.
  if (charge.state === 'reversed') return { held: 'charge_reversed', about: charge };
  if (charge.state === 'cancelled') return { held: 'charge_cancelled', about: charge };
  if (receivedAt > charge.expires_at) return { held: 'charge_expired', about: charge };
  if (charge.disputed) return { held: 'charge_disputed', about: charge };
  if (payment.amountPesewas >= missingPesewas(charge)) return { pays: charge, matchedBy: 'reference' };
  // The parts of a charge that has ended are held again: a person decides whether they are still meant for it.
  if (charge.state === 'expired') return { held: 'charge_expired', about: charge };
  if ((charge.parts ?? []).length >= MAX_PARTS) return { held: 'amount_differs', about: charge };
  return { isPartOf: charge };
}

/**
 * The one open charge that fits a payment's amount and payer. `open` are the charges of the number's merchants for this amount,
 * or that lack this much, that were made within `NAME_DECIDES_MS`. The amount alone never confirms. Where all that fit are one
 * customer's, who started the same checkout again, it is the newest.
 */
export function matchByName(
  payment: WalletPayment,
  receivedAt: string,
  open: readonly OpenCharge[],
): { readonly fits: OpenCharge } | { readonly held: HeldReason } {
  const candidates = open.filter((charge) => isCandidate(charge, payment, receivedAt));
  if (candidates.length === 0) return { held: 'no_charge' };
  const fitting = candidates
    .filter((charge) => fitsPayer(charge, payment.payerName))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const [newest, ...others] = fitting;
  if (!newest) return { held: 'name_differs' };
  if (others.some((charge) => !isSameCustomer(charge, newest))) return { held: 'several_fit' };
  if (fitting.some(({ disputed }) => disputed)) return { held: 'charge_disputed' };
  return { fits: newest };
}

function isCandidate(charge: OpenCharge, payment: WalletPayment, receivedAt: string): boolean {
  const createdMs = Date.parse(charge.created_at);
  const receivedMs = Date.parse(receivedAt);
  return (
    charge.state === 'pending' &&
    (charge.amount_pesewas === payment.amountPesewas || missingPesewas(charge) === payment.amountPesewas) &&
    createdMs <= receivedMs + CLOCK_TOLERANCE_MS &&
    receivedMs <= createdMs + NAME_DECIDES_MS &&
    receivedAt <= charge.expires_at
  );
}

/** True if a charge is in the payer's registered name. A charge that a stranger opened is in nobody's. */
export function fitsPayer(charge: Pick<Charge, 'customer_name' | 'origin'>, payerName: string): boolean {
  const words = isMatchedByName(charge) ? matchableName(charge.customer_name ?? '') : undefined;
  return words !== undefined && isNamed(words, payerName);
}

type Customer = Pick<Charge, 'merchant_id' | 'customer_name' | 'email' | 'customer_phone'>;

/**
 * True if two charges are one customer's at one merchant: the same name, the same e-mail address or phone number, and nothing
 * that differs. Anybody who knows a name and an address could pretend to be that customer, so this decides only which of
 * their checkouts is paid.
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
