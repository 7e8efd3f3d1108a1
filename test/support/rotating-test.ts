import { type TestFunction, test } from 'vitest';
import { isInSlice } from './slice.ts';

/** `test` for long tests of a file: of each `of` in a row one is in the slice. */
export function rotatingTest(of: number): (name: string, run: TestFunction) => void {
  let place = 0;
  return (name, run) => test.runIf(isInSlice(place++, of))(name, run);
}
