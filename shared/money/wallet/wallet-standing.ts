import { isoOf, type TimedOutside } from '../../runtime/outside/outside.ts';
import { pushInQuestion } from '../../wallets/chain/bank-push.ts';
import { openQuestion } from '../../wallets/chain/branches.ts';
import { listWaiting } from '../../wallets/chain/chain.table.ts';
import { type Chain, headOf, type Position } from '../../wallets/chain/chain.ts';
import type { Heard } from './merchant-wallets.ts';
import { summarise, type WalletSummary } from './wallet-view.ts';

export type AskedBalance = Pick<Position, 'balance' | 'at_ms'>;

/** State of a merchant's wallet, as shown on every page. */
export interface WalletStanding extends Heard {
  /**
   * Undefined if no text has reported a balance. Also undefined for a shared wallet, because its chain reveals other
   * merchants' payments.
   */
  readonly summary: WalletSummary | undefined;
  /** The balance that the owner is asked about, and the time of the text that reports it. */
  readonly asked: AskedBalance | undefined;
}

/**
 * Combines the state of a wallet's phone with the wallet's balance chain, if the merchant may see the chain. Costs at
 * most one read.
 */
export async function standingOf(
  outside: TimedOutside,
  heard: Heard = NEVER_HEARD,
  chain: Chain | undefined,
): Promise<WalletStanding> {
  if (!chain) return { ...heard, summary: undefined, asked: undefined };
  const now = outside.now();
  const waiting = chain.waiting > 0 ? await listWaiting(outside, chain) : [];
  // Heartbeats are recorded every 15 minutes, but a chain has its last receipt's exact time.
  const lastMs = Math.max(headOf(chain).at_ms, ...waiting.map(({ at_ms }) => at_ms));
  const textMs = Math.max(heard.textAt === undefined ? 0 : Date.parse(heard.textAt), Math.min(lastMs, now));
  return {
    ...heard,
    textAt: isoOf(textMs),
    summary: summarise(chain, waiting, now),
    asked: pushInQuestion(chain, waiting, now)?.push ?? openQuestion(chain, waiting)?.branch.to,
  };
}

const NEVER_HEARD: Heard = { textAt: undefined, phoneAt: undefined, isSilent: false };
