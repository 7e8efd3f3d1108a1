import type { Outside } from '../runtime/outside/outside.ts';
import { isNamed } from '../transaction/customer-name.ts';
import {
  findTransaction,
  getOpenTransactions,
  listOpenReferences,
  MovedOn,
  type Transaction,
} from '../transaction/transaction.table.ts';
import { CHARGE_LIFETIME_MS } from '../transaction/transaction.ts';
import { countWrongClaim, takeClaimTry } from './claim.table.ts';
import { CLOCK_TOLERANCE_MS, fitsPayer, isSameCustomer, MAX_CANDIDATES } from './match.ts';
import { payWithReceipt } from './pay-with-receipt.ts';
import { PaymentUsed } from './payment-use.table.ts';
import { getReceipt, ReceiptChanged } from './receipt.table.ts';
import { isAssignable, type PaymentReceipt, paymentReceiptId } from './receipt.ts';
import { isNearReference, readTypedReference } from './typed-reference.ts';

/**
 * What came of a customer's claim: the charge is `paid` (by this claim or before it); no payment can be given to it
 * (`unknown`, whatever the reason); or too many wrong claims were made (`too_many`, with the seconds to wait).
 */
export type ClaimOutcome = { outcome: 'paid' } | { outcome: 'unknown' } | { outcome: 'too_many'; waitSeconds: number };

/** What a customer says of their payment: the network's id of it, and the words of the name that their wallet has. */
export interface Claim {
  readonly transactionId: string;
  readonly nameWords: readonly string[];
}

/** How long before its charge a payment may have arrived that a customer claims for it: they paid first and were asked then. */
const MAX_EARLY_MS = 30 * 60 * 1000;
/** For how long after it expired another charge may be what a payment was meant for. */
const LATELY_MS = 24 * 60 * 60 * 1000;
/** A wrong claim is answered no sooner, so that how long it took says nothing of why it was wrong. */
const WRONG_TAKES_MS = 700;

/**
 * Confirms a pending charge with the held payment that a customer names by its id and by the name that it was made under.
 * Number, network and amount must be the charge's own, and nothing may speak for another charge: then it is the merchant's
 * to give. Each call takes one of the charge's tries.
 */
export async function claimPayment(outside: Outside, charge: Transaction, claim: Claim): Promise<ClaimOutcome> {
  if (charge.state === 'success') return { outcome: 'paid' };
  const startedMs = outside.now();
  const waitSeconds = await takeClaimTry(outside, charge.reference, charge.momo_number);
  if (waitSeconds > 0) return { outcome: 'too_many', waitSeconds };
  if (await payIfDue(outside, charge, claim)) return { outcome: 'paid' };
  await countWrongClaim(outside, charge.momo_number);
  await outside.sleep(Math.max(0, startedMs + WRONG_TAKES_MS - outside.now()));
  return { outcome: 'unknown' };
}

async function payIfDue(outside: Outside, charge: Transaction, claim: Claim): Promise<boolean> {
  const { momo_network, momo_number, reference } = charge;
  const receipt = await getReceipt(outside, paymentReceiptId(momo_network, momo_number, claim.transactionId));
  if (receipt?.state === 'matched' && receipt.reference === reference) return true;
  if (!receipt || !isAssignable(receipt) || !isClaimable(receipt, charge, claim)) return false;
  if (await isMeantForAnother(outside, receipt, charge)) return false;
  try {
    await outside.table.write(payWithReceipt(outside, charge, receipt, 'claim', receipt).writes);
    return true;
  } catch (error) {
    if (!(error instanceof MovedOn || error instanceof ReceiptChanged || error instanceof PaymentUsed)) throw error;
    // The charge was paid meanwhile, or the payment was given to another one.
    return (await findTransaction(outside, reference))?.state === 'success';
  }
}

function isClaimable(receipt: PaymentReceipt, charge: Transaction, { nameWords }: Claim): boolean {
  // Where a number is several merchants', a payment that was meant for one is not another's to claim.
  const isAnothers = receipt.merchant_id !== undefined && receipt.merchant_id !== charge.merchant_id;
  const isForAPerson = receipt.reason === 'already_paid' || receipt.reason === 'conflict';
  return (
    !isAnothers &&
    !isForAPerson &&
    receipt.amount_pesewas === charge.amount_pesewas &&
    Date.parse(receipt.received_at) >= Date.parse(charge.created_at) - MAX_EARLY_MS &&
    isNamed(nameWords, receipt.payer_name ?? '')
  );
}

/** Whether a payment names another charge, or another one of its amount is in its payer's name, open or lately expired. */
async function isMeantForAnother(outside: Outside, receipt: PaymentReceipt, charge: Transaction): Promise<boolean> {
  const { payer_reference = null, payer_name = '', amount_pesewas } = receipt;
  const { named, bare } = readTypedReference(payer_reference);
  for (const reference of [...named, ...bare]) {
    if (reference === charge.reference) continue;
    const other = await findTransaction(outside, reference);
    if (other && (named.includes(reference) || other.momo_number === charge.momo_number)) return true;
  }
  const fromMs = Date.parse(receipt.received_at) - CHARGE_LIFETIME_MS - LATELY_MS;
  const made = [fromMs, outside.now() + CLOCK_TOLERANCE_MS].map((ms) => new Date(ms).toISOString());
  const [from = '', to = ''] = made;
  const references = await listOpenReferences(
    outside,
    charge.momo_number,
    amount_pesewas,
    [from, to],
    MAX_CANDIDATES + 1,
  );
  if (references.length > MAX_CANDIDATES) return true;
  const others = references.filter((reference) => reference !== charge.reference);
  const isNearThis = isNearReference(payer_reference, charge.reference);
  if (!isNearThis && others.some((reference) => isNearReference(payer_reference, reference))) return true;
  const charges = await getOpenTransactions(outside, others);
  return charges.some(
    (other) => other.state === 'pending' && fitsPayer(other, payer_name) && !isSameCustomer(other, charge),
  );
}
