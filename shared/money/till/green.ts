import type { ArrivedPesewas } from '../../ghana/arrived.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { type Clock, isoOf, nowIso } from '../../runtime/outside/outside.ts';
import type { Charge } from '../charge/charge.table.ts';
import { decideRelease, isPaidFor } from '../goods/decide-release.ts';
import { isPaidUnproven } from '../payment/backing.ts';
import { missingPesewas, paidPesewas, unnotedPesewas } from '../payment/payment.ts';

/**
 * Time for which a till shows a payment in green. Kept short, because the next customer could pass the payment off as
 * their own.
 */
const GREEN_MS = 30 * 1000;

export interface Green {
  readonly charge: Charge;
  readonly until: string;
  readonly arrivedPesewas: ArrivedPesewas;
  /** The overpayment, without the part for which a refund is recorded. */
  readonly tooMuchPesewas: ArrivedPesewas;
  readonly missingPesewas: number;
  readonly isUnproven: boolean;
  /**
   * True if the goods may be handed over, or already were. Unverified money counts towards the shop's limit when the
   * cashier taps the payment or, for a sticker's charge, presses *Mark as handed over*.
   */
  readonly mayLeave: boolean;
}

/**
 * Returns what a till shows in green for a charge, for half a minute. Returns undefined once the goods have been handed
 * out, the tap is undone, or the payment is reversed, in doubt or sent back.
 */
export function greenOf(outside: Clock, merchant: Merchant, charge: Charge): Green | undefined {
  const until = isoOf(Date.parse(charge.paid_at ?? charge.created_at) + GREEN_MS);
  if (!mayBeHandedOut(charge) || nowIso(outside) >= until) return undefined;
  return {
    charge,
    until,
    arrivedPesewas: paidPesewas(charge),
    tooMuchPesewas: unnotedPesewas(charge),
    missingPesewas: missingPesewas(charge),
    isUnproven: isPaidUnproven(charge),
    mayLeave: typeof decideRelease(outside, merchant, charge) !== 'string',
  };
}

export function isHandedOut({ goods }: Charge): boolean {
  return goods?.kind === 'counter' && goods.state === 'given';
}

export function mayBeHandedOut(charge: Charge): boolean {
  return isPaidFor(charge) && !isHandedOut(charge);
}
