const SECOND = 1;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The waits after the first to the ninth failure, in seconds: ten tries over about 75 hours. */
const WAITS_SECONDS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

export const MAX_TRIES = WAITS_SECONDS.length + 1;

/** The wait after the `tries`-th failure, up to a tenth longer at random (0 ≤ `share` < 1); undefined after the last. */
export function waitSeconds(tries: number, share: number): number | undefined {
  const wait = WAITS_SECONDS[tries - 1];
  return wait === undefined ? undefined : wait * (1 + share / 10);
}
