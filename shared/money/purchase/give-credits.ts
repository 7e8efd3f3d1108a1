import { COMMAND_LINE } from '../../merchants/audit/audit.table.ts';
import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import {
  type Clock,
  nowIso,
  type Outside,
  type TableOutside,
  type TimedOutside,
  type WriteOutside,
} from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { whileSelling } from '../../texts/credits/bundles.ts';
import { prepareTopUp, revokeCredits } from '../../texts/credits/top-up.ts';
import { type ReadFor, setGoods } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import type { CreditsGoods } from '../charge/goods.ts';
import { releaseHeldCredits } from '../goods/decide-release.ts';
import { type GoodsKind, handOut, isHandedOut, NeedsPerson, planHandOut } from '../goods/hand-out.ts';
import { doubtedSince } from '../payment/backing.ts';
import { paidPesewas, refundedPesewas, sentRefunds } from '../payment/payment.ts';
import { type Look, refuseOutdated, shownProofOfCharge } from '../receipt/shown-proof.ts';
import { refuseCountedElsewhere } from '../settling/assign-receipt.ts';
import { isPurchase, type Purchase } from './last-purchases.ts';
import { getPurchases, setPurchases, stopPurchases, whileNotStopped } from './purchase.table.ts';

/**
 * Gives the buyer a purchase's credits once its payment is verified or the operator has released them. Takes the
 * credits back after a reversal or refund. Idempotent.
 */
export async function giveCredits(outside: TimedOutside & Outside, reference: string): Promise<void> {
  await retryIfChanged(async () => {
    const given = await handOut(outside, reference, purchases);
    if (!given || !isStopDue(given)) return;
    const { goods, origin } = given;
    const stopped = setGoods(given, { ...goods, stopped_for: doubtedSince(given) });
    await outside.table.write([stopped, stopPurchases(origin.buyer_id, reference)]);
  });
}

/**
 * True if credits were given for a purchase that is now in doubt, and this doubt has not yet stopped the buyer's
 * purchases.
 */
function isStopDue(charge: Purchase): boolean {
  const { goods, origin } = charge;
  const since = doubtedSince(charge);
  if (since === undefined || isTestAccount(origin.buyer_id)) return false;
  return goods.state === 'given' && goods.stopped_for !== since;
}

export function arePurchasedDue(charge: Charge): boolean {
  return isPurchase(charge) && (planHandOut(charge, purchases) !== 'nothing' || isStopDue(charge));
}

/**
 * True if a job for the purchase would change nothing. Does not check whether the seller may still sell or the buyer
 * may still buy.
 */
export function isPurchaseDone(outside: Clock, merchant: Merchant, charge: Purchase): boolean {
  return !isStopDue(charge) && isHandedOut(outside, merchant, charge, purchases);
}

/** True if a purchase is blocked only because the seller has stopped selling or the buyer may not buy. */
export async function isPurchaseBlocked(outside: TableOutside, charge: Purchase): Promise<boolean> {
  const isGivenNext = charge.goods.state === 'to_release' && planHandOut(charge, purchases) === 'give';
  return isGivenNext && (await whileBuying(outside, charge)) === undefined;
}

const purchases: GoodsKind<Purchase> = {
  is: isPurchase,
  give: async (outside, charge, { counted, count }) => {
    const conditions = await whileBuying(outside, charge);
    if (!conditions) throw new NeedsPerson();
    const given = { ...charge.goods, state: 'given', at: nowIso(outside) } as const;
    await outside.table.write([
      setGoods(charge, given, counted),
      ...(await toppedUp(outside, charge)),
      ...conditions,
      ...(await count(outside)),
    ]);
    return { ...charge, ...counted, goods: given };
  },
  // The purchase may have been dropped from the buyer's list while it was unpaid. Without this write, no page would
  // show the purchase.
  hold: async (outside, { reference, origin: { buyer_id } }) => {
    const read = await getPurchases(outside, buyer_id);
    const { references } = read;
    return references.includes(reference) ? [] : [setPurchases(buyer_id, read, [...references, reference])];
  },
  isGone: (charge) => {
    const { state, goods } = charge;
    if (goods.state === 'given') return keptCredits(charge) < goods.credits - (goods.taken_back ?? 0);
    return state === 'reversed' || (goods.state === 'to_release' && isAllSent(charge));
  },
  takeBack: async (outside, charge) => {
    const { origin, goods, reference } = charge;
    const { buyer_id } = origin;
    const at = nowIso(outside);
    if (goods.state !== 'given') return [setGoods(charge, { ...goods, state: 'taken_back', at })];
    const kept = keptCredits(charge);
    const taken_back = goods.credits - kept;
    const after = { ...goods, state: kept > 0 ? 'given' : 'taken_back', at, taken_back } as const;
    const isSuspect = !isTestAccount(buyer_id) && !isStanding(charge);
    return [
      setGoods(charge, after),
      ...revokeCredits(outside, buyer_id, taken_back - (goods.taken_back ?? 0), reference),
      ...(isSuspect ? [stopPurchases(buyer_id, reference)] : []),
    ];
  },
};

type Sold = ReadFor<'goods', 'amount_pesewas'> & { readonly goods: CreditsGoods };

/**
 * True while the payment is considered valid. A contradicted text may be genuine, because the other text could be
 * forged.
 */
function isStanding({ state, disputed }: Sold): boolean {
  return state === 'success' && (disputed?.why !== 'forged' || disputed.is_contested === true);
}

/** Returns the credits that the buyer keeps, in proportion to the money that the seller keeps. */
function keptCredits(charge: Sold): number {
  if (!isStanding(charge)) return 0;
  const { goods, amount_pesewas } = charge;
  const keptPesewas = Math.min(amount_pesewas, paidPesewas(charge) - sentPesewas(charge));
  return Math.max(0, Math.floor((goods.credits * keptPesewas) / amount_pesewas));
}

function isAllSent(charge: Sold): boolean {
  return sentPesewas(charge) >= paidPesewas(charge);
}

function sentPesewas(charge: Sold): number {
  return refundedPesewas(sentRefunds(charge));
}

/**
 * Returns the write conditions for giving credits without the operator's approval. Returns undefined if purchases are
 * stopped or the seller no longer sells. Test and released purchases need no conditions.
 */
async function whileBuying(
  outside: TableOutside,
  { merchant_id, origin: { buyer_id }, released_by }: Purchase,
): Promise<TableWrite[] | undefined> {
  if (released_by !== undefined || isTestAccount(buyer_id)) return [];
  const [{ stopped_by }, selling] = await Promise.all([
    getPurchases(outside, buyer_id),
    whileSelling(outside, merchant_id),
  ]);
  return stopped_by !== undefined || !selling ? undefined : [whileNotStopped(buyer_id), ...selling];
}

async function toppedUp(outside: WriteOutside, { origin: { buyer_id }, goods, reference }: Purchase) {
  return isTestAccount(buyer_id) ? [] : (await prepareTopUp(outside, buyer_id, goods.credits, reference)).writes;
}

interface CreditsForm extends Look {
  readonly buyerId: string;
}

/**
 * Releases a paid, unverified purchase on the operator's decision. The seller's staff must not release it: they could
 * create credits from nothing by assigning payments. If no form was shown, the payment stays unverified.
 * @throws PublicError `not_found` if the form's buyer has no such purchase, `charge_not_pending` if no credits are
 * waiting, `receipt_not_held` if the form is outdated or the payment's verified text is held for a different bill.
 */
export async function prepareRelease(outside: WriteOutside, reference: string, form?: CreditsForm) {
  const charge = await chargeRows.find(outside, { reference });
  if (!charge || !isPurchase(charge) || (form?.buyerId ?? charge.origin.buyer_id) !== charge.origin.buyer_id)
    throw new PublicError('not_found', `${reference} is not a purchase of credits.`);
  const writes = releaseHeldCredits(charge, form?.by ?? COMMAND_LINE);
  if (writes.length === 0)
    throw new PublicError(
      'charge_not_pending',
      `No credits from ${reference} are waiting to be released: the charge is not fully paid, its payment is in doubt or was sent back, or its credits have already been added.`,
    );
  if (form) refuseOutdated(shownProofOfCharge(charge), form.shown);
  await refuseCountedElsewhere(outside, charge);
  const { origin, goods } = charge;
  const after = { credits: goods.credits, ...(form && { shown: form.shown }) };
  return { writes, entry: { merchant_id: origin.buyer_id, action: 'credits release', about: reference, after } };
}

export async function prepareAllow(outside: TableOutside, merchant_id: string) {
  await requireMerchant(outside, merchant_id);
  return { writes: [stopPurchases(merchant_id, undefined)], entry: { merchant_id, action: 'credits allow' } };
}
