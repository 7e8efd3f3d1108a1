import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { isoOf, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { type Checked, checkText } from '../../wallets/chain/check-text.ts';
import { CHARGE_LIFETIME_MS, type Charge, chargeRows, getOpenCharges } from '../charge/charge.table.ts';
import { MAX_CHARGE_LIFETIME_MS } from '../charge/charge.ts';
import { isNamedByMerchant } from '../charge/origin.ts';
import { admit, type ToConfirm } from '../matching/admit.ts';
import {
  CLOCK_TOLERANCE_MS,
  fitsPayer,
  listOpenReferencesOf,
  listTyped,
  MAX_CANDIDATES,
  MAX_LOOKUPS,
  madeWithin,
  mayBeOf,
} from '../matching/match.ts';
import { listOfPayer, mayShareCustomer } from '../matching/payers-bills.ts';
import { detailTyped, namesDetailOf } from '../matching/typed-detail.ts';
import { isNearReference, mayHoldReference, nearTo, readTypedReference } from '../matching/typed-reference.ts';
import { fitsAmount, heldAsCustomerSees } from '../payment/backing.ts';
import { paidPesewas } from '../payment/payment.ts';
import { findUse } from '../receipt/receipt.table.ts';
import type { HeldReason, PaymentReceipt } from '../receipt/receipt.ts';
import { withoutRepeated } from '../receipt/repeated-text.ts';
import { type TakenUse, takeOverForeignUse } from '../receipt/typed-use.ts';
import { readReceipt, type WalletText } from '../receipt/wallet-text-of.ts';

/** Maximum time by which a claimed payment may precede its charge. Some customers pay before they open the charge. */
const MAX_EARLY_MS = 30 * MINUTE_MS;
/** Time after a charge expires during which a payment may still be meant for the charge. */
const LATELY_MS = DAY_MS;

export function claimableSince({ created_at }: Pick<Charge, 'created_at'>): string {
  return isoOf(Date.parse(created_at) - MAX_EARLY_MS);
}

/**
 * Hold reasons that rule out a claim. A payment held for one of these reasons stays held until a person decides or a
 * later text verifies it.
 */
const FOR_A_PERSON: ReadonlySet<HeldReason | undefined> = new Set([
  'already_paid',
  'amount_of_another',
  'before_charge',
  'charge_reversed',
  'number_not_placed',
  'conflict',
  'checking',
  'balance_gap',
  'balance_unsure',
  'anchor_young',
  'clock_odd',
  'balance_impossible',
  'large_amount',
]);

/**
 * Returns a held payment as claims treat it. A refused claim would tell the payer of a suspicion, so the payment counts
 * with the suspicion: its charge is in doubt, and its goods wait.
 */
export function asClaimed(held: PaymentReceipt): PaymentReceipt {
  const isSuspected = held.unsuspected_reason !== undefined;
  return { ...heldAsCustomerSees(held), ...(isSuspected && { reversal_suspected_at: held.reversal_doubt_at }) };
}

export function isClaimable(receipt: PaymentReceipt, charge: Charge): boolean {
  const { payer_reference = null, reason, set_aside, marked } = receipt;
  // A mistyped reference or another detail could belong to any charge, so it must be this charge's.
  const isOwn =
    isNearReference(payer_reference, charge.reference) || detailTyped(payer_reference ?? '', charge) !== undefined;
  const isUnclear = reason === 'reference_unclear' && !isOwn;
  const isOfAPerson = set_aside !== undefined || marked !== undefined;
  const isForAPerson = FOR_A_PERSON.has(reason) || isUnclear || charge.disputed !== undefined || isOfAPerson;
  return (
    !isForAPerson &&
    fitsAmount(charge, receipt, receipt.amount_pesewas) &&
    receipt.received_at >= claimableSince(charge)
  );
}

/**
 * True if the payer typed another charge's reference or a detail of one, or if the payer's name matches another charge
 * of the same amount. That charge is open or ended recently. Also true if there are too many charges to compare.
 */
export async function isMeantForAnother(outside: Outside, receipt: PaymentReceipt, charge: Charge): Promise<boolean> {
  if (await namesExactly(outside, receipt, charge)) return true;
  if (await mayBeOfAnother(outside, receipt, charge, { ifTooMany: true })) return true;
  const others = await listOthers(outside, receipt, charge);
  return others === undefined || namesNearly(receipt, charge, others) || isInNameOf(outside, receipt, others);
}

/**
 * Variant of `isMeantForAnother` for tills. Compares only the newest charges one by one, so that a till stays fast even
 * if there are many unpaid checkouts.
 */
export async function isMeantForAnotherAtTill(
  outside: Outside,
  receipt: PaymentReceipt,
  charge: Charge,
): Promise<boolean> {
  if (await namesExactly(outside, receipt, charge)) return true;
  // A cashier saw the payer. Somebody with many bills must not need a manager for each payment.
  if (await mayBeOfAnother(outside, receipt, charge, { ifTooMany: false })) return true;
  // Compare all charges if the payer typed anything like a reference. This reads only index keys.
  const most = mayHoldReference(receipt.payer_reference ?? null) ? Number.POSITIVE_INFINITY : MAX_CANDIDATES;
  const others = await listOpen(outside, receipt, await paidFor(outside, receipt, charge), most);
  if (namesNearly(receipt, charge, others)) return true;
  const compared = others.slice(0, MAX_CANDIDATES).filter((reference) => reference !== charge.reference);
  return isInNameOf(outside, receipt, compared);
}

/**
 * True if the payer typed a detail of another charge that this charge does not share, or if another charge of the amount
 * is in the payer's name or has the payer's number. Returns `ifTooMany` if the payer's name has more charges than are
 * compared, and none of the compared ones is another.
 */
async function mayBeOfAnother(
  outside: Outside,
  receipt: PaymentReceipt,
  charge: Charge,
  { ifTooMany }: { readonly ifTooMany: boolean },
): Promise<boolean> {
  const { payer_reference: typed = '', payer_name: name = '', payer_phone: phone, amount_pesewas: pesewas } = receipt;
  const { accounts, madeIfLong } = await paidFor(outside, receipt, charge);
  const between = [madeIfLong[0], `${madeIfLong[1]}~`] as const;
  const merchants = [...new Set(accounts.map(({ merchant_id }) => merchant_id))];
  const [ofDetails, ofPayer] = await Promise.all([
    typed ? listTyped(outside, charge.merchant_id, { typed, pesewas, between }) : [],
    listOfPayer(outside, { merchants, name, phone, pesewas, between }),
  ]);
  const isOther = (other: Charge) => other.reference !== charge.reference && wasOpen(receipt, other);
  return (
    // Anybody can type another customer's details at a link.
    ofDetails.some((other) => isOther(other) && isNamedByMerchant(other) && namesDetailOf(typed, other, charge)) ||
    (ofPayer.isCut && ifTooMany) ||
    ofPayer.charges.some(
      (other) => isOther(other) && fitsAmount(other, receipt, pesewas) && !mayShareCustomer(other, charge),
    )
  );
}

/** True for a charge that is unpaid, and was open at most a day before the payment. */
function wasOpen(
  { received_at }: PaymentReceipt,
  { state, expires_at }: Pick<Charge, 'state' | 'expires_at'>,
): boolean {
  const isUnpaid = state === 'pending' || state === 'expired' || state === 'cancelled';
  return isUnpaid && expires_at >= isoOf(Date.parse(received_at) - LATELY_MS);
}

async function isInNameOf(outside: Outside, receipt: PaymentReceipt, references: readonly string[]): Promise<boolean> {
  for (let n = 0; n < references.length; n += MAX_CANDIDATES) {
    const charges = await getOpenCharges(outside, references.slice(n, n + MAX_CANDIDATES));
    const isAnothers = charges.some(
      (other) =>
        wasOpen(receipt, other) &&
        [other.amount_pesewas, other.amount_pesewas - paidPesewas(other)].includes(receipt.amount_pesewas) &&
        fitsPayer(other, receipt.payer_name ?? ''),
    );
    if (isAnothers) return true;
  }
  return false;
}

export async function namesAnother(outside: Outside, receipt: PaymentReceipt, charge: Charge): Promise<boolean> {
  if (await namesExactly(outside, receipt, charge)) return true;
  if (!mayHoldReference(receipt.payer_reference ?? null)) return false;
  const others = await listOthers(outside, receipt, charge);
  return others === undefined || namesNearly(receipt, charge, others);
}

async function namesExactly(outside: Outside, receipt: PaymentReceipt, charge: Charge): Promise<boolean> {
  const { named, bare } = readTypedReference(receipt.payer_reference ?? null);
  // The payer pasted a longer text, which could contain any reference.
  if (named.length + bare.length > MAX_LOOKUPS) return true;
  for (const reference of [...named, ...bare]) {
    if (reference === charge.reference) continue;
    const other = await chargeRows.find(outside, { reference });
    if (other && (named.includes(reference) || other.merchant_id === charge.merchant_id)) return true;
  }
  return false;
}

function namesNearly(receipt: PaymentReceipt, charge: Charge, others: readonly string[]): boolean {
  const { payer_reference = null } = receipt;
  const isNearThis = isNearReference(payer_reference, charge.reference);
  return !isNearThis && others.some(nearTo(payer_reference));
}

async function listOthers(outside: Outside, receipt: PaymentReceipt, charge: Charge) {
  const paid = await paidFor(outside, receipt, charge);
  const references = await listOpen(outside, receipt, paid, MAX_CANDIDATES + 1);
  if (references.length > MAX_CANDIDATES) return undefined;
  return references.filter((reference) => reference !== charge.reference);
}

async function paidFor(outside: Outside, receipt: PaymentReceipt, charge: Charge) {
  const accounts = await accountRows.list(outside, { number: receipt.momo_number ?? charge.momo_number });
  return {
    accounts: [charge, ...accounts],
    made: madeSince(outside, receipt, CHARGE_LIFETIME_MS),
    madeIfLong: madeSince(outside, receipt, MAX_CHARGE_LIFETIME_MS),
  };
}

/** Returns the period in which a charge with this lifetime was made that the payment may be for. */
function madeSince(outside: Outside, { received_at }: PaymentReceipt, lifeMs: number) {
  return [madeWithin(received_at, lifeMs + LATELY_MS)[0], isoOf(outside.now() + CLOCK_TOLERANCE_MS)] as const;
}
type PaidFor = Awaited<ReturnType<typeof paidFor>>;

function listOpen(outside: Outside, receipt: PaymentReceipt, { accounts, ...made }: PaidFor, limit: number) {
  return listOpenReferencesOf(outside, accounts, receipt.amount_pesewas, { ...made, limit });
}

/**
 * True if the merchant's settings and the payment's proof allow a claim. Even a small payment needs proof, because the
 * claimant may have forged its text. Another merchant's payment can never be claimed.
 */
export async function mayBeClaimed(outside: TimedOutside, charge: ToConfirm, receipt: PaymentReceipt) {
  if (!(await mayBeOf(outside, receipt, charge.merchant_id))) return false;
  const checked = await checkReceipt(outside, receipt);
  if (!checked || (checked.isAnchored && checked.proof.state !== 'proven' && !isTestAccount(charge.merchant_id)))
    return false;
  const admission = await admit(outside, charge, receipt, checked);
  return 'writes' in admission && admission.writes.length === 0;
}

/**
 * Lets a claimed or tapped payment take its id from an unverified text that a different wallet received. Checks the
 * payment again only if the id is already used.
 */
export async function takeOverAsClaimed(
  outside: TimedOutside,
  charge: Pick<Charge, 'reference' | 'merchant_id'>,
  receipt: PaymentReceipt,
): Promise<TakenUse | undefined> {
  if (!(await findUse(outside, receipt, [charge.merchant_id]))) return undefined;
  const checked = await checkReceipt(outside, receipt);
  return takeOverForeignUse(outside, { ...receipt, proof: checked?.proof, looked_by: undefined }, charge);
}

export async function checkReceipt(outside: TimedOutside, receipt: PaymentReceipt): Promise<Checked | undefined> {
  const { network, momo_number } = receipt;
  if (!momo_number) return undefined;
  const { wallet, movement, reason }: WalletText = readReceipt(receipt)?.walletText ?? {
    wallet: { network, momo_number },
    movement: undefined,
  };
  return withoutRepeated(outside, receipt, await checkText(outside, wallet, movement, reason));
}
