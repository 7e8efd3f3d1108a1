import { type TestFunction, test } from 'vitest';
import { isInSlice } from './slice.ts';

/** Runs one of every `of` consecutive long tests, depending on the day's slice. */
export function rotatingTest(of: number): (name: string, run: TestFunction) => void {
  let place = 0;
  return (name, run) => test.runIf(isInSlice(place++, of))(name, run);
}
