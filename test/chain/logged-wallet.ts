import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { differenceOf } from '../../shared/wallets/chain/branches.ts';
import { isInChain, listGaps, listSettledTexts } from '../../shared/wallets/chain/chain.table.ts';
import { type Movement, movementOf } from '../../shared/wallets/chain/chain.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { walletLog } from '../support/wallet-texts.ts';
import { forgedFor } from './forger.ts';
import { ownerOf } from './honest.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { beginningOf, byArrival } from './shop.ts';

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

/** Replays the logged wallet. The owner names the balance in the first quiet moment after each break. */
export async function playLog(arrivals: readonly Movement[]): Promise<LoggedChain> {
  const play = await new Play().begin(beginningOf({ movements: loggedMovements }));
  const looks = looksAfterBreaks();
  for (const text of arrivals) {
    for (let [next] = looks; next && next.atMs <= text.arrived_ms; next = looks[0]) {
      looks.shift();
      await play.passTo(next.atMs);
      await play.name(next.balance);
    }
    await play.arrive(text);
  }
  await play.passTo(play.outside.now() + 2 * HOUR_MS);
  const settled = await listSettledTexts(play.outside, WALLET);
  return {
    linked: settled.filter(isInChain).map(keyOf),
    differences: (await listGaps(play.outside, WALLET)).map(differenceOf),
    waiting: (await play.chain()).waiting,
  };
}

/** Returns a look after each break of the log, when every earlier text has arrived and no later one has. */
function looksAfterBreaks(): { readonly atMs: number; readonly balance: number }[] {
  let isBroken = false;
  return loggedMovements.flatMap(({ before, after, at_ms }, n) => {
    isBroken ||= n > 0 && before !== loggedMovements[n - 1]?.after;
    const isQuiet = (loggedMovements[n + 1]?.at_ms ?? Number.POSITIVE_INFINITY) - at_ms > 2 * LONGEST_DELAY_MS;
    if (!isBroken || !isQuiet) return [];
    isBroken = false;
    return { atMs: at_ms + LONGEST_DELAY_MS, balance: after };
  });
}

/** Replays the logged wallet with forged texts from its first day on. Returns the number of linked forged texts. */
export async function playForgedLog(seed: number, texts: number): Promise<{ forged: number; linked: number }> {
  const log = { movements: loggedMovements, arrivals: loggedMovements };
  const forged = forgedFor(chanceFrom(seed), log, { texts });
  const play = await new Play(ownerOf(log)).begin(beginningOf(log));
  for (const text of [...loggedMovements, ...forged].sort(byArrival)) await play.arrive(text);
  return { forged: forged.length, linked: forged.filter((one) => play.linkedMs.has(keyOf(one))).length };
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
