import { afterEach, expect, test, vi } from 'vitest';

type Slices = typeof import('../../support/slice.ts');

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Loads the module in a new process. */
async function slicesOf(environment: { SLICE?: string; PROOFS?: string }): Promise<Slices> {
  vi.stubEnv('SLICE', environment.SLICE);
  vi.stubEnv('PROOFS', environment.PROOFS);
  const { href } = new URL(`../../support/slice.ts?${JSON.stringify(environment)}`, import.meta.url);
  return await import(/* @vite-ignore */ href);
}

const cases = Array.from({ length: 50 }, (_, n) => n);

test.each([1, 3, 16, 32])('slices with %d cases cover every case once in four times as many days', async (of) => {
  const files = ['one', 'two', 'three', 'four'] as const;
  const tried: string[] = [];
  for (let day = 20_778; day < 20_778 + 4 * of; day++) {
    const { sliceOf, restingOf } = await slicesOf({ SLICE: String(day) });
    const resting = restingOf(files);
    for (const file of files.filter((one) => !resting.includes(one)))
      tried.push(...sliceOf(cases, of).map((one) => `${file} ${one}`));
  }
  expect(tried.toSorted()).toEqual(files.flatMap((file) => cases.map((one) => `${file} ${one}`)).toSorted());
});

test('npm test always runs the same cases', async () => {
  const { seedsOf, runsOf } = await slicesOf({});
  expect(seedsOf(15, 8)).toEqual([1, 9]);
  expect(runsOf(1_000, 10)).toEqual({ numRuns: 100, seed: 0 });
});

test('a day’s slice is deterministic', async () => {
  const [one, again] = [await slicesOf({ SLICE: '7' }), await slicesOf({ SLICE: '7' })];
  expect(again.seedsOf(15, 8)).toEqual(one.seedsOf(15, 8));
  expect(again.runsOf(1_000, 10)).toEqual({ numRuns: 100, seed: 7 });
});

test('npm run prove -- all runs every case', async () => {
  const { isWhole, sliceOf, seedsOf, runsOf } = await slicesOf({ SLICE: '7', PROOFS: 'whole' });
  expect(isWhole).toBe(true);
  expect(sliceOf(cases, 32)).toEqual(cases);
  expect(seedsOf(3, 8)).toEqual([1, 2, 3]);
  expect(runsOf(1_000, 10)).toEqual({ numRuns: 1_000 });
});
