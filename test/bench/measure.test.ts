import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Figure, isAimMet, isMissed } from './figure.ts';
import { median, medianOf, quantile, ratioOf, ratioOfRounds } from './measure.ts';
import { scoreboard } from './print.ts';

test('quantiles are interpolated between samples', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9);
  expect(() => quantile([], 0.5)).toThrow(RangeError);
});

test('the ratio of two medians lies within its confidence interval', () => {
  const rounds = Array.from({ length: 100 }, (_, n) => ({ ones: [2 + n / 100, 2], others: [1, 1 + n / 100] }));
  const { value, interval, samples } = ratioOfRounds(rounds);
  expect(samples).toBe(100);
  expect(value).toBeGreaterThan(1.5);
  expect(interval[0]).toBeLessThanOrEqual(value);
  expect(interval[1]).toBeGreaterThanOrEqual(value);
});

test('a few slow calls do not affect the result', () => {
  const quiet = Array.from({ length: 100 }, () => 10);
  expect(medianOf([...quiet, ...Array.from({ length: 20 }, () => 10_000)])).toMatchObject({
    value: 10,
    interval: [10, 10],
  });
});

test('a comparison calls its two functions alternately', async () => {
  const order: string[] = [];
  const side = (name: string, ms: number) => async () => {
    order.push(name);
    await sleep(2);
    return () => sleep(ms);
  };
  const { value } = await ratioOf(side('one', 20), side('other', 2), { samples: (usual) => Math.min(usual, 5) });
  expect(order.slice(0, 8)).toEqual(['one', 'other', 'other', 'one', 'one', 'other', 'other', 'one']);
  expect(value).toBeGreaterThan(1.5);
});

test('a measurement fails if it exceeds its limit', () => {
  const figure: Figure = {
    id: 'P1',
    what: 'send',
    value: 1.1,
    interval: [1.05, 1.1],
    unit: '×',
    gate: 1.1,
    aim: 1.04,
  };
  const over: Figure = { ...figure, value: 1.11, interval: [1.09, 1.15] };
  expect({
    within: isMissed(figure),
    over: isMissed(over),
    withoutGate: isMissed({ ...over, gate: undefined }),
  }).toEqual({ within: false, over: true, withoutGate: false });
  expect({ within: isAimMet(figure), over: isAimMet({ ...figure, value: 1.04 }) }).toEqual({
    within: false,
    over: true,
  });
  const lines = scoreboard([figure, over], { 'Node.js': 'v24' }).split('\n');
  expect(lines[2]).toMatch(/^\| P1 +\| send +\| 1.1 × \(1.05–1.1\) +\| ≤ 1.1 +\| ≤ 1.04 +\| gate met +\|/);
  expect(lines[3]).toMatch(/\| gate missed \(uncertain\) +\|/);
  expect(lines.at(-1)).toBe('Node.js: v24');
});
