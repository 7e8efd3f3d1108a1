import { isSupportedByLaterTexts } from './bank-push.ts';
import { fillGap, type Gap, overtakenLoop } from './branches.ts';
import { advance, type Chain, headOf, isEstablished, type Movement, type Position, startChain } from './chain.ts';
import { doubtOf, establishedIfDue, forkOf, isGuessed, MAX_FAILED, withFailed } from './guesses.ts';

/** Decides which of a wallet's texts are linked and which must wait. `link-texts.ts` reads and writes the rows. */

/** Waiting texts linked per transaction (DynamoDB allows 100 writes). */
const LINKED_AT_ONCE = 30;
export const FEW_WAITING = 30;
/** Maximum number of waiting texts stored per wallet. */
const MAX_WAITING = 4000;

export interface LinkPlan {
  /** `record` stores texts as waiting. `go back` unlinks the latest texts, which wait again. */
  readonly action: 'start' | 'link' | 'record' | 'go back' | 'nothing';
  readonly reason: Reason;
  /** The chain after this step. Does not account for the texts that `goBackTo` unlinks. */
  readonly chain: Chain;
  readonly linked: readonly Movement[];
  readonly released: readonly Movement[];
  readonly waits: readonly Movement[];
  readonly filled: FilledGap | undefined;
  readonly goBackTo: Position | undefined;
  readonly next: Next;
}

type Reason =
  | 'first text'
  | 'continues'
  /** Late texts together leave the balance unchanged, so the text after them was linked first. */
  | 'overtaken'
  | 'fills a gap'
  /** A late text continues from a position before the chain's head. */
  | 'fork'
  | 'fits nowhere'
  | 'guessed'
  /** The links may be guesses. */
  | 'unclear'
  /** Too few texts support the last balance that the owner confirmed. */
  | 'not borne out'
  /** Another worker is handling the previous text. */
  | "another's";

/** `look again`: wait briefly, then read the chain again. */
export type Next = 'done' | 'more' | 'look again';

interface FilledGap {
  readonly gap: Gap;
  readonly rest: Gap | undefined;
}

export function planStart(wallet: Pick<Chain, 'network' | 'momo_number'>, texts: readonly Movement[]) {
  const [first, ...others] = texts;
  if (!first) return undefined;
  const next = others.length > 0 ? 'more' : 'done';
  return { ...unlinked(startChain(wallet, first), 'first text', next), action: 'start', linked: [first] } as const;
}

/**
 * Plans how new and waiting texts are linked. If `isPatient`, returns `look again` while another worker may be handling
 * an earlier text.
 */
export function planLinks(
  before: Chain,
  texts: readonly Movement[],
  { waiting, gaps }: KnownTexts,
  { nowMs, isPatient }: { readonly nowMs: number; readonly isPatient: boolean },
): LinkPlan {
  const found = findLinks(before, texts, { waiting, gaps }, nowMs);
  const { chain, linked, goBackTo, reason } = found;
  if (texts.length === 0 && chain === before) return unlinked(before, reason, 'done');
  const left = texts.filter((one) => !linked.includes(one));
  const isEarly = isPatient && mayBeEarly(before, found, left);
  if (isEarly && chain === before) return unlinked(before, reason, 'look again');
  const ends = isEarly ? [] : left;
  const waits = ends.slice(0, Math.max(0, MAX_WAITING - before.waiting));
  const released = linked.filter((one) => !texts.includes(one));
  const count = chain.waiting + waits.length - released.length;
  // Texts that are not stored count as failed immediately.
  const isFull = isEstablished(before) && waits.length < ends.length;
  const after = { ...(isFull ? withFailed(chain, MAX_FAILED + 1, nowMs) : chain), waiting: count };
  return {
    ...found,
    action: goBackTo ? 'go back' : linked.length > 0 ? 'link' : 'record',
    chain: establishedIfDue(after, nowMs),
    released,
    waits,
    next: isEarly || (linked.length > 0 && count > 0) ? 'more' : 'done',
  };
}

function unlinked(chain: Chain, reason: Reason, next: Next): LinkPlan {
  const nothing = { linked: [], released: [], waits: [], filled: undefined, goBackTo: undefined };
  return { action: 'nothing', reason, chain, ...nothing, next };
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
  const none = (reason: Reason, chain = before): Links => unlinked(chain, reason, 'done');
  if (isGuessed(before, nowMs)) return none('guessed');
  const texts = [...waiting, ...fresh];
  const all = linksIn(before, { texts, gaps }, nowMs);
  const left = texts.filter((one) => !all.linked.includes(one));
  const doubt = doubtOf(before, { linked: all.linked, left }, gaps, nowMs);
  const fork = forkOf(before, left, nowMs, all.linked.length > 0 ? headOf(all.chain) : undefined);
  const counted = doubt === 'guessed' ? withFailed(before, MAX_FAILED + 1, nowMs) : before;
  if (fork) {
    const recent = before.recent.slice(0, before.recent.indexOf(fork) + 1);
    return { ...none('fork', { ...counted, recent }), goBackTo: fork };
  }
  if (doubt) return none(doubt, counted);
  if (all.linked.length === 0) return all;
  if (isEstablished(before)) {
    if (!isSupportedByLaterTexts(before, all.linked, left, nowMs)) return none('not borne out');
  } else if (fresh.length > 0 && !fresh.some((one) => all.linked.includes(one))) return none("another's");
  const found = all.linked.length <= LINKED_AT_ONCE ? all : linksIn(before, { texts, gaps }, nowMs, LINKED_AT_ONCE);
  return { ...found, chain: { ...found.chain, tapped_ms: undefined } };
}

function linksIn(
  before: Chain,
  { texts, gaps }: { readonly texts: readonly Movement[]; readonly gaps: readonly Gap[] },
  nowMs: number,
  most?: number,
): Links {
  const none: Links = unlinked(before, 'fits nowhere', 'done');
  const { chain, linked } = advance(before, texts, nowMs, most);
  if (linked.length > 0) return { ...none, chain, linked, reason: 'continues' };
  const loop = overtakenLoop(before, texts);
  if (loop.length > 0 && loop.length <= LINKED_AT_ONCE)
    return { ...none, chain: { ...before, links: before.links + loop.length }, linked: loop, reason: 'overtaken' };
  for (const gap of gaps) {
    const { linked: filling, gap: rest } = fillGap(before, gap, texts, LINKED_AT_ONCE);
    if (filling.length === 0) continue;
    const counts = { gaps: before.gaps - (rest ? 0 : 1), links: before.links + filling.length };
    const filled = { gap, rest };
    return { ...none, chain: { ...before, ...counts }, linked: filling, filled, reason: 'fills a gap' };
  }
  return none;
}

/**
 * True if another worker may be handling an earlier text. Always false for an established chain, which must count every
 * guess.
 */
function mayBeEarly(before: Chain, { chain, linked }: Links, left: readonly Movement[]): boolean {
  const head = headOf(before);
  const isGoingOn = chain === before || linked.length > 0;
  const isAfter = left.some(({ id }) => id > head.id) && left.every(({ after }) => after !== head.balance);
  return !isEstablished(before) && before.waiting <= FEW_WAITING && isGoingOn && isAfter;
}

/** True if the waiting texts must be read. If there are many, they are read only for a new text that may link. */
export function needsWaiting(chain: Chain, fresh: readonly Movement[], nowMs: number): boolean {
  if (chain.waiting === 0 || isGuessed(chain, nowMs)) return false;
  const head = headOf(chain);
  const oldest = chain.gaps > 0 ? 0 : (chain.recent[0]?.id ?? 0);
  const mayFollow = !isEstablished(chain) || head.balance !== 0;
  const isNear = ({ id, before }: Movement) => (id < head.id && id > oldest) || (mayFollow && before === head.balance);
  return chain.waiting <= FEW_WAITING || fresh.length === 0 || fresh.some(isNear);
}
