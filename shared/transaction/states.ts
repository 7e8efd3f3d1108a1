import type { Transitions } from '../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> pending
 *   pending --> success: a receipt pays it, or completes its parts
 *   pending --> expired: 24 hours pass
 *   expired --> success: a payment that was made in time arrives late, or the merchant assigns one
 *   success --> reversed: the network takes a payment back
 * ```
 * Housekeeping stores `expired` some minutes after the time; until then `pending` reads as `expired`.
 */
export const transactionStatuses = ['pending', 'success', 'expired', 'reversed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];
export type TransactionState = TransactionStatus;

export const transactionTransitions: Transitions<TransactionState> = {
  success: ['pending', 'expired'],
  expired: ['pending'],
  reversed: ['success'],
};
