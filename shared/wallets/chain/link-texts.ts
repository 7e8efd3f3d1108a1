import type { Clock, RetryOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { isBorneOut } from './bank-push.ts';
import { fillGap, type Gap, overtakenLoop } from './branches.ts';
import {
  addGap,
  addSettled,
  addWaiting,
  ChainChanged,
  chainRows,
  createChain,
  getTexts,
  listGaps,
  listWaiting,
  removeGap,
  removeWaiting,
  replaceChain,
  textsAfter,
  type Wallet,
} from './chain.table.ts';
import { advance, byId, type Chain, headOf, isEstablished, type Movement, type Place, startChain } from './chain.ts';
import { doubtOf, establishedIfDue, forkOf, isGuessed, MAX_FAILED, sinceEstablished, withFailed } from './guesses.ts';
import { isAhead } from './network-clock.ts';
import { type Push, withPush } from './push.ts';

/** So many of the texts that wait become a part of the chain in one transaction, which may have a hundred writes. */
const LINKED_AT_ONCE = 30;
export const FEW_WAITING = 30;
/** More texts than this are forgeries, or a question to the owner that nobody answers: those that come then are not kept. */
const MAX_WAITING = 4000;

/**
 * Records texts of a wallet in its balance chain, and whatever follows from them: those that waited for one of them, and the breaks
 * that they fill. Recording a text again changes nothing; without texts, it goes on with those that wait, where no more than `most` do.
 */
export async function linkTexts(
  outside: RetryOutside,
  wallet: Wallet,
  texts: readonly Movement[],
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  let looks = 0;
  for (let step: Remaining = 'more'; step !== 'done'; ) {
    step = await retryIfChainChanged(outside, () =>
      linkSome(outside, wallet, texts, { most, isPatient: looks < MAX_LOOKS }),
    );
    if (step === 'done' || step === 'more') continue;
    for (let { version } = step; version === step.version && looks < MAX_LOOKS; looks++) {
      await outside.sleep(LOOK_PAUSE_MS);
      version = (await chainRows.find(outside, wallet))?.version ?? 0;
    }
  }
}

/**
 * How often a text that does not link looks whether the chain has changed, before it is recorded as one that waits: a quarter of a second. Of
 * texts that come together each may be with another worker, and none of them has to be recorded twice, or decided about again.
 */
const MAX_LOOKS = 10;
const LOOK_PAUSE_MS = 20;

/** What is left to do: nothing, more, or more once the chain is no longer as it was read. */
type Remaining = 'done' | 'more' | Chain;

async function linkSome(
  outside: RetryOutside,
  wallet: Wallet,
  texts: readonly Movement[],
  { most, isPatient }: { readonly most: number; readonly isPatient: boolean },
): Promise<Remaining> {
  const nowMs = outside.now();
  // One after the other: what is recorded after the chain was read is refused by its version.
  const before = await chainRows.find(outside, wallet);
  const known = await getTexts(outside, wallet, texts);
  const fresh = withoutCopies(texts).filter((one) => !known.some((other) => isSame(one, other)));
  const [first, ...others] = fresh;
  if (!before) {
    if (!first) return 'done';
    await outside.table.write([createChain(startChain(wallet, first)), addSettled(outside, wallet, first, 'linked')]);
    return others.length > 0 ? 'more' : 'done';
  }
  if (fresh.length === 0 && (before.waiting === 0 || before.waiting > most)) return 'done';
  // It waits already: what it waits for takes it along.
  if (known.length > 0 && fresh.length === 0 && known.every(({ state }) => state === 'waiting')) return 'done';
  // While balances are guessed nothing links by itself, and each text costs the same however many wait.
  const found: Links = isGuessed(before, nowMs)
    ? { chain: before, linked: [], left: fresh, others: () => [] }
    : await findLinks(outside, before, fresh);
  if (fresh.length === 0 && found.chain === before) return 'done';

  const left = fresh.filter((one) => found.left.includes(one));
  const isEarly = isPatient && mayBeEarly(before, found, left);
  if (isEarly && found.chain === before) return before;
  const ends = isEarly ? [] : left;
  const waits = ends.slice(0, Math.max(0, MAX_WAITING - before.waiting));
  const leaves = found.linked.filter((one) => !fresh.includes(one));
  const waiting = found.chain.waiting + waits.length - leaves.length;
  // What is not kept cannot be seen to fail later.
  const isFull = isEstablished(before) && waits.length < ends.length;
  const chain = isFull ? withFailed(found.chain, MAX_FAILED + 1, nowMs) : found.chain;
  await outside.table.write([
    replaceChain(before, establishedIfDue({ ...chain, waiting }, nowMs)),
    ...found.linked.map((one) => addSettled(outside, wallet, one, 'linked')),
    ...leaves.map((one) => removeWaiting(wallet, one)),
    ...waits.map((one) => addWaiting(outside, wallet, one)),
    ...found.others(),
  ]);
  return isEarly || (found.linked.length > 0 && waiting > 0) ? 'more' : 'done';
}

/**
 * Whether texts may not link only because another worker has what they follow. Once the chain is established, each guess is recorded at once, so
 * that a right one that comes beside it is seen to be one of many. And a text back to the head's balance may be what another waits for.
 */
function mayBeEarly(before: Chain, { chain, linked }: Links, left: readonly Movement[]): boolean {
  const head = headOf(chain);
  const isGoingOn = chain === before || linked.length > 0;
  const isAfter = left.some(({ id }) => id > head.id) && left.every(({ after }) => after !== head.balance);
  return !isEstablished(before) && before.waiting <= FEW_WAITING && isGoingOn && isAfter;
}

interface Links {
  /** As it is with them, but for how many texts wait. */
  readonly chain: Chain;
  readonly linked: readonly Movement[];
  /** Those that do not link. */
  readonly left: readonly Movement[];
  readonly others: () => TableWrite[];
}

/** What of some texts and of those that wait continues the chain, or fills one of its breaks, or shows that it went wrong. */
async function findLinks(outside: RetryOutside, before: Chain, fresh: readonly Movement[]): Promise<Links> {
  const nowMs = outside.now();
  const waiting = before.waiting > 0 && mayLink(before, fresh) ? await listWaiting(outside, before) : [];
  const texts = [...waiting, ...fresh];
  const gaps = before.gaps > 0 && texts.length > 0 ? await listGaps(outside, before) : [];
  const none: Links = { chain: before, linked: [], left: texts, others: () => [] };
  const all = linksIn(before, { texts, gaps }, nowMs);
  const left = texts.filter((one) => !all.linked.includes(one));
  const doubt = doubtOf(before, { linked: all.linked, left }, gaps, nowMs);
  const fork = forkOf(before, left, nowMs, all.linked.length > 0 ? headOf(all.chain) : undefined);
  const noted = doubt === 'guessed' ? withFailed(before, MAX_FAILED + 1, nowMs) : before;
  if (fork) return goBackTo(outside, noted, fork, texts);
  if (doubt === 'guessed') return { ...none, chain: noted };
  if (doubt || all.linked.length === 0) return none;
  // Who brought what links goes on with all that follows from it: others would only be in the way. Once it is established, they may have
  // been what it waited for.
  const isBrought = fresh.length === 0 || fresh.some((one) => all.linked.includes(one));
  if (isEstablished(before) ? !isBorneOut(before, all.linked, left, nowMs) : !isBrought) return none;
  const found = all.linked.length <= LINKED_AT_ONCE ? all : linksIn(before, { texts, gaps }, nowMs, LINKED_AT_ONCE);
  return { ...found, chain: { ...found.chain, tapped_ms: undefined } };
}

/**
 * Whether the texts that wait are to be read. Where many do, somebody floods the wallet: a text that neither begins where the chain ends
 * nor is older joins them unread, and what it might have released is looked at without texts, each minute.
 */
function mayLink(chain: Chain, fresh: readonly Movement[]): boolean {
  const head = headOf(chain);
  const isFew = chain.waiting <= FEW_WAITING;
  const oldest = chain.gaps > 0 ? 0 : (chain.recent[0]?.id ?? 0);
  const mayFollow = !isEstablished(chain) || head.balance !== 0;
  const isNear = ({ id, before }: Movement) => (id < head.id && id > oldest) || (mayFollow && before === head.balance);
  return isFew || fresh.length === 0 || fresh.some(isNear);
}

/** What of some texts continues the chain, or fills one of its breaks. */
function linksIn(
  before: Chain,
  { texts, gaps }: { readonly texts: readonly Movement[]; readonly gaps: readonly Gap[] },
  nowMs: number,
  most?: number,
): Links {
  const { chain, linked } = advance(before, texts, nowMs, most);
  const withLinks = (links: readonly Movement[]) => ({
    linked: links,
    left: texts.filter((one) => !links.includes(one)),
    others: (): TableWrite[] => [],
  });
  if (linked.length > 0) return { chain, ...withLinks(linked) };
  const loop = overtakenLoop(before, texts);
  if (loop.length > 0 && loop.length <= LINKED_AT_ONCE)
    return { chain: { ...before, links: before.links + loop.length }, ...withLinks(loop) };
  for (const gap of gaps) {
    const filled = fillGap(before, gap, texts, LINKED_AT_ONCE);
    if (filled.linked.length === 0) continue;
    const left = filled.gap;
    return {
      chain: { ...before, gaps: before.gaps - (left ? 0 : 1), links: before.links + filled.linked.length },
      ...withLinks(filled.linked),
      others: () => [
        ...(left?.from.id === gap.from.id ? [] : [removeGap(before, gap)]),
        ...(left ? [addGap(before, left)] : []),
      ],
    };
  }
  return { chain: before, ...withLinks([]) };
}

/**
 * The chain as it was at a place from which texts lead two ways. Those that had linked wait with the others again, and the payments that
 * they proved are disputed: nobody but the owner knows which way is true.
 */
async function goBackTo(
  outside: RetryOutside,
  before: Chain,
  place: Place,
  texts: readonly Movement[],
): Promise<Links> {
  const contested = await textsAfter(outside, before, before, place);
  const recent = before.recent.slice(0, before.recent.indexOf(place) + 1);
  const links = before.links - contested.length;
  return {
    chain: { ...before, recent, links, waiting: before.waiting + contested.length },
    linked: [],
    left: texts,
    others: () =>
      contested.flatMap((text) => [addSettled(outside, before, text, 'contested'), addWaiting(outside, before, text)]),
  };
}

/** Reads and decides again where another text was recorded in between. */
export function retryIfChainChanged<Result>(outside: RetryOutside, change: () => Promise<Result>): Promise<Result> {
  return retryIfChanged(change, {
    isChanged: (error) => error instanceof ChainChanged,
    tries: 8,
    pause: (attempt) => outside.sleep((outside.randomBytes(1)[0] ?? 0) * attempt * PAUSE_MS),
  });
}

/** Of each 1/256 of a pause, for each attempt: the eight of them take two seconds on average. */
const PAUSE_MS = 0.5;

function withoutCopies(texts: readonly Movement[]): Movement[] {
  return [...texts].sort(byId).filter((one, n, all) => all.findIndex((other) => isSame(one, other)) === n);
}

/** Whether two texts say the same of one payment. */
export function isSame(one: Movement, other: Movement): boolean {
  return one.id === other.id && one.before === other.before && one.after === other.after;
}

/** Records that money was sent to the bank. Recording it again changes nothing; before the wallet's first balance there is nothing to break. */
export async function notePush(outside: RetryOutside, wallet: Wallet, push: Push): Promise<void> {
  await retryIfChainChanged(outside, async () => {
    const chain = await chainRows.find(outside, wallet);
    const pushes = chain && withPush(chain.pushes, push);
    if (pushes) await outside.table.write([replaceChain(chain, { ...chain, pushes })]);
  });
}

/** Phones post what they could not post for hours; what comes later than this does not come. */
const WAITING_ENDS_MS = 24 * 60 * 60 * 1000;
/** In a known break, which is filled by then, or not at all: what lies between two places of it, and reaches neither. */
const IN_BREAK_ENDS_MS = 3 * WAITING_ENDS_MS;
/** Each has two writes, and a transaction may have a hundred. */
const ENDED_AT_ONCE = 40;

/**
 * Ends the waiting of texts that will never link: they have waited for a day, and the chain went on past them. They are recorded as
 * false; those in a known break, which may well be genuine, as never proven. Gives how many.
 */
export async function endWaiting(outside: RetryOutside, wallet: Wallet): Promise<number> {
  let ended = 0;
  for (let n = ENDED_AT_ONCE; n === ENDED_AT_ONCE; ended += n) {
    n = await retryIfChainChanged(outside, () => endSome(outside, wallet));
  }
  return ended;
}

async function endSome(outside: RetryOutside, wallet: Wallet): Promise<number> {
  const chain = await chainRows.find(outside, wallet);
  if (!chain || chain.waiting === 0) return 0;
  const waiting = await listWaiting(outside, wallet);
  const gaps = chain.gaps > 0 ? await listGaps(outside, wallet) : [];
  const ends = waiting.flatMap((text) => endOf(outside, chain, gaps, text) ?? []).slice(0, ENDED_AT_ONCE);
  if (ends.length === 0) return 0;
  const falseOnes = ends.flatMap(({ text, state }) => (state === 'false' ? [text] : []));
  const failed = (isEstablished(chain) ? sinceEstablished(chain, falseOnes) : falseOnes).length;
  await outside.table.write([
    replaceChain(chain, withFailed({ ...chain, waiting: waiting.length - ends.length }, failed, outside.now())),
    ...ends.flatMap(({ text, state }) => [removeWaiting(wallet, text), addSettled(outside, wallet, text, state)]),
  ]);
  return ends.length;
}

/** A text that waits no longer, and what it is then. */
interface Ended {
  readonly text: Movement;
  readonly state: 'false' | 'unsure';
}

function endOf({ now }: Clock, chain: Chain, gaps: readonly Gap[], text: Movement): Ended | undefined {
  const waitedMs = now() - text.arrived_ms;
  if (!isPassed(chain, text)) return undefined;
  // Within a known break it may be genuine, with the texts on both of its sides missing.
  const isWithin = gaps.some(({ from, to }) => text.id > from.id && text.id <= to.id);
  const hasEnded = waitedMs >= (isWithin ? IN_BREAK_ENDS_MS : WAITING_ENDS_MS);
  return hasEnded ? { text, state: isWithin ? 'unsure' : 'false' } : undefined;
}

/** Where the chain is established and a text linked that came later, an id from a time that has not come yet is no network's, which may have begun to count anew. */
function isPassed(chain: Chain, text: Movement): boolean {
  const { clock, network, recent } = chain;
  const head = headOf(chain);
  const isLaterLinked = isEstablished(chain) && head.at_ms > text.arrived_ms;
  // Of a later moment and yet with a lower id: which of the two is false is not known.
  const isBefore = text.id < head.id && text.at_ms <= head.at_ms;
  return isBefore || (isLaterLinked && isAhead(clock, network, recent, text));
}
