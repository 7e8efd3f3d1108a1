import { type Branch, branchesOf, type Gap } from './branches.ts';
import { type Chain, headOf, type Movement, OVERTAKEN_MS, PLACES_KEPT, type Place } from './chain.ts';
import { isAhead, learnFrom, NEW_CLOCK, sameMoment } from './network-clock.ts';

/** What follows from the owner's word about a balance. */
export interface Confirmed {
  readonly chain: Chain;
  /** The waiting texts that it proves. */
  readonly linked: readonly Movement[];
  /** The waiting texts that it shows to be false. */
  readonly forged: readonly Movement[];
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
 * The balance of the head: texts that claim to be newer and do not link are forged. A balance on a branch: that branch is genuine, and
 * its end is the head, or it lies in a known gap. Any other balance: the chain goes on from there.
 */
export function confirmBalance(
  chain: Chain,
  waiting: readonly Movement[],
  gaps: readonly Gap[],
  balance: number,
  nowMs: number,
): Confirmed {
  const head = headOf(chain);
  const nothing = { linked: [], forged: [], gaps: [] };
  if (balance === head.balance) {
    const isLate = ({ arrived_ms }: Movement) => nowMs - arrived_ms >= OVERTAKEN_MS;
    return { ...nothing, chain, forged: waiting.filter((one) => one.id > head.id && isLate(one)) };
  }
  const branch = branchesOf(chain, waiting)
    .map((one) => upTo(one, balance))
    .findLast((one) => one !== undefined);
  if (!branch) {
    const place = { id: waiting.reduce((most, { id }) => Math.max(most, id), head.id), balance, at_ms: nowMs };
    return { ...nothing, chain: goOnAt(chain, place, [place]), gaps: [{ from: head, to: place }] };
  }
  const isNewer = branch.from.id > head.id - sameMoment(chain.clock, chain.network);
  if (isNewer) return { ...nothing, ...goOnWith(chain, branch) };
  return { ...nothing, chain, linked: branch.texts, ...placeBetween(branch, gaps) };
}

/** A branch as far as the last of its texts that ends at a balance. */
function upTo(branch: Branch, balance: number): Branch | undefined {
  const n = branch.texts.findLastIndex(({ after }) => after === balance);
  const last = branch.texts[n];
  return last && { ...branch, texts: branch.texts.slice(0, n + 1), to: placeAfter(last) };
}

/** The chain that goes on with a branch. */
function goOnWith(chain: Chain, branch: Branch): Pick<Confirmed, 'chain' | 'linked' | 'gaps' | 'contradicted'> {
  const { texts, from } = branch;
  const places = texts.map(placeAfter);
  const counted: Chain = {
    ...chain,
    links: chain.links + texts.length,
    outgoing_links: chain.outgoing_links + texts.filter(({ after, before }) => after < before).length,
    sender: texts.at(-1)?.sender ?? chain.sender,
  };
  const fork = forkOf(chain, branch);
  if (!fork) return { chain: goOnAt(counted, from, places), linked: texts, gaps: [{ from: headOf(chain), to: from }] };
  const kept = chain.recent.slice(0, chain.recent.indexOf(fork) + 1);
  return { chain: withPlaces({ ...counted, recent: kept }, places), linked: texts, gaps: [], contradicted: fork };
}

/** The place shortly before the head at which a branch begins. */
function forkOf({ recent }: Chain, { from }: Branch): Place | undefined {
  return recent
    .slice(-1 - MOST_CONTRADICTED, -1)
    .findLast(({ balance, id }) => balance === from.balance && id < from.id);
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
function placeBetween({ from, to }: Branch, gaps: readonly Gap[]): Pick<Confirmed, 'gaps' | 'filled'> {
  const around = gaps.find((gap) => gap.from.id < from.id && to.id < gap.to.id);
  // Outside of all breaks it begins and ends where the chain stood then: what is missing is in front of it.
  const parts: Gap[] = around
    ? [
        { from: around.from, to: from },
        { from: to, to: around.to },
      ]
    : [{ from: { ...from, id: from.id - 1, balance: to.balance }, to: from }];
  const left = parts.filter((part) => part.from.balance !== part.to.balance);
  return { gaps: left, ...(around && { filled: around }) };
}

function placeAfter({ id, after, at_ms }: Movement): Place {
  return { id, balance: after, at_ms };
}
