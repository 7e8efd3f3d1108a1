import { type Network, networks } from '../../ghana/network.ts';
import { isoOf, type TimedOutside } from '../../runtime/outside/outside.ts';
import { listWaiting } from '../../wallets/chain/chain.table.ts';
import { type Chain, headOf } from '../../wallets/chain/chain.ts';
import { type WhyAsked, whyAsked } from '../../wallets/chain/question.ts';
import type { Heard } from './merchant-wallets.ts';
import { summarise, type WalletSummary } from './wallet-view.ts';

/** State of a merchant's wallet, as shown on every page. */
export interface WalletStanding extends Heard {
  /**
   * Undefined if nobody has named the balance. Also undefined for a shared wallet, because its chain reveals other
   * merchants' payments.
   */
  readonly summary: WalletSummary | undefined;
  /** Why the owner should name the balance now. */
  readonly asked: WhyAsked | undefined;
}

/**
 * Combines the state of a wallet's phone with the wallet's balance chain, if the merchant may see the chain. Costs at
 * most one read.
 */
export async function standingOf(
  outside: TimedOutside,
  { network, isShared }: { readonly network: Network; readonly isShared: boolean },
  heard: Heard = NEVER_HEARD,
  found: Chain | undefined,
): Promise<WalletStanding> {
  const chain = isShared ? undefined : found;
  const isNameable = !isShared && networks[network].provesAfterLinks !== undefined;
  if (!chain) return { ...heard, summary: undefined, asked: isNameable && heard.textAt ? 'first look' : undefined };
  const now = outside.now();
  const waiting = chain.waiting > 0 ? await listWaiting(outside, chain) : [];
  // Heartbeats are recorded every 15 minutes, but a chain has its last text's exact time.
  const lastMs = Math.max(chain.links > 0 ? headOf(chain).at_ms : 0, ...waiting.map(({ at_ms }) => at_ms));
  const textMs = Math.max(heard.textAt === undefined ? 0 : Date.parse(heard.textAt), Math.min(lastMs, now));
  return {
    ...heard,
    textAt: textMs > 0 ? isoOf(textMs) : undefined,
    summary: summarise(chain, waiting, now),
    asked: whyAsked(chain, waiting, now),
  };
}

const NEVER_HEARD: Heard = { textAt: undefined, phoneAt: undefined, isSilent: false };
