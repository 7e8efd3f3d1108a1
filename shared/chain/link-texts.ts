import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { fillGap, type Gap, overtakenLoop } from './branches.ts';
import {
  addGap,
  addSettled,
  addWaiting,
  ChainChanged,
  createChain,
  getChain,
  getTexts,
  listGaps,
  listWaiting,
  removeGap,
  removeWaiting,
  replaceChain,
  type Wallet,
} from './chain.table.ts';
import { advance, byId, type Chain, headOf, type Movement, startChain } from './chain.ts';

type Needs = Pick<Outside, 'table' | 'now' | 'sleep' | 'randomBytes'>;

/** So many of the texts that wait become a part of the chain in one transaction, which may have a hundred writes. */
const LINKED_AT_ONCE = 30;
const FEW_WAITING = 30;
/** More texts than this are forgeries, or a question to the owner that nobody answers: those that come then are not kept. */
const MAX_WAITING = 2000;

/**
 * Records texts of a wallet in its balance chain, and whatever follows from them: those that waited for one of them, and the breaks
 * that they fill. Recording a text again changes nothing; without texts, it goes on with those that wait.
 */
export async function linkTexts(outside: Needs, wallet: Wallet, texts: readonly Movement[]): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await whileChainChanges(outside, () => linkSome(outside, wallet, texts));
}

/** @returns whether more may follow. */
async function linkSome(outside: Needs, wallet: Wallet, texts: readonly Movement[]): Promise<boolean> {
  // One after the other: what is recorded after the chain was read is refused by its version.
  const before = await getChain(outside, wallet);
  const known = await getTexts(outside, wallet, texts);
  const fresh = withoutCopies(texts).filter((one) => !known.some((other) => isSame(one, other)));
  const [first, ...others] = fresh;
  if (!before) {
    if (!first) return false;
    await outside.table.write([createChain(startChain(wallet, first)), addSettled(outside, wallet, first, 'linked')]);
    return others.length > 0;
  }
  if (fresh.length === 0 && before.waiting === 0) return false;
  const waiting = before.waiting > 0 && mayLink(before, fresh) ? await listWaiting(outside, wallet) : [];
  const isOlder = ({ id }: Movement) => id < headOf(before).id;
  const gaps = before.gaps > 0 && [...waiting, ...fresh].some(isOlder) ? await listGaps(outside, wallet) : [];
  const found = findLinks(before, [...waiting, ...fresh], gaps, outside.now());
  if (fresh.length === 0 && found.linked.length === 0) return false;

  const waits = fresh.filter((one) => !found.linked.includes(one)).slice(0, Math.max(0, MAX_WAITING - before.waiting));
  const leaves = found.linked.filter((one) => waiting.includes(one));
  const after: Chain = { ...found.chain, waiting: before.waiting + waits.length - leaves.length };
  await outside.table.write([
    replaceChain(before, after),
    ...found.linked.map((one) => addSettled(outside, wallet, one, 'linked')),
    ...leaves.map((one) => removeWaiting(wallet, one)),
    ...waits.map((one) => addWaiting(outside, wallet, one)),
    ...found.gapWrites(wallet),
  ]);
  return found.linked.length > 0 && after.waiting > 0;
}

/**
 * Whether the texts that wait are to be read. Where many do, somebody floods the wallet: a text that neither begins where the chain ends
 * nor is older joins them unread, and what it might have released is looked at without texts, each minute.
 */
function mayLink(chain: Chain, fresh: readonly Movement[]): boolean {
  const head = headOf(chain);
  const isFew = chain.waiting <= FEW_WAITING;
  return isFew || fresh.length === 0 || fresh.some(({ id, before }) => id < head.id || before === head.balance);
}

interface Links {
  readonly chain: Chain;
  readonly linked: readonly Movement[];
  readonly gapWrites: (wallet: Wallet) => TableWrite[];
}

/** What of some texts continues the chain, or fills one of its breaks. */
function findLinks(before: Chain, texts: readonly Movement[], gaps: readonly Gap[], nowMs: number): Links {
  const { chain, linked } = advance(before, texts, nowMs, LINKED_AT_ONCE);
  if (linked.length > 0) return { chain, linked, gapWrites: () => [] };
  const loop = overtakenLoop(before, texts);
  if (loop.length > 0 && loop.length <= LINKED_AT_ONCE)
    return { chain: { ...before, links: before.links + loop.length }, linked: loop, gapWrites: () => [] };
  for (const gap of gaps) {
    const filled = fillGap(before, gap, texts, LINKED_AT_ONCE);
    if (filled.linked.length === 0) continue;
    const left = filled.gap;
    return {
      chain: { ...before, gaps: before.gaps - (left ? 0 : 1), links: before.links + filled.linked.length },
      linked: filled.linked,
      gapWrites: (wallet) => [
        ...(left?.from.id === gap.from.id ? [] : [removeGap(wallet, gap)]),
        ...(left ? [addGap(wallet, left)] : []),
      ],
    };
  }
  return { chain: before, linked: [], gapWrites: () => [] };
}

/** Reads and decides again where another text was recorded in between. */
export async function whileChainChanges<Result>(outside: Needs, change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof ChainChanged) || attempt === MAX_ATTEMPTS) throw error;
      await outside.sleep((outside.randomBytes(1)[0] ?? 0) * attempt * PAUSE_MS);
    }
  }
}

const MAX_ATTEMPTS = 8;
/** Of each 1/256 of a pause, for each attempt: the eight of them take two seconds on average. */
const PAUSE_MS = 0.5;

function withoutCopies(texts: readonly Movement[]): Movement[] {
  return [...texts].sort(byId).filter((one, n, all) => all.findIndex((other) => isSame(one, other)) === n);
}

/** Whether two texts say the same of one payment. */
export function isSame(one: Movement, other: Movement): boolean {
  return one.id === other.id && one.before === other.before && one.after === other.after;
}
