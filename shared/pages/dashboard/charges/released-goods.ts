import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { haveLeft } from '../../../money/charge/charge.ts';
import { decideRelease } from '../../../money/goods/decide-release.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';

interface Giving {
  readonly charge: Charge;
  /** Result of `chargeAfter`. */
  readonly after: Charge | PublicError;
  readonly merchant: Merchant;
}

/** Returns a charge as it will be after a match that was prepared but not written, or why the match will be refused. */
export async function chargeAfter(match: Promise<{ readonly charge: Charge }>): Promise<Charge | PublicError> {
  try {
    return (await match).charge;
  } catch (error) {
    if (error instanceof PublicError) return error;
    throw error;
  }
}

/** Describes the goods that assigning a payment would hand over. */
export function releasedGoodsText(
  outside: Clock,
  looked_by: string | undefined,
  { charge, after, merchant }: Giving,
): string {
  const { goods, released_by, description, state } = charge;
  const isPaid = state === 'success';
  if (haveLeft({ goods, released_by })) return 'Its goods have already left, so nothing else goes out.';
  if (isPaid && goods?.kind !== 'code') return 'This bill is already paid, so this does not change what you hand over.';
  if (goods?.kind === 'credits') return `The ${goods.credits} credits stay on hold until the operator releases them.`;
  if (goods?.kind === 'counter') return 'A cashier can then hand over the goods.';
  if (goods?.kind === 'code') {
    return !(after instanceof PublicError) && doesCodeLeave(outside, merchant, after)
      ? `A code of “${description}” will be sent at once. This cannot be undone.`
      : `The code of “${description}” stays on hold until you release it.`;
  }
  if (!isOfWebsite(charge)) return '';
  return looked_by === undefined || shownPaid(charge).doubt
    ? 'Your website may therefore hold the order. You can release it there.'
    : 'Your website can then fulfil the order.';
}

/** True if the charge's code leaves as soon as the charge is stored, if one is in stock. */
export function doesCodeLeave(outside: Clock, merchant: Merchant, charge: Charge): boolean {
  return charge.goods?.kind === 'code' && typeof decideRelease(outside, merchant, charge) === 'object';
}

/** True if the shop's own website created the charge, so that it may be waiting for the payment. */
export function isOfWebsite({ origin }: Charge): boolean {
  return origin.kind === 'api';
}
