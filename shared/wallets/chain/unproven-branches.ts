import { type Branch, branchesOf } from './branches.ts';
import { type Chain, headOf, type Movement, OVERTAKEN_MS, type Place } from './chain.ts';
import { sameMoment } from './network-clock.ts';

const MINUTE_MS = 60 * 1000;
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
