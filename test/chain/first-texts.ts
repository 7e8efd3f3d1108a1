import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { listSettledTexts } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { byArrival, delayOf } from './shop.ts';

const PRESSED_MS = Date.parse('2026-06-01T09:00:00Z');
const OPENING_PESEWAS = 123_437;
const IN_A_BURST = 5;

export interface FirstTextsScore {
  /** Time from the last text's arrival until all texts are verified, in ms. */
  readonly verifiedMs: number;
  /** True if two texts arrived in the wrong order. */
  readonly isSwapped: boolean;
  /** Texts that were not verified, or were doubted. */
  readonly doubted: readonly string[];
}

/** Simulates five payments within a second, whose texts are the first ones after the owner names the balance. */
export async function playFirstTexts(seed: number): Promise<FirstTextsScore> {
  const texts = burstOf(chanceFrom(seed));
  const play = new Play();
  await play.passTo(PRESSED_MS);
  await play.name(OPENING_PESEWAS);
  const arrivals = texts.toSorted(byArrival);
  for (const text of arrivals) await play.arrive(text);
  await play.passTo(play.outside.now() + 2 * HOUR_MS);
  const linked = new Set(
    (await listSettledTexts(play.outside, WALLET)).filter(({ state }) => state === 'linked').map(keyOf),
  );
  const lastMs = Math.max(...texts.map(({ arrived_ms }) => arrived_ms));
  const provenMs = texts.map((one) => play.provenMs.get(keyOf(one)) ?? Number.POSITIVE_INFINITY);
  return {
    verifiedMs: Math.max(...provenMs) - lastMs,
    isSwapped: arrivals.some((one, n) => one !== texts[n]),
    doubted: texts.map(keyOf).filter((key) => !linked.has(key) || !play.provenMs.has(key)),
  };
}

function burstOf(chance: Chance): Movement[] {
  let balance = OPENING_PESEWAS;
  const paidMs = PRESSED_MS + chance.between(1, 60) * MINUTE_MS;
  return Array.from({ length: IN_A_BURST }, (_, n) => {
    const ms = paidMs + n * 200;
    const at_ms = Math.floor(ms + delayOf(chance));
    const before = balance;
    balance += chance.between(5, 90) * 100;
    const moment = { id: idAt(ms), at_ms, arrived_ms: at_ms + chance.between(500, 3000) };
    return { ...moment, before, after: balance, sender: 'mobilemoney', receipt_id: `receipt-${n}` };
  });
}
