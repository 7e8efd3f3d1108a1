import type { RetryOutside } from '../../shared/runtime/outside/outside.ts';
import { chainRows, replaceChain, type Wallet } from '../../shared/wallets/chain/chain.table.ts';

/** Has a chain's first text have come long ago, so that it is established as soon as enough has linked. */
export async function beginEarlier(outside: RetryOutside, wallet: Wallet): Promise<void> {
  const chain = await chainRows.find(outside, wallet);
  if (chain?.begun_ms) await outside.table.write([replaceChain(chain, { ...chain, begun_ms: 0 })]);
}
