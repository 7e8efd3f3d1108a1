import type { Outside } from '../../runtime/outside/outside.ts';
import { getChain, replaceChain, type Wallet } from './chain.table.ts';
import { whileChainChanges } from './link-texts.ts';
import { type Push, withPush } from './push.ts';

/** Records that money was sent to the bank. Recording it again changes nothing; before the wallet's first balance there is nothing to break. */
export async function notePush(
  outside: Pick<Outside, 'table' | 'now' | 'sleep' | 'randomBytes'>,
  wallet: Wallet,
  push: Push,
): Promise<void> {
  await whileChainChanges(outside, async () => {
    const chain = await getChain(outside, wallet);
    const pushes = chain && withPush(chain.pushes, push);
    if (pushes) await outside.table.write([replaceChain(chain, { ...chain, pushes })]);
  });
}
