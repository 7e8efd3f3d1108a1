import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> scheduled: accepted and debited, for later
 *   [*] --> pending: accepted and debited
 *   scheduled --> pending: its time has come
 *   pending --> sending: a worker chose device and SIM
 *   sending --> sent: the phone sent it
 *   sent --> delivered: the network reports it
 *   scheduled --> cancelled: its merchant cancels it, refunded
 *   pending --> cancelled
 *   scheduled --> expired: too late, refunded
 *   pending --> expired
 *   sending --> expired
 *   pending --> failed
 *   sending --> failed: refunded
 *   sent --> failed
 * ```
 * A phone's reports may come late or not at all, so a state may be skipped; a message never goes back to one. `pending` is
 * written only where it waits for its turn, or has changed its sender: it is what a message without a row is in. `scheduled` is never
 * written: it is `pending` before its time. `sending` may be entered again, by the next try of the same message.
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

/** Final states of texts that reached nobody. The transaction that sets the state also refunds the credit. */
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
