import type { TableOutside } from '../../runtime/outside/outside.ts';
import { whileSelling } from '../../texts/credits/bundles.ts';
import { type Charge, getCharges } from '../charge/charge.table.ts';
import { keepPlaces } from '../charge/gives-way.ts';
import type { CreditsGoods } from '../charge/goods.ts';
import type { Origin } from '../charge/origin.ts';
import { paymentsOf, refundedPesewas } from '../payment/payment.ts';
import { getPurchases, type Purchases } from './purchase.table.ts';

/** A charge of the seller's by which another merchant buys credits. */
export type Purchase = Charge & {
  readonly origin: Extract<Origin, { kind: 'bundle' }>;
  readonly goods: CreditsGoods;
};

export function isPurchase(charge: Charge): charge is Purchase {
  return charge.origin.kind === 'bundle' && charge.goods?.kind === 'credits';
}

/** A merchant's purchases that its row names, in their order. */
export async function lastPurchases(outside: TableOutside, { references }: Pick<Purchases, 'references'>) {
  return (await getCharges(outside, references)).filter(isPurchase);
}

/** Why credits that are paid for wait: the buyer, the seller or the payment may have none, it was sent back, or it is not verified. */
export type Waiting = 'buyer' | 'seller' | 'sent_back' | 'payment';

/** Why a purchase's credits wait for the operator. */
export async function whyWaiting(outside: TableOutside, charge: Purchase): Promise<Waiting> {
  if (refundedPesewas(charge.refunds) > 0) return 'sent_back';
  if (!(await whileSelling(outside, charge.merchant_id))) return 'seller';
  const { stopped_by } = await getPurchases(outside, charge.origin.buyer_id);
  return stopped_by === undefined ? 'payment' : 'buyer';
}

/** Whether it is paid, and its credits wait: for their job, or for the operator. */
export function isWaiting({ state, goods }: Charge): boolean {
  return state === 'success' && (goods?.state === 'unpaid' || goods?.state === 'to_release');
}

/** Purchases that a merchant's row names; paid ones that wait may exceed it. */
export const MAX_PURCHASES = 20;

/** The references that stay named beside one more: unpaid purchases give way, then those that are settled. */
export function keptPurchases(last: readonly Purchase[]): string[] {
  const most = MAX_PURCHASES - 1;
  const paid = keepPlaces(last, { most, isPaid: (charge) => paymentsOf(charge).length > 0 });
  return keepPlaces(paid, { most, isPaid: isUnsettled }).map(({ reference }) => reference);
}

/** True while its credits wait, its payment is not whole, or a noted refund of it is not sent. */
function isUnsettled(charge: Purchase): boolean {
  const { state, refunds } = charge;
  const isPartlyPaid = state === 'pending' && paymentsOf(charge).length > 0;
  return isWaiting(charge) || isPartlyPaid || (refunds?.some((refund) => refund.state === 'noted') ?? false);
}
