import * as z from 'zod/mini';
import type { Transitions } from '../../runtime/table/transitions.ts';
import { laterKindAs } from './later-kind.ts';

/**
 * What becomes of what leaves for a charge:
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> unpaid
 *   [*] --> given: taken at a till
 *   unpaid --> given: paid, and proven or, but for credits, small enough
 *   unpaid --> waiting: the same, and the stock of codes is empty
 *   unpaid --> to_release: paid, and a person has to let its code go
 *   to_release --> given: a person lets it go, or its proof comes
 *   to_release --> waiting: the same, and the stock is empty
 *   waiting --> given: codes were added
 *   waiting --> to_release: codes were added, and its payment is in doubt or was sent back by then
 *   given --> taken_back: the network reversed the payment of a code or of credits, credits were paid back, or the tap at the till was undone
 *   waiting --> taken_back
 *   to_release --> taken_back
 * ```
 */
export const goodsStates = ['unpaid', 'to_release', 'waiting', 'given', 'taken_back'] as const;
export type GoodsState = (typeof goodsStates)[number];

export const goodsTransitions: Transitions<GoodsState> = {
  to_release: ['unpaid', 'waiting'],
  waiting: ['unpaid', 'to_release'],
  given: ['unpaid', 'to_release', 'waiting'],
  taken_back: ['to_release', 'waiting', 'given'],
};

/** A code of its link's stock. The code itself is in the stock, where few functions may read. */
const Code = z.object({
  kind: z.literal('code'),
  state: z.enum(goodsStates),
  /** When it came to that; unset while it is unpaid. */
  at: z.optional(z.string()),
  /** Which code of the stock it is, from 1; set once it is given. */
  number: z.optional(z.number()),
  /** The text that it was sent with: there is at most one. */
  send_id: z.optional(z.string()),
});

/** Credits for texts, which go to the merchant that its origin names. */
const Credits = z.object({
  kind: z.literal('credits'),
  state: z.enum(goodsStates),
  credits: z.number(),
  at: z.optional(z.string()),
  /** The count that was taken back, in proportion to what was sent back. Release 1.0.0 counted those that were unspent. */
  taken_back: z.optional(z.number()),
  /** The time of the dispute because of which its buyer's purchases were stopped: each dispute stops them once. */
  stopped_for: z.optional(z.string()),
});

/** What is handed out at a counter for a charge that is paid at its till's sticker, as the cashier says. */
const AtCounter = z.object({
  kind: z.literal('counter'),
  state: z.enum(['unpaid', 'given']),
  /** The id of the cashier. */
  by: z.optional(z.string()),
  at: z.optional(z.string()),
});

/**
 * What a cashier handed out as they took the payment at a till. The charge is paid from that tap on; `charge.success` leaves once `told_at` is set,
 * after the time in which the tap could be undone.
 */
const Taken = z.object({
  kind: z.literal('take'),
  state: z.enum(['given', 'taken_back']),
  shift_id: z.string(),
  /** The id of the cashier. */
  by: z.string(),
  at: z.string(),
  /** The charge that its customer had opened at a sticker. */
  scanned: z.optional(z.string()),
  told_at: z.optional(z.string()),
  undone_at: z.optional(z.string()),
  /** The id of the person who undid it. */
  undone_by: z.optional(z.string()),
});

/** What only a later release knows: that decides what leaves, and here nothing does. */
const Other = z.object({ kind: z.literal('other'), state: z.literal('unpaid') });

const KnownGoods = z.discriminatedUnion('kind', [Code, Credits, AtCounter, Taken, Other]);
export type Goods = z.infer<typeof KnownGoods>;
export const Goods = z.pipe(
  laterKindAs(KnownGoods.def.options, { kind: 'other', state: 'unpaid' }),
  z.optional(KnownGoods),
);
export type CodeGoods = z.infer<typeof Code>;
export type CreditsGoods = z.infer<typeof Credits>;
export type TakenGoods = z.infer<typeof Taken>;

interface WithGoods {
  readonly goods?: Goods | undefined;
}

/** The code that a charge gets; undefined where it gets none. */
export function codeOf({ goods }: WithGoods): CodeGoods | undefined {
  return goods?.kind === 'code' ? goods : undefined;
}

/** What the service itself gives for a charge: a code, or credits. */
export function givenOf({ goods }: WithGoods): CodeGoods | CreditsGoods | undefined {
  return goods?.kind === 'code' || goods?.kind === 'credits' ? goods : undefined;
}

/** The tap at a till that took its payment; undefined where none did. */
export function takeOf({ goods }: WithGoods): TakenGoods | undefined {
  return goods?.kind === 'take' ? goods : undefined;
}
