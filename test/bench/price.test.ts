import { expect, test } from 'vitest';
import { priceStories } from './price.ts';

test('P10: each story runs to its last state, and its price is the sum of its named parts', async () => {
  const figures = await priceStories();
  expect(figures).toHaveLength(5);
  for (const { value, parts = {} } of figures) {
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(value);
    // Lambda's reads of the stream alone are free.
    expect(Object.entries(parts).filter(([, dollars]) => !(dollars > 0))).toEqual([['DynamoDB, stream', 0]]);
  }
  const [, , one, told, fifty] = figures.map(({ value }) => value);
  expect(told).toBeGreaterThan(one ?? 0);
  // A text of fifty shares its request and its transaction with the others, but waits for its turn at the SIM's pace.
  expect(fifty).toBeLessThan(50 * (one ?? 0));
});
