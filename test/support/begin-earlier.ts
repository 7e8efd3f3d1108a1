import type { RetryOutside } from '../../shared/runtime/outside/outside.ts';
import { chainRows, replaceChain, type Wallet } from '../../shared/wallets/chain/chain.table.ts';

/** Backdates a chain's first text and adds `before` to its link counts, so that a few links establish the chain. */
export async function beginEarlier(
  outside: RetryOutside,
  wallet: Wallet,
  before = { links: 0, outgoing_links: 0 },
): Promise<void> {
  const chain = await chainRows.find(outside, wallet);
  if (!chain?.begun_ms) return;
  const links = chain.links + before.links;
  const outgoing_links = chain.outgoing_links + before.outgoing_links;
  await outside.table.write([replaceChain(chain, { ...chain, begun_ms: 0, links, outgoing_links })]);
}
