import type { RetryOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { provesLink } from './anchor.ts';
import {
  addSettled,
  addWaiting,
  beforeRows,
  ChainChanged,
  chainRows,
  checkNoChain,
  getTexts,
  type KnownText,
  listGaps,
  listWaiting,
  putBefore,
  removeGap,
  removeWaiting,
  replaceChain,
  type SettledText,
  textsAfter,
  type Wallet,
} from './chain.table.ts';
import { asRepeated, byId, type Chain, isSame, type Movement } from './chain.ts';
import { isPaused } from './guesses.ts';
import { type LinkPlan, needsWaiting, planLinks, withContested } from './plan-links.ts';
import { type Push, withPush } from './push.ts';

/**
 * Adds texts to a wallet's balance chain, then links waiting texts and fills gaps. If nobody has named the wallet's
 * balance, only stores the texts. Idempotent. Does nothing if there are no new texts and more than `most` texts are
 * waiting.
 */
export async function linkTexts(
  outside: RetryOutside,
  wallet: Wallet,
  texts: readonly Movement[],
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await retryIfChainChanged(outside, () => linkSome(outside, wallet, texts, most));
  }
}

/** @returns true if no more texts can be linked. */
async function linkSome(
  outside: RetryOutside,
  wallet: Wallet,
  texts: readonly Movement[],
  most: number,
): Promise<boolean> {
  const nowMs = outside.now();
  // Read the chain before the texts. If a text is stored in between, the chain's version changes and the write fails.
  const chain = await chainRows.find(outside, wallet);
  const known = await getTexts(outside, wallet, texts);
  const fresh = withoutCopies(texts).filter((one) => !known.some((other) => isSame(one, other)));
  if (!chain) return keepUnlinked(outside, wallet, fresh).then(() => true);
  const repeated = known.flatMap((one) => asRepeated(one, texts) ?? []);
  if (repeated.length > 0) {
    await outside.table.write([replaceChain(chain, chain), ...repeated.map((one) => markText(outside, wallet, one))]);
    return false;
  }
  if (fresh.length === 0 && (chain.waiting === 0 || chain.waiting > most)) return true;
  // All of these texts are already waiting.
  if (known.length > 0 && fresh.length === 0 && known.every(({ state }) => state === 'waiting')) return true;
  const waiting = needsWaiting(chain, fresh, nowMs) ? await listWaiting(outside, chain) : [];
  const needsGaps = chain.gaps > 0 && waiting.length + fresh.length > 0 && !isPaused(chain, nowMs);
  const gaps = needsGaps ? await listGaps(outside, chain) : [];
  const plan = planLinks(chain, fresh, { waiting, gaps }, nowMs);
  if (plan.action !== 'nothing') await outside.table.write(await writesOf(outside, chain, plan));
  return plan.isDone;
}

/** Number of a wallet's last texts to keep for its owner's first look: one more than may lie on one path. */
const BEFORE_KEPT = 6;
/** Texts per transaction (DynamoDB allows 100 writes). */
const STORED_AT_ONCE = 50;

async function keepUnlinked(outside: RetryOutside, wallet: Wallet, texts: readonly Movement[]): Promise<void> {
  const { network, momo_number } = wallet;
  for (let n = 0; n < texts.length; n += STORED_AT_ONCE) {
    const some = texts.slice(n, n + STORED_AT_ONCE);
    const read = await beforeRows.find(outside, wallet);
    const last = [...(read?.texts ?? []), ...some].toSorted((a, b) => a.arrived_ms - b.arrived_ms).slice(-BEFORE_KEPT);
    await outside.table.write([
      checkNoChain(wallet),
      putBefore(read, { network, momo_number, texts: last }),
      ...some.map((one) => addSettled(outside, wallet, { ...one, state: 'before' })),
    ]);
  }
}

async function writesOf(outside: RetryOutside, before: Chain, plan: LinkPlan): Promise<TableWrite[]> {
  const contested = plan.goBackTo ? await textsAfter(outside, before, before, plan.goBackTo) : [];
  return [
    replaceChain(before, withContested(plan.chain, contested)),
    ...textWrites(outside, before, plan),
    ...contested.flatMap((text) => [
      addSettled(outside, before, { ...text, state: 'contested' }),
      addWaiting(outside, before, text),
    ]),
    ...(plan.filled ? [removeGap(before, plan.filled)] : []),
  ];
}

function textWrites(outside: RetryOutside, wallet: Wallet, plan: LinkPlan): TableWrite[] {
  const { linked, beyond, early, released, waits } = plan;
  return [
    ...linked.map((one) =>
      addSettled(outside, wallet, linkedText(one, beyond, provesLink(plan.chain, one) && !plan.filled)),
    ),
    ...early.map((one) => addSettled(outside, wallet, { ...one, state: 'before' })),
    ...released.map((one) => removeWaiting(wallet, one)),
    ...waits.map((one) => addWaiting(outside, wallet, one)),
  ];
}

/** `isProven` is false for texts that fill a break: both of its balances are old news. */
export function linkedText(text: Movement, beyond: ReadonlySet<Movement>, isProven: boolean): SettledText {
  return { ...text, state: isProven ? 'linked' : 'unsure', ...(beyond.has(text) && { beyond_sum: true }) };
}

function markText(outside: RetryOutside, wallet: Wallet, text: KnownText): TableWrite {
  if (text.state !== 'waiting') return addSettled(outside, wallet, text);
  const { state: _, ...movement } = text;
  return addWaiting(outside, wallet, movement);
}

export function retryIfChainChanged<Result>(outside: RetryOutside, change: () => Promise<Result>): Promise<Result> {
  return retryIfChanged(change, {
    isChanged: (error) => error instanceof ChainChanged,
    tries: 8,
    pause: (attempt) => outside.sleep((outside.randomBytes(1)[0] ?? 0) * attempt * PAUSE_MS),
  });
}

/**
 * Pause in ms, multiplied by the attempt number and a random number up to 255. Eight attempts take two seconds on
 * average.
 */
const PAUSE_MS = 0.5;

function withoutCopies(texts: readonly Movement[]): Movement[] {
  return [...texts]
    .sort(byId)
    .filter((one, n, all) => all.findIndex((other) => isSame(one, other)) === n)
    .map((one) => asRepeated(one, texts) ?? one);
}

/** Records a transfer to the bank. Does nothing if the wallet has no balance chain. Idempotent. */
export async function notePush(outside: RetryOutside, wallet: Wallet, push: Push): Promise<void> {
  await retryIfChainChanged(outside, async () => {
    const chain = await chainRows.find(outside, wallet);
    const pushes = chain && withPush(chain.pushes, push);
    if (pushes) await outside.table.write([replaceChain(chain, { ...chain, pushes })]);
  });
}
