import { type TestFunction, test } from 'vitest';
import { isInSlice } from './slice.ts';

/** Runs the slice's share of a series of long tests: one of every `of` consecutive tests. */
export function rotatingTest(of: number): (name: string, run: TestFunction) => void {
  let place = 0;
  return (name, run) => test.runIf(isInSlice(place++, of))(name, run);
}
