import { DAY_MS } from '../../shared/runtime/values/calendar.ts';

const IDS_A_MS = 67_000_000 / DAY_MS;
/** Variation of the network's traffic between noon and midnight. */
const DAY_AND_NIGHT = 0.8;
/** Start of MTN's simulated counter. */
const SINCE_MS = Date.parse('2026-06-01T00:00:00Z');
const FIRST_ID = 82_480_000_000;

/**
 * Returns the id that MTN's counter assigns at this moment. The counter assigns 67 million ids a day, most of them
 * during the day.
 */
export function idAt(ms: number): number {
  const passedMs = ms - SINCE_MS;
  const wave = (DAY_AND_NIGHT * DAY_MS * Math.sin((2 * Math.PI * passedMs) / DAY_MS)) / (2 * Math.PI);
  return Math.floor(FIRST_ID + IDS_A_MS * (passedMs - wave));
}
