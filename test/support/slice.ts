/**
 * `npm run prove -- all` runs the long proofs in full. `npm run prove -- quick` runs the slice of the day and prints its
 * number: `SLICE=20778 npm run prove -- quick` repeats it. `npm test` always runs slice 0.
 */

export const isWhole = process.env.PROOFS === 'whole';

const slice = Number(process.env.SLICE ?? 0);
/** Each of the longest files runs every fourth day, with different cases. */
const FILES = 4;
const round = Math.floor(slice / FILES);

/** Returns true for one in every `of` cases, depending on the slice. */
export function isInSlice(place: number, of: number): boolean {
  return isWhole || (place + round) % of === 0;
}

/** Returns the files that do not run today: all but one in every `of`. */
export function restingOf(files: readonly string[], of = FILES): string[] {
  return isWhole ? [] : files.filter((_, place) => (place + slice) % of !== 0);
}

export function sliceOf<Case>(cases: readonly Case[], of: number): Case[] {
  return cases.filter((_, place) => isInSlice(place, of));
}

export function seedsOf(count: number, of: number): number[] {
  const seeds = Array.from({ length: count }, (_, n) => n + 1);
  return sliceOf(seeds, of);
}

/** Returns settings for a fast-check property, with a seed from the slice. */
export function runsOf(count: number, of: number): { numRuns: number; seed?: number } {
  return isWhole ? { numRuns: count } : { numRuns: Math.ceil(count / of), seed: slice };
}
