import { HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { agreedAnchor, anchorAt, isGuessable } from './anchor.ts';
import { type Branch, branchesOf, continuing, doubtfulIn, type Gap, pathTo } from './branches.ts';
import { type Chain, headOf, knowsIds, type Movement, type Position, roseAfter, withPositions } from './chain.ts';
import { isPaused, MAX_ON_THEIR_WAY } from './guesses.ts';
import { isAhead, learnFrom, NEW_CLOCK, sameMoment } from './network-clock.ts';

/** Decides what a balance that the owner read in the wallet and named does to the wallet's chain. */

/** A named balance may be this much older or newer than the chain's texts. */
export const LOOK_MS = 10 * MINUTE_MS;
/** A balance that does not agree counts if the owner names the same difference again after this time. */
export const LOOK_AGAIN_MS = 2 * MINUTE_MS;
/** An hour after it was first named, a balance that did not agree no longer counts. */
export const LOOK_KEPT_MS = HOUR_MS;
/** Maximum number of texts from before the first look that move the head. */
const MAX_BEFORE = 5;
/**
 * Maximum number of linked texts that the texts to a named balance may disprove. If they contradict more, they probably
 * start at the same balance by coincidence.
 */
const MOST_CONTRADICTED = 3;

export interface WalletSnapshot {
  readonly chain: Chain;
  readonly waiting: readonly Movement[];
  /** Linked texts of the last minutes. */
  readonly lately: readonly Movement[];
}

/** `path`: the waiting texts that lead to the balance. `gap`: the break before them. */
export interface Looked {
  /** `look again`: the balance does not agree, so the owner must read it once more. */
  readonly outcome: 'agrees' | 'leads there' | 'look again' | 'new anchor';
  /** The chain without the path. */
  readonly chain: Chain;
  readonly path: readonly Movement[];
  /** Texts of the path that may be forged. */
  readonly unsure: readonly Movement[];
  /** Waiting texts that the path rules out, because they continue from one of its positions. */
  readonly ruledOut: readonly Movement[];
  readonly gap: Gap | undefined;
  /** Position after which the path disproves the linked texts. */
  readonly disprovedAfter: Position | undefined;
}

/** Returns what a look at the wallet does, if it showed `balance` (in pesewas) at `nowMs`. */
export function lookAt({ chain, waiting, lately }: WalletSnapshot, balance: number, nowMs: number): Looked {
  const none = { path: [], unsure: [], ruledOut: [], gap: undefined, disprovedAfter: undefined };
  const named = { balance, nowMs, endsPause: isPaused(chain, nowMs) };
  const head = headOf(chain);
  const push = chain.pushes?.findLast((one) => one.balance === balance && one.id > head.id);
  const hadItLately = !push && lately.some(({ before, after }) => before === balance || after === balance);
  // A look links no waiting text if the chain itself explains the balance.
  if (head.balance === balance || hadItLately) return { outcome: 'agrees', ...none, chain: agreed(chain, named) };
  const way = wayTo(chain, waiting, balance, nowMs);
  if (way) return { outcome: 'leads there', ...way, chain: answered(chain, way, named) };
  if (push) return { outcome: 'leads there', ...none, ...crossed(chain, push, named) };
  const difference = balance - head.balance;
  const first =
    chain.look?.difference === difference && nowMs - chain.look.at_ms < LOOK_KEPT_MS ? chain.look : undefined;
  if (first && nowMs - first.at_ms >= LOOK_AGAIN_MS)
    return { outcome: 'new anchor', ...none, ...begunAnew(chain, named) };
  const look = { balance, difference, at_ms: first?.at_ms ?? nowMs };
  return { outcome: 'look again', ...none, chain: { ...chain, look } };
}

/** Returns the chain after new links, one of which may reach a balance that the owner named shortly before. */
export function withLook(chain: Chain, linked: readonly Movement[], nowMs: number): Chain {
  const { look } = chain;
  if (!look || nowMs - look.at_ms > LOOK_MS || !linked.some(({ after }) => after === look.balance)) return chain;
  return agreed(chain, { balance: look.balance, nowMs: look.at_ms, endsPause: false });
}

/** Returns the chain of a wallet whose owner names its balance for the first time. */
export function firstChain(
  { network, momo_number }: Pick<Chain, 'network' | 'momo_number'>,
  before: readonly Movement[],
  balance: number,
  nowMs: number,
): Chain {
  const head = headFrom(before, balance, nowMs);
  return {
    network,
    momo_number,
    anchor: isGuessable(head) ? { balance, at_ms: nowMs } : anchorAt(balance, nowMs),
    recent: [{ id: 0, balance: head, at_ms: nowMs }],
    clock: NEW_CLOCK,
    links: 0,
    gaps: 0,
    unbroken_since_ms: nowMs,
    looked_ms: nowMs,
    waiting: 0,
    version: 0,
  };
}

/** Returns the chain after texts that lead to a named balance. */
export function withPath(chain: Chain, path: readonly Movement[]): Chain {
  const { clock, network, recent } = chain;
  const [first] = path;
  if (!first) return chain;
  const { id, at_ms } = first;
  const isOtherCount = knowsIds(chain) && isAhead(clock, network, recent, first);
  const relearned = isOtherCount ? learnFrom(NEW_CLOCK, network, undefined, { id, at_ms }) : clock;
  const positions = path.map((text): Position => ({ id: text.id, balance: text.after, at_ms: text.at_ms }));
  const linked = { ...chain, clock: relearned, links: chain.links + path.length, sender: path.at(-1)?.sender };
  return withPositions(linked, positions);
}

/**
 * Returns the balance from which the next text continues. The texts of the last minutes before a look move it only if
 * all of them lie on one path that contains the named balance.
 */
function headFrom(before: readonly Movement[], balance: number, nowMs: number): number {
  const late = before.filter(({ arrived_ms }) => nowMs - arrived_ms < LOOK_MS);
  if (late.length > MAX_BEFORE) return balance;
  const ends = late.flatMap((first) => {
    const path = onePath(first, late);
    const isOnIt = path.some((one) => one.before === balance || one.after === balance);
    return path.length === late.length && isOnIt ? [path.at(-1)?.after ?? balance] : [];
  });
  return ends[0] ?? balance;
}

function onePath(first: Movement, texts: readonly Movement[]): Movement[] {
  const path = [first];
  for (let next: Movement | undefined = first; next; ) {
    const { after }: Movement = next;
    next = texts.find((one) => one.before === after && !path.includes(one));
    if (next) path.push(next);
  }
  return path;
}

type Way = Pick<Looked, 'path' | 'unsure' | 'ruledOut' | 'gap' | 'disprovedAfter'>;

/** Returns the waiting texts that lead to a balance, from the head if possible. */
function wayTo(chain: Chain, waiting: readonly Movement[], balance: number, nowMs: number): Way | undefined {
  const head = headOf(chain);
  const straight = pathTo(chain, waiting, head, balance);
  const doubtful = straight ? doubtfulIn(chain, waiting, head, straight) : [];
  const leastId = head.id - sameMoment(chain.clock, chain.network);
  const branches = branchesOf(chain, waiting).filter(({ from }) => from.id > leastId);
  const leading = branches.filter((branch) => endsAt(branch, balance, nowMs));
  const branch = leading.at(-1);
  const path = branch?.texts.slice(0, branch.texts.findLastIndex(({ after }) => after === balance) + 1) ?? [];
  // The texts before a straight path may be genuine: the wallet may have returned to the head's balance.
  const isLonger = straight?.every((one) => path.includes(one)) && straight.length < path.length;
  if (straight && !isLonger) {
    const ruledOut = ruledOutBy(chain, waiting, straight);
    return { path: straight, unsure: doubtful, ruledOut, gap: undefined, disprovedAfter: undefined };
  }
  if (!branch) return undefined;
  const beside = straight ? path.filter((one) => !straight.includes(one)) : [];
  const isUnclear = leading.length > 1 || branches.length > 1 + MAX_ON_THEIR_WAY;
  const fork = forkOf(chain, branch.from);
  const gap = fork ? undefined : { from: head, to: branch.from };
  const unsure = isUnclear ? path : [...beside, ...doubtful];
  return { path, unsure, ruledOut: ruledOutBy(chain, waiting, path), gap, disprovedAfter: fork };
}

function ruledOutBy(chain: Chain, waiting: readonly Movement[], path: readonly Movement[]): Movement[] {
  const lastId = path.at(-1)?.id ?? 0;
  const others = waiting.filter((one) => one.id < lastId && !path.includes(one));
  const positions = path.map(({ before }) => ({ id: headOf(chain).id, balance: before }));
  return [...continuing(chain, others, positions)];
}

/**
 * True if a branch ends at a balance, except for a few texts of the last minutes. Somebody could write a branch that
 * passes every balance.
 */
function endsAt({ texts }: Branch, balance: number, nowMs: number): boolean {
  const n = texts.findLastIndex(({ after }) => after === balance);
  const later = texts.slice(n + 1);
  return n >= 0 && later.length <= MAX_BEFORE && later.every(({ arrived_ms }) => nowMs - arrived_ms < LOOK_MS);
}

/** Returns the recent position at which a branch starts, if the balance has risen since. */
function forkOf(chain: Chain, from: Position): Position | undefined {
  const { recent } = chain;
  return recent
    .slice(-1 - MOST_CONTRADICTED, -1)
    .findLast((one) => one.balance === from.balance && one.id < from.id && roseAfter(chain, recent.indexOf(one)));
}

interface Named {
  readonly balance: number;
  readonly nowMs: number;
  readonly endsPause: boolean;
}

function looked(chain: Chain, anchor: Chain['anchor'], nowMs: number): Chain {
  return { ...chain, anchor, looked_ms: nowMs, look: undefined };
}

function agreed(chain: Chain, { balance, nowMs, endsPause }: Named): Chain {
  const head = headOf(chain);
  const agreeing = head.balance === balance ? agreedAnchor(chain.anchor, balance, nowMs) : agreedBefore(chain, nowMs);
  const anchor = endsPause ? anchorAt(balance, nowMs, { endsPause }) : agreeing;
  return looked({ ...chain, doubted: undefined }, anchor, nowMs);
}

/** Returns the anchor after a look at a balance that the chain has left since. Such a look begins no proof. */
function agreedBefore({ anchor }: Chain, nowMs: number): Chain['anchor'] {
  return anchor.proves_since_ms === undefined ? anchor : agreedAnchor(anchor, anchor.balance, nowMs);
}

/** Returns the chain at the start of a path to the named balance. */
function answered(chain: Chain, { gap, disprovedAfter }: Way, named: Named): Chain {
  const { recent } = chain;
  const kept = disprovedAfter ? recent.slice(0, recent.indexOf(disprovedAfter) + 1) : recent;
  const from = { ...chain, recent: kept, unbroken_since_ms: gap?.to.at_ms ?? chain.unbroken_since_ms };
  return gap || disprovedAfter ? acrossBreak(from, named) : agreed(from, named);
}

/** Returns the chain after a look across a break, which keeps the anchor's age. */
function acrossBreak(chain: Chain, { balance, nowMs, endsPause }: Named): Chain {
  const { anchor } = chain;
  const since = anchor.proves_since_ms ?? (isGuessable(balance) ? undefined : nowMs);
  const kept = { ...anchor, proves_since_ms: since };
  return looked(chain, endsPause ? anchorAt(balance, nowMs, { endsPause }) : kept, nowMs);
}

/** Returns the chain after a transfer to the bank, whose text states this balance but no amount. */
function crossed(chain: Chain, { id, at_ms }: Pick<Position, 'id' | 'at_ms'>, named: Named) {
  const to: Position = { id, balance: named.balance, at_ms };
  return {
    chain: withPositions({ ...acrossBreak(chain, named), unbroken_since_ms: at_ms }, [to]),
    gap: { from: headOf(chain), to, is_push: true },
  };
}

/** Returns the chain that begins again at a balance which its texts do not explain. */
function begunAnew(chain: Chain, { balance, nowMs, endsPause }: Named) {
  const from = headOf(chain);
  const to: Position = { id: from.id, balance, at_ms: nowMs };
  const anchor = anchorAt(balance, nowMs, { endsPause });
  const begun = { ...looked(chain, anchor, nowMs), unbroken_since_ms: nowMs, links: 0 };
  const short = balance < from.balance && { short_since_ms: chain.short_since_ms ?? chain.looked_ms };
  return { chain: withPositions({ ...begun, ...short }, [to]), gap: { from, to } };
}
