import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> open
 *   open --> paid: the sum has arrived
 *   paid --> open: the network took a payment back
 *   open --> cancelled: its merchant cancels it
 * ```
 * What is paid is derived from its charges, so `paid` is stored a second later than it is shown. A cancelled one stays so, whatever
 * arrives for a charge that was open then.
 */
export const requestStates = ['open', 'paid', 'cancelled'] as const;
export type RequestState = (typeof requestStates)[number];

export const requestTransitions: Transitions<RequestState> = {
  open: ['paid'],
  paid: ['open'],
  cancelled: ['open'],
};
