import type { Sender } from '../../phones/sender/sender.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { isGrown, newerBranches } from '../../wallets/chain/branches.ts';
import { chainRows, listOpenChains, listWaiting } from '../../wallets/chain/chain.table.ts';
import type { Chain } from '../../wallets/chain/chain.ts';
import { endWaiting } from '../../wallets/chain/end-waiting.ts';
import { linkTexts } from '../../wallets/chain/link-texts.ts';
import { finishLook } from '../../wallets/chain/name-balance.ts';
import { isClockDoubted } from '../../wallets/chain/network-clock.ts';
import { askForMissing } from '../../wallets/wallet/ask-again.ts';
import { askOwner } from '../../wallets/wallet/ask-owner.ts';
import { queueChecking } from '../settling/settle-again.ts';
import { suspectReversal } from './suspect-reversal.ts';

/**
 * Above this many waiting texts, a wallet is fully read only every ten minutes. Somebody is probably flooding the
 * wallet then, and each text would cost a read every minute.
 */
const MANY_WAITING = 100;
const MANY_READ_EVERY_MINUTES = 10;

/**
 * Maintains wallets with waiting texts: links or drops texts, reports possible reversals, asks phones to resend missing
 * texts, and asks owners for their balance. Returns the wallets with a long unconfirmed branch or a doubtful clock.
 */
export async function watchChains(outside: WorkerOutside, senders: readonly Sender[]): Promise<Chain[]> {
  const unproven: Chain[] = [];
  const isTheirTurn = Math.floor(outside.now() / MINUTE_MS) % MANY_READ_EVERY_MINUTES === 0;
  for (const open of await listOpenChains(outside)) {
    const { network, momo_number, waiting } = open;
    const isFlooded = waiting > MANY_WAITING;
    // Do not log the wallet's number and balances.
    const watched =
      isFlooded && !isTheirTurn
        ? linkMany(outside, open)
        : watchChain(outside, { network, momo_number }, senders, isFlooded);
    const chain = await watched.catch((error) => outside.log.error('chain_not_watched', { network, error }));
    if (chain) unproven.push(chain);
  }
  for (const { network } of unproven) outside.log.warn('wallet_unproven', { network });
  return unproven;
}

/** Links waiting texts between full reads. Costs one read, or none if nothing can be linked. */
async function linkMany(outside: WorkerOutside, chain: Chain): Promise<Chain> {
  await linkTexts(outside, chain, []);
  return chain;
}

async function watchChain(
  outside: WorkerOutside,
  wallet: Pick<Chain, 'network' | 'momo_number'>,
  senders: readonly Sender[],
  isFlooded: boolean,
): Promise<Chain | undefined> {
  await finishLook(outside, wallet);
  // `endWaiting` ends texts that cannot be linked, so first link those whose predecessor has arrived.
  await linkTexts(outside, wallet, []);
  await endWaiting(outside, wallet);
  const chain = await chainRows.find(outside, wallet);
  if (!chain) return undefined;
  const waiting = chain.waiting > 0 ? await listWaiting(outside, wallet) : [];
  await suspectReversal(outside, chain, waiting);
  await queueChecking(outside, waiting, isFlooded);
  await askForMissing(outside, chain, waiting, senders);
  await askOwner(outside, chain, waiting, senders);
  const isStopped = newerBranches(chain, waiting).some((branch) => isGrown(branch, outside.now()));
  return isStopped || isClockDoubted(chain) ? chain : undefined;
}
