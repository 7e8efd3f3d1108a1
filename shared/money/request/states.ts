import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> open
 *   open --> paid: the sum has arrived
 *   paid --> open: the network took a payment back
 *   open --> cancelled: its merchant cancels it
 * ```
 * The paid sum is derived from the charges, so `paid` is stored a second later than it is shown. A cancelled request
 * stays cancelled, whatever arrives for its charges.
 */
export const requestStates = ['open', 'paid', 'cancelled'] as const;
export type RequestState = (typeof requestStates)[number];

export const requestTransitions: Transitions<RequestState> = {
  open: ['paid'],
  paid: ['open'],
  cancelled: ['open'],
};
