import type { RetryOutside } from '../../shared/runtime/outside/outside.ts';
import type { Wallet } from '../../shared/wallets/chain/chain.table.ts';
import { changeChain } from '../../shared/wallets/chain/change-chain.ts';
import { nameBalance } from '../../shared/wallets/chain/name-balance.ts';

/**
 * Names a wallet's balance (in pesewas) and ends the anchor's youth at once. Any balance proves, also one that anybody
 * would try.
 */
export async function nameMature(outside: RetryOutside, wallet: Wallet, balance: number): Promise<void> {
  await nameBalance(outside, wallet, balance);
  const nowMs = outside.now();
  await changeChain(outside, wallet, ({ anchor }) => ({
    anchor: { ...anchor, proves_since_ms: nowMs, agreed_ms: nowMs },
    known_since_ms: nowMs,
  }));
}
