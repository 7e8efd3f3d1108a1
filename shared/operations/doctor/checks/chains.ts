import { shownMoney } from '../../../ghana/money.ts';
import { explainGap } from '../../../money/wallet/explain-gap.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { DAY_MS, MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { FEW_AT_ONCE, sideBySide } from '../../../runtime/values/side-by-side.ts';
import { beganMs, differenceOf, isGrown, newerBranches } from '../../../wallets/chain/branches.ts';
import { chainRows, listGaps, listSettledTexts, listWaiting } from '../../../wallets/chain/chain.table.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { pausedUntilMs } from '../../../wallets/chain/guesses.ts';
import { isClockDoubted } from '../../../wallets/chain/network-clock.ts';
import { type Hearing, hearingOf, lastHeardMs } from '../../../wallets/wallet/hearing.table.ts';
import { type Finding, fine, found, notHere, wrong } from '../finding.ts';

/**
 * Maximum age of a break that is reported. Older breaks have already been reported, or will be found in the network's
 * next statement.
 */
const RECENT_MS = 3 * DAY_MS;
/** A wallet without texts is reported after this time. A test text is sent earlier. */
const UNHEARD_MS = DAY_MS;

const RUNBOOK = 'docs/operate/runbooks.md, "Resolve a broken balance chain".';

/**
 * Checks that each wallet's texts arrive and continue its balance chain. If the chain is broken, checks that the owner
 * was asked for the balance.
 */
export async function checkChains({ outside }: Deployment): Promise<Finding[]> {
  const chains = await chainRows.list(outside, {});
  if (chains.length === 0) return [notHere('No owner has named a wallet’s balance yet.')];
  const hearings = await hearingOf(
    outside,
    chains.map(({ momo_number }) => momo_number),
  );
  const findings: Finding[] = [];
  const items = chains.map((chain, n) => ({ chain, hearing: hearings[n] }));
  await sideBySide(outside, { items, atOnce: FEW_AT_ONCE }, async ({ chain, hearing }) => {
    findings.push(...(await examine(outside, chain, hearing)));
  });
  return findings;
}

async function examine(outside: Deployment['outside'], chain: Chain, hearing: Hearing | undefined): Promise<Finding[]> {
  const findings = found(
    doubted(chain),
    guessed(chain, outside.now()),
    await stopped(outside, chain),
    await unexplained(outside, chain),
    unheard(outside, chain, hearing),
  );
  const since = isoOf(chain.unbroken_since_ms);
  return findings.length > 0
    ? findings
    : [fine(`The balance chain of ${named(chain)} has been unbroken since ${since}.`)];
}

/** Reports a wallet whose recent transaction ids do not fit their time, if no text has been linked since. */
function doubted(chain: Chain): Finding | undefined {
  if (!isClockDoubted(chain)) return undefined;
  return wrong(
    `Several payments to ${named(chain)} have transaction ids that are consistent with each other but do not fit the times of the payments. ${chain.network} may have changed its numbering, or somebody is forging texts.`,
    `Compare the last payments with the wallet. If the wallet has them, the next text that continues its balance corrects this; if no text does, see ${RUNBOOK} If the wallet does not have them, see "Settle a disputed payment" there.`,
  );
}

function guessed(chain: Chain, nowMs: number): Finding | undefined {
  const untilMs = pausedUntilMs(chain, nowMs);
  if (untilMs === undefined) return undefined;
  return wrong(
    `Somebody may be guessing the balance of ${named(chain)}, because it has too many unlinked texts for lost texts to be the only cause. Until ${isoOf(untilMs)}, payments to it are verified only if the owner enters its balance.`,
    askOwner(chain),
  );
}

function askOwner({ momo_number, network }: Chain): string {
  return `Ask its owner to read the balance in the wallet and to enter it under Wallets. For a shared number, run: wallet balance --number ${momo_number} --network ${network.toLowerCase()} --balance CEDIS --told-by NAME --told-at TIME`;
}

async function stopped(outside: Deployment['outside'], chain: Chain): Promise<Finding | undefined> {
  if (chain.waiting === 0) return undefined;
  const branches = newerBranches(chain, await listWaiting(outside, chain)).filter((one) => isGrown(one, outside.now()));
  const [longest] = branches.toSorted((a, b) => b.texts.length - a.texts.length);
  if (!longest) return undefined;
  const minutes = Math.floor((outside.now() - beganMs(longest)) / MINUTE_MS);
  return wrong(
    `For ${minutes} minutes, no new text to ${named(chain)} has followed from its last verified balance. A text was lost, or the new texts are forged. Larger payments to it are held.`,
    `See ${RUNBOOK} ${askOwner(chain)}`,
  );
}

async function unexplained(outside: Deployment['outside'], chain: Chain): Promise<Finding | undefined> {
  const sinceMs = outside.now() - RECENT_MS;
  const gaps = (chain.gaps > 0 ? await listGaps(outside, chain) : []).filter(({ to }) => to.at_ms > sinceMs);
  if (gaps.length === 0) return undefined;
  const settled = await listSettledTexts(outside, chain);
  const changes: string[] = [];
  for (const gap of gaps) {
    if (await explainGap(outside, chain, gap, settled)) continue;
    const difference = differenceOf(gap);
    const [from, to] = [gap.from, gap.to].map(({ at_ms }) => isoOf(at_ms));
    changes.push(
      `${shownMoney(Math.abs(difference))} ${difference > 0 ? 'came in' : 'went out'} between ${from} and ${to}`,
    );
  }
  if (changes.length === 0) return undefined;
  return wrong(
    `No text from ${named(chain)} reported that ${changes.join('; ')}.`,
    `Fill the gap from the network's statement with: wallet reconcile --number ${chain.momo_number} --file STATEMENT --apply`,
  );
}

function unheard({ now }: Deployment['outside'], chain: Chain, hearing: Hearing | undefined): Finding | undefined {
  const lastMs = Math.max(lastHeardMs(hearing?.phones ?? []), Date.parse(hearing?.test?.heard_at ?? '') || 0);
  if (now() - lastMs < UNHEARD_MS) return undefined;
  const since = lastMs > 0 ? `since ${isoOf(lastMs)}` : 'for a month';
  return wrong(
    `The balance chain of ${named(chain)} decides which payments are confirmed, but no phone has received its texts ${since}. The first payment after a missed text will be held.`,
    `If the phone receives no texts, see docs/operate/runbooks.md, "Repair a phone that misses texts".`,
  );
}

function named({ momo_number, network }: Chain): string {
  return `the wallet ${momo_number} (${network})`;
}
