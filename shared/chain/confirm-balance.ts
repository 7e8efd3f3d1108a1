import { type Branch, branchesOf, type Gap, loopsOf, pathTo } from './branches.ts';
import { type Chain, headOf, type Movement, PLACES_KEPT, type Place } from './chain.ts';
import { isAhead, learnFrom, NEW_CLOCK, sameMoment } from './network-clock.ts';

/** What follows from the owner's word about a balance. */
export interface Confirmed {
  readonly chain: Chain;
  /** The waiting texts that it proves. */
  readonly linked: readonly Movement[];
  /** Of those, the ones that it would have linked to without: while balances are guessed they are not proven by it. */
  readonly loops?: readonly Movement[];
  /** The breaks that are known now, in the place of `filled`. */
  readonly gaps: readonly Gap[];
  readonly filled?: Gap;
  /** Texts after this place, up to the old head, were not continued by what the owner confirms: somebody wrote them who knew the balance. */
  readonly contradicted?: Place;
}

/** So few texts between a place and the head may be the forged ones, where a branch begins at that place; more are a coincidence. */
const MOST_CONTRADICTED = 3;

/**
 * Takes the owner's word that the wallet holds, or after one of its texts held, `balance` pesewas.
 *
 * A balance on a branch: that branch is genuine, and its end is the head, or it lies in a known gap. Any other balance changes nothing:
 * texts that lead to it may still be on their way, and would no longer fit. `isGuessed`: forged texts may wait among the others.
 */
export function confirmBalance(
  chain: Chain,
  waiting: readonly Movement[],
  gaps: readonly Gap[],
  balance: number,
  isGuessed = false,
): Confirmed {
  const head = headOf(chain);
  if (balance === head.balance) return { chain, linked: [], gaps: [] };
  const branch = branchTo(chain, waiting, balance, isGuessed);
  if (!branch) return { chain, linked: [], gaps: [] };
  const loops = isGuessed ? loopsOf(branch.from, branch.texts) : [];
  const isNewer = branch.from.id > head.id - sameMoment(chain.clock, chain.network);
  if (isNewer) return { ...goOnWith(chain, branch), loops };
  if (branch.to.id > head.id) return { ...goOnPast(chain, branch), loops };
  return { chain, linked: branch.texts, loops, ...placeBetween(chain, branch, gaps) };
}

/**
 * Takes the owner's word that the wallet never held a balance that some waiting texts tell: they are false, and so are those that
 * continue them.
 */
export function denyBalance(
  chain: Pick<Chain, 'clock' | 'network'>,
  waiting: readonly Movement[],
  balance: number,
): Movement[] {
  return branchesOf(chain, waiting)
    .filter(({ texts }) => texts.some(({ after }) => after === balance))
    .flatMap(({ texts }) => texts);
}

/** The texts that lead to a balance: those of the newest branch that does. While balances are guessed, from the head if any do. */
function branchTo(chain: Chain, waiting: readonly Movement[], balance: number, isGuessed: boolean): Branch | undefined {
  const path = isGuessed ? pathTo(chain, waiting, headOf(chain), balance) : undefined;
  const [first, last] = [path?.[0], path?.at(-1)];
  if (path && first && last) {
    const { id, before, at_ms } = first;
    return { texts: path, from: { id, balance: before, at_ms }, to: placeAfter(last) };
  }
  return branchesOf(chain, waiting)
    .flatMap((one) => upTo(one, balance) ?? [])
    .at(-1);
}

/** A branch as far as the last of its texts that ends at a balance. */
function upTo(branch: Branch, balance: number): Branch | undefined {
  const n = branch.texts.findLastIndex(({ after }) => after === balance);
  const last = branch.texts[n];
  return last && { ...branch, texts: branch.texts.slice(0, n + 1), to: placeAfter(last) };
}

/** The chain that goes on with a branch which passes by its head: the owner has confirmed a wrong one before. */
function goOnPast(chain: Chain, { texts, from }: Branch): Pick<Confirmed, 'chain' | 'linked' | 'gaps'> {
  const recent = chain.recent.filter(({ id }) => id < from.id);
  const counted = withLinks({ ...chain, recent }, texts);
  const gaps = [{ from: recent.at(-1) ?? headOf(chain), to: from }];
  return { chain: goOnAt(counted, from, texts.map(placeAfter)), linked: texts, gaps };
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

/**
 * The place shortly before the head at which a branch begins. After it the balance rose at least once: nobody forges that money went
 * out, and without a text it may have come back.
 */
function forkOf({ recent }: Chain, { from }: Branch): Place | undefined {
  const rises = recent.map(({ balance }, n) => balance > (recent[n - 1]?.balance ?? balance));
  return recent
    .slice(-1 - MOST_CONTRADICTED, -1)
    .findLast(
      (one) => one.balance === from.balance && one.id < from.id && rises.includes(true, recent.indexOf(one) + 1),
    );
}

/** The chain after a break, from `since` on. Ids that the clock did not expect are what it goes by from now on. */
function goOnAt(chain: Chain, since: Place, places: readonly Place[]): Chain {
  const { clock, network, recent } = chain;
  const isOtherCount = isAhead(clock, network, recent, since);
  const [{ id, at_ms } = since] = places;
  const relearned = isOtherCount ? learnFrom(NEW_CLOCK, network, undefined, { id, at_ms }) : clock;
  return withPlaces({ ...chain, clock: relearned, unbroken_since_ms: since.at_ms }, places);
}

function withPlaces(chain: Chain, places: readonly Place[]): Chain {
  return { ...chain, recent: [...chain.recent, ...places].slice(-PLACES_KEPT) };
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
