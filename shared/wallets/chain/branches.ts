import * as z from 'zod/mini';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { byId, type Chain, headOf, isEstablished, type Movement, OVERTAKEN_MS, Place } from './chain.ts';
import { isOld, sameMoment } from './network-clock.ts';

/** Waiting texts that continue each other but not the chain: a text before them is missing, or they are forged. */
export interface Branch {
  /** In their order. */
  readonly texts: readonly Movement[];
  /** The balance before the first of them. */
  readonly from: Place;
  /** The balance after the last of them. */
  readonly to: Place;
}

/** The branches that waiting texts make, in the order in which they begin. */
export function branchesOf(chain: Pick<Chain, 'clock' | 'network'>, waiting: readonly Movement[]): Branch[] {
  const branches: { texts: Movement[]; from: Place; to: Place }[] = [];
  /** Those that end at a balance: thousands of forged texts may wait. */
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

/** A break in a chain: what happened between two places is not known. */
export const Gap = z.object({
  /** Where the chain ended. */
  from: Place,
  /** Where it goes on: the balance before its next text. */
  to: Place,
  /** Its money was sent to the bank: that it went is no sign of anything else. */
  is_push: z.optional(z.boolean()),
  /** The receipt of the payment whose reversal explains it. */
  reversal_of: z.optional(z.string()),
});
export type Gap = z.infer<typeof Gap>;

/** Pesewas that came without a text; below 0 if they went. */
export function differenceOf({ from, to }: Gap): number {
  return to.balance - from.balance;
}

/** MTN takes a payment back within 15 to 30 days. */
const REVERSED_WITHIN_MS = 30 * DAY_MS;

/** The payments of exactly an amount in the month before a break, the newest last. */
export function paymentsOf<Text extends Movement & { readonly state?: string }>(
  amountPesewas: number,
  { to }: Gap,
  texts: readonly Text[],
): Text[] {
  return texts.filter(({ id, at_ms, before, after, receipt_id, state = 'linked' }) => {
    const isEarlier = id < to.id && at_ms > to.at_ms - REVERSED_WITHIN_MS;
    return isEarlier && state === 'linked' && receipt_id !== undefined && after - before === amountPesewas;
  });
}

/**
 * The breaks before the branches that are newer than the chain: each from the end of the chain, or of the branch before it. A text
 * that is alone proves too little.
 */
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
 * Fills a gap with the texts that fit, `most` of them. Before the chain is established, a part of it, from either end. Afterwards only
 * the whole of it, from the balance on one side to that on the other, and only if no other text claims a place in it: one balance can be
 * guessed, or be read once it is old. For the same reason not with a text that its phone got days later than its id.
 * @returns what is left of the gap, undefined if nothing is, and the texts that have become a part of the chain.
 */
export function fillGap(
  chain: Chain,
  gap: Gap,
  texts: readonly Movement[],
  most = Number.POSITIVE_INFINITY,
): { gap: Gap | undefined; linked: Movement[] } {
  const within = texts.filter(({ id, sender }) => sender === chain.sender && id > gap.from.id && id < gap.to.id);
  if (isEstablished(chain)) return fillWhole(chain, gap, within, most);
  const linked: Movement[] = [];
  let { from, to } = gap;
  const isOpen = () => from.balance !== to.balance;
  const next = () =>
    within.find((one) => {
      const isBetween = one.id > from.id && one.id < to.id;
      return isBetween && !linked.includes(one) && (one.before === from.balance || one.after === to.balance);
    });
  for (let text = next(); text && isOpen() && linked.length < most; text = next()) {
    const { id, at_ms, before, after } = text;
    if (before === from.balance) from = { id, balance: after, at_ms };
    else to = { id, balance: before, at_ms };
    linked.push(text);
  }
  return { gap: isOpen() ? { from, to } : undefined, linked };
}

function fillWhole(chain: Chain, gap: Gap, within: readonly Movement[], most: number): ReturnType<typeof fillGap> {
  const { clock, network, recent } = chain;
  const path = pathTo(chain, within, gap.from, gap.to.balance) ?? [];
  const isWhole = path.length > 0 && path.length === within.length && path.length <= most;
  const isInTime = path.every((one) => !isOld(clock, network, recent, one));
  return isWhole && isInTime ? { gap: undefined, linked: path } : { gap, linked: [] };
}

/**
 * The texts that lead from a place to a balance, as late as any states it, in their order; undefined where none do. What leads nowhere
 * else is left out: a forged text may begin anywhere.
 */
export function pathTo(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  from: Pick<Place, 'id' | 'balance'>,
  balance: number,
): Movement[] | undefined {
  const slack = sameMoment(chain.clock, chain.network);
  const useful = leadingTo(texts, balance, slack);
  const byBefore = Map.groupBy([...useful].sort(byId), ({ before }) => before);
  const path: Movement[] = [];
  let place = from;
  for (;;) {
    const { id, balance: stands } = place;
    const next = byBefore.get(stands)?.find((one) => one.id > id - slack && !path.includes(one));
    if (!next) break;
    path.push(next);
    place = { id: next.id, balance: next.after };
  }
  const end = path.findLastIndex(({ after }) => after === balance);
  return end < 0 ? undefined : path.slice(0, end + 1);
}

/** Those from which others lead to a balance. */
function leadingTo(texts: readonly Movement[], balance: number, slack: number): Set<Movement> {
  const byAfter = Map.groupBy(texts, ({ after }) => after);
  const found = new Set(byAfter.get(balance));
  for (const { id, before } of found) {
    for (const one of byAfter.get(before) ?? []) if (one.id < id + slack) found.add(one);
  }
  return found;
}

/** Of some texts those from which others lead to where one of the `next` begins. */
export function leadingInto(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  next: readonly Pick<Movement, 'id' | 'before'>[],
): Set<Movement> {
  const slack = sameMoment(chain.clock, chain.network);
  const before = (end: Pick<Movement, 'id'>) => texts.filter(({ id }) => id < end.id + slack);
  return new Set(next.flatMap((end) => [...leadingTo(before(end), end.before, slack)]));
}

/** Of some texts those that lead on from a place, each from its end or from that of another. */
export function continuing(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  places: readonly Pick<Place, 'id' | 'balance'>[],
): Set<Movement> {
  const slack = sameMoment(chain.clock, chain.network);
  const byBefore = Map.groupBy(texts, ({ before }) => before);
  const found = new Set<Movement>();
  const ends = [...places];
  for (const { id, balance } of ends) {
    for (const one of byBefore.get(balance) ?? []) {
      if (one.id <= id - slack || found.has(one)) continue;
      found.add(one);
      ends.push({ id: one.id, balance: one.after });
    }
  }
  return found;
}

/**
 * The texts of a path that a word about its end does not prove, where forged ones may wait: what came in went out again before the next
 * text, or another text begins at a place before them or ends at one after them. It leads past them if one text was lost, so either may
 * be forged by somebody who guessed two balances.
 */
export function doubtfulIn(
  chain: Pick<Chain, 'clock' | 'network'>,
  texts: readonly Movement[],
  from: Pick<Place, 'id' | 'balance'>,
  path: readonly Movement[],
): Movement[] {
  const slack = sameMoment(chain.clock, chain.network);
  const places = [from, ...path.map(({ id, after }) => ({ id, balance: after }))];
  const others = texts.filter((one) => one.id > from.id - slack && !path.includes(one));
  const [begun, ended] = [Map.groupBy(others, ({ before }) => before), Map.groupBy(others, ({ after }) => after)];
  const leaves = places.findIndex(({ id, balance }) => begun.get(balance)?.some((one) => one.id > id - slack));
  const joins = places.findLastIndex(({ balance }, n) => {
    const nextId = path[n]?.id ?? Number.POSITIVE_INFINITY;
    return n > 0 && ended.get(balance)?.some((one) => one.id < nextId + slack);
  });
  let end = joins;
  return path.filter((_, n) => {
    end = Math.max(
      end,
      places.findLastIndex(({ balance }) => balance === places[n]?.balance),
    );
    return n < end || (leaves >= 0 && n >= leaves);
  });
}

/**
 * Texts that were overtaken by one that linked without them, because they lead back to the balance with which they begin. They have
 * come within the time in which that happens; later, somebody may have seen what the balance was.
 * @returns those between two of the chain's last places.
 */
export function overtakenLoop(chain: Chain, texts: readonly Movement[]): readonly Movement[] {
  for (const [n, next] of chain.recent.entries()) {
    const place = chain.recent[n - 1];
    if (!place) continue;
    const isOvertaken = ({ id, arrived_ms, sender }: Movement) =>
      id > place.id && id < next.id && arrived_ms - next.at_ms < OVERTAKEN_MS && sender === chain.sender;
    const loop = branchesOf(chain, texts.filter(isOvertaken)).find(
      ({ from, to }) => from.balance === place.balance && to.balance === place.balance,
    );
    if (loop) return loop.texts;
  }
  return [];
}

/** Nearly every text has arrived by then, and its phone has posted again what it could not post. */
const GROWN_MS = 10 * MINUTE_MS;
/** A text that is this late was kept back by its phone, which posts the others that it kept as well. */
const BACKLOG_MS = 10 * MINUTE_MS;
const DRAINING_MS = 3 * MINUTE_MS;
const BORNE_OUT_MS = 30 * MINUTE_MS;

/**
 * The branches that claim to be newer than the head: a text before them is missing, or they are forged. Of one that goes past the head,
 * as where its owner named a wrong balance, what comes after it.
 */
export function newerBranches(chain: Chain, waiting: readonly Movement[]): Branch[] {
  const leastId = headOf(chain).id - sameMoment(chain.clock, chain.network);
  const newer = waiting.filter(({ id }) => id > leastId);
  return branchesOf(chain, newer);
}

/** When the first text of a branch reached us, in milliseconds since 1970. */
export function beganMs({ texts }: Branch): number {
  return Math.min(...texts.map(({ arrived_ms }) => arrived_ms));
}

/** Whether a branch has waited so long that the text before it will hardly come by itself. */
export function isGrown(branch: Branch, nowMs: number): boolean {
  return nowMs - beganMs(branch) >= GROWN_MS;
}

/** The branch that the wallet's owner was asked about last and has not answered; undefined if there is none. */
export function openQuestion(
  chain: Chain,
  waiting: readonly Movement[],
): { readonly branch: Branch; readonly askedMs: number } | undefined {
  return newerBranches(chain, waiting)
    .flatMap((branch) => askedAt(branch).map((askedMs) => ({ branch, askedMs })))
    .toSorted((a, b) => b.askedMs - a.askedMs)[0];
}

/**
 * What the owner can be asked now: whether the wallet held the balance at the end of the branch that they were asked about last, or of the
 * newest one. Never the head's balance: there yes and no would be the same answer.
 */
export function unclearBalance(chain: Chain, waiting: readonly Movement[]): Place | undefined {
  const ends = branchesOf(chain, waiting).map(({ to }) => to);
  return openQuestion(chain, waiting)?.branch.to ?? ends.findLast(({ balance }) => balance !== headOf(chain).balance);
}

function askedAt({ texts }: Branch): number[] {
  return texts.flatMap(({ asked_ms }) => asked_ms ?? []);
}

/**
 * The branch that the owner is to be asked about now: it has grown for a while, nothing has linked to the head since it began, and no
 * phone is still posting what it kept back. Of several the one that begins at the head, which few can write; then the longest.
 */
export function branchInQuestion(chain: Chain, waiting: readonly Movement[], nowMs: number): Branch | undefined {
  const isDraining = waiting.some(
    ({ at_ms, arrived_ms }) => nowMs - arrived_ms < DRAINING_MS && arrived_ms - at_ms > BACKLOG_MS,
  );
  if (isDraining) return undefined;
  const head = headOf(chain);
  const continues = ({ from }: Branch) => from.balance === head.balance;
  // What goes on from a balance that was only tapped bears it out by itself, as a rule.
  const isAwaited = (branch: Branch) =>
    continues(branch) && chain.tapped_ms !== undefined && nowMs - chain.tapped_ms < BORNE_OUT_MS;
  return (
    newerBranches(chain, waiting)
      // The head's own text may have been overtaken by those after it.
      .filter((branch) => isGrown(branch, nowMs) && head.at_ms - OVERTAKEN_MS <= branch.from.at_ms)
      .filter((branch) => askedAt(branch).length === 0 && !isAwaited(branch))
      // The same balance as the head's would be no answer: yes and no are one.
      .filter(({ to }) => to.balance !== head.balance)
      .toSorted((a, b) => Number(continues(b)) - Number(continues(a)) || b.texts.length - a.texts.length)[0]
  );
}
