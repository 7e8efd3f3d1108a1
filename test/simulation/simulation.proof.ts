import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { seedsOf } from '../support/slice.ts';
import { runSeed } from './run.ts';

const SEEDS = seedsOf(15, 8);
const OPERATIONS = 80;

test('random runs with faults neither lose nor duplicate anything', async () => {
  const violations: string[] = [];
  for (const seed of SEEDS) {
    await runSeed(seed, OPERATIONS).catch((error: Error) => violations.push(`seed ${seed}: ${error.stack}`));
  }
  reportFigure(`simulation: ${SEEDS.length} seeds × ${OPERATIONS} operations, violations ${violations.length}`);
  expect(violations).toEqual([]);
});
