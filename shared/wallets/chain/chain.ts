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

/*
 * The balance chain of a wallet. Each of its texts states the balance after it, so the balance before it is known too, and the text after
 * it must begin where it ended. A text that does is proven: nobody who does not know the balance can write it. What does not link waits,
 * and no number of texts replaces the head of the chain: that takes the text which is missing, or the owner's word.
 *
 * Pure: the rows are in `chain.table.ts`.
 */

/** What one text of a wallet says that was in it, before and after. */
export const Movement = z.object({
  /** The network's id as a number: ids rise. */
  id: z.number(),
  /** In pesewas, as all amounts. */
  before: z.number(),
  after: z.number(),
  /** When the text reached the phone, in milliseconds since 1970. */
  at_ms: z.number(),
  /** When it reached us. */
  arrived_ms: z.number(),
  /** Who sent it, in lower case. */
  sender: z.string(),
  /** The receipt that it became, where it is a payment. */
  receipt_id: z.optional(z.string()),
  /** When the wallet's owner was asked about the branch that begins with it. */
  asked_ms: z.optional(z.number()),
});
export type Movement = z.infer<typeof Movement>;

/** A place in the chain: the balance after a text. */
export const Place = z.object({
  id: z.number(),
  balance: z.number(),
  at_ms: z.number(),
  /** It follows a reversal, whose text has no id of its own: no text leads to it. */
  is_reversal: z.optional(z.boolean()),
});
export type Place = z.infer<typeof Place>;

/** `observe`: what is proven is recorded and shown. `enforce`: what is not is held as well. Which texts are proven does not depend on it. */
export const ProveMode = z.enum(['observe', 'enforce']);
export type ProveMode = z.infer<typeof ProveMode>;

/** The balance in a reversal's text, compared with the head's. */
export const Try = z.object({
  /** Of the text and the payment that it names. */
  text_hash: z.string(),
  at_ms: z.number(),
  /** The head's balance. */
  head: z.optional(z.number()),
});
export type Try = z.infer<typeof Try>;

export const Chain = z.object({
  network: Network,
  momo_number: z.string(),
  mode: ProveMode,
  /** The head, and a few places before it, the newest last. */
  recent: z.array(Place),
  /** The sender's spelling that the chain has linked from. */
  sender: z.string(),
  clock: NetworkClock,
  /** Ids of payments that the clock did not expect, since a text linked last. */
  strays: z.optional(z.array(Stray)),
  /** Texts that continued the chain, and how many of them told of money that went out. */
  links: z.number(),
  outgoing_links: z.number(),
  /** The breaks that are recorded: where the chain was taken up again without the texts between. */
  gaps: z.number(),
  unbroken_since_ms: z.number(),
  /** When the wallet's first text reached us, in milliseconds since 1970. */
  begun_ms: z.optional(z.number()),
  /** Since when the chain says what is proven, in milliseconds since 1970. What came before then counts against no text. */
  established_ms: z.optional(z.number()),
  /** The time at which it was first established: no earlier text is verified. Missing from chains of 1.0.0. */
  proves_since_ms: z.optional(z.number()),
  /** When the last texts failed that should have linked or were false, in milliseconds since 1970: as many as `guesses.ts` asks for. */
  failed_ms: z.optional(z.array(z.number())),
  /** The last balances of reversals that count as guesses until the chain shows them. */
  tries: z.optional(z.array(Try)),
  /** Texts of money sent to the bank, the newest last: each says what the wallet holds, and not by how much that is less. */
  pushes: z.optional(z.array(Push)),
  /** Since when the chain goes on from a balance to which its owner only said yes. */
  tapped_ms: z.optional(z.number()),
  busy: z.optional(BusyHours),
  /** How many texts wait. */
  waiting: z.number(),
  /** When the owner was last asked about a branch, in milliseconds since 1970. */
  asked_ms: z.optional(z.number()),
  /** When the phones that hear the wallet were last asked to post what they may have kept back. */
  inbox_asked_ms: z.optional(z.number()),
  /** Rises with each change: a change requires the latest. */
  version: z.number(),
});
export type Chain = z.infer<typeof Chain>;

/** How many places a chain keeps: its head and those shortly before it. */
const PLACES_KEPT = 8;
/**
 * A chain of this many links, some of them of money that went out, is no coincidence. But whoever is the first to text a wallet can write as many:
 * so it takes days, by our clock, in which genuine texts would not have linked to his.
 */
export const ESTABLISHED = { links: 20, outgoing: 5, days: 7 };
/** For how long a text may be overtaken by later ones: 99 of 100 arrive within it. */
export const OVERTAKEN_MS = 2 * MINUTE_MS;
/** After so long without a text, texts that come in the wrong order were kept by a phone. It is too long for a forger to bring about. */
const SILENCE_MS = 30 * MINUTE_MS;

/** The chain that begins with a wallet's first text. */
export function startChain(wallet: Pick<Chain, 'network' | 'momo_number'>, first: Movement): Chain {
  const { sender, at_ms, arrived_ms, id, after: balance } = first;
  return {
    ...wallet,
    mode: 'observe',
    recent: [{ id, balance, at_ms }],
    sender,
    // It learns from what links alone: the first text may be anybody's.
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

/** Whether the chain says what is proven. It never stops being so. */
export function isEstablished({ established_ms }: Pick<Chain, 'established_ms'>): boolean {
  return established_ms !== undefined;
}

/** Whether enough has linked, for long enough, for a chain to be established. */
export function hasEnoughLinks({ links, outgoing_links, begun_ms = 0 }: Chain, nowMs: number): boolean {
  return (
    links >= ESTABLISHED.links &&
    outgoing_links >= ESTABLISHED.outgoing &&
    nowMs - begun_ms >= ESTABLISHED.days * DAY_MS
  );
}

/** Where the chain ends: the balance after the last text that is proven. */
export function headOf({ recent }: Chain): Place {
  const head = recent.at(-1);
  if (!head) throw new Error('A chain has at least the place where it began');
  return head;
}

/** Whether the balance rose after one of the last places: nobody forges that money went out alone. */
export function roseAfter({ recent }: Pick<Chain, 'recent'>, n: number): boolean {
  return recent.some(({ balance }, k) => k > n && balance > (recent[k - 1]?.balance ?? balance));
}

/** Why a text does not link, where something else than the balance is odd about it. */
type Oddity = 'clock_odd' | 'sender_differs';

/** What is odd about a text, as far as the chain knows: its sender's spelling, or an id that its moment cannot have. */
export function oddityOf(chain: Chain, movement: Movement): Oddity | undefined {
  const { clock, network, recent } = chain;
  const isOdd = isAhead(clock, network, recent, movement) || isOld(clock, network, recent, movement);
  if (isOdd && !isBacked(chain, movement)) return 'clock_odd';
  return movement.sender === chain.sender ? undefined : 'sender_differs';
}

/**
 * Whether a text begins where the chain ends. Before the chain is established, its clock decides nothing: a phone may be telling of an
 * inbox of months, in an hour. Afterwards nothing follows an empty wallet by itself: anybody would guess that its balance is 0.
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
 * Continues a chain with the texts that fit one after the other, `most` of them, whatever the order in which they arrived.
 * @returns the chain, and the texts that have become a part of it, in their order there.
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

/**
 * The text that continues the chain; of several, the first. It waits for a moment where the chain may lead to it by way of texts that
 * were overtaken, which would be left out: one of them has come and ends at the balance with which it begins; or, after a silence,
 * one that stands between comes from a phone that delivers what it has kept, in any order.
 */
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

/** The chain after one more text. */
function extend(chain: Chain, { id, before, after, at_ms }: Movement): Chain {
  const head = headOf(chain);
  // The network may count anew, from a lower id.
  const newId = isBacked(chain, { id, at_ms }) ? id : Math.max(id, head.id);
  const place: Place = { id: newId, balance: after, at_ms: Math.max(at_ms, head.at_ms) };
  return {
    ...withPlaces(chain, [place]),
    // Once it is established, a link is proof enough to end the doubt about its clock.
    strays: isEstablished(chain) ? undefined : straysAfter(chain, { id, at_ms }),
    clock: learnFrom(chain.clock, chain.network, sightingOf(head), { id, at_ms }),
    busy: withText(chain.busy, at_ms),
    links: chain.links + 1,
    outgoing_links: chain.outgoing_links + (after < before ? 1 : 0),
  };
}

/** The chain with further places behind its head, of which it keeps the last few. */
export function withPlaces(chain: Chain, places: readonly Place[]): Chain {
  return { ...chain, recent: [...chain.recent, ...places].slice(-PLACES_KEPT) };
}

/** The chain after a payment that was taken back, with the balance after that. The place keeps the id of the head. */
export function afterReversal(chain: Chain, balance: number, at_ms: number): Chain {
  const head = headOf(chain);
  const place: Place = { id: head.id, balance, at_ms: Math.max(at_ms, head.at_ms), is_reversal: true };
  return withPlaces(chain, [place]);
}

const sightingOf = ({ id, at_ms }: Place): Sighting => ({ id, at_ms });

export const byId = (a: Movement, b: Movement): number => a.id - b.id;

/**
 * What a wallet's text says that was in it before and after; undefined where it does not say it. A text by which nothing moved proves
 * nothing, as anybody could repeat it.
 */
export function movementOf(
  reading: Reading,
  origin: Pick<Movement, 'at_ms' | 'arrived_ms' | 'receipt_id'> & { readonly sender: string },
): Movement | undefined {
  if (reading.kind !== 'payment' && reading.kind !== 'money_in' && reading.kind !== 'money_out') return undefined;
  const { transactionId, amountPesewas, balancePesewas: after, chargesPesewas } = reading;
  if (transactionId === null || amountPesewas === null || after === null) return undefined;
  const moved = (reading.kind === 'money_out' ? -amountPesewas : amountPesewas) - (chargesPesewas ?? 0);
  // An id with more digits than a number holds is no network's: as this one it is from a time that has not come.
  const id = Math.min(Number(transactionId), Number.MAX_SAFE_INTEGER);
  return { ...origin, sender: origin.sender.toLowerCase(), id, before: after - moved, after };
}
