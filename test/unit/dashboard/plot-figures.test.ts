import { describe, expect, test } from 'vitest';
import { BASE, dayLabels, drawBars, hourLabels } from '../../../shared/pages/dashboard/parts/plot-figures.ts';
import { addDays } from '../../../shared/runtime/values/calendar.ts';

const point = (value: number, more: object = {}) => ({ label: '', shown: '', value, ...more });
const values = (...each: number[]) => each.map((value) => point(value));

describe('gridline labels', () => {
  test.each<[string, number[], number, string[]]>([
    ['no activity', [0, 0], 1, ['0', '1']],
    ['a single text', [1], 1, ['0', '1']],
    ['a count', [7], 1, ['0', '5', '10']],
    ['a pesewa', [1], 100, ['0', '1']],
    ['money', [2_468_00], 100, ['0', '1,000', '2,000', '3,000']],
    ['a lot of money', [24_680_00], 100, ['0', '10k', '20k', '30k']],
    ['a large sum', [4_000_000_00], 100, ['0', '2m', '4m']],
    ['reversed money', [300_00, -20_00], 100, ['-200', '0', '200', '400']],
  ])('have two or three round values for %s', (_, each, unit, labels) => {
    const { grid } = drawBars(values(...each), unit);
    expect(grid.map(({ text }) => text)).toEqual(labels);
    expect(grid[0]?.at).toBe(BASE);
    expect(grid.at(-1)?.at).toBe(20);
  });
});

describe('the bars of a plot', () => {
  test('end at the gridline of their value', () => {
    const { bars, grid } = drawBars(values(1_000_00, 500_00, 1, 0), 100);
    expect(bars.map(({ solid }) => solid?.y)).toEqual([grid[2]?.at, grid[1]?.at, BASE - 2, undefined]);
    expect(bars.map(({ solid }) => (solid ? solid.y + solid.height : BASE))).toEqual([BASE, BASE, BASE, BASE]);
  });

  test('extend below zero if reversals exceed income', () => {
    const { bars, grid } = drawBars(values(200, -200));
    const zero = grid.find(({ text }) => text === '0')?.at ?? 0;
    expect(bars[1]?.solid).toEqual({ y: zero, height: BASE - zero });
  });

  test.each<[string, number, number, [hollow: number, solid: number]]>([
    ['nothing', 1_000, 0, [0, 120]],
    ['a quarter', 1_000, 250, [30, 90]],
    ['very little', 1_000, 1, [5, 115]],
    ['everything', 1_000, 1_000, [120, 0]],
    ['more than the total', 1_000, 2_000, [120, 0]],
    ['a negative share', 1_000, -5, [0, 120]],
  ])('show unverified money as a hollow top: %s', (_, value, part, heights) => {
    const [bar] = drawBars([point(value, { part })]).bars;
    expect([bar?.hollow?.height ?? 0, bar?.solid?.height ?? 0]).toEqual(heights);
    expect(bar?.hollow?.y ?? bar?.solid?.y).toBe(20);
  });

  test('are labelled only if marked and not zero', () => {
    const marked = Array.from({ length: 14 }, (_, n) => point(10, { isMarked: [0, 6, 13].includes(n) }));
    expect(drawBars(marked).marks.map(({ anchor }) => anchor)).toEqual(['start', 'middle', 'end']);
    expect(drawBars([point(0, { isMarked: true }), point(10)]).marks).toEqual([]);
  });

  test.each<[string, number[], string[]]>([
    ['is kept beside lower bars', [0, 90, 100, 90, 0], ['456.50']],
    ['is kept beside an equal bar', [0, 100, 100, 100, 0], ['456.50']],
    ['is left out beside a taller bar', [0, 0, 50, 100, 0], []],
    ['is kept far from a taller bar', [100, 0, 50, 0, 0], ['456.50']],
  ])('have a value that %s', (_, heights, shown) => {
    const around = Array.from({ length: 14 }, (_none, n) => point(heights[n - 3] ?? 0));
    const points = around.map((one, n) => (n === 5 ? { ...one, shown: '456.50', isMarked: true } : one));
    expect(drawBars(points).marks.map(({ text }) => text)).toEqual(shown);
  });
});

describe('the labels below the bars', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, n) => point(1, dayLabels(addDays('2026-11-20', n + 1 - count), count)));
  const lines = (count: number) => drawBars(days(count)).ticks.map((line) => line.map(({ text }) => text).join(' '));

  test.each<[number, string[]]>([
    [1, ['Fri', '20 Nov']],
    [7, ['Sat Sun Mon Tue Wed Thu Fri', '14 Nov 16 Nov 18 Nov 20 Nov']],
    [14, ['S S M T W T F S S M T W T F', '9 Nov 16 Nov']],
    [30, ['Mon Mon Mon Mon', '26 Oct 2 Nov 9 Nov 16 Nov']],
  ])('show weekdays and dates for %i days', (count, expected) => {
    expect(lines(count)).toEqual(expected);
  });

  test('name every sixth hour', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => point(1, hourLabels(hour)));
    expect(drawBars(hours).ticks.map((line) => line.map(({ text }) => text))).toEqual([
      ['00:00', '06:00', '12:00', '18:00'],
    ]);
    expect([hourLabels(0), hourLabels(23)].map(({ label }) => label)).toEqual(['00:00 to 00:59', '23:00 to 23:59']);
  });

  test.each([62, 366])('do not overlap on a phone for %i days', (count) => {
    const [, dates = []] = drawBars(days(count)).ticks;
    const gaps = dates.slice(1).map(({ at }, n) => at - (dates[n]?.at ?? 0));
    expect(dates.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThan(17);
  });
});
