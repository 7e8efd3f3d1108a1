import { networks } from '../../ghana/network.ts';
import type { RetryOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { isGuessable, isYoung, knownIfDue, provesLink, provesSinceMs, withinSum } from './anchor.ts';
import { differenceOf, doubtfulIn, type Gap, pathTo } from './branches.ts';
import {
  addGap,
  addSettled,
  beforeRows,
  chainRows,
  createChain,
  isInChain,
  listGaps,
  listNewestTexts,
  listSettledTexts,
  listWaiting,
  removeBefore,
  removeGap,
  removeWaiting,
  replaceChain,
  type SettledText,
  textsAfter,
  type Wallet,
} from './chain.table.ts';
import { type Chain, headOf, isSame, type Movement } from './chain.ts';
import { changeChain, requireChain } from './change-chain.ts';
import { changeTexts } from './change-texts.ts';
import { withFailed } from './guesses.ts';
import { linkedText, linkTexts, retryIfChainChanged } from './link-texts.ts';
import { firstChain, LOOK_MS, type Looked, lookAt, withPath } from './look.ts';

/** The result of naming a wallet's balance. */
export interface Naming {
  /** `first look`: the chain begins. See `Looked` for the others. */
  readonly outcome: 'first look' | Looked['outcome'];
  /** Number of waiting texts that lead to the balance. */
  readonly linked: number;
  /** Number of linked texts that the balance disproves. */
  readonly disproved: number;
  /** Number of payments verified since the last look that agreed, if the wallet holds less than they say. */
  readonly doubted: number;
  /** True if the texts after this balance verify nothing until the owner names another one. */
  readonly isUnproven: boolean;
  readonly isYoung: boolean;
}

/** Texts per transaction. Each takes up to three writes (DynamoDB allows 100). */
const SETTLED_AT_ONCE = 25;

/**
 * Records the balance (in pesewas) that a wallet's owner reads in the wallet. The first one begins the wallet's chain. A
 * later one agrees with the chain, or decides the texts that wait. Idempotent: a repeated call agrees. After a crash,
 * housekeeping links the rest of a long path.
 * @throws PublicError if the network's texts state no balance.
 */
export async function nameBalance(outside: RetryOutside, wallet: Wallet, balancePesewas: number): Promise<Naming> {
  refuseWithoutBalance(wallet);
  const nowMs = outside.now();
  const begun = await retryIfChainChanged(outside, () => begin(outside, wallet, balancePesewas, nowMs));
  await endRuledOut(outside, wallet, begun.ruledOut);
  const doubted = await finishLook(outside, wallet);
  await linkTexts(outside, wallet, []);
  const chain = await requireChain(outside, wallet);
  return {
    outcome: begun.outcome,
    linked: begun.linked,
    disproved: begun.disproved + begun.ruledOut.length,
    doubted,
    isUnproven: provesSinceMs(chain) === undefined,
    isYoung: isYoung(chain, outside.now()),
  };
}

/** @throws PublicError if a network's texts state no balance. */
function refuseWithoutBalance({ network }: Wallet): void {
  const { name, provesAfterLinks } = networks[network];
  if (provesAfterLinks !== undefined) return;
  throw new PublicError(
    'invalid_request',
    `${name}’s texts state no balance, so a balance cannot verify them. Check each payment in the wallet.`,
  );
}

interface Begun {
  readonly outcome: Naming['outcome'];
  readonly linked: number;
  readonly disproved: number;
  readonly ruledOut: readonly Movement[];
}

async function begin(outside: RetryOutside, wallet: Wallet, balance: number, nowMs: number): Promise<Begun> {
  const chain = await chainRows.find(outside, wallet);
  return chain ? look(outside, chain, balance, nowMs) : beginChain(outside, wallet, balance, nowMs);
}

async function beginChain(outside: RetryOutside, wallet: Wallet, balance: number, nowMs: number): Promise<Begun> {
  const before = await beforeRows.find(outside, wallet);
  const chain = knownIfDue(firstChain(wallet, before?.texts ?? [], balance, nowMs), nowMs);
  await outside.table.write([createChain(chain), removeBefore(wallet, before)]);
  return { outcome: 'first look', linked: 0, disproved: 0, ruledOut: [] };
}

/** Enough texts for ten busy minutes. */
const MAX_LATELY = 100;

async function look(outside: RetryOutside, chain: Chain, balance: number, nowMs: number): Promise<Begun> {
  const [waiting, gaps, newest] = await Promise.all([
    listWaiting(outside, chain),
    listGaps(outside, chain),
    listNewestTexts(outside, chain, MAX_LATELY),
  ]);
  const lately = newest.filter((text) => isInChain(text) && nowMs - text.arrived_ms < LOOK_MS);
  const looked = lookAt({ chain, waiting, lately }, balance, nowMs);
  const disproved = looked.disprovedAfter ? await textsAfter(outside, chain, chain, looked.disprovedAfter) : [];
  const isNamed = !isGuessable(balance);
  const piece = looked.path.slice(0, SETTLED_AT_ONCE);
  const { writes, chain: after } = pathWrites(outside, looked.chain, { ...looked, path: piece, isNamed });
  const rest = looked.path.length > piece.length && {
    leads_to: { balance, is_named: isNamed, unsure: shareOf(looked) },
  };
  const changed = gapsAfter(gaps, looked.gap);
  await outside.table.write([
    replaceChain(chain, withFailed({ ...after, ...rest, gaps: changed.length }, disproved.length, nowMs)),
    ...writes,
    ...disproved.map((text) => addSettled(outside, chain, { ...text, state: 'false' })),
    ...gapWrites(chain, gaps, changed),
  ]);
  const { outcome, path, ruledOut } = looked;
  return { outcome, linked: path.length, disproved: disproved.length, ruledOut };
}

/** Links the next texts that lead to a named balance. Returns false if none are left. */
async function goOn(outside: RetryOutside, wallet: Wallet): Promise<boolean> {
  const chain = await requireChain(outside, wallet);
  if (!chain.leads_to) return false;
  const { balance, is_named: isNamed, unsure: share } = chain.leads_to;
  const waiting = await listWaiting(outside, wallet);
  const whole = pathTo(chain, waiting, headOf(chain), balance) ?? [];
  const doubtful = () => doubtfulIn(chain, waiting, headOf(chain), whole);
  const unsure = share === 'some' ? doubtful() : share === 'all' ? whole : [];
  const path = whole.slice(0, SETTLED_AT_ONCE);
  const { writes, chain: after } = pathWrites(outside, chain, { path, unsure, isNamed });
  const isDone = path.length === whole.length;
  await outside.table.write([replaceChain(chain, { ...after, ...(isDone && { leads_to: undefined }) }), ...writes]);
  return !isDone;
}

function shareOf({ path, unsure }: Looked): 'none' | 'some' | 'all' {
  if (unsure.length === 0) return 'none';
  return unsure.length === path.length ? 'all' : 'some';
}

interface PathToLink {
  readonly path: readonly Movement[];
  readonly unsure: readonly Movement[];
  /** True if the owner's look verifies the path, whenever its texts arrived. */
  readonly isNamed: boolean;
}

function pathWrites(
  outside: RetryOutside,
  chain: Chain,
  { path, unsure, isNamed }: PathToLink,
): { readonly chain: Chain; readonly writes: readonly TableWrite[] } {
  const sure = path.filter((text) => !unsure.some((one) => isSame(one, text)));
  const { chain: after, beyond } = withinSum(withPath(chain, path), sure, outside.now(), isNamed);
  const isProven = (text: Movement) => sure.includes(text) && (isNamed || provesLink(after, text));
  const writes = path.flatMap((text) => [
    removeWaiting(chain, text),
    addSettled(outside, chain, linkedText(text, beyond, isProven(text))),
  ]);
  return { chain: { ...after, waiting: chain.waiting - path.length }, writes };
}

/** Records texts that a named balance rules out as false. Each counts as a guess. */
async function endRuledOut(outside: RetryOutside, wallet: Wallet, ruledOut: readonly Movement[]): Promise<void> {
  if (ruledOut.length === 0) return;
  await settleWaiting(outside, wallet, 'false', async () =>
    (await listWaiting(outside, wallet)).filter((text) => ruledOut.some((one) => isSame(one, text))),
  );
}

/**
 * Leaves the texts that waited before a look, and that it did not decide, to a person: they may be genuine, but no longer
 * link. Texts of the last minutes before a look that agreed still wait.
 */
async function setAsideWaiting(outside: RetryOutside, wallet: Wallet): Promise<void> {
  await settleWaiting(outside, wallet, 'before', async ({ anchor, looked_ms, waiting: count }) => {
    const waiting = count > 0 ? await listWaiting(outside, wallet) : [];
    return waiting.filter(({ arrived_ms }) => arrived_ms < Math.max(anchor.at_ms, looked_ms - LOOK_MS));
  });
}

/** Settles the waiting texts that `find` returns. */
async function settleWaiting(
  outside: RetryOutside,
  wallet: Wallet,
  state: 'false' | 'before',
  find: (chain: Chain) => Promise<Movement[]>,
): Promise<void> {
  await changeTexts(outside, wallet, {
    find,
    change: (text) => [removeWaiting(wallet, text), addSettled(outside, wallet, { ...text, state })],
    chainAfter: (chain, { length }) =>
      withFailed({ ...chain, waiting: chain.waiting - length }, state === 'false' ? length : 0, outside.now()),
  });
}

/**
 * Completes a look: links the rest of a long path, leaves other waiting texts to a person, withdraws the proof of payments
 * if the wallet holds less than they say, and verifies those above a young anchor's sum once a second look has agreed.
 * Returns the number of payments that lost their proof. Idempotent: all of it follows from the chain.
 */
export async function finishLook(outside: RetryOutside, wallet: Wallet): Promise<number> {
  while (await retryIfChainChanged(outside, () => goOn(outside, wallet)));
  await setAsideWaiting(outside, wallet);
  const chain = await requireChain(outside, wallet);
  const doubted = await doubtShort(outside, chain);
  await verifyBeyond(outside, chain);
  return doubted;
}

/** Maximum number of doubted payments to list for the owner. */
const MAX_DOUBTED = 100;

async function doubtShort(outside: RetryOutside, { short_since_ms, anchor, ...wallet }: Chain): Promise<number> {
  if (short_since_ms === undefined) return 0;
  const isDoubted = ({ state, receipt_id, arrived_ms }: SettledText) =>
    state === 'linked' && receipt_id !== undefined && arrived_ms >= short_since_ms && arrived_ms < anchor.at_ms;
  const texts = await changeTexts(outside, wallet, {
    find: async () => (await listSettledTexts(outside, wallet)).filter(isDoubted),
    change: (text) => [addSettled(outside, wallet, { ...text, state: 'unsure' })],
  });
  const found = texts.flatMap(({ receipt_id, before, after, at_ms }) =>
    receipt_id === undefined ? [] : [{ receipt_id, pesewas: after - before, at_ms }],
  );
  await changeChain(outside, wallet, ({ doubted = [] }) => ({
    short_since_ms: undefined,
    doubted: [...doubted, ...found].slice(-MAX_DOUBTED),
  }));
  return found.length;
}

async function verifyBeyond(outside: RetryOutside, { beyond_since_id, ...chain }: Chain): Promise<void> {
  if (beyond_since_id === undefined || isYoung(chain, outside.now())) return;
  await changeTexts(outside, chain, {
    find: async () => {
      const linked = await listSettledTexts(outside, chain, [beyond_since_id, Number.MAX_SAFE_INTEGER]);
      return linked.filter(({ beyond_sum }) => beyond_sum === true);
    },
    change: ({ beyond_sum: _, state, ...text }) => [addSettled(outside, chain, { ...text, state })],
  });
  await changeChain(outside, chain, () => ({ beyond_since_id: undefined }));
}

function gapsAfter(before: readonly Gap[], found: Gap | undefined): Gap[] {
  if (!found || differenceOf(found) === 0) return [...before];
  const earlier = before.find(({ from }) => from.id === found.from.id);
  const gap = earlier ? { ...earlier, to: found.to, reversal_of: undefined } : found;
  return [...before.filter((one) => one !== earlier), gap].filter((one) => differenceOf(one) !== 0);
}

function gapWrites(wallet: Wallet, before: readonly Gap[], after: readonly Gap[]): TableWrite[] {
  const gone = before.filter((gap) => !after.some(({ from }) => from.id === gap.from.id));
  const fresh = after.filter((gap) => !before.includes(gap));
  return [...gone.map((gap) => removeGap(wallet, gap)), ...fresh.map((gap) => addGap(wallet, gap))];
}
