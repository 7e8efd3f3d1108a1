import * as z from 'zod/mini';
import { type Network, networks } from '../../ghana/network.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';

/**
 * A network's transaction ids come from a single counter, so they increase over time. An id that is too high or too low
 * for its time is probably invented.
 */

const Sighting = z.object({ id: z.number(), at_ms: z.number() });
export type Sighting = z.infer<typeof Sighting>;

export const NetworkClock = z.object({
  anchors: z.array(Sighting),
  lately: z.array(Sighting),
  fastest: z.number(),
});
export type NetworkClock = z.infer<typeof NetworkClock>;

export const NEW_CLOCK: NetworkClock = { anchors: [], lately: [], fastest: 2 };

const MAX_ANCHORS = 4;
const BETWEEN_ANCHORS_MS = 7 * DAY_MS;
const LEARNS_AFTER_MS = 30 * MINUTE_MS;
const MAX_LATELY = 4;
const MAX_PACE = 4;
const FASTEST_MARGIN = 1.25;
/** Ids of payments this close together may be out of order. */
const SAME_MOMENT_MS = MINUTE_MS;
const AHEAD_MS = 2 * MINUTE_MS;
/** If there are fewer recent ids than this, all of them may come from late texts. */
const FEW_SIGHTINGS = 8;
const AHEAD_OF_FEW_MS = 90 * MINUTE_MS;
const OLD_MS = 3 * DAY_MS;

export function idsIn(clock: NetworkClock, network: Network, ms: number): number {
  const [first] = clock.anchors;
  const last = clock.anchors.at(-1);
  const isLearned = first && last && last.at_ms - first.at_ms >= DAY_MS && last.id > first.id;
  const aDay = isLearned ? ((last.id - first.id) / (last.at_ms - first.at_ms)) * DAY_MS : networks[network].idsADay;
  return (aDay * ms) / DAY_MS;
}

export function sameMoment(clock: NetworkClock, network: Network): number {
  return idsIn(clock, network, SAME_MOMENT_MS);
}

/** True if an id is too high for its time, judging by recent ids. */
export function isAhead(clock: NetworkClock, network: Network, recent: readonly Sighting[], { id, at_ms }: Sighting) {
  if (recent.length === 0) return false;
  const pace = clock.fastest * FASTEST_MARGIN;
  // A late text's id is too low for its time, so use the highest estimate.
  const aheadMs = recent.length < FEW_SIGHTINGS ? AHEAD_OF_FEW_MS : AHEAD_MS;
  const sightings = [...clock.lately, ...recent];
  const most = sightings.map((one) => one.id + idsIn(clock, network, pace * Math.max(0, at_ms - one.at_ms) + aheadMs));
  return id > Math.max(...most);
}

export function isOld(clock: NetworkClock, network: Network, recent: readonly Sighting[], { id, at_ms }: Sighting) {
  const least = recent.map((one) => one.id - idsIn(clock, network, Math.max(0, one.at_ms - at_ms) + OLD_MS));
  return recent.length > 0 && id < Math.min(...least);
}

export function learnFrom(
  clock: NetworkClock,
  network: Network,
  before: Sighting | undefined,
  now: Sighting,
): NetworkClock {
  const last = clock.anchors.at(-1);
  const isAnchor = !last || now.at_ms - last.at_ms >= BETWEEN_ANCHORS_MS;
  const anchors = isAnchor ? [...clock.anchors, now].slice(-MAX_ANCHORS) : clock.anchors;
  const { lately } = clock;
  const isLater = now.at_ms - (lately.at(-1)?.at_ms ?? 0) >= LEARNS_AFTER_MS;
  const after = { ...clock, anchors, lately: isLater ? [...lately, now].slice(-MAX_LATELY) : lately };
  const passedMs = before ? now.at_ms - before.at_ms : 0;
  if (!before || passedMs < LEARNS_AFTER_MS || anchors.length < 2) return after;
  const pace = (now.id - before.id) / idsIn(clock, network, passedMs);
  // Lower the highest rate slowly, so that a single late text does not raise the limit forever.
  const forgotten = 1 + (clock.fastest - 1) * 0.98;
  return { ...after, fastest: Math.min(MAX_PACE, Math.max(1, forgotten, pace)) };
}

/**
 * If a network's ids jump, every genuine id looks wrong. Such ids are accepted once they form a series with several
 * payers. The payments stay unverified until their texts are linked.
 */

export const Stray = z.object({
  id: z.number(),
  at_ms: z.number(),
  receipt_id: z.string(),
  payer: z.string(),
});
export type Stray = z.infer<typeof Stray>;

/**
 * Minimums for accepting a series of unusual ids. A forger can invent payers, but gains nothing: the payments stay
 * unverified.
 */
const DOUBTS = { payers: 3, overMs: 10 * MINUTE_MS };
const MAX_STRAYS = 20;

interface Doubted {
  readonly network: Network;
  readonly clock: NetworkClock;
  readonly strays?: readonly Stray[] | undefined;
}

export function isBacked({ network, clock, strays = [] }: Doubted, sighting: Sighting): boolean {
  const backers = strays.filter((stray) => isOneSeries(network, clock, stray, sighting));
  const times = backers.map(({ at_ms }) => at_ms);
  const payers = new Set(backers.map(({ payer }) => payer));
  return payers.size >= DOUBTS.payers && Math.max(...times) - Math.min(...times) >= DOUBTS.overMs;
}

export function isClockDoubted(chain: Doubted): boolean {
  return (chain.strays ?? []).some((stray) => isBacked(chain, stray));
}

export function withStray(strays: readonly Stray[] = [], stray: Stray): Stray[] | undefined {
  if (strays.some(({ receipt_id }) => receipt_id === stray.receipt_id)) return undefined;
  return [...strays, stray].slice(-MAX_STRAYS);
}

function isOneSeries(network: Network, clock: NetworkClock, one: Sighting, other: Sighting): boolean {
  const pace = { ...clock, lately: [] };
  return !isAhead(pace, network, [one], other) && !isOld(pace, network, [one], other);
}
