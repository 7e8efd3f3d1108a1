import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { priceStories } from './price.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the cost of a story does not depend on the time of day', async () => {
  const prices = [];
  for (const time of ['2026-12-02T03:40', '2026-12-02T10:40', '2026-12-31T23:40', '2028-02-29T12:00']) {
    vi.stubEnv('WORLD_CLOCK', `${time}Z`);
    prices.push((await priceStories()).map(({ value, detail }) => [detail, value] as const));
  }
  // Rows are a few bytes shorter if the day of their expiry is a number that ends in zeros.
  const first = new Map(prices[0]);
  const shares = prices.map((one) => one.map(([detail, value]) => [detail, value / (first.get(detail) ?? 0)]));
  const alike = prices[0]?.map(([detail]) => [detail, expect.closeTo(1, 2)]);
  expect(shares).toEqual(Array(4).fill(alike));
});

test('the scoreboard states the cost of each story', async () => {
  const scoreboard = readFileSync('docs/internals/scoreboard.md', 'utf8');
  for (const { what, detail, value } of await priceStories()) {
    const [, written = ''] = scoreboard.split(`| P10 | ${what} <sub>${detail}</sub> | $`);
    expect({ what, share: Number.parseFloat(written) / value }).toEqual({ what, share: expect.closeTo(1, 1) });
  }
});

test('the cost of a story is the sum of its parts', async () => {
  const figures = await priceStories();
  expect(figures).toHaveLength(5);
  for (const { value, parts = {} } of figures) {
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(value);
    // Only Lambda's stream reads are free.
    expect(Object.entries(parts).filter(([, dollars]) => !(dollars > 0))).toEqual([['DynamoDB, stream', 0]]);
  }
  const [, , one, told, fifty] = figures.map(({ value }) => value);
  expect(told).toBeGreaterThan(one ?? 0);
  // Fifty recipients share a request and a transaction.
  expect(fifty).toBeLessThan(50 * (one ?? 0));
});
