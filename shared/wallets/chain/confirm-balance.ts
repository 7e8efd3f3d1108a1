import { type Branch, branchesOf, doubtfulIn, type Gap, pathTo } from './branches.ts';
import { type Chain, headOf, isEstablished, type Movement, type Position, roseAfter, withPositions } from './chain.ts';
import { MAX_ON_THEIR_WAY } from './guesses.ts';
import { isAhead, learnFrom, NEW_CLOCK, sameMoment } from './network-clock.ts';

export interface Confirmed {
  readonly chain: Chain;
  readonly linked: readonly Movement[];
  readonly unsure?: readonly Movement[];
  readonly gaps: readonly Gap[];
  readonly filled?: Gap;
  readonly contradicted?: Position;
}

/**
 * Maximum number of linked texts that a confirmed branch may disprove. If a branch contradicts more texts, it probably
 * starts at the same balance by coincidence.
 */
const MOST_CONTRADICTED = 3;

export interface WalletSnapshot {
  readonly chain: Chain;
  readonly waiting: readonly Movement[];
  readonly gaps: readonly Gap[];
}

/**
 * Applies the owner's confirmation of a balance (in pesewas): links the branch that reaches this balance. Changes
 * nothing if there is no such branch. Pass `isNow` if the owner stated the current balance.
 */
export function confirmBalance(
  { chain, waiting, gaps }: WalletSnapshot,
  balance: number,
  { isGuessed = false, isNow = false }: { readonly isGuessed?: boolean; readonly isNow?: boolean } = {},
): Confirmed {
  const head = headOf(chain);
  if (balance === head.balance) return { chain, linked: [], gaps: [] };
  const branches = branchesOf(chain, waiting);
  const leading = branches.flatMap((one) => upTo(one, balance) ?? []);
  const isDoubted =
    isGuessed || (isEstablished(chain) && (leading.length > 1 || branches.length > 1 + MAX_ON_THEIR_WAY));
  const fromHead = isEstablished(chain) || isDoubted ? branchFromHead(chain, waiting, balance) : undefined;
  const path = isDoubted ? fromHead : undefined;
  const branch = path ?? leading.at(-1);
  if (!branch) return { chain, linked: [], gaps: [] };
  const known = path ? doubtfulIn(chain, waiting, head, path.texts) : branch.texts;
  // If a shorter path leads to the same balance, either path may be genuine.
  const isBeside = (text: Movement) => fromHead !== undefined && !fromHead.texts.includes(text);
  const unsure = isDoubted ? known : [...sinceEmpty(chain, waiting, branch), ...branch.texts.filter(isBeside)];
  const isNewer = branch.from.id > head.id - sameMoment(chain.clock, chain.network);
  if (isNewer) return { ...appendBranch(chain, branch), unsure };
  const older = { linked: branch.texts, unsure: isEstablished(chain) ? branch.texts : unsure };
  // Ids are unreliable before a chain is established, because a forger may have sent the first one.
  const isHead = branch.to.id > head.id || (isNow && !isEstablished(chain));
  if (isHead) return { ...replaceEnd(chain, branch), ...older };
  return { chain, ...older, ...positionBetween(chain, branch, gaps) };
}

/**
 * Returns the texts that are false if the wallet never had this balance. In a branch that starts at the chain's head,
 * the texts before this balance may be genuine.
 */
export function denyBalance(chain: Chain, waiting: readonly Movement[], balance: number): Movement[] {
  return branchesOf(chain, waiting).flatMap(({ from, texts }) => {
    const denied = texts.findIndex(({ after }) => after === balance);
    if (denied < 0) return [];
    return from.balance === headOf(chain).balance ? texts.slice(denied) : texts;
  });
}

function branchFromHead(chain: Chain, waiting: readonly Movement[], balance: number): Branch | undefined {
  const texts = pathTo(chain, waiting, headOf(chain), balance);
  const [first, last] = [texts?.[0], texts?.at(-1)];
  if (!texts || !first || !last) return undefined;
  return { texts, from: { id: first.id, balance: first.before, at_ms: first.at_ms }, to: positionAfter(last) };
}

/**
 * Returns the texts of a branch that stay unverified because the wallet was empty. Anybody can guess a balance of 0.
 */
function sinceEmpty(chain: Chain, waiting: readonly Movement[], { from, texts }: Branch): readonly Movement[] {
  const isEmptied = from.balance === 0 || texts.some(({ after }) => after === 0);
  if (!isEstablished(chain) || !isEmptied) return [];
  const head = headOf(chain);
  return doubtfulIn(chain, waiting, from.balance === head.balance ? head : from, texts);
}

function upTo(branch: Branch, balance: number): Branch | undefined {
  const n = branch.texts.findLastIndex(({ after }) => after === balance);
  const last = branch.texts[n];
  return last && { ...branch, texts: branch.texts.slice(0, n + 1), to: positionAfter(last) };
}

/** Replaces the end of the chain with a branch, because the owner had confirmed a wrong balance. */
function replaceEnd(chain: Chain, { texts, from, to }: Branch): Pick<Confirmed, 'chain' | 'linked' | 'gaps'> {
  const recent = chain.recent.filter(({ id }) => id < from.id);
  const isBack = to.id < headOf(chain).id;
  const counted = withLinks({ ...chain, recent, clock: isBack ? NEW_CLOCK : chain.clock }, texts);
  const previous = recent.at(-1) ?? (isBack ? undefined : headOf(chain));
  return {
    chain: restartAt(counted, from, texts.map(positionAfter)),
    linked: texts,
    gaps: previous ? [{ from: previous, to: from }] : [],
  };
}

function withLinks(chain: Chain, texts: readonly Movement[]): Chain {
  return {
    ...chain,
    links: chain.links + texts.length,
    outgoing_links: chain.outgoing_links + texts.filter(({ after, before }) => after < before).length,
    sender: texts.at(-1)?.sender ?? chain.sender,
  };
}

function appendBranch(chain: Chain, branch: Branch): Pick<Confirmed, 'chain' | 'linked' | 'gaps' | 'contradicted'> {
  const { texts, from } = branch;
  const positions = texts.map(positionAfter);
  const counted = withLinks(chain, texts);
  const fork = forkOf(chain, branch);
  if (!fork)
    return { chain: restartAt(counted, from, positions), linked: texts, gaps: [{ from: headOf(chain), to: from }] };
  const kept = chain.recent.slice(0, chain.recent.indexOf(fork) + 1);
  return { chain: withPositions({ ...counted, recent: kept }, positions), linked: texts, gaps: [], contradicted: fork };
}

/**
 * Returns the recent position at which a branch starts. Returns undefined if the balance has not risen since that
 * position.
 */
function forkOf(chain: Chain, { from }: Branch): Position | undefined {
  const { recent } = chain;
  return recent
    .slice(-1 - MOST_CONTRADICTED, -1)
    .findLast((one) => one.balance === from.balance && one.id < from.id && roseAfter(chain, recent.indexOf(one)));
}

function restartAt(chain: Chain, since: Position, positions: readonly Position[]): Chain {
  const { clock, network, recent } = chain;
  const isOtherCount = isAhead(clock, network, recent, since);
  const [{ id, at_ms } = since] = positions;
  const relearned = isOtherCount ? learnFrom(NEW_CLOCK, network, undefined, { id, at_ms }) : clock;
  return withPositions({ ...chain, clock: relearned, unbroken_since_ms: since.at_ms }, positions);
}

function positionBetween(
  { recent }: Chain,
  { from, to }: Branch,
  gaps: readonly Gap[],
): Pick<Confirmed, 'gaps' | 'filled'> {
  const filled = gaps.find((gap) => gap.from.id < from.id && to.id < gap.to.id);
  const previous = recent.findLast(({ id }) => id < from.id);
  const around = filled ?? (previous && { from: previous, to: { ...to, id: to.id + 1, balance: previous.balance } });
  if (!around) return { gaps: [] };
  const parts: Gap[] = [
    { from: around.from, to: from },
    { from: to, to: around.to },
  ];
  const left = parts.filter((part) => part.from.balance !== part.to.balance);
  return { gaps: left, ...(filled && { filled }) };
}

function positionAfter({ id, after, at_ms }: Movement): Position {
  return { id, balance: after, at_ms };
}
