import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> scheduled: accepted and debited, for later
 *   [*] --> pending: accepted and debited
 *   scheduled --> pending: it is due
 *   pending --> sending: a worker chose a device and SIM
 *   sending --> sent: the phone sent it
 *   sent --> delivered: the network reported delivery
 *   scheduled --> cancelled: cancelled by the merchant and refunded
 *   pending --> cancelled
 *   scheduled --> expired: too late, and refunded
 *   pending --> expired
 *   sending --> expired
 *   pending --> failed
 *   sending --> failed: failed and refunded
 *   sent --> failed
 * ```
 *
 * A message can skip states, because a phone's reports may arrive late or not at all. It never returns to an earlier
 * state. A message without a row is `pending`. `scheduled` is never stored: it is a `pending` message before its time.
 * Each new attempt enters `sending` again.
 */
export const messageStates = [
  'scheduled',
  'pending',
  'sending',
  'sent',
  'delivered',
  'cancelled',
  'expired',
  'failed',
] as const;
export type MessageState = (typeof messageStates)[number];

export const messageTransitions: Transitions<MessageState> = {
  sending: ['pending', 'sending'],
  sent: ['pending', 'sending'],
  delivered: ['pending', 'sending', 'sent'],
  cancelled: ['pending'],
  expired: ['pending', 'sending'],
  failed: ['pending', 'sending', 'sent'],
};

/** Final states of undelivered texts. One transaction sets the state and refunds the credit. */
export const refundedStates = ['cancelled', 'expired', 'failed'] as const satisfies readonly MessageState[];
export type RefundedState = (typeof refundedStates)[number];

export function isRefunded(state: unknown): state is RefundedState {
  return refundedStates.some((one) => one === state);
}

export function isFinal({ state }: { readonly state: MessageState }): boolean {
  return state === 'delivered' || isRefunded(state);
}

export function isUntaken({ state }: { readonly state: MessageState }): boolean {
  return state === 'pending' || state === 'scheduled';
}
