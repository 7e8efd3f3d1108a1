import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { continuing, type Gap, leadingInto } from './branches.ts';
import { type Chain, headOf, type Movement, OVERTAKEN_MS, type Position, roseAfter, type Try } from './chain.ts';
import { sameMoment } from './network-clock.ts';

/**
 * Detects guessed balances. A text with a wrong guess does not link. After too many such texts, no text is linked until
 * the owner names the balance, because a text that fits may be a lucky guess.
 */

/** Maximum number of texts that do not link in a month, since the last anchor. If there are more, new links pause. */
export const MAX_FAILED = 2;
const FAILED_FOR_MS = 30 * DAY_MS;
/** Above this number of guesses in a month, an anchor stays young. */
const MANY_FAILED = 8;
/** Maximum number of newer texts that may wait for missing texts. If more are waiting, new links are in doubt. */
export const MAX_ON_THEIR_WAY = 5;

type Guessed = Pick<Chain, 'anchor' | 'failed_ms'>;

/** Times of the guesses that still count (ms since 1970). */
function guessesMs({ failed_ms = [] }: Pick<Chain, 'failed_ms'>, nowMs: number): number[] {
  return failed_ms.filter((ms) => nowMs - ms < FAILED_FOR_MS);
}

/** Number of guesses since the owner last named a balance that began or continued the chain. */
function guessesSinceAnchor(chain: Guessed, nowMs: number): number[] {
  return guessesMs(chain, nowMs).filter((ms) => ms > chain.anchor.at_ms);
}

/** True while linking is paused. The owner ends the pause by naming the balance. */
export function isPaused(chain: Guessed, nowMs: number): boolean {
  return guessesSinceAnchor(chain, nowMs).length > MAX_FAILED;
}

export function hasManyGuesses(chain: Pick<Chain, 'failed_ms'>, nowMs: number): boolean {
  return guessesMs(chain, nowMs).length > MANY_FAILED;
}

/** End of the pause if nobody names the balance (ms since 1970), or undefined if there is no pause. */
export function pausedUntilMs(chain: Guessed, nowMs: number): number | undefined {
  const [first] = guessesSinceAnchor(chain, nowMs).slice(-1 - MAX_FAILED);
  return first !== undefined && isPaused(chain, nowMs) ? first + FAILED_FOR_MS : undefined;
}

export function withFailed<Some extends Pick<Chain, 'failed_ms'>>(chain: Some, count: number, nowMs: number): Some {
  if (count <= 0) return chain;
  const failed = Array.from({ length: Math.min(count, MANY_FAILED + 1) }, () => nowMs);
  return { ...chain, failed_ms: [...(chain.failed_ms ?? []), ...failed].slice(-1 - MANY_FAILED) };
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
  if (!last) return undefined;
  const head = headOf(before);
  const slack = sameMoment(before.clock, before.network);
  const since = sinceAnchor(before, left);
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
  const remembered = guessesSinceAnchor(before, nowMs).length;
  if (failed + remembered > MAX_FAILED) return 'guessed';
  const isTwofold = [...ways].some(isLate);
  const newer = others.length - passed.length;
  return isTwofold || passed.length + remembered > MAX_FAILED || newer > MAX_ON_THEIR_WAY ? 'unclear' : undefined;
}

/** Returns the texts since the anchor. Only these count as guesses. */
function sinceAnchor(chain: Chain, texts: readonly Movement[]): Movement[] {
  const earlier = leadingToAnchor(chain, texts);
  const { at_ms } = chain.anchor;
  return texts.filter((one) => one.arrived_ms >= at_ms && one.at_ms >= at_ms && !earlier.has(one));
}

/** Time for which texts from before an anchor may still arrive. */
const STILL_ARRIVING_MS = 10 * MINUTE_MS;

/** True once all texts from before the anchor have probably arrived. */
export function hasArrived({ anchor }: Pick<Chain, 'anchor'>, nowMs: number): boolean {
  return nowMs - anchor.at_ms >= STILL_ARRIVING_MS;
}

/**
 * Returns the texts from before the anchor that lead to its balance: those that the phone received before it, and those
 * that were on their way.
 */
export function leadingToAnchor(
  { anchor, ...chain }: Pick<Chain, 'anchor' | 'clock' | 'network'>,
  texts: readonly Movement[],
): Set<Movement> {
  const isEarlier = ({ at_ms, arrived_ms }: Movement) => at_ms < anchor.at_ms || !hasArrived({ anchor }, arrived_ms);
  return leadingInto(chain, texts.filter(isEarlier), [{ id: Number.POSITIVE_INFINITY, before: anchor.balance }]);
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
  const slack = sameMoment(clock, network);
  const ofSender = end ? left.filter((one) => one.sender === sender) : [];
  const goesOn = continuing(chain, ofSender, end ? [end] : []);
  // The owner's last look decided the positions and the texts before it. Otherwise, anybody who knows an old balance
  // could go back to it.
  const since = left.filter(({ arrived_ms }) => arrived_ms > chain.looked_ms);
  const first = positionAt(recent, chain.looked_ms);
  const late = since.filter((one) => nowMs - one.arrived_ms >= OVERTAKEN_MS && !goesOn.has(one));
  const head = recent.at(-1);
  return recent
    .slice(0, -1)
    .findLast(
      (position, n) =>
        n >= first &&
        position.balance !== head?.balance &&
        roseAfter(chain, n) &&
        late.some((one) => one.before === position.balance && one.id > position.id - slack),
    );
}

/** Index of the position that was the head at a time. A phone's stamps may repeat the time of a look for later texts. */
function positionAt(recent: readonly Position[], ms: number): number {
  const same = recent.findIndex(({ at_ms }) => at_ms === ms);
  return same >= 0 ? same : recent.findLastIndex(({ at_ms }) => at_ms < ms);
}
