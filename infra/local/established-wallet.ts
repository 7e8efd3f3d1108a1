import type { RetryOutside } from '../../shared/runtime/outside/outside.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import type { Wallet } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { linkTexts } from '../../shared/wallets/chain/link-texts.ts';

/**
 * Movements in pesewas, one every eight hours: 21 payments and five withdrawals. A chain needs a week to be
 * established.
 */
const MOVED = Array.from({ length: 26 }, (_, n) => (n % 5 === 4 ? -4_00 : 1_00));
const EVERY_MS = 8 * HOUR_MS;

/**
 * Establishes a new wallet's chain with texts from the last nine days. The chain ends at `balance` pesewas.
 * @param textOf returns the network's text about a movement at `atMs`.
 */
export async function establishWallet(
  outside: RetryOutside,
  wallet: Wallet,
  balance: number,
  textOf: (atMs: number, before: number, moved: number) => Movement,
): Promise<void> {
  let before = MOVED.reduce((rest, moved) => rest - moved, balance);
  for (const [n, moved] of MOVED.entries()) {
    const atMs = outside.now() - (MOVED.length - 1 - n) * EVERY_MS;
    await linkTexts(outside, wallet, [textOf(atMs, before, moved)]);
    before += moved;
  }
}
