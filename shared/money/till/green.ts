import type { ArrivedPesewas } from '../../ghana/arrived.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { type Clock, isoOf, nowIso } from '../../runtime/outside/outside.ts';
import type { Charge } from '../charge/charge.table.ts';
import { isPaidFor, mayLeave } from '../goods/may-leave.ts';
import { isPaidUnproven } from '../payment/backing.ts';
import { missingPesewas, overpaidPesewas, paidPesewas } from '../payment/payment.ts';

/** For so long the till is green for a charge that was paid: longer, and the next customer would claim it, who owes as much. */
const GREEN_MS = 30 * 1000;

/** What a till shows across the counter of a charge that was paid just now, by a tap or at its sticker. */
export interface Green {
  readonly charge: Charge;
  /** When it ends (ISO). */
  readonly until: string;
  readonly arrivedPesewas: ArrivedPesewas;
  readonly tooMuchPesewas: ArrivedPesewas;
  readonly missingPesewas: number;
  readonly isUnproven: boolean;
  /** Goods may leave for it, or have left: a tap counts what is not proven, and at a sticker *Handed out* does. */
  readonly mayLeave: boolean;
}

/** Undefined where its half minute is over by our clock, and at once where it is undone, taken back, in doubt, sent back or handed out. */
export function greenOf(outside: Clock, merchant: Merchant, charge: Charge): Green | undefined {
  const until = isoOf(Date.parse(charge.paid_at ?? charge.created_at) + GREEN_MS);
  if (!mayBeHandedOut(charge) || nowIso(outside) >= until) return undefined;
  return {
    charge,
    until,
    arrivedPesewas: paidPesewas(charge),
    tooMuchPesewas: overpaidPesewas(charge),
    missingPesewas: missingPesewas(charge),
    isUnproven: isPaidUnproven(charge),
    mayLeave: typeof mayLeave(outside, merchant, charge) !== 'string',
  };
}

/** Whether a cashier has said that the goods left for what was paid at the sticker. */
export function isHandedOut({ goods }: Charge): boolean {
  return goods?.kind === 'counter' && goods.state === 'given';
}

/** Whether goods are paid for, and nobody has handed them out. */
export function mayBeHandedOut(charge: Charge): boolean {
  return isPaidFor(charge) && !isHandedOut(charge);
}
