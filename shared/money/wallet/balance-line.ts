import type { TimedOutside } from '../../runtime/outside/outside.ts';
import { DAY_MS, dayOf } from '../../runtime/values/calendar.ts';
import type { Gap } from '../../wallets/chain/branches.ts';
import {
  isInChain,
  listGaps,
  listNewestTexts,
  listWaiting,
  type SettledText,
} from '../../wallets/chain/chain.table.ts';
import type { Chain } from '../../wallets/chain/chain.ts';
import { openBreaks } from './wallet-view.ts';

/** Maximum number of texts to read, enough for a busy day. Reading them costs about ten read units. */
const MAX_LINE_TEXTS = 200;
const LINE_MS = 30 * DAY_MS;

interface BalanceAt {
  readonly ms: number;
  readonly pesewas: number;
}

/**
 * A wallet's balance as verified by its chain. In a stretch, each text continues the previous one. Gaps separate
 * stretches.
 */
export interface BalanceLine {
  readonly stretches: readonly (readonly BalanceAt[])[];
  readonly days: readonly BalanceDay[];
}

interface BalanceDay {
  readonly day: string;
  readonly texts: number;
  readonly gaps: number;
  readonly pesewas: number;
}

export async function readBalanceLine(outside: TimedOutside, chain: Chain): Promise<BalanceLine> {
  const [texts, known, waiting] = await Promise.all([
    listNewestTexts(outside, chain, MAX_LINE_TEXTS),
    listGaps(outside, chain),
    chain.waiting > 0 ? listWaiting(outside, chain) : [],
  ]);
  const gaps = [...known, ...openBreaks(chain, waiting)];
  const sinceMs = outside.now() - LINE_MS;
  return balanceLineOf(
    texts.filter(({ at_ms }) => at_ms >= sinceMs),
    gaps,
  );
}

export function balanceLineOf(settled: readonly SettledText[], gaps: readonly Gap[]): BalanceLine {
  const texts = settled.filter(isInChain);
  const [first] = texts;
  if (!first) return { stretches: [], days: [] };
  const breaks = gaps.filter(({ from }) => from.id >= first.id);
  const places = [
    ...texts.map(({ id, at_ms, after }) => ({ id, ms: at_ms, pesewas: after, isGap: false })),
    ...breaks.map(({ to }) => ({ id: to.id, ms: to.at_ms, pesewas: to.balance, isGap: true })),
  ].toSorted((one, other) => one.id - other.id || Number(other.isGap) - Number(one.isGap));
  const stretches: BalanceAt[][] = [[{ ms: first.at_ms, pesewas: first.before }]];
  let latestMs = first.at_ms;
  for (const { ms, pesewas, isGap } of places) {
    // Phones' clocks differ, so a text may seem earlier than the one before it.
    latestMs = Math.max(latestMs, ms);
    if (isGap) stretches.push([]);
    stretches.at(-1)?.push({ ms: latestMs, pesewas });
  }
  const days = [...Map.groupBy(places, ({ ms }) => dayOf(ms))].map(([day, found]) => ({
    day,
    texts: found.filter(({ isGap }) => !isGap).length,
    gaps: found.filter(({ isGap }) => isGap).length,
    pesewas: found.at(-1)?.pesewas ?? 0,
  }));
  return { stretches, days };
}
