import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import {
  idsIn,
  isAhead,
  isBacked,
  isOld,
  learnFrom,
  NetworkClock,
  type Sighting,
  Stray,
  sameMoment,
} from './network-clock.ts';
import { Push } from './push.ts';

/**
 * The balance chain of a wallet. It begins with a balance that the owner named. Each text states an amount and the new
 * balance, and so implies the previous balance. The new balance is the chain's head, and must equal the previous balance
 * of the next text. A forger would have to know the balance, so a text that fits is verified. Other texts wait for a
 * missing text or until the owner names the balance again.
 */

export const Movement = z.object({
  id: z.number(),
  before: z.number(),
  after: z.number(),
  at_ms: z.number(),
  arrived_ms: z.number(),
  sender: z.string(),
  receipt_id: z.optional(z.string()),
  /** Amount of a payment before fees, in pesewas. */
  amount: z.optional(z.number()),
  /** Hash of an outgoing text's details. Unset for incoming money. */
  facts_hash: z.optional(z.string()),
  asked_ms: z.optional(z.number()),
});
export type Movement = z.infer<typeof Movement>;

export const Position = z.object({
  id: z.number(),
  balance: z.number(),
  at_ms: z.number(),
  is_reversal: z.optional(z.boolean()),
});
export type Position = z.infer<typeof Position>;

/**
 * The balance that a wallet's owner named, in pesewas, and the time. A balance chain begins here: a forger does not know
 * the balance. The owner may have misread it, so the anchor is young until a second look agrees.
 */
export const Anchor = z.object({
  balance: z.number(),
  at_ms: z.number(),
  /** Texts that arrive from then on are verified. Unset while the chain follows a balance that anybody would try. */
  proves_since_ms: z.optional(z.number()),
  /** Time of the second look. */
  agreed_ms: z.optional(z.number()),
});
export type Anchor = z.infer<typeof Anchor>;

export const Try = z.object({
  text_hash: z.string(),
  at_ms: z.number(),
  head: z.optional(z.number()),
});
export type Try = z.infer<typeof Try>;

export const Chain = z.object({
  network: Network,
  momo_number: z.string(),
  anchor: Anchor,
  recent: z.array(Position),
  /** Sender name of the wallet's texts. Unset until the first text is linked. */
  sender: z.optional(z.string()),
  clock: NetworkClock,
  strays: z.optional(z.array(Stray)),
  links: z.number(),
  /** Time since when enough texts are linked for this network's texts to verify anything (ms since 1970). */
  known_since_ms: z.optional(z.number()),
  gaps: z.number(),
  unbroken_since_ms: z.number(),
  /** Verified money by hour while the anchor is young, in pesewas. */
  confirmed: z.optional(z.array(z.object({ hour: z.number(), pesewas: z.number() }))),
  /** Id of the first linked payment above the sum. Unset once the second look has verified them. */
  beyond_since_id: z.optional(z.number()),
  /** Time of the owner's last look that agreed with the chain. */
  looked_ms: z.number(),
  /** Payments whose proof a named balance withdrew. The owner checks them in the wallet. */
  doubted: z.optional(z.array(z.object({ receipt_id: z.string(), pesewas: z.number(), at_ms: z.number() }))),
  /** Set while payments that arrived from then on must lose their proof: the wallet holds less than they say. */
  short_since_ms: z.optional(z.number()),
  /** A balance to which waiting texts lead, and which the owner named. They are linked piece by piece. */
  leads_to: z.optional(
    z.object({ balance: z.number(), is_named: z.boolean(), unsure: z.enum(['none', 'some', 'all']) }),
  ),
  /** The last balance that the owner named and that did not agree, and its difference from the head. */
  look: z.optional(z.object({ balance: z.number(), difference: z.number(), at_ms: z.number() })),
  failed_ms: z.optional(z.array(z.number())),
  tries: z.optional(z.array(Try)),
  pushes: z.optional(z.array(Push)),
  waiting: z.number(),
  asked_ms: z.optional(z.number()),
  inbox_asked_ms: z.optional(z.number()),
  version: z.number(),
});
export type Chain = z.infer<typeof Chain>;

const PLACES_KEPT = 8;
/** Below this number of linked texts, a transaction id alone neither excludes a text nor makes it false. */
const LINKS_TO_KNOW_IDS = 8;
export const OVERTAKEN_MS = 2 * MINUTE_MS;
/** After this much silence, a phone may send its backlog in any order. */
const SILENCE_MS = 30 * MINUTE_MS;

/** True if the chain's own transaction ids are enough to judge another id. */
export function knowsIds({ links }: Pick<Chain, 'links'>): boolean {
  return links >= LINKS_TO_KNOW_IDS;
}

export function headOf({ recent }: Chain): Position {
  const head = recent.at(-1);
  if (!head) throw new Error('The balance chain has no positions');
  return head;
}

/** True if the balance rose after recent position `n`. */
export function roseAfter({ recent }: Pick<Chain, 'recent'>, n: number): boolean {
  return recent.some(({ balance }, k) => k > n && balance > (recent[k - 1]?.balance ?? balance));
}

type Oddity = 'clock_odd' | 'sender_differs';

export function oddityOf(chain: Chain, movement: Movement): Oddity | undefined {
  const { clock, network, recent, sender = movement.sender } = chain;
  const isOdd = isAhead(clock, network, recent, movement) || isOld(clock, network, recent, movement);
  if (isOdd && knowsIds(chain) && !isBacked(chain, movement)) return 'clock_odd';
  return movement.sender === sender ? undefined : 'sender_differs';
}

/** True if a text continues the chain from its head. */
function follows(chain: Chain, movement: Movement): boolean {
  const head = headOf(chain);
  const { clock, network, recent, sender = movement.sender } = chain;
  if (movement.before !== head.balance || movement.sender !== sender) return false;
  const isInTime = movement.id > head.id - sameMoment(clock, network) && !isAhead(clock, network, recent, movement);
  return isInTime || !knowsIds(chain) || isBacked(chain, movement);
}

/**
 * Extends a chain by at most `most` texts, which may have arrived in any order.
 * @returns the chain and the linked texts in order.
 */
export function advance(
  chain: Chain,
  texts: readonly Movement[],
  nowMs: number,
  most = Number.POSITIVE_INFINITY,
): { chain: Chain; linked: Movement[] } {
  const linked: Movement[] = [];
  let [current, rest] = [chain, [...texts].sort(byId)];
  for (let next = nextOf(current, rest, nowMs); next && linked.length < most; next = nextOf(current, rest, nowMs)) {
    const taken = next;
    current = extend(current, taken);
    rest = rest.filter((one) => one !== taken);
    linked.push(taken);
  }
  return { chain: current, linked };
}

/** Returns the next text of the chain, if any. Returns undefined briefly while an earlier text may still arrive. */
function nextOf(chain: Chain, texts: readonly Movement[], nowMs: number): Movement | undefined {
  const next = texts.find((one) => follows(chain, one));
  if (!next) return undefined;
  const head = headOf(chain);
  const isRecent = ({ arrived_ms }: Movement) => nowMs - arrived_ms < OVERTAKEN_MS;
  const isAfterSilence = knowsIds(chain) && next.id - head.id > idsIn(chain.clock, chain.network, SILENCE_MS);
  const isDraining = isRecent(next) && isAfterSilence;
  const mayComeBefore = (one: Movement) => isRecent(one) && (isDraining || one.after === next.before);
  const isBetween = ({ id }: Movement) => id > head.id && id < next.id;
  return texts.some((one) => isBetween(one) && mayComeBefore(one)) ? undefined : next;
}

function extend(chain: Chain, { id, after, at_ms, sender }: Movement): Chain {
  const head = headOf(chain);
  // The network may have restarted its ids at a lower number.
  const newId = !knowsIds(chain) || isBacked(chain, { id, at_ms }) ? id : Math.max(id, head.id);
  const position: Position = { id: newId, balance: after, at_ms: Math.max(at_ms, head.at_ms) };
  return {
    ...withPositions(chain, [position]),
    sender: chain.sender ?? sender,
    strays: undefined,
    clock: learnFrom(chain.clock, chain.network, chain.links > 0 ? sightingOf(head) : undefined, { id, at_ms }),
    links: chain.links + 1,
  };
}

/** Returns the chain after further positions. An empty wallet's next texts prove nothing: anybody would try 0. */
export function withPositions({ anchor, ...chain }: Chain, positions: readonly Position[]): Chain {
  const recent = [...chain.recent, ...positions].slice(-PLACES_KEPT);
  const { balance, at_ms } = anchor;
  return { ...chain, recent, anchor: recent.at(-1)?.balance === 0 ? { balance, at_ms } : anchor };
}

export function afterReversal(chain: Chain, balance: number, at_ms: number): Chain {
  const head = headOf(chain);
  const position: Position = { id: head.id, balance, at_ms: Math.max(at_ms, head.at_ms), is_reversal: true };
  return withPositions(chain, [position]);
}

const sightingOf = ({ id, at_ms }: Position): Sighting => ({ id, at_ms });

export function isSame(one: Movement, other: Movement): boolean {
  return one.id === other.id && one.before === other.before && one.after === other.after;
}

/**
 * Value of `facts_hash` if two outgoing texts have the same balances but different details. Neither is then verified.
 */
export const SEVERAL_TEXTS = 'several';

/**
 * Returns the text marked with `SEVERAL_TEXTS`, or undefined if no other text has the same balances but different
 * details.
 */
export function asRepeated<One extends Movement>(text: One, texts: readonly Movement[]): One | undefined {
  const isMarked = text.facts_hash === undefined || text.facts_hash === SEVERAL_TEXTS;
  const isRepeated = texts.some((other) => isSame(other, text) && other.facts_hash !== text.facts_hash);
  return !isMarked && isRepeated ? { ...text, facts_hash: SEVERAL_TEXTS } : undefined;
}

export const byId = (a: Movement, b: Movement): number => a.id - b.id;

/** Converts a text to a movement. Returns undefined unless the text has an id, an amount and a balance. */
export function movementOf(
  reading: Reading,
  origin: Pick<Movement, 'at_ms' | 'arrived_ms' | 'receipt_id' | 'facts_hash'> & { readonly sender: string },
): Movement | undefined {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in' && reading.kind !== 'money_out') return undefined;
  const { transactionId, amountPesewas, balancePesewas: after, chargesPesewas } = reading;
  if (transactionId === null || amountPesewas === null || after === null) return undefined;
  const moved = (reading.kind === 'money_out' ? -amountPesewas : amountPesewas) - (chargesPesewas ?? 0);
  const id = Math.min(Number(transactionId), Number.MAX_SAFE_INTEGER);
  const amount = reading.kind === 'payment' && { amount: amountPesewas };
  return { ...origin, sender: origin.sender.toLowerCase(), id, before: after - moved, after, ...amount };
}
