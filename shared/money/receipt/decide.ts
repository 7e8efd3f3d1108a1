import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import type { AccountOfNumber } from '../../merchants/merchant/merchant.table.ts';
import { getMerchant } from '../../merchants/merchant/merchant.table.ts';
import { nameDecidesUpToPesewas } from '../../merchants/merchant/merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import {
  CHARGE_LIFETIME_MS,
  findTransaction,
  getOpenTransactions,
  listOpenReferences,
  listReferences,
} from '../transaction/transaction.table.ts';
import { MAX_CHARGE_LIFETIME_MS } from '../transaction/transaction.ts';
import {
  CLOCK_TOLERANCE_MS,
  type Decision,
  isPaidOn,
  isWaiting,
  MAX_CANDIDATES,
  matchByName,
  matchByReference,
  NAME_DECIDES_MS,
} from './match.ts';
import { isNearReference, mayHoldReference, readTypedReference } from './typed-reference.ts';

/** How many references of one payment are looked up. Anybody who types more has pasted something else. */
export const MAX_LOOKUPS = 4;
/** How many of a day's charges a mistyped reference is compared with: a page of the index. With more, it could be any of them. */
const MAX_NEAR = 5000;

/**
 * What to do with a payment that arrived: the charge that it pays, or why it is held. A payment whose reference
 * field holds anything like a charge's reference is matched by it or held, never matched by its payer's name.
 */
export async function decide(
  outside: Outside,
  payment: WalletPayment,
  momoNumber: string | undefined,
  receivedAt: string,
  accounts: readonly AccountOfNumber[],
): Promise<Decision> {
  if (!momoNumber) return { held: 'number_unknown' };
  if (accounts.length > 0 && !accounts.some(({ network }) => network === payment.network)) {
    return { held: 'network_differs' };
  }
  return (
    (await decideByReference(outside, payment, momoNumber, receivedAt, accounts)) ??
    (await decideByName(outside, payment, receivedAt, accounts))
  );
}

/** Undefined where the payer typed nothing like a reference. */
async function decideByReference(
  outside: Outside,
  payment: WalletPayment,
  momoNumber: string,
  receivedAt: string,
  accounts: readonly AccountOfNumber[],
): Promise<Decision | undefined> {
  const unclear: Decision = { held: 'reference_unclear' };
  const { named, bare, isBroken } = readTypedReference(payment.reference);
  if (isBroken || named.length > 1 || named.length + bare.length > MAX_LOOKUPS) return unclear;
  const found = await Promise.all([...named, ...bare].map((reference) => findTransaction(outside, reference)));
  const here = found.filter((charge) => isPaidOn(charge, payment, momoNumber, accounts));
  const [reference] = named;
  if (reference) {
    const charge = here.find((one) => one.reference === reference);
    const isAlone = here.every((one) => one === charge || !isWaiting(one, receivedAt));
    return charge && isAlone ? matchByReference(payment, receivedAt, charge) : unclear;
  }
  const waiting = here.filter((charge) => isWaiting(charge, receivedAt));
  if (waiting.length > 1) return unclear;
  // Ten digits that are a charge of this number are not a phone number: no reference begins with 0.
  const [charge = here[0]] = waiting;
  if (charge) return matchByReference(payment, receivedAt, charge);
  return (await isNearAReference(outside, payment.reference, receivedAt, accounts)) ? unclear : undefined;
}

/** Whether a payer typed the reference of a charge of this number's merchants with an error in it, paid or not. */
async function isNearAReference(
  outside: Outside,
  reference: string | null,
  receivedAt: string,
  accounts: readonly AccountOfNumber[],
): Promise<boolean> {
  if (!mayHoldReference(reference)) return false;
  // The number belongs to no merchant any more: earlier charges may still wait on it.
  if (accounts.length === 0) return true;
  for (const { merchant_id } of accounts) {
    const madeLately = madeWithin(receivedAt, CHARGE_LIFETIME_MS);
    const lately = await listReferences(outside, merchant_id, madeLately, MAX_NEAR + 1);
    if (lately.length > MAX_NEAR || lately.some((one) => isNearReference(reference, one))) return true;
    // Few are open for longer. Where a merchant has very many, the newest of them are compared.
    const madeBefore = madeWithin(receivedAt, MAX_CHARGE_LIFETIME_MS);
    const before = await listReferences(outside, merchant_id, [madeBefore[0], madeLately[0]], MAX_NEAR);
    const near = before.filter((one) => isNearReference(reference, one));
    if ((await getOpenTransactions(outside, near)).some(({ expires_at }) => expires_at >= receivedAt)) return true;
  }
  return false;
}

async function decideByName(
  outside: Outside,
  payment: WalletPayment,
  receivedAt: string,
  accounts: readonly AccountOfNumber[],
): Promise<Decision> {
  // A bank's or an agent's name is on the payments of everybody who pays through it.
  if (payment.payerIsInstitution) return { held: 'no_charge' };
  const made = madeWithin(receivedAt, NAME_DECIDES_MS);
  const references = await listOpenReferencesOf(outside, accounts, payment.amountPesewas, made);
  if (references.length > MAX_CANDIDATES) return { held: 'several_fit' };
  const matched = matchByName(payment, receivedAt, await getOpenTransactions(outside, references));
  if ('held' in matched) return matched;
  const merchant = await getMerchant(outside, matched.fits.merchant_id);
  if (!merchant || payment.amountPesewas > nameDecidesUpToPesewas(merchant)) return { held: 'name_only' };
  return { pays: matched.fits, matchedBy: 'name' };
}

/**
 * The open charges of an amount whose customers have matchable names, of all merchants of a number; more than
 * `MAX_CANDIDATES` where there are too many to tell.
 */
export async function listOpenReferencesOf(
  outside: Pick<Outside, 'table'>,
  accounts: readonly Pick<AccountOfNumber, 'merchant_id'>[],
  amountPesewas: number,
  made: readonly [string, string],
  madeIfLong = made,
): Promise<string[]> {
  const merchants = new Set(accounts.map(({ merchant_id }) => merchant_id));
  const found = await Promise.all(
    [...merchants].map((id) => listOpenReferences(outside, id, amountPesewas, made, MAX_CANDIDATES + 1, madeIfLong)),
  );
  return found.flat();
}

/** The period (ISO) in which a charge that a payment of this moment is for was created, given its lifetime. */
export function madeWithin(receivedAt: string, lifeMs: number): readonly [string, string] {
  const receivedMs = Date.parse(receivedAt);
  return [new Date(receivedMs - lifeMs).toISOString(), new Date(receivedMs + CLOCK_TOLERANCE_MS).toISOString()];
}
