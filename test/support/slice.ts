/*
 * `npm run prove -- all` plays the long proofs whole. `npm test` takes a slice of each: another one each day, which it prints, and
 * `SLICE=20778 npm test` takes that of another day. Of the longest files each has its turn every fourth day;
 * and every fourth day the cases change, so that each case of each file has its turn: one of so many in four times so many days.
 */

export const isWhole = process.env.PROOFS === 'whole';

/** Set by `run.ts` for all of a run's processes. */
const slice = Number(process.env.SLICE ?? 0);
const FILES = 4;
const round = Math.floor(slice / FILES);

/** Whether the case at a place of a list is in the slice, where one of `of` is. */
export function isInSlice(place: number, of: number): boolean {
  return isWhole || (place + round) % of === 0;
}

/** Four of the longest files, each of which has its turn in another slice. */
export type Turns = readonly [string, string, string, string];

/** Those that have none in this one. */
export function restingOf(turns: Turns): string[] {
  return isWhole ? [] : turns.filter((_, place) => (place + slice) % FILES !== 0);
}

export function sliceOf<Case>(cases: readonly Case[], of: number): Case[] {
  return cases.filter((_, place) => isInSlice(place, of));
}

/** The first so many seeds. */
export function seedsOf(count: number, of: number): number[] {
  const seeds = Array.from({ length: count }, (_, n) => n + 1);
  return sliceOf(seeds, of);
}

/** How fast-check tries a property: with the slice for its seed, so that the same slice tries the same. */
export function runsOf(count: number, of: number): { numRuns: number; seed?: number } {
  return isWhole ? { numRuns: count } : { numRuns: Math.ceil(count / of), seed: slice };
}
