import { queueChecking } from '../../money/receipt/settle-again.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { isGrown, newerBranches } from '../../wallets/chain/branches.ts';
import { chainRows, listOpenChains, listWaiting } from '../../wallets/chain/chain.table.ts';
import type { Chain } from '../../wallets/chain/chain.ts';
import { endWaiting, linkTexts } from '../../wallets/chain/link-texts.ts';
import { isClockDoubted } from '../../wallets/chain/network-clock.ts';
import { askForMissing } from '../../wallets/wallet/ask-again.ts';
import { askOwner } from '../../wallets/wallet/ask-owner.ts';
import { suspectReversal } from './suspect-reversal.ts';

/** More than breaks leave whose owner answers late: somebody floods the wallet, and each text would cost a read a minute. */
const MANY_WAITING = 100;
/** How often the texts of a wallet are read while many wait. */
const MANY_READ_EVERY_MINUTES = 10;

/**
 * Looks after the wallets with waiting texts: links what has waited long enough, tells of payments that may have been taken back, asks their
 * phones for what is missing and their owners for their word, and ends what never will link. Gives the wallets with a branch that nobody has
 * confirmed for a while, and those whose clock is doubted.
 */
export async function watchChains(outside: WorkerOutside, senders: readonly Sender[]): Promise<Chain[]> {
  const unproven: Chain[] = [];
  const isTheirTurn = Math.floor(outside.now() / MINUTE_MS) % MANY_READ_EVERY_MINUTES === 0;
  for (const open of await listOpenChains(outside)) {
    const { network, momo_number, waiting } = open;
    const isSeldom = waiting > MANY_WAITING;
    // Without the wallet's number and its balances, which are in no log.
    const watched =
      isSeldom && !isTheirTurn
        ? linkMany(outside, open)
        : watchChain(outside, { network, momo_number }, senders, isSeldom);
    const chain = await watched.catch((error) => outside.log.error('chain_not_watched', { network, error }));
    if (chain) unproven.push(chain);
  }
  for (const { network, mode } of unproven) outside.log.warn('wallet_unproven', { network, code: mode });
  return unproven;
}

/** What many texts cost in the minutes between: one read of them, and none while nothing may link. */
async function linkMany(outside: WorkerOutside, chain: Chain): Promise<Chain> {
  await linkTexts(outside, chain, []);
  return chain;
}

async function watchChain(
  outside: WorkerOutside,
  wallet: Pick<Chain, 'network' | 'momo_number'>,
  senders: readonly Sender[],
  isSeldom: boolean,
): Promise<Chain | undefined> {
  // A text that waited for one that might have come before it need not wait for the next text as well.
  await linkTexts(outside, wallet, []);
  await endWaiting(outside, wallet);
  const chain = await chainRows.find(outside, wallet);
  if (!chain) return undefined;
  const waiting = chain.waiting > 0 ? await listWaiting(outside, wallet) : [];
  await suspectReversal(outside, chain, waiting);
  await queueChecking(outside, waiting, isSeldom);
  await askForMissing(outside, chain, waiting, senders);
  await askOwner(outside, chain, waiting, senders);
  const isStopped = newerBranches(chain, waiting).some((branch) => isGrown(branch, outside.now()));
  return isStopped || isClockDoubted(chain) ? chain : undefined;
}
