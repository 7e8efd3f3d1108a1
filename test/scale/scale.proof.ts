import { expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { isMissed, walls } from './walls.ts';

// Three seconds at a tenth of the load in `npm run prove -- scale`.
const SLICE = { share: 0.1, seconds: 3 };

test.each(Object.entries(walls))('%s passes all limits at a tenth of the full load', async (name, measure) => {
  const figures = await measure(SLICE);
  reportFigure(`scale, ${name}: ${figures.map(({ what, value }) => `${what} ${value.toFixed(1)}`).join(', ')}`);
  expect(figures.filter(isMissed)).toEqual([]);
});
