import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> pending: accepted and debited
 *   pending --> sending: a worker chose device and SIM
 *   sending --> sent: the phone sent it
 *   sent --> delivered: the network reports it
 *   pending --> failed
 *   sending --> failed: refunded
 *   sent --> failed
 * ```
 * A phone's reports may come late or not at all, so a state may be skipped; a message never goes back to one. `pending` is
 * written only where it waits for its turn: it is what a message without a row is in. `sending` may be entered again, by the next try
 * of the same message.
 */
export const messageStates = ['pending', 'sending', 'sent', 'delivered', 'failed'] as const;
export type MessageState = (typeof messageStates)[number];

export const messageTransitions: Transitions<MessageState> = {
  sending: ['pending', 'sending'],
  sent: ['pending', 'sending'],
  delivered: ['pending', 'sending', 'sent'],
  failed: ['pending', 'sending', 'sent'],
};
