import { knownIfDue, withinSum } from './anchor.ts';
import { continuing, fillGap, type Gap, overtakenLoop } from './branches.ts';
import { advance, type Chain, headOf, type Movement, type Position } from './chain.ts';
import { doubtOf, forkOf, hasArrived, isPaused, leadingToAnchor, MAX_FAILED, withFailed } from './guesses.ts';
import { withLook } from './look.ts';

/** Decides which of a wallet's texts are linked and which must wait. `link-texts.ts` reads and writes the rows. */

/** Waiting texts linked per transaction. Each takes two writes (DynamoDB allows 100). */
const LINKED_AT_ONCE = 30;
/** Waiting texts from before the anchor that the same transaction settles. Each takes two writes. */
const EARLY_AT_ONCE = 12;
export const FEW_WAITING = 30;
/** Maximum number of waiting texts stored per wallet. */
const MAX_WAITING = 4000;

export interface LinkPlan {
  /** `record` stores texts that are not linked. `go back` unlinks the latest texts, which wait again. */
  readonly action: 'link' | 'record' | 'go back' | 'nothing';
  readonly reason: Reason;
  /** The chain after this step. Does not account for the texts that `goBackTo` unlinks. */
  readonly chain: Chain;
  readonly linked: readonly Movement[];
  /** The linked payments above a young anchor's sum. */
  readonly beyond: ReadonlySet<Movement>;
  /** Texts from before the anchor. They stay unverified. */
  readonly early: readonly Movement[];
  readonly released: readonly Movement[];
  readonly waits: readonly Movement[];
  readonly filled: Gap | undefined;
  readonly goBackTo: Position | undefined;
  readonly isDone: boolean;
}

type Reason =
  | 'continues'
  /** Late texts together leave the balance unchanged, so the text after them was linked first. */
  | 'overtaken'
  | 'fills a gap'
  /** A late text continues from a position before the chain's head. */
  | 'fork'
  | 'fits nowhere'
  | 'guessed'
  /** The links may be guesses. */
  | 'unclear';

/** Plans how new and waiting texts are linked. */
export function planLinks(
  before: Chain,
  texts: readonly Movement[],
  { waiting, gaps }: KnownTexts,
  nowMs: number,
): LinkPlan {
  const early = earlyOf(before, texts, waiting, nowMs);
  const fresh = texts.filter((one) => !early.includes(one));
  const stillWaiting = waiting.filter((one) => !early.includes(one));
  const found = findLinks(before, fresh, { waiting: stillWaiting, gaps }, nowMs);
  const { linked, goBackTo } = found;
  if (texts.length === 0 && early.length === 0 && found.chain === before) return nothing(found);
  const left = fresh.filter((one) => !linked.includes(one));
  const waits = left.slice(0, Math.max(0, MAX_WAITING - before.waiting));
  const released = [...linked, ...early].filter((one) => waiting.includes(one));
  const { chain, beyond } = withinSum(knownIfDue(found.chain, nowMs), linked, nowMs);
  const count = chain.waiting + waits.length - released.length;
  // Texts that are not stored count as failed immediately.
  const counted = waits.length < left.length ? withFailed(chain, MAX_FAILED + 1, nowMs) : chain;
  return {
    ...found,
    action: goBackTo ? 'go back' : linked.length > 0 ? 'link' : 'record',
    chain: { ...withLook(counted, linked, nowMs), waiting: count },
    beyond,
    early,
    released,
    waits,
    isDone: linked.length === 0 || count === 0,
  };
}

/**
 * Returns the texts from before the anchor: those that reached us before it, and those that lead to its balance. If they
 * may have been on their way, they first wait for texts between them. A text that continues the head is none of these.
 */
function earlyOf(chain: Chain, texts: readonly Movement[], waiting: readonly Movement[], nowMs: number): Movement[] {
  const { at_ms: anchoredMs } = chain.anchor;
  const arrived = texts.filter(({ arrived_ms }) => arrived_ms < anchoredMs);
  const others = [...texts, ...waiting].filter((one) => !arrived.includes(one));
  const leading = leadingToAnchor(chain, others).difference(continuing(chain, others, [headOf(chain)]));
  const early = [...leading].filter(({ at_ms }) => at_ms < anchoredMs || hasArrived(chain, nowMs));
  return [...arrived, ...early.slice(0, EARLY_AT_ONCE)];
}

function nothing(found: Links): LinkPlan {
  const none = { released: [], waits: [], early: [], beyond: new Set<Movement>() };
  return { ...found, action: 'nothing', ...none, isDone: true };
}

/** Returns the chain without the contested texts, which wait again. */
export function withContested(chain: Chain, contested: readonly Movement[]): Chain {
  return { ...chain, links: chain.links - contested.length, waiting: chain.waiting + contested.length };
}

export interface KnownTexts {
  readonly waiting: readonly Movement[];
  readonly gaps: readonly Gap[];
}

type Links = Pick<LinkPlan, 'chain' | 'linked' | 'filled' | 'goBackTo' | 'reason'>;

function findLinks(before: Chain, fresh: readonly Movement[], { waiting, gaps }: KnownTexts, nowMs: number): Links {
  if (isPaused(before, nowMs)) return unlinked(before, 'guessed');
  const texts = [...waiting, ...fresh];
  const all = linksIn(before, { texts, gaps }, nowMs);
  const left = texts.filter((one) => !all.linked.includes(one));
  const doubt = doubtOf(before, { linked: all.linked, left }, gaps, nowMs);
  const fork = forkOf(before, left, nowMs, all.linked.length > 0 ? headOf(all.chain) : undefined);
  const counted = doubt === 'guessed' ? withFailed(before, MAX_FAILED + 1, nowMs) : before;
  if (fork) {
    const recent = before.recent.slice(0, before.recent.indexOf(fork) + 1);
    return { ...unlinked({ ...counted, recent }, 'fork'), goBackTo: fork };
  }
  if (doubt) return unlinked(counted, doubt);
  return all.linked.length <= LINKED_AT_ONCE ? all : linksIn(before, { texts, gaps }, nowMs, LINKED_AT_ONCE);
}

function unlinked(chain: Chain, reason: Reason): Links {
  return { chain, reason, linked: [], filled: undefined, goBackTo: undefined };
}

function linksIn(
  before: Chain,
  { texts, gaps }: { readonly texts: readonly Movement[]; readonly gaps: readonly Gap[] },
  nowMs: number,
  most?: number,
): Links {
  const none = unlinked(before, 'fits nowhere');
  const { chain, linked } = advance(before, texts, nowMs, most);
  if (linked.length > 0) return { ...none, chain, linked, reason: 'continues' };
  const loop = overtakenLoop(before, texts);
  if (loop.length > 0 && loop.length <= LINKED_AT_ONCE)
    return { ...none, chain: { ...before, links: before.links + loop.length }, linked: loop, reason: 'overtaken' };
  for (const gap of gaps) {
    const filling = fillGap(before, gap, texts, LINKED_AT_ONCE);
    if (filling.length === 0) continue;
    const counts = { gaps: before.gaps - 1, links: before.links + filling.length };
    return { ...none, chain: { ...before, ...counts }, linked: filling, filled: gap, reason: 'fills a gap' };
  }
  return none;
}

/** True if the waiting texts must be read. If there are many, they are read only for a new text that may link. */
export function needsWaiting(chain: Chain, fresh: readonly Movement[], nowMs: number): boolean {
  if (chain.waiting === 0 || isPaused(chain, nowMs)) return false;
  const head = headOf(chain);
  const oldest = chain.gaps > 0 ? 0 : (chain.recent[0]?.id ?? 0);
  const isNear = ({ id, before }: Movement) => (id < head.id && id > oldest) || before === head.balance;
  return chain.waiting <= FEW_WAITING || fresh.length === 0 || fresh.some(isNear);
}
