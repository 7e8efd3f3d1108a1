import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import type { Reading } from '../../ghana/wallet-text/reading.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { BusyHours, withText } from './busy-hours.ts';
import {
  idsIn,
  isAhead,
  isBacked,
  isOld,
  learnFrom,
  NEW_CLOCK,
  NetworkClock,
  type Sighting,
  Stray,
  sameMoment,
  straysAfter,
} from './network-clock.ts';
import { Push } from './push.ts';

/**
 * The balance chain of a wallet. Each text states an amount and the new balance, and so implies the previous balance.
 * The new balance is the chain's head, and must equal the previous balance of the next text. A forger would have to
 * know the balance, so a text that fits is verified. Other texts wait for a missing text or for the owner's answer.
 */

export const Movement = z.object({
  id: z.number(),
  before: z.number(),
  after: z.number(),
  at_ms: z.number(),
  arrived_ms: z.number(),
  sender: z.string(),
  receipt_id: z.optional(z.string()),
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

/** In `observe` mode, proofs are only shown. In `enforce` mode, unverified payments are also held. */
export const ProveMode = z.enum(['observe', 'enforce']);
export type ProveMode = z.infer<typeof ProveMode>;

export const Try = z.object({
  text_hash: z.string(),
  at_ms: z.number(),
  head: z.optional(z.number()),
});
export type Try = z.infer<typeof Try>;

export const Chain = z.object({
  network: Network,
  momo_number: z.string(),
  mode: ProveMode,
  recent: z.array(Position),
  sender: z.string(),
  clock: NetworkClock,
  strays: z.optional(z.array(Stray)),
  links: z.number(),
  outgoing_links: z.number(),
  gaps: z.number(),
  unbroken_since_ms: z.number(),
  begun_ms: z.optional(z.number()),
  /** Time at which the chain was established (ms since 1970). */
  established_ms: z.optional(z.number()),
  /** Time at which the chain was first established. Earlier texts are never verified. */
  proves_since_ms: z.optional(z.number()),
  failed_ms: z.optional(z.array(z.number())),
  tries: z.optional(z.array(Try)),
  pushes: z.optional(z.array(Push)),
  tapped_ms: z.optional(z.number()),
  busy: z.optional(BusyHours),
  waiting: z.number(),
  asked_ms: z.optional(z.number()),
  inbox_asked_ms: z.optional(z.number()),
  version: z.number(),
});
export type Chain = z.infer<typeof Chain>;

const PLACES_KEPT = 8;
/** Minimums for establishing a chain. The days give genuine texts time to contradict a chain that a forger started. */
export const ESTABLISHED = { links: 20, outgoing: 5, days: 7 };
export const OVERTAKEN_MS = 2 * MINUTE_MS;
/** After this much silence, a phone may send its backlog in any order. */
const SILENCE_MS = 30 * MINUTE_MS;

export function startChain(wallet: Pick<Chain, 'network' | 'momo_number'>, first: Movement): Chain {
  const { sender, at_ms, arrived_ms, id, after: balance } = first;
  return {
    ...wallet,
    mode: 'observe',
    recent: [{ id, balance, at_ms }],
    sender,
    // Start with a fresh clock, because the first text may be forged.
    clock: NEW_CLOCK,
    links: 0,
    outgoing_links: 0,
    gaps: 0,
    unbroken_since_ms: at_ms,
    begun_ms: arrived_ms,
    waiting: 0,
    version: 0,
  };
}

export function isEstablished({ established_ms }: Pick<Chain, 'established_ms'>): boolean {
  return established_ms !== undefined;
}

export function hasEnoughLinks({ links, outgoing_links, begun_ms = 0 }: Chain, nowMs: number): boolean {
  return (
    links >= ESTABLISHED.links &&
    outgoing_links >= ESTABLISHED.outgoing &&
    nowMs - begun_ms >= ESTABLISHED.days * DAY_MS
  );
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
  const { clock, network, recent } = chain;
  const isOdd = isAhead(clock, network, recent, movement) || isOld(clock, network, recent, movement);
  if (isOdd && !isBacked(chain, movement)) return 'clock_odd';
  return movement.sender === chain.sender ? undefined : 'sender_differs';
}

/**
 * True if a text continues the chain from its head. Never true for an established chain with a balance of 0, because a
 * forger would try that balance first.
 */
function follows(chain: Chain, movement: Movement): boolean {
  const head = headOf(chain);
  const { clock, network, recent } = chain;
  return (
    movement.before === head.balance &&
    (movement.id > head.id - sameMoment(clock, network) || isBacked(chain, movement)) &&
    movement.sender === chain.sender &&
    (!isEstablished(chain) ||
      (head.balance !== 0 && (!isAhead(clock, network, recent, movement) || isBacked(chain, movement))))
  );
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
  const isDraining = isRecent(next) && next.id - head.id > idsIn(chain.clock, chain.network, SILENCE_MS);
  const mayComeBefore = (one: Movement) => isRecent(one) && (isDraining || one.after === next.before);
  const isBetween = ({ id }: Movement) => id > head.id && id < next.id;
  return texts.some((one) => isBetween(one) && mayComeBefore(one)) ? undefined : next;
}

function extend(chain: Chain, { id, before, after, at_ms }: Movement): Chain {
  const head = headOf(chain);
  // The network may have restarted its ids at a lower number.
  const newId = isBacked(chain, { id, at_ms }) ? id : Math.max(id, head.id);
  const position: Position = { id: newId, balance: after, at_ms: Math.max(at_ms, head.at_ms) };
  return {
    ...withPositions(chain, [position]),
    strays: isEstablished(chain) ? undefined : straysAfter(chain, { id, at_ms }),
    clock: learnFrom(chain.clock, chain.network, sightingOf(head), { id, at_ms }),
    busy: withText(chain.busy, at_ms),
    links: chain.links + 1,
    outgoing_links: chain.outgoing_links + (after < before ? 1 : 0),
  };
}

export function withPositions(chain: Chain, positions: readonly Position[]): Chain {
  return { ...chain, recent: [...chain.recent, ...positions].slice(-PLACES_KEPT) };
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
  return { ...origin, sender: origin.sender.toLowerCase(), id, before: after - moved, after };
}
