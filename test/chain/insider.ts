import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { listSettledTexts } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { chanceFrom } from '../simulation/random.ts';
import { ownerOf } from './honest.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { beginningOf, byArrival, shopOf } from './shop.ts';

const SECOND_MS = 1000;
const PAYMENTS = 70;

export interface InsiderScore {
  /** True if the insider's text was linked to the chain. */
  readonly linked: boolean;
  /** True if later texts no longer continued the chain. */
  readonly isNoticed: boolean;
  /** True if the owner's answer rejected only the insider's text. */
  readonly isFound: boolean;
}

/** Simulates an insider who sees the balance and forges a text seconds after a real one. */
export async function playInsider(seed: number): Promise<InsiderScore> {
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, { payments: PAYMENTS });
  const seen = chance.pick(shop.arrivals.slice(1, -12));
  const arrived_ms = seen.arrived_ms + chance.between(1, 20) * SECOND_MS;
  const [id, before] = [idAt(arrived_ms), seen.after];
  const after = before + chance.between(20, 900) * 100;
  const forged: Movement = { ...seen, id, before, after, at_ms: arrived_ms, arrived_ms, receipt_id: 'forged' };
  const one = await new Play(ownerOf(shop)).begin(beginningOf(shop));
  let [linked, isNoticed] = [false, false];
  for (const text of [...shop.arrivals, forged].sort(byArrival)) {
    await one.arrive(text);
    linked ||= one.linkedMs.has(keyOf(forged));
    isNoticed ||= linked && (await one.chain()).waiting > 1;
  }
  // A contested text waits for a day.
  await one.passTo(one.outside.now() + 26 * HOUR_MS);
  const wrong = (await listSettledTexts(one.outside, WALLET)).filter(({ state }) => state === 'false').map(keyOf);
  return { linked, isNoticed, isFound: wrong.length === 1 && wrong[0] === keyOf(forged) };
}
