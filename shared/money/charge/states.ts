import type { Transitions } from '../../runtime/table/transitions.ts';
import type { ChargeState } from '../payment/payment.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> pending
 *   [*] --> success: a cashier takes a payment at a till
 *   pending --> success: a payment covers it, or completes its parts
 *   pending --> expired: its deadline passes (24 hours, or expires_in)
 *   pending --> cancelled: its merchant cancels it
 *   expired --> success: the text of a timely payment arrives late, or the merchant assigns a payment
 *   cancelled --> success: the merchant assigns a payment
 *   success --> reversed: the network takes a payment back
 *   success --> cancelled: a tap at a till is undone, or the payment of a cancelled charge is undone
 *   success --> pending: a mark as paid is undone, or an unverified payment is not in the wallet
 * ```
 * Housekeeping stores `expired` a few minutes after the deadline. Until then, a stored `pending` is read as `expired`.
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
