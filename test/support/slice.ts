/*
 * `npm run proofs` plays the long proofs whole. `npm test` takes a slice of each: another one each day, which it prints, and
 * `SLICE=20778 npm test` takes that of another day.
 */

export const isWhole = process.env.PROOFS === 'whole';

/** Set by `run.ts` for all of a run's processes. */
const slice = Number(process.env.SLICE ?? 0);

/** Whether the case at a place of a list is in the slice, where one of `of` is. */
export function isInSlice(place: number, of: number): boolean {
  return isWhole || (place + slice) % of === 0;
}
