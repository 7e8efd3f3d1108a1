import * as z from 'zod/mini';
import type { Transitions } from '../../runtime/table/transitions.ts';

/**
 * The states of a charge's goods:
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> unpaid
 *   [*] --> given: taken at a till
 *   unpaid --> given: paid, and verified or (except credits) small enough
 *   unpaid --> waiting: as for given, but no code is in stock
 *   unpaid --> to_release: paid, and a person must release its code
 *   to_release --> given: a person releases it, or its payment is verified
 *   to_release --> waiting: as for given, but no code is in stock
 *   to_release --> unpaid: a mark as paid is undone, or an unverified payment is not in the wallet
 *   waiting --> given: codes were added
 *   waiting --> unpaid: as from to_release
 *   waiting --> to_release: codes were added, but the payment is now in doubt or was sent back
 *   given --> taken_back: the payment for a code or credits was reversed, credits were refunded, or a tap was undone
 *   waiting --> taken_back
 *   to_release --> taken_back
 * ```
 * A code or counter goods stay `given` if a person removes the charge's payment: they have left, and do not leave again.
 */
export const goodsStates = ['unpaid', 'to_release', 'waiting', 'given', 'taken_back'] as const;
export type GoodsState = (typeof goodsStates)[number];

export const goodsTransitions: Transitions<GoodsState> = {
  unpaid: ['to_release', 'waiting'],
  to_release: ['unpaid', 'waiting'],
  waiting: ['unpaid', 'to_release'],
  given: ['unpaid', 'to_release', 'waiting'],
  taken_back: ['to_release', 'waiting', 'given'],
};

const Code = z.object({
  kind: z.literal('code'),
  state: z.enum(goodsStates),
  at: z.optional(z.string()),
  number: z.optional(z.number()),
  send_id: z.optional(z.string()),
});

const Credits = z.object({
  kind: z.literal('credits'),
  state: z.enum(goodsStates),
  credits: z.number(),
  at: z.optional(z.string()),
  /** Number of credits taken back, in proportion to the refunded money. */
  taken_back: z.optional(z.number()),
  /** Time of the dispute that stopped the buyer's purchases. Each dispute stops purchases only once. */
  stopped_for: z.optional(z.string()),
});

const AtCounter = z.object({
  kind: z.literal('counter'),
  state: z.enum(['unpaid', 'given']),
  by: z.optional(z.string()),
  at: z.optional(z.string()),
});

/**
 * Goods that a cashier handed over at a till. `charge.success` is sent, and `told_at` set, once the tap can no longer be
 * undone.
 */
const Taken = z.object({
  kind: z.literal('take'),
  state: z.enum(['given', 'taken_back']),
  shift_id: z.string(),
  by: z.string(),
  at: z.string(),
  scanned: z.optional(z.string()),
  told_at: z.optional(z.string()),
  undone_at: z.optional(z.string()),
  undone_by: z.optional(z.string()),
});

export const Goods = z.discriminatedUnion('kind', [Code, Credits, AtCounter, Taken]);
export type Goods = z.infer<typeof Goods>;
export type CodeGoods = z.infer<typeof Code>;
export type CreditsGoods = z.infer<typeof Credits>;
export type TakenGoods = z.infer<typeof Taken>;

interface WithGoods {
  readonly goods?: Goods | undefined;
}

export function codeOf({ goods }: WithGoods): CodeGoods | undefined {
  return goods?.kind === 'code' ? goods : undefined;
}

export function givenOf({ goods }: WithGoods): CodeGoods | CreditsGoods | undefined {
  return goods?.kind === 'code' || goods?.kind === 'credits' ? goods : undefined;
}

export function takeOf({ goods }: WithGoods): TakenGoods | undefined {
  return goods?.kind === 'take' ? goods : undefined;
}
