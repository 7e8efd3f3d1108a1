import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { playDay, sayScore } from './rounds/day.ts';

const SEED = 1;
const CUSTOMERS = 300;
/** In a hundred. More would keep a shop busy with what a machine should do. */
const MAX_WAITING = 5;

test('a day at a shop: no attacker gets goods, and few honest customers wait for a person (npm run rounds plays more of them)', async () => {
  const score = await playDay(SEED, CUSTOMERS);
  reportFigure(`rounds: ${sayScore(score)}`);
  expect(score.goodsOfAttackers).toEqual([]);
  expect(score.goodsByOthersMoney).toEqual([]);
  expect((100 * score.waitsForAPerson) / score.customers).toBeLessThanOrEqual(MAX_WAITING);
}, 120_000);
