import * as z from 'zod/mini';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { byId, type Chain, headOf, type Movement, OVERTAKEN_MS, Position } from './chain.ts';
import { isOld, sameMoment } from './network-clock.ts';

/**
 * A series of waiting texts that does not continue the balance chain. Either an earlier text is missing, or the series
 * is forged.
 */
export interface Branch {
  readonly texts: readonly Movement[];
  readonly from: Position;
  readonly to: Position;
}

export function branchesOf(chain: Pick<Chain, 'clock' | 'network'>, waiting: readonly Movement[]): Branch[] {
  const branches: { texts: Movement[]; from: Position; to: Position }[] = [];
  const ending = new Map<number, Set<(typeof branches)[number]>>();
  const sameMomentIds = sameMoment(chain.clock, chain.network);
  for (const text of [...waiting].sort(byId)) {
    const { id, before, after, at_ms } = text;
    const fits = [...(ending.get(before) ?? [])].filter(({ to }) => to.id - sameMomentIds < id);
    const branch = fits.at(-1) ?? {
      texts: [],
      from: { id, balance: before, at_ms },
      to: { id, balance: before, at_ms },
    };
    if (fits.length === 0) branches.push(branch);
    ending.get(before)?.delete(branch);
    branch.texts.push(text);
    branch.to = { id, balance: after, at_ms };
    ending.set(after, (ending.get(after) ?? new Set()).add(branch));
  }
  return branches;
}

/** A gap in the balance chain, where texts are missing. */
export const Gap = z.object({
  from: Position,
  to: Position,
  is_push: z.optional(z.boolean()),
  reversal_of: z.optional(z.string()),
});
export type Gap = z.infer<typeof Gap>;

/** Returns the money that arrived without a text, in pesewas. Negative for outgoing money. */
export function differenceOf({ from, to }: Gap): number {
  return to.balance - from.balance;
}

const REVERSED_WITHIN_MS = 30 * DAY_MS;

type OfState = Movement & { readonly state?: string };

export function paymentsOf<Text extends OfState>(amountPesewas: number, gap: Gap, texts: readonly Text[]): Text[] {
  return paymentsOfAnyState(amountPesewas, gap, texts).filter(isLinked);
}

export function isLinked({ state = 'linked' }: OfState): boolean {
  return state === 'linked';
}

/** Like `paymentsOf`, but also returns payments that the chain has dropped. */
export function paymentsOfAnyState<Text extends Movement>(
  amountPesewas: number,
  { to }: Gap,
  texts: readonly Text[],
): Text[] {
  return texts.filter(({ id, at_ms, before, after, receipt_id }) => {
    const isEarlier = id < to.id && at_ms > to.at_ms - REVERSED_WITHIN_MS;
    return isEarlier && receipt_id !== undefined && after - before === amountPesewas;
  });
}

export function openGaps(chain: Chain, branches: readonly Branch[]): Gap[] {
  const gaps: Gap[] = [];
  let from = headOf(chain);
  for (const branch of branches) {
    if (branch.texts.length < 2 || branch.from.id < from.id) continue;
    gaps.push({ from, to: branch.from });
    from = branch.to;
  }
  return gaps;
}

/**
 * Returns at most `most` texts that fill a whole gap, or none. Somebody could guess a single balance, so the texts must
 * fill all of it.
 */
export function fillGap(
  chain: Chain,
  gap: Gap,
  texts: readonly Movement[],
  most = Number.POSITIVE_INFINITY,
): Movement[] {
  const { clock, network, recent } = chain;
  const within = texts.filter(({ id, sender }) => sender === chain.sender && id > gap.from.id && id < gap.to.id);
  const path = pathTo(chain, within, gap.from, gap.to.balance) ?? [];
  const isWhole = path.length === within.length && path.length <= most;
  const isInTime = path.every((one) => !isOld(clock, network, recent, one));
  return isWhole && isInTime ? path : [];
}

/**
 * Returns the texts that lead from a position to the latest occurrence of a balance, or undefined if there are none.
 */
export function pathTo(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  from: Pick<Position, 'id' | 'balance'>,
  balance: number,
): Movement[] | undefined {
  const slack = sameMoment(chain.clock, chain.network);
  const useful = leadingTo(texts, balance, slack);
  const byBefore = Map.groupBy([...useful].sort(byId), ({ before }) => before);
  const path: Movement[] = [];
  let position = from;
  for (;;) {
    const { id, balance: stands } = position;
    const next = byBefore.get(stands)?.find((one) => one.id > id - slack && !path.includes(one));
    if (!next) break;
    path.push(next);
    position = { id: next.id, balance: next.after };
  }
  const end = path.findLastIndex(({ after }) => after === balance);
  return end < 0 ? undefined : path.slice(0, end + 1);
}

function leadingTo(texts: readonly Movement[], balance: number, slack: number): Set<Movement> {
  const byAfter = Map.groupBy(texts, ({ after }) => after);
  const found = new Set(byAfter.get(balance));
  for (const { id, before } of found) {
    for (const one of byAfter.get(before) ?? []) if (one.id < id + slack) found.add(one);
  }
  return found;
}

export function leadingInto(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  next: readonly Pick<Movement, 'id' | 'before'>[],
): Set<Movement> {
  const slack = sameMoment(chain.clock, chain.network);
  const before = (end: Pick<Movement, 'id'>) => texts.filter(({ id }) => id < end.id + slack);
  return new Set(next.flatMap((end) => [...leadingTo(before(end), end.before, slack)]));
}

export function continuing(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  positions: readonly Pick<Position, 'id' | 'balance'>[],
): Set<Movement> {
  const slack = sameMoment(chain.clock, chain.network);
  const byBefore = Map.groupBy(texts, ({ before }) => before);
  const found = new Set<Movement>();
  const ends = [...positions];
  for (const { id, balance } of ends) {
    for (const one of byBefore.get(balance) ?? []) {
      if (one.id <= id - slack || found.has(one)) continue;
      found.add(one);
      ends.push({ id: one.id, balance: one.after });
    }
  }
  return found;
}

/** Returns a path's texts that may be forged although the path leads to a balance that the owner confirmed. */
export function doubtfulIn(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  from: Pick<Position, 'id' | 'balance'>,
  path: readonly Movement[],
): Movement[] {
  const slack = sameMoment(chain.clock, chain.network);
  const positions = [from, ...path.map(({ id, after }) => ({ id, balance: after }))];
  const others = texts.filter((one) => one.id > from.id - slack && !path.includes(one));
  const [begun, ended] = [Map.groupBy(others, ({ before }) => before), Map.groupBy(others, ({ after }) => after)];
  const leaves = positions.findIndex(({ id, balance }) => begun.get(balance)?.some((one) => one.id > id - slack));
  const joins = positions.findLastIndex(({ balance }, n) => {
    const nextId = path[n]?.id ?? Number.POSITIVE_INFINITY;
    return n > 0 && ended.get(balance)?.some((one) => one.id < nextId + slack);
  });
  let end = joins;
  return path.filter((_, n) => {
    end = Math.max(
      end,
      positions.findLastIndex(({ balance }) => balance === positions[n]?.balance),
    );
    return n < end || (leaves >= 0 && n >= leaves);
  });
}

/**
 * Returns late texts that together leave the balance unchanged. The chain had no gap without them, so the text after
 * them was linked first.
 */
export function overtakenLoop(chain: Chain, texts: readonly Movement[]): readonly Movement[] {
  for (const [n, next] of chain.recent.entries()) {
    const position = chain.recent[n - 1];
    if (!position) continue;
    const isOvertaken = ({ id, arrived_ms, sender }: Movement) =>
      id > position.id && id < next.id && arrived_ms - next.at_ms < OVERTAKEN_MS && sender === chain.sender;
    const loop = branchesOf(chain, texts.filter(isOvertaken)).find(
      ({ from, to }) => from.balance === position.balance && to.balance === position.balance,
    );
    if (loop) return loop.texts;
  }
  return [];
}

/** Age at which a branch probably has all of its texts. */
const GROWN_MS = 10 * MINUTE_MS;
const BACKLOG_MS = 10 * MINUTE_MS;
const DRAINING_MS = 3 * MINUTE_MS;

/** Returns the branches that are newer than the head of the balance chain. */
export function newerBranches(chain: Chain, waiting: readonly Movement[]): Branch[] {
  const leastId = headOf(chain).id - sameMoment(chain.clock, chain.network);
  const newer = waiting.filter(({ id }) => id > leastId);
  return branchesOf(chain, newer);
}

export function beganMs({ texts }: Branch): number {
  return Math.min(...texts.map(({ arrived_ms }) => arrived_ms));
}

export function isGrown(branch: Branch, nowMs: number): boolean {
  return nowMs - beganMs(branch) >= GROWN_MS;
}

export function openQuestion(
  chain: Chain,
  waiting: readonly Movement[],
): { readonly branch: Branch; readonly askedMs: number } | undefined {
  return newerBranches(chain, waiting)
    .flatMap((branch) => askedAt(branch).map((askedMs) => ({ branch, askedMs })))
    .toSorted((a, b) => b.askedMs - a.askedMs)[0];
}

function askedAt({ texts }: Branch): number[] {
  return texts.flatMap(({ asked_ms }) => asked_ms ?? []);
}

/**
 * Returns the branch to ask the owner about, if any. Prefers a branch that continues from the head's balance, then the
 * longest branch.
 */
export function branchInQuestion(chain: Chain, waiting: readonly Movement[], nowMs: number): Branch | undefined {
  const isDraining = waiting.some(
    ({ at_ms, arrived_ms }) => nowMs - arrived_ms < DRAINING_MS && arrived_ms - at_ms > BACKLOG_MS,
  );
  if (isDraining) return undefined;
  const head = headOf(chain);
  const continues = ({ from }: Branch) => from.balance === head.balance;
  // Texts that continue each other but not a new anchor show a misread balance, so ask at once.
  const isMisread = ({ texts }: Branch) => chain.links === 0 && texts.length > 1;
  return newerBranches(chain, waiting)
    .filter((branch) => isMisread(branch) || (isGrown(branch, nowMs) && head.at_ms - OVERTAKEN_MS <= branch.from.at_ms))
    .filter((branch) => askedAt(branch).length === 0)
    .filter(({ to }) => to.balance !== head.balance)
    .toSorted((a, b) => Number(continues(b)) - Number(continues(a)) || b.texts.length - a.texts.length)[0];
}
