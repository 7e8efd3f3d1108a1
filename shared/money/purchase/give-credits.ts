import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import {
  nowIso,
  type Outside,
  type TableOutside,
  type TimedOutside,
  type WriteOutside,
} from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { prepareTakeBack, prepareTopUp } from '../../texts/credits/top-up.ts';
import { type GoodsKind, handOut, NeedsPerson } from '../goods/hand-out.ts';
import { letCreditsGo } from '../goods/may-leave.ts';
import { setGoods } from '../transaction/change-transaction.table.ts';
import { transactionRows } from '../transaction/transaction.table.ts';
import { isPurchase, type Purchase } from './last-purchases.ts';
import { getPurchases, stopPurchases, whileNotStopped } from './purchase.table.ts';

/**
 * Does what is to be done now about the credits of a purchase: gives them to its buyer once its payment is proven or the operator released them, and takes
 * them back where the network took the payment. Doing it again changes nothing.
 */
export async function giveCredits(outside: TimedOutside & Outside, reference: string): Promise<void> {
  await handOut(outside, reference, purchases);
}

const purchases: GoodsKind<Purchase> = {
  is: isPurchase,
  give: async (outside, charge, { counted, writes }) => {
    const { origin, goods, released_by } = charge;
    const { buyer_id } = origin;
    const isFree = released_by !== undefined || isTwin(buyer_id);
    if (!isFree && (await getPurchases(outside, buyer_id)).stopped_by !== undefined) throw new NeedsPerson();
    const given = { ...goods, state: 'given', at: nowIso(outside) } as const;
    await outside.table.write([
      setGoods(charge, given, counted),
      ...(await toppedUp(outside, charge)),
      ...(isFree ? [] : [whileNotStopped(buyer_id)]),
      ...writes,
    ]);
    return { ...charge, ...counted, goods: given };
  },
  // Of a forged text that had continued the wallet's balance it is known only later.
  isGone: ({ state, disputed, goods }) =>
    state === 'reversed' || (disputed?.why === 'forged' && goods.state === 'given'),
  takeBack: async (outside, charge) => {
    const { origin, goods, reference } = charge;
    const isReal = goods.state === 'given' && !isTwin(origin.buyer_id);
    if (!isReal) return [setGoods(charge, { ...goods, state: 'taken_back', at: nowIso(outside) })];
    const { taken, writes } = await prepareTakeBack(outside, origin.buyer_id, goods.credits, reference);
    const after = { ...goods, state: 'taken_back', at: nowIso(outside), taken_back: taken } as const;
    return [setGoods(charge, after), ...writes, stopPurchases(origin.buyer_id, reference)];
  },
};

/** Those of a test cost nothing, and add nothing. */
async function toppedUp(outside: WriteOutside, { origin: { buyer_id }, goods, reference }: Purchase) {
  return isTwin(buyer_id) ? [] : (await prepareTopUp(outside, buyer_id, goods.credits, reference)).writes;
}

/**
 * A person of the operator's lets a buyer have the credits of a purchase that is paid and not proven. Nobody of the seller's may: whoever gives payments
 * to charges there would make credits of nothing.
 * @throws PublicError `not_found` where it buys none, or none for `buyerId`; `charge_not_pending` where no credits wait.
 */
export async function prepareRelease(outside: WriteOutside, reference: string, by: string, buyerId?: string) {
  const charge = await transactionRows.find(outside, { reference });
  if (!charge || !isPurchase(charge) || (buyerId ?? charge.origin.buyer_id) !== charge.origin.buyer_id)
    throw new PublicError('not_found', `${reference} buys no credits.`);
  const writes = letCreditsGo(charge, by);
  if (writes.length === 0)
    throw new PublicError(
      'charge_not_pending',
      `No credits of ${reference} wait to be released: it is not paid in full, its payment is in doubt or was sent back, or they were given.`,
    );
  const { origin, goods } = charge;
  const after = { credits: goods.credits };
  return { writes, entry: { merchant_id: origin.buyer_id, action: 'credits release', about: reference, after } };
}

/** The operator lets a merchant buy again. @throws NoSuch merchant. */
export async function prepareAllow(outside: TableOutside, merchant_id: string) {
  await requireMerchant(outside, merchant_id);
  return { writes: [stopPurchases(merchant_id, undefined)], entry: { merchant_id, action: 'credits allow' } };
}
