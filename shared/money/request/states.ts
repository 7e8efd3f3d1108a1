import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> open
 *   open --> paid: the sum has arrived
 *   paid --> open: the network reversed a payment
 *   open --> cancelled: its merchant cancels it
 * ```
 * The paid total is derived from the charges, so the `paid` state is shown about a second before it is stored. A
 * cancelled request stays cancelled even if payments arrive for its charges.
 */
export const requestStates = ['open', 'paid', 'cancelled'] as const;
export type RequestState = (typeof requestStates)[number];

export const requestTransitions: Transitions<RequestState> = {
  open: ['paid'],
  paid: ['open'],
  cancelled: ['open'],
};
