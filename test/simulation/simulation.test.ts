import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { runSeed } from './run.ts';

const SEEDS = 15;
const OPERATIONS = 80;

test('nothing is lost or duplicated in random runs with faults at every call (npm run simulate runs more of them)', async () => {
  const violations: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    await runSeed(seed, OPERATIONS).catch((error: Error) => violations.push(`seed ${seed}: ${error.stack}`));
  }
  reportFigure(`simulation: ${SEEDS} seeds × ${OPERATIONS} operations, violations ${violations.length}`);
  expect(violations).toEqual([]);
}, 120_000);
