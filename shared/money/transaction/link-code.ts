import * as z from 'zod/mini';
import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * What becomes of the code that a charge gets from its link's stock:
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> unpaid
 *   unpaid --> given: paid, and proven or small enough
 *   unpaid --> waiting: the same, and the stock is empty
 *   unpaid --> to_release: paid, and a person has to say so
 *   to_release --> given: a person says so, or its proof comes
 *   to_release --> waiting: the same, and the stock is empty
 *   waiting --> given: codes were added
 *   waiting --> to_release: codes were added, and its payment is in doubt or was sent back by then
 *   given --> taken_back: the network reversed the payment
 *   waiting --> taken_back
 *   to_release --> taken_back
 * ```
 */
export const linkCodeStates = ['unpaid', 'to_release', 'waiting', 'given', 'taken_back'] as const;
export type LinkCodeState = (typeof linkCodeStates)[number];

export const linkCodeTransitions: Transitions<LinkCodeState> = {
  to_release: ['unpaid', 'waiting'],
  waiting: ['unpaid', 'to_release'],
  given: ['unpaid', 'to_release', 'waiting'],
  taken_back: ['to_release', 'waiting', 'given'],
};

/** Of a charge that gets one. The code itself is in the stock, where few functions may read. */
export const LinkCode = z.object({
  state: z.enum(linkCodeStates),
  /** When it came to that; unset while it is unpaid. */
  at: z.optional(z.string()),
  /** Which code of the stock it is, from 1; set once it is given. */
  number: z.optional(z.number()),
  /** The text that it was sent with: there is at most one. */
  send_id: z.optional(z.string()),
});
export type LinkCode = z.infer<typeof LinkCode>;
