import type { RetryOutside } from '../../runtime/outside/outside.ts';
import { addUnclear, chainRows, replaceChain, unclearRows, type Wallet } from './chain.table.ts';
import { headOf, type Position, withPositions } from './chain.ts';
import { isPaused, withFailed } from './guesses.ts';
import { linkTexts, retryIfChainChanged } from './link-texts.ts';

/** The movement in a text that can be read in two ways. Its id is unknown. */
export interface Unclear {
  readonly before: number;
  readonly after: number;
  readonly at_ms: number;
  readonly arrived_ms: number;
  readonly text_hash: string;
}

/**
 * Moves a chain's head by a text that can be read in two ways, if it continues from there. It verifies nothing, but
 * without it, anybody could break a chain with one cedi and a strange reference. A text that does not continue counts as
 * a guess. Idempotent: a copy of the text changes nothing.
 */
export async function passUnclear(outside: RetryOutside, wallet: Wallet, unclear: Unclear): Promise<void> {
  const { before, after, at_ms, arrived_ms, text_hash } = unclear;
  await retryIfChainChanged(outside, async () => {
    const chain = await chainRows.find(outside, wallet);
    const nowMs = outside.now();
    if (!chain || isPaused(chain, nowMs) || arrived_ms < chain.anchor.at_ms) return;
    if (await unclearRows.find(outside, { ...wallet, text_hash })) return;
    const head = headOf(chain);
    const position: Position = { id: head.id, balance: after, at_ms: Math.max(at_ms, head.at_ms) };
    const moved = head.balance === before ? withPositions(chain, [position]) : withFailed(chain, 1, nowMs);
    await outside.table.write([replaceChain(chain, moved), addUnclear(outside, { ...wallet, text_hash })]);
  });
  await linkTexts(outside, wallet, []);
}
