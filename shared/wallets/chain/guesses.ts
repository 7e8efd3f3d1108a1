import { DAY_MS } from '../../runtime/values/calendar.ts';
import { continuing, type Gap, leadingInto } from './branches.ts';
import {
  type Chain,
  hasEnoughLinks,
  headOf,
  isEstablished,
  type Movement,
  OVERTAKEN_MS,
  type Position,
  roseAfter,
  type Try,
} from './chain.ts';
import { sameMoment } from './network-clock.ts';

/**
 * Detects guessed balances. A text with a wrong guess does not link. After too many such texts, no text is linked
 * automatically, because a text that fits may be a lucky guess.
 */

/** Maximum number of texts per month that do not link. If there are more, new links may be guesses. */
export const MAX_FAILED = 2;
const FAILED_FOR_MS = 30 * DAY_MS;
/** Maximum number of newer texts that may wait for missing texts. If more are waiting, new links are in doubt. */
export const MAX_ON_THEIR_WAY = 5;

export function isGuessed(chain: Pick<Chain, 'established_ms' | 'failed_ms'>, nowMs: number): boolean {
  return isEstablished(chain) && hasFailed(chain, nowMs);
}

function hasFailed({ failed_ms = [] }: Pick<Chain, 'failed_ms'>, nowMs: number): boolean {
  const [first] = failed_ms;
  return failed_ms.length > MAX_FAILED && first !== undefined && nowMs - first < FAILED_FOR_MS;
}

/** Establishes the chain once enough texts are linked without contradiction. Clears the record of failed texts. */
export function establishedIfDue(chain: Chain, nowMs: number): Chain {
  const isContradicted = chain.waiting > MAX_FAILED || hasFailed(chain, nowMs);
  if (isEstablished(chain) || isContradicted || !hasEnoughLinks(chain, nowMs)) return chain;
  return { ...chain, established_ms: nowMs, proves_since_ms: nowMs, failed_ms: undefined };
}

export function isHeldUp(chain: Pick<Chain, 'established_ms' | 'failed_ms'>, nowMs: number): boolean {
  return !isEstablished(chain) && hasFailed(chain, nowMs);
}

/** True if the wallet may hold another amount than its last verified balance. */
export function isBalanceInDoubt(
  chain: Pick<Chain, 'waiting' | 'established_ms' | 'failed_ms'>,
  nowMs: number,
): boolean {
  return chain.waiting > 0 || isHeldUp(chain, nowMs);
}

export function guessedUntilMs(chain: Pick<Chain, 'established_ms' | 'failed_ms'>, nowMs: number): number | undefined {
  return isGuessed(chain, nowMs) ? (chain.failed_ms?.[0] ?? nowMs) + FAILED_FOR_MS : undefined;
}

/** True if the next link proves nothing, because somebody could know or guess the balance. */
export function isUnsure(chain: Chain, nowMs: number): boolean {
  const isKnown = headOf(chain).balance === 0 || chain.tapped_ms !== undefined;
  return isEstablished(chain) && (isKnown || isGuessed(chain, nowMs));
}

export function withFailed<Some extends Pick<Chain, 'failed_ms'>>(chain: Some, count: number, nowMs: number): Some {
  if (count <= 0) return chain;
  const failed = Array.from({ length: Math.min(count, MAX_FAILED + 1) }, () => nowMs);
  return { ...chain, failed_ms: [...(chain.failed_ms ?? []), ...failed].slice(-1 - MAX_FAILED) };
}

export function withoutCounts(chain: Chain, tries: readonly Try[] = []): Chain {
  const failed_ms = chain.failed_ms && [...chain.failed_ms];
  for (const { at_ms } of tries) {
    const counted = failed_ms?.indexOf(at_ms) ?? -1;
    if (counted >= 0) failed_ms?.splice(counted, 1);
  }
  return { ...chain, failed_ms };
}

type Doubt = 'guessed' | 'unclear';

/**
 * Returns `guessed` or `unclear` if the new links may be guesses, judging by the texts that do not link. Returns
 * undefined if the links are not in doubt.
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
  const late = inGap.filter((one) => one.arrived_ms > (gapOf(before, gaps, one)?.to.at_ms ?? 0) + OVERTAKEN_MS);
  const spared = new Set(late.length > MAX_ON_THEIR_WAY ? inGap.filter((one) => !late.includes(one)) : inGap);
  const explained = leadingToHead(before, since, gaps);
  const others = since.filter((one) => !spared.has(one) && !explained.has(one));
  const isLate = ({ arrived_ms }: Movement) => nowMs - arrived_ms >= OVERTAKEN_MS;
  const isPassed = ({ id }: Movement) => id < last.id - slack;
  // A text is not a wrong guess if it is on a different path that starts at the chain's head or leads to a linked text.
  const passed = others.filter(isPassed);
  const ways = new Set([...continuing(before, others, [head]), ...leadingInto(before, passed, linked)]);
  const failed = passed.filter((one) => isLate(one) && !ways.has(one)).length;
  const remembered = (before.failed_ms ?? []).filter((ms) => nowMs - ms < FAILED_FOR_MS).length;
  if (failed + remembered > MAX_FAILED) return 'guessed';
  const isTwofold = [...ways].some(isLate);
  const newer = others.length - passed.length;
  return isTwofold || passed.length + remembered > MAX_FAILED || newer > MAX_ON_THEIR_WAY ? 'unclear' : undefined;
}

export function sinceEstablished(
  { established_ms = Number.POSITIVE_INFINITY }: Pick<Chain, 'established_ms'>,
  texts: readonly Movement[],
): Movement[] {
  return texts.filter(({ arrived_ms }) => arrived_ms >= established_ms);
}

/** Returns the texts that lead to the end of the last gap. */
function leadingToHead(chain: Chain, texts: readonly Movement[], gaps: readonly Gap[]): Set<Movement> {
  const head = headOf(chain);
  const least = head.id - sameMoment(chain.clock, chain.network);
  const ends = gaps.flatMap(({ to }) => (to.id > least ? { id: to.id, before: to.balance } : []));
  return leadingInto(chain, texts, ends).difference(continuing(chain, texts, [head]));
}

function gapOf(chain: Chain, gaps: readonly Gap[], { id }: Movement): Gap | undefined {
  const least = headOf(chain).id - sameMoment(chain.clock, chain.network);
  return id <= least ? gaps.find(({ from, to }) => id > from.id && id < to.id) : undefined;
}

/**
 * Returns the recent position that a late text continues from, if any. Either the late text or a linked text is forged.
 * Ignores texts that continue from `end`.
 */
export function forkOf(chain: Chain, left: readonly Movement[], nowMs: number, end?: Position): Position | undefined {
  const { recent, clock, network, sender } = chain;
  if (!isEstablished(chain)) return undefined;
  const slack = sameMoment(clock, network);
  const ofSender = end ? left.filter((one) => one.sender === sender) : [];
  const goesOn = continuing(chain, ofSender, end ? [end] : []);
  const since = sinceEstablished(chain, left);
  const late = since.filter((one) => nowMs - one.arrived_ms >= OVERTAKEN_MS && !goesOn.has(one));
  const head = recent.at(-1);
  const sinceMs = chain.tapped_ms === undefined ? chain.unbroken_since_ms : 0;
  return recent
    .slice(0, -1)
    .findLast(
      (position, n) =>
        position.at_ms >= sinceMs &&
        position.balance !== head?.balance &&
        roseAfter(chain, n) &&
        late.some((one) => one.before === position.balance && one.id > position.id - slack),
    );
}
