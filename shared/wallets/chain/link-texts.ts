import type { RetryOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import {
  addGap,
  addSettled,
  addWaiting,
  ChainChanged,
  chainRows,
  createChain,
  getTexts,
  type KnownText,
  listGaps,
  listWaiting,
  removeGap,
  removeWaiting,
  replaceChain,
  textsAfter,
  type Wallet,
} from './chain.table.ts';
import { asRepeated, byId, type Chain, isSame, type Movement } from './chain.ts';
import { isGuessed } from './guesses.ts';
import { type LinkPlan, type Next, needsWaiting, planLinks, planStart, withContested } from './plan-links.ts';
import { type Push, withPush } from './push.ts';

/**
 * Adds texts to a wallet's balance chain, then links waiting texts and fills gaps. Idempotent. Does nothing if there
 * are no new texts and more than `most` texts are waiting.
 */
export async function linkTexts(
  outside: RetryOutside,
  wallet: Wallet,
  texts: readonly Movement[],
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  let looks = 0;
  for (let step: Step = { next: 'more' }; step.next !== 'done'; ) {
    step = await retryIfChainChanged(outside, () =>
      linkSome(outside, wallet, texts, { most, isPatient: looks < MAX_LOOKS }),
    );
    if (step.next !== 'look again') continue;
    const { seenVersion = 0 } = step;
    for (let version = seenVersion; version === seenVersion && looks < MAX_LOOKS; looks++) {
      await outside.sleep(LOOK_PAUSE_MS);
      version = (await chainRows.find(outside, wallet))?.version ?? 0;
    }
  }
}

/**
 * Maximum number of reads before an unlinked text is stored as waiting. In the meantime, another worker may link the
 * previous text.
 */
const MAX_LOOKS = 10;
const LOOK_PAUSE_MS = 20;

interface Step {
  readonly next: Next;
  readonly seenVersion?: number;
}

const DONE: Step = { next: 'done' };

async function linkSome(
  outside: RetryOutside,
  wallet: Wallet,
  texts: readonly Movement[],
  { most, isPatient }: { readonly most: number; readonly isPatient: boolean },
): Promise<Step> {
  const nowMs = outside.now();
  // Read the chain before the texts. If a text is stored in between, the chain's version changes and the write fails.
  const chain = await chainRows.find(outside, wallet);
  const known = await getTexts(outside, wallet, texts);
  const fresh = withoutCopies(texts).filter((one) => !known.some((other) => isSame(one, other)));
  if (!chain) {
    const start = planStart(wallet, fresh);
    if (!start) return DONE;
    await outside.table.write([createChain(start.chain), ...textWrites(outside, wallet, start)]);
    return start;
  }
  const repeated = known.flatMap((one) => asRepeated(one, texts) ?? []);
  if (repeated.length > 0) {
    await outside.table.write([replaceChain(chain, chain), ...repeated.map((one) => markText(outside, wallet, one))]);
    return { next: 'more' };
  }
  if (fresh.length === 0 && (chain.waiting === 0 || chain.waiting > most)) return DONE;
  // All of these texts are already waiting.
  if (known.length > 0 && fresh.length === 0 && known.every(({ state }) => state === 'waiting')) return DONE;
  const waiting = needsWaiting(chain, fresh, nowMs) ? await listWaiting(outside, chain) : [];
  const needsGaps = chain.gaps > 0 && waiting.length + fresh.length > 0 && !isGuessed(chain, nowMs);
  const gaps = needsGaps ? await listGaps(outside, chain) : [];
  const plan = planLinks(chain, fresh, { waiting, gaps }, { nowMs, isPatient });
  if (plan.action !== 'nothing') await outside.table.write(await writesOf(outside, chain, plan));
  return { next: plan.next, seenVersion: chain.version };
}

async function writesOf(outside: RetryOutside, before: Chain, plan: LinkPlan): Promise<TableWrite[]> {
  const contested = plan.goBackTo ? await textsAfter(outside, before, before, plan.goBackTo) : [];
  return [
    replaceChain(before, withContested(plan.chain, contested)),
    ...textWrites(outside, before, plan),
    ...contested.flatMap((text) => [addSettled(outside, before, text, 'contested'), addWaiting(outside, before, text)]),
    ...gapWrites(before, plan),
  ];
}

function textWrites(outside: RetryOutside, wallet: Wallet, { linked, released, waits }: LinkPlan): TableWrite[] {
  return [
    ...linked.map((one) => addSettled(outside, wallet, one, 'linked')),
    ...released.map((one) => removeWaiting(wallet, one)),
    ...waits.map((one) => addWaiting(outside, wallet, one)),
  ];
}

function markText(outside: RetryOutside, wallet: Wallet, text: KnownText): TableWrite {
  const { state, ...movement } = text;
  return state === 'waiting' ? addWaiting(outside, wallet, movement) : addSettled(outside, wallet, movement, state);
}

function gapWrites(wallet: Wallet, { filled }: LinkPlan): TableWrite[] {
  if (!filled) return [];
  const { gap, rest } = filled;
  return [...(rest?.from.id === gap.from.id ? [] : [removeGap(wallet, gap)]), ...(rest ? [addGap(wallet, rest)] : [])];
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
