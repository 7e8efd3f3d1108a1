import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { replaceChain, type Wallet } from './chain.table.ts';
import type { Chain } from './chain.ts';
import { requireChain } from './find-wallet.ts';
import { whileChainChanges } from './link-texts.ts';

/**
 * Changes what a chain says besides its places, as it is now; `undefined` changes nothing. What is written with it is written if the
 * chain has not changed in between.
 */
export async function changeChain(
  outside: Pick<Outside, 'table' | 'now' | 'sleep' | 'randomBytes'>,
  wallet: Wallet,
  change: (chain: Chain) => Partial<Chain> | undefined,
  also: readonly TableWrite[] = [],
): Promise<void> {
  await whileChainChanges(outside, async () => {
    const chain = await requireChain(outside, wallet);
    const changes = change(chain);
    if (changes) await outside.table.write([replaceChain(chain, { ...chain, ...changes }), ...also]);
  });
}
