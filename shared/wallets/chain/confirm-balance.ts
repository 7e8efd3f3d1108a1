import { type Branch, branchesOf, doubtfulIn, type Gap, pathTo } from './branches.ts';
import { type Chain, headOf, isEstablished, type Movement, type Place, roseAfter, withPlaces } from './chain.ts';
import { MAX_ON_THEIR_WAY } from './guesses.ts';
import { isAhead, learnFrom, NEW_CLOCK, sameMoment } from './network-clock.ts';

/** What follows from the owner's word about a balance. */
export interface Confirmed {
  readonly chain: Chain;
  /** The waiting texts that it proves. */
  readonly linked: readonly Movement[];
  /** Of those, the ones that it does not prove where forged texts may wait among them. */
  readonly unsure?: readonly Movement[];
  /** The breaks that are known now, in the place of `filled`. */
  readonly gaps: readonly Gap[];
  readonly filled?: Gap;
  /** Texts after this place, up to the old head, were not continued by what the owner confirms: somebody wrote them who knew the balance. */
  readonly contradicted?: Place;
}

/** So few texts between a place and the head may be the forged ones, where a branch begins at that place; more are a coincidence. */
const MOST_CONTRADICTED = 3;

/** What is known of a wallet at one moment. */
export interface WalletSnapshot {
  readonly chain: Chain;
  readonly waiting: readonly Movement[];
  readonly gaps: readonly Gap[];
}

/**
 * Takes the owner's word that the wallet holds, or after one of its texts held, `balance` pesewas.
 *
 * A balance on a branch: that branch is genuine, and its end is the head, or it lies in a known gap. Any other balance changes nothing:
 * texts that lead to it may still be on their way, and would no longer fit. Where forged texts may wait among the others, because balances
 * are guessed, or many branches wait, or two lead there, it proves only those without which nothing leads from the head to the balance.
 * `isNow`: it is what the wallet holds, and not what it held some time.
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
  // Where a shorter way leads there too, nothing tells which of the two is true.
  const isBeside = (text: Movement) => fromHead !== undefined && !fromHead.texts.includes(text);
  const unsure = isDoubted ? known : [...sinceEmpty(chain, waiting, branch), ...branch.texts.filter(isBeside)];
  const isNewer = branch.from.id > head.id - sameMoment(chain.clock, chain.network);
  if (isNewer) return { ...goOnWith(chain, branch), unsure };
  // What failed to link in a known break counts as no guess, so one of many balances there may be right by chance.
  const older = { linked: branch.texts, unsure: isEstablished(chain) ? branch.texts : unsure };
  // Before a chain is established ids decide nothing: whoever was the first to text the wallet may have written one from a time that has not come.
  const isHead = branch.to.id > head.id || (isNow && !isEstablished(chain));
  if (isHead) return { ...goOnPast(chain, branch), ...older };
  return { chain, ...older, ...placeBetween(chain, branch, gaps) };
}

/**
 * Takes the owner's word that the wallet never held a balance that some waiting texts tell: their branch is false. Of one that begins where
 * the chain ends only what leads to that balance last, and all behind it: those before it may be genuine, and somebody wrote the next.
 */
export function denyBalance(chain: Chain, waiting: readonly Movement[], balance: number): Movement[] {
  return branchesOf(chain, waiting).flatMap(({ from, texts }) => {
    const denied = texts.findIndex(({ after }) => after === balance);
    if (denied < 0) return [];
    return from.balance === headOf(chain).balance ? texts.slice(denied) : texts;
  });
}

/** The texts that lead from the head to a balance. */
function branchFromHead(chain: Chain, waiting: readonly Movement[], balance: number): Branch | undefined {
  const texts = pathTo(chain, waiting, headOf(chain), balance);
  const [first, last] = [texts?.[0], texts?.at(-1)];
  if (!texts || !first || !last) return undefined;
  return { texts, from: { id: first.id, balance: first.before, at_ms: first.at_ms }, to: placeAfter(last) };
}

/**
 * The texts of a branch that a word about its end does not prove where the wallet was empty at one of its places: everybody knows what it
 * held then, and who paid something after that knows what it held next.
 */
function sinceEmpty(chain: Chain, waiting: readonly Movement[], { from, texts }: Branch): readonly Movement[] {
  const isEmptied = from.balance === 0 || texts.some(({ after }) => after === 0);
  if (!isEstablished(chain) || !isEmptied) return [];
  const head = headOf(chain);
  return doubtfulIn(chain, waiting, from.balance === head.balance ? head : from, texts);
}

/** A branch as far as the last of its texts that ends at a balance. */
function upTo(branch: Branch, balance: number): Branch | undefined {
  const n = branch.texts.findLastIndex(({ after }) => after === balance);
  const last = branch.texts[n];
  return last && { ...branch, texts: branch.texts.slice(0, n + 1), to: placeAfter(last) };
}

/** The chain that goes on with a branch which passes by its head: the owner has confirmed a wrong one before. */
function goOnPast(chain: Chain, { texts, from, to }: Branch): Pick<Confirmed, 'chain' | 'linked' | 'gaps'> {
  const recent = chain.recent.filter(({ id }) => id < from.id);
  const isBack = to.id < headOf(chain).id;
  const counted = withLinks({ ...chain, recent, clock: isBack ? NEW_CLOCK : chain.clock }, texts);
  const stood = recent.at(-1) ?? (isBack ? undefined : headOf(chain));
  return {
    chain: goOnAt(counted, from, texts.map(placeAfter)),
    linked: texts,
    gaps: stood ? [{ from: stood, to: from }] : [],
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

/** The chain that goes on with a branch. */
function goOnWith(chain: Chain, branch: Branch): Pick<Confirmed, 'chain' | 'linked' | 'gaps' | 'contradicted'> {
  const { texts, from } = branch;
  const places = texts.map(placeAfter);
  const counted = withLinks(chain, texts);
  const fork = forkOf(chain, branch);
  if (!fork) return { chain: goOnAt(counted, from, places), linked: texts, gaps: [{ from: headOf(chain), to: from }] };
  const kept = chain.recent.slice(0, chain.recent.indexOf(fork) + 1);
  return { chain: withPlaces({ ...counted, recent: kept }, places), linked: texts, gaps: [], contradicted: fork };
}

/** The place shortly before the head at which a branch begins: where only money went out since, it may have come back without a text. */
function forkOf(chain: Chain, { from }: Branch): Place | undefined {
  const { recent } = chain;
  return recent
    .slice(-1 - MOST_CONTRADICTED, -1)
    .findLast((one) => one.balance === from.balance && one.id < from.id && roseAfter(chain, recent.indexOf(one)));
}

/** The chain after a break, from `since` on. Ids that the clock did not expect are what it goes by from now on. */
function goOnAt(chain: Chain, since: Place, places: readonly Place[]): Chain {
  const { clock, network, recent } = chain;
  const isOtherCount = isAhead(clock, network, recent, since);
  const [{ id, at_ms } = since] = places;
  const relearned = isOtherCount ? learnFrom(NEW_CLOCK, network, undefined, { id, at_ms }) : clock;
  return withPlaces({ ...chain, clock: relearned, unbroken_since_ms: since.at_ms }, places);
}

/** What becomes of the breaks where a branch turns out to be genuine that is older than the head. */
function placeBetween(
  { recent }: Chain,
  { from, to }: Branch,
  gaps: readonly Gap[],
): Pick<Confirmed, 'gaps' | 'filled'> {
  const filled = gaps.find((gap) => gap.from.id < from.id && to.id < gap.to.id);
  // Outside of all breaks it begins and ends where the chain stood then, if it had begun and the place is still known.
  const stood = recent.findLast(({ id }) => id < from.id);
  const around = filled ?? (stood && { from: stood, to: { ...to, id: to.id + 1, balance: stood.balance } });
  if (!around) return { gaps: [] };
  const parts: Gap[] = [
    { from: around.from, to: from },
    { from: to, to: around.to },
  ];
  const left = parts.filter((part) => part.from.balance !== part.to.balance);
  return { gaps: left, ...(filled && { filled }) };
}

function placeAfter({ id, after, at_ms }: Movement): Place {
  return { id, balance: after, at_ms };
}
