import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { fillGap, type Gap } from './branches.ts';
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
/** More texts than this are forgeries, or a question to the owner that nobody answers: those that come then are not kept. */
export const MAX_WAITING = 2000;

/**
 * Records texts of a wallet in its balance chain, and whatever follows from them: those that waited for one of them, and the breaks
 * that they fill. Recording a text again changes nothing; without texts, it goes on with those that wait.
 */
export async function linkTexts(outside: Needs, wallet: Wallet, texts: readonly Movement[]): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await whileChainChanges(outside, () => linkSome(outside, wallet, texts));
}

/** @returns whether more may follow. */
async function linkSome(outside: Needs, wallet: Wallet, texts: readonly Movement[]): Promise<boolean> {
  const [before, known] = await Promise.all([getChain(outside, wallet), getTexts(outside, wallet, texts)]);
  const fresh = withoutCopies(texts).filter((one) => !known.some((other) => isSame(one, other)));
  const [first, ...others] = fresh;
  if (!before) {
    if (!first) return false;
    await outside.table.write([createChain(startChain(wallet, first)), addSettled(outside, wallet, first, 'linked')]);
    return others.length > 0;
  }
  if (fresh.length === 0 && before.waiting === 0) return false;
  const waiting = before.waiting > 0 ? await listWaiting(outside, wallet) : [];
  const gaps = before.gaps > 0 && fresh.some(({ id }) => id < headOf(before).id) ? await listGaps(outside, wallet) : [];
  const found = findLinks(before, [...waiting, ...fresh], gaps, outside.now());
  if (fresh.length === 0 && found.linked.length === 0) return false;

  const waits = fresh.filter((one) => !found.linked.includes(one)).slice(0, Math.max(0, MAX_WAITING - waiting.length));
  const leaves = found.linked.filter((one) => waiting.includes(one));
  const after: Chain = { ...found.chain, waiting: waiting.length + waits.length - leaves.length };
  await outside.table.write([
    replaceChain(before, after),
    ...found.linked.map((one) => addSettled(outside, wallet, one, 'linked')),
    ...leaves.map((one) => removeWaiting(wallet, one)),
    ...waits.map((one) => addWaiting(outside, wallet, one)),
    ...found.gapWrites(wallet),
  ]);
  return found.linked.length > 0 && after.waiting > 0;
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
  for (const gap of gaps) {
    const within = texts.filter(({ id }) => id > gap.from.id && id < gap.to.id);
    const filled = fillGap(before, gap, within.slice(0, LINKED_AT_ONCE));
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
