import * as z from 'zod/mini';
import { type Network, networks } from '../../ghana/network.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';

/*
 * A network's transaction ids rise with time: one counter for everybody's payments. So from the ids that a wallet has seen it is known,
 * within bounds, which id a moment must have, and an invented one is odd.
 */

/** An id and the moment (ms) at which its text reached the phone. */
const Sighting = z.object({ id: z.number(), at_ms: z.number() });
export type Sighting = z.infer<typeof Sighting>;

export const NetworkClock = z.object({
  /** Some from the last weeks, the oldest first: they tell the average pace. */
  anchors: z.array(Sighting),
  /** Some from the last hours, the oldest first: a phone that was off delivers a day's texts within a minute, and none of them is in time. */
  lately: z.array(Sighting),
  /** How much faster than on average the ids have been seen to rise for half an hour or longer. */
  fastest: z.number(),
});
export type NetworkClock = z.infer<typeof NetworkClock>;

/** Before anything is learned, the busiest hour of a day is taken to have twice the average. */
export const NEW_CLOCK: NetworkClock = { anchors: [], lately: [], fastest: 2 };

const MAX_ANCHORS = 4;
const BETWEEN_ANCHORS_MS = 7 * DAY_MS;
/** Over shorter times the delay of the texts says more than the ids. */
const LEARNS_AFTER_MS = 30 * MINUTE_MS;
const MAX_LATELY = 4;
const MOST_FASTEST = 4;
const FASTEST_MARGIN = 1.25;
/** By how much two texts' ids may stand in the wrong order: payments that were made at the same moment. */
const SAME_MOMENT_MS = MINUTE_MS;
/** By how much a text may be younger than the pace suggests. */
const AHEAD_MS = 2 * MINUTE_MS;
/** By how much as long as few ids are known: these may all be from texts that came as late as a text can. */
const FEW_SIGHTINGS = 8;
const AHEAD_OF_FEW_MS = 90 * MINUTE_MS;
/** An id that is this much older than its text is from another day. */
const OLD_MS = 3 * DAY_MS;

/** How many ids pass in a time, on average. */
export function idsIn(clock: NetworkClock, network: Network, ms: number): number {
  const [first] = clock.anchors;
  const last = clock.anchors.at(-1);
  const isLearned = first && last && last.at_ms - first.at_ms >= DAY_MS && last.id > first.id;
  const aDay = isLearned ? ((last.id - first.id) / (last.at_ms - first.at_ms)) * DAY_MS : networks[network].idsADay;
  return (aDay * ms) / DAY_MS;
}

/** How far apart the ids of payments may stand that were made at the same moment. */
export function sameMoment(clock: NetworkClock, network: Network): number {
  return idsIn(clock, network, SAME_MOMENT_MS);
}

/** Whether an id cannot have been given out yet when its text arrived, going by the last ids that are certain. */
export function isAhead(clock: NetworkClock, network: Network, recent: readonly Sighting[], { id, at_ms }: Sighting) {
  if (recent.length === 0) return false;
  const pace = clock.fastest * FASTEST_MARGIN;
  // A text that came late makes its own id look young: the highest of what they allow is right.
  const aheadMs = recent.length < FEW_SIGHTINGS ? AHEAD_OF_FEW_MS : AHEAD_MS;
  const sightings = [...clock.lately, ...recent];
  const most = sightings.map((one) => one.id + idsIn(clock, network, pace * Math.max(0, at_ms - one.at_ms) + aheadMs));
  return id > Math.max(...most);
}

/** Whether an id is days older than its text. */
export function isOld(clock: NetworkClock, network: Network, recent: readonly Sighting[], { id, at_ms }: Sighting) {
  const least = recent.map((one) => one.id - idsIn(clock, network, Math.max(0, one.at_ms - at_ms) + OLD_MS));
  return recent.length > 0 && id < Math.min(...least);
}

/** The clock after one more certain id. */
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
  // It forgets slowly, so that one late text does not widen the bounds for good.
  const forgotten = 1 + (clock.fastest - 1) * 0.98;
  return { ...after, fastest: Math.min(MOST_FASTEST, Math.max(1, forgotten, pace)) };
}

/*
 * A network may jump in its ids, and then every genuine text is odd by the clock. So where several payers, at different times, brought
 * odd ids that make one series among themselves, that series is believed instead. It proves nothing: its texts are where they would be
 * without a clock, and have to link, or stay within what unproven texts may confirm. A text that links ends the doubt.
 */

/** A payment's id that the clock did not expect. */
export const Stray = z.object({
  id: z.number(),
  at_ms: z.number(),
  receipt_id: z.string(),
  /** Tells payers apart and names nobody. */
  payer: z.string(),
});
export type Stray = z.infer<typeof Stray>;

/** A forger can invent payers: this asks for no more than a shop's few minutes, because the doubt gives him nothing. */
const DOUBTS = { payers: 3, overMs: 10 * MINUTE_MS };
/** A forger's many may push out those of honest payers, whose payments then wait for a person. */
const MAX_STRAYS = 20;
const STRAY_FOR_MS = DAY_MS;

interface Doubted {
  readonly network: Network;
  readonly clock: NetworkClock;
  readonly strays?: readonly Stray[] | undefined;
}

/** Whether several payers back an id that the clock does not expect. */
export function isBacked({ network, clock, strays = [] }: Doubted, sighting: Sighting): boolean {
  const backers = strays.filter((stray) => isOneSeries(network, clock, stray, sighting));
  const times = backers.map(({ at_ms }) => at_ms);
  const payers = new Set(backers.map(({ payer }) => payer));
  return payers.size >= DOUBTS.payers && Math.max(...times) - Math.min(...times) >= DOUBTS.overMs;
}

/** Whether the clock of a wallet is doubted at present. */
export function isClockDoubted(chain: Doubted): boolean {
  return (chain.strays ?? []).some((stray) => isBacked(chain, stray));
}

/** The strays with one more; undefined where it is known. */
export function withStray(strays: readonly Stray[] = [], stray: Stray): Stray[] | undefined {
  if (strays.some(({ receipt_id }) => receipt_id === stray.receipt_id)) return undefined;
  return [...strays, stray].slice(-MAX_STRAYS);
}

/** Those that are left once a text has linked that anybody could have written: what it explains is no stray any more, and the doubt ends after a day. */
export function straysAfter(chain: Doubted, linked: Sighting): Stray[] | undefined {
  const isLeft = (stray: Stray) => linked.at_ms - stray.at_ms < STRAY_FOR_MS;
  return chain.strays?.filter((one) => isLeft(one) && !isOneSeries(chain.network, chain.clock, one, linked));
}

/** Whether one counter may have given out both ids at their times. */
function isOneSeries(network: Network, clock: NetworkClock, one: Sighting, other: Sighting): boolean {
  // What the clock saw lately belongs to the series that is doubted.
  const pace = { ...clock, lately: [] };
  return !isAhead(pace, network, [one], other) && !isOld(pace, network, [one], other);
}
