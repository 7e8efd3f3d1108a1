import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { type InsiderFigures, insiderInWords, runInsider } from './run.ts';

const SEEDS = 6;
const OPERATIONS = 120;

test('an employee cannot publish a number without the owner’s approval', async () => {
  const runs: InsiderFigures[] = [];
  const violations: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const run = await runInsider(seed, OPERATIONS).catch(
      (error: Error) => void violations.push(`${seed}: ${error.stack}`),
    );
    if (run) runs.push(run);
  }
  reportFigure(`${insiderInWords(runs)} ${violations.length}`);
  expect(violations).toEqual([]);
  const sum = (of: (run: InsiderFigures) => number) => runs.reduce((total, run) => total + of(run), 0);
  // All of these actions must have occurred.
  expect(sum(({ proposed }) => proposed)).toBeGreaterThan(20);
  expect(sum(({ approved }) => approved)).toBeGreaterThan(5);
  expect(sum(({ charges }) => charges)).toBeGreaterThan(20);
  expect(sum(({ links }) => links)).toBeGreaterThan(20);
});
