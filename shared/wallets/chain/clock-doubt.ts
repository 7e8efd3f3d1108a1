import * as z from 'zod/mini';
import type { Network } from '../../ghana/network.ts';
import { isAhead, isOld, type NetworkClock, type Sighting } from './network-clock.ts';

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
const DOUBTS = { payers: 3, overMs: 10 * 60_000 };
/** A forger's many may push out those of honest payers, whose payments then wait for a person. */
const MAX_STRAYS = 20;
const STRAY_FOR_MS = 24 * 60 * 60_000;

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

/**
 * Those that are left once a text has linked: what it explains is no stray any more. Where the chain decides, a link is proof enough to
 * end the doubt; where it only observes, anybody can write one, and the doubt ends after a day.
 */
export function straysAfter(chain: Doubted & { readonly mode: string }, linked: Sighting): Stray[] | undefined {
  if (chain.mode === 'enforce') return undefined;
  const isLeft = (stray: Stray) => linked.at_ms - stray.at_ms < STRAY_FOR_MS;
  return chain.strays?.filter((one) => isLeft(one) && !isOneSeries(chain.network, chain.clock, one, linked));
}

/** Whether one counter may have given out both ids at their times. */
function isOneSeries(network: Network, clock: NetworkClock, one: Sighting, other: Sighting): boolean {
  // What the clock saw lately belongs to the series that is doubted.
  const pace = { ...clock, lately: [] };
  return !isAhead(pace, network, [one], other) && !isOld(pace, network, [one], other);
}
