import { continuing, type Gap, leadingInto } from './branches.ts';
import {
  type Chain,
  hasEnoughLinks,
  headOf,
  isEstablished,
  type Movement,
  OVERTAKEN_MS,
  type Place,
  roseAfter,
  type Try,
} from './chain.ts';
import { sameMoment } from './network-clock.ts';

/*
 * A forged text is a guess at the balance. One that is wrong does not link, and so it is seen: while more texts fail to link than lost ones
 * explain, a text that does link may be a guess that was right. Then nothing links by itself, and the owner's word decides.
 *
 * Pure, as the chain is.
 */

/** In a month, so many texts may fail to link before what links counts as guessed. Lost texts fail no others: those wait, and link. */
export const MAX_FAILED = 2;
const FAILED_FOR_MS = 30 * 24 * 60 * 60_000;
/** So many texts may be newer than one that links and not continue it: their predecessors are on their way. */
export const MAX_ON_THEIR_WAY = 5;

/** Whether what links counts as guessed, because too many texts have failed to. */
export function isGuessed(chain: Pick<Chain, 'established_ms' | 'failed_ms'>, nowMs: number): boolean {
  return isEstablished(chain) && hasFailed(chain, nowMs);
}

/** Whether too many texts have failed to link for lost ones to explain it. */
function hasFailed({ failed_ms = [] }: Pick<Chain, 'failed_ms'>, nowMs: number): boolean {
  const [first] = failed_ms;
  return failed_ms.length > MAX_FAILED && first !== undefined && nowMs - first < FAILED_FOR_MS;
}

/**
 * The chain, established where enough has linked and nothing contradicts it: genuine texts do not link to those of a forger who was the first to text
 * the wallet, so they wait, or have failed. What failed before counts against no text then.
 */
export function establishedIfDue(chain: Chain, nowMs: number): Chain {
  const isContradicted = chain.waiting > MAX_FAILED || hasFailed(chain, nowMs);
  if (isEstablished(chain) || isContradicted || !hasEnoughLinks(chain, nowMs)) return chain;
  return { ...chain, established_ms: nowMs, proves_since_ms: nowMs, failed_ms: undefined };
}

/** Whether texts that failed keep a new wallet from being established, for a month or until its owner names the balance. */
export function isHeldUp(chain: Pick<Chain, 'established_ms' | 'failed_ms'>, nowMs: number): boolean {
  return !isEstablished(chain) && hasFailed(chain, nowMs);
}

/** Until when links count as guessed, in milliseconds since 1970, unless more texts fail; undefined where they do not. */
export function guessedUntilMs(chain: Pick<Chain, 'established_ms' | 'failed_ms'>, nowMs: number): number | undefined {
  return isGuessed(chain, nowMs) ? (chain.failed_ms?.[0] ?? nowMs) + FAILED_FOR_MS : undefined;
}

/**
 * Whether a text that would link proves nothing: balances are being guessed, or the wallet was emptied, and 0 is what anybody would guess,
 * or its owner only said yes to the balance that it goes on from.
 */
export function isUnsure(chain: Chain, nowMs: number): boolean {
  const isKnown = headOf(chain).balance === 0 || chain.tapped_ms !== undefined;
  return isEstablished(chain) && (isKnown || isGuessed(chain, nowMs));
}

/** The chain after so many texts turned out not to link, or to be false. */
export function withFailed<Some extends Pick<Chain, 'failed_ms'>>(chain: Some, count: number, nowMs: number): Some {
  if (count <= 0) return chain;
  const failed = Array.from({ length: Math.min(count, MAX_FAILED + 1) }, () => nowMs);
  return { ...chain, failed_ms: [...(chain.failed_ms ?? []), ...failed].slice(-1 - MAX_FAILED) };
}

/** The chain with the counts of some tries taken back. It still knows when their texts came first. */
export function withoutCounts(chain: Chain, tries: readonly Try[] = []): Chain {
  const failed_ms = chain.failed_ms && [...chain.failed_ms];
  for (const { at_ms } of tries) {
    const counted = failed_ms?.indexOf(at_ms) ?? -1;
    if (counted >= 0) failed_ms?.splice(counted, 1);
  }
  return { ...chain, failed_ms };
}

/** What keeps texts from linking that continue the chain. */
type Doubt =
  /** Too many texts fail to link. */
  | 'guessed'
  /** The same, or others are on their way that would explain it: it is looked at again. */
  | 'unclear';

/**
 * Whether texts that continue the chain may have been guessed, going by those that would be left waiting.
 * @returns undefined where they may not.
 */
export function doubtOf(
  before: Chain,
  { linked, left }: { readonly linked: readonly Movement[]; readonly left: readonly Movement[] },
  gaps: readonly Gap[],
  nowMs: number,
): Doubt | undefined {
  const last = linked.at(-1);
  if (!isEstablished(before) || !last) return undefined;
  const head = headOf(before);
  const slack = sameMoment(before.clock, before.network);
  const since = sinceEstablished(before, left);
  const inGap = since.filter((one) => gapOf(before, gaps, one));
  // A phone may tell some of them after the chain has gone on. More are guesses as well.
  const late = inGap.filter((one) => one.arrived_ms > (gapOf(before, gaps, one)?.to.at_ms ?? 0) + OVERTAKEN_MS);
  const spared = new Set(late.length > MAX_ON_THEIR_WAY ? inGap.filter((one) => !late.includes(one)) : inGap);
  const explained = leadingToHead(before, since, gaps);
  const others = since.filter((one) => !spared.has(one) && !explained.has(one));
  const isLate = ({ arrived_ms }: Movement) => nowMs - arrived_ms >= OVERTAKEN_MS;
  const isPassed = ({ id }: Movement) => id < last.id - slack;
  // What leads on from the head is another way to go on, and what leads to a text that links is another way to it: no guess that was wrong.
  const passed = others.filter(isPassed);
  const ways = new Set([...continuing(before, others, [head]), ...leadingInto(before, passed, linked)]);
  const failed = passed.filter((one) => isLate(one) && !ways.has(one)).length;
  const remembered = (before.failed_ms ?? []).filter((ms) => nowMs - ms < FAILED_FOR_MS).length;
  if (failed + remembered > MAX_FAILED) return 'guessed';
  const isTwofold = [...ways].some(isLate);
  const newer = others.length - passed.length;
  return isTwofold || passed.length + remembered > MAX_FAILED || newer > MAX_ON_THEIR_WAY ? 'unclear' : undefined;
}

/** The texts that came since the chain says what is proven: the others count against none, and take no link back. */
export function sinceEstablished(
  { established_ms = Number.POSITIVE_INFINITY }: Pick<Chain, 'established_ms'>,
  texts: readonly Movement[],
): Movement[] {
  return texts.filter(({ arrived_ms }) => arrived_ms >= established_ms);
}

/**
 * The texts that lead to where the chain went on after its last break: one of them was late when the owner named the balance. Those that
 * begin at the head are another way to go on.
 */
function leadingToHead(chain: Chain, texts: readonly Movement[], gaps: readonly Gap[]): Set<Movement> {
  const head = headOf(chain);
  const least = head.id - sameMoment(chain.clock, chain.network);
  const ends = gaps.flatMap(({ to }) => (to.id > least ? { id: to.id, before: to.balance } : []));
  return leadingInto(chain, texts, ends).difference(continuing(chain, texts, [head]));
}

/** The known break in which a text claims a place, where it leads on from the head nowhere. */
function gapOf(chain: Chain, gaps: readonly Gap[], { id }: Movement): Gap | undefined {
  const least = headOf(chain).id - sameMoment(chain.clock, chain.network);
  return id <= least ? gaps.find(({ from, to }) => id > from.id && id < to.id) : undefined;
}

/**
 * The place before the head at which a text begins that has waited in vain: it, or what linked since, is forged. Not one that goes on from
 * `end`, the last that links now: the chain may stand there as it did before.
 */
export function forkOf(chain: Chain, left: readonly Movement[], nowMs: number, end?: Place): Place | undefined {
  const { recent, clock, network, sender } = chain;
  if (!isEstablished(chain)) return undefined;
  const slack = sameMoment(clock, network);
  const ofSender = end ? left.filter((one) => one.sender === sender) : [];
  const goesOn = continuing(chain, ofSender, end ? [end] : []);
  const since = sinceEstablished(chain, left);
  const late = since.filter((one) => nowMs - one.arrived_ms >= OVERTAKEN_MS && !goesOn.has(one));
  const head = recent.at(-1);
  // Beyond a break that the owner has confirmed nothing that is known goes on from there: a forged text would be alone.
  const sinceMs = chain.tapped_ms === undefined ? chain.unbroken_since_ms : 0;
  return recent
    .slice(0, -1)
    .findLast(
      (place, n) =>
        place.at_ms >= sinceMs &&
        place.balance !== head?.balance &&
        roseAfter(chain, n) &&
        late.some((one) => one.before === place.balance && one.id > place.id - slack),
    );
}
