import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { differenceOf } from '../../shared/wallets/chain/branches.ts';
import { listGaps, listSettledTexts } from '../../shared/wallets/chain/chain.table.ts';
import { type Movement, movementOf } from '../../shared/wallets/chain/chain.ts';
import type { Chance } from '../simulation/random.ts';
import { walletLog } from '../support/wallet-texts.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { byArrival } from './shop.ts';

const LONGEST_DELAY_MS = 75 * MINUTE_MS;

/** Eight months of transactions from a real wallet's texts, in the order received. */
export const loggedMovements: readonly Movement[] = walletLog.flatMap(({ received_at, sender, text }) => {
  const at_ms = Date.parse(received_at);
  return movementOf(readWalletText(sender, text), { sender, at_ms, arrived_ms: at_ms }) ?? [];
});

/** Results that must not depend on the order of the texts. */
export interface LoggedChain {
  readonly linked: readonly string[];
  readonly differences: readonly number[];
  readonly waiting: number;
}

/** Replays the logged wallet. The owner confirms each balance after half an hour. */
export async function playLog(arrivals: readonly Movement[]): Promise<LoggedChain> {
  const play = new Play({ answersAfterMs: 30 * MINUTE_MS, knows: () => true });
  for (const text of arrivals) await play.arrive(text);
  await play.passTo(play.outside.now() + 2 * HOUR_MS);
  const settled = await listSettledTexts(play.outside, WALLET);
  return {
    linked: settled.filter(({ state }) => state === 'linked').map(keyOf),
    differences: (await listGaps(play.outside, WALLET)).map(differenceOf),
    waiting: (await play.chain()).waiting,
  };
}

/** Returns the same texts with random delays and copies. */
export function reordered(chance: Chance, texts: readonly Movement[]): Movement[] {
  const arrivals = texts.map((text, n) => {
    const overtaker = texts[n + chance.between(1, 3)];
    const isOvertaken = n > 0 && chance.happens(0.3) && overtaker && overtaker.at_ms - text.at_ms < LONGEST_DELAY_MS;
    const arrived_ms = isOvertaken ? overtaker.at_ms + 1 : text.at_ms;
    return { ...text, at_ms: arrived_ms, arrived_ms };
  });
  return arrivals.sort(byArrival).flatMap((one) => (chance.happens(0.1) ? [one, one] : [one]));
}
