import type { Transitions } from '../../runtime/table/transitions.ts';
import type { ChargeState } from '../payment/payment.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> pending
 *   [*] --> success: a cashier takes a payment at a till
 *   pending --> success: a receipt pays it, or completes its parts
 *   pending --> expired: its time passes, 24 hours unless expires_in says otherwise
 *   pending --> cancelled: its merchant cancels it
 *   expired --> success: a payment that was made in time arrives late, or the merchant assigns one
 *   cancelled --> success: the merchant assigns a payment
 *   success --> reversed: the network takes a payment back
 *   success --> cancelled: a cashier's tap at a till is undone, or the mark as paid of a cancelled one
 *   success --> pending: a person undoes that they marked it as paid
 * ```
 * Housekeeping stores `expired` some minutes after the time; until then `pending` reads as `expired`.
 */
export const chargeStatuses = [
  'pending',
  'success',
  'expired',
  'cancelled',
  'reversed',
] as const satisfies readonly ChargeState[];

export const chargeTransitions: Transitions<ChargeState> = {
  pending: ['success'],
  success: ['pending', 'expired', 'cancelled'],
  expired: ['pending'],
  cancelled: ['pending', 'success'],
  reversed: ['success'],
};
