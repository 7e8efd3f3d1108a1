import type { Transitions } from '../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> pending
 *   pending --> success: a receipt pays it
 *   pending --> expired: 24 hours pass
 *   success --> reversed: the network takes the payment back
 * ```
 * `expired` is never stored: it is what `pending` reads as after its time.
 */
export type TransactionState = 'pending' | 'success' | 'reversed';
export const transactionStatuses = ['pending', 'success', 'expired', 'reversed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

export const transactionTransitions: Transitions<TransactionState> = {
  success: ['pending'],
  reversed: ['success'],
};
