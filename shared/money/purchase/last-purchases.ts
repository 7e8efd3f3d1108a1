import type { TableOutside } from '../../runtime/outside/outside.ts';
import { whileSelling } from '../../texts/credits/bundles.ts';
import { type Charge, getCharges } from '../charge/charge.table.ts';
import { keepPlaces } from '../charge/gives-way.ts';
import type { CreditsGoods } from '../charge/goods.ts';
import type { Origin } from '../charge/origin.ts';
import { isCertain } from '../goods/decide-release.ts';
import { isDoubted } from '../payment/backing.ts';
import { paymentsOf, refundedPesewas } from '../payment/payment.ts';
import { getPurchases, type Purchases } from './purchase.table.ts';

export type Purchase = Charge & {
  readonly origin: Extract<Origin, { kind: 'bundle' }>;
  readonly goods: CreditsGoods;
};

export function isPurchase(charge: Charge): charge is Purchase {
  return charge.origin.kind === 'bundle' && charge.goods?.kind === 'credits';
}

export async function lastPurchases(outside: TableOutside, { references }: Pick<Purchases, 'references'>) {
  return (await getCharges(outside, references)).filter(isPurchase);
}

export type Waiting = 'buyer' | 'seller' | 'sent_back' | 'doubt' | 'payment' | 'unnamed' | 'soon';

export async function waitingReason(outside: TableOutside, charge: Purchase): Promise<Waiting> {
  if (refundedPesewas(charge.refunds) > 0) return 'sent_back';
  if (isDoubted(charge)) return 'doubt';
  if (!(await whileSelling(outside, charge.merchant_id))) return 'seller';
  const { stopped_by } = await getPurchases(outside, charge.origin.buyer_id);
  if (stopped_by !== undefined) return 'buyer';
  if (paymentsOf(charge).some(({ proof }) => proof?.state !== 'proven')) return 'payment';
  return paymentsOf(charge).every(isCertain) ? 'soon' : 'unnamed';
}

export function isWaiting({ state, goods }: Charge): boolean {
  return state === 'success' && (goods?.state === 'unpaid' || goods?.state === 'to_release');
}

/**
 * Maximum number of purchases in a merchant's row. Paid purchases whose credits are waiting are kept even above this
 * maximum.
 */
export const MAX_PURCHASES = 20;

/** Returns the references to keep when a purchase is added. Drops unpaid purchases first, then completed ones. */
export function keptPurchases(last: readonly Purchase[]): string[] {
  const most = MAX_PURCHASES - 1;
  const paid = keepPlaces(last, { most, isPaid: (charge) => paymentsOf(charge).length > 0 });
  return keepPlaces(paid, { most, isPaid: isUnsettled }).map(({ reference }) => reference);
}

function isUnsettled(charge: Purchase): boolean {
  const { state, refunds } = charge;
  const isPartlyPaid = state === 'pending' && paymentsOf(charge).length > 0;
  return isWaiting(charge) || isPartlyPaid || (refunds?.some((refund) => refund.state === 'noted') ?? false);
}
