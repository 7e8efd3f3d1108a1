import { shownCount } from '../../../ghana/money.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';
import { inWords } from '../../../runtime/values/calendar.ts';

/**
 * Layouts of plots as plain objects. `x` positions are percentages and `y` positions are pixels, so that plots fit any
 * screen. `dashboard.css` sets the height.
 */

const HEIGHT = 120;
/** Space above the highest gridline, for a bar's value. */
const ABOVE = 20;
export const LINE_HEIGHT = 17;
export const BASE = ABOVE + HEIGHT;
const MAX_STEPS = 3;
const LEAST_BAR = 2;
/** Minimum height of a bar's hollow part. Smaller ones would not look hollow. */
const LEAST_PART = 5;
/** Space between a bar and its value. */
const ABOVE_BAR = 6;

export interface PlotPoint {
  readonly label: string;
  /** Up to two lines of text below the bar, if they fit. */
  readonly tick?: readonly string[];
  readonly value: number;
  readonly shown: string;
  /** Share of the value to draw as hollow. */
  readonly part?: number;
  readonly shownPart?: string;
  readonly isMarked?: boolean;
}

export interface Box {
  readonly y: number;
  readonly height: number;
}

interface Bar {
  readonly x: number;
  readonly solid?: Box;
  readonly hollow?: Box;
}

/** The value above a bar. */
interface Mark extends Label {
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

interface Label {
  readonly at: number;
  readonly text: string;
}

interface Axes {
  /** Gridlines, lowest first. */
  readonly grid: readonly Label[];
  readonly ticks: readonly (readonly Label[])[];
}

export interface Bars extends Axes {
  readonly barWidth: number;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}

/** Computes a bar plot. @param unit the value of 1 on the axis, such as 100 to show pesewas as cedis. */
export function drawBars(points: readonly PlotPoint[], unit = 1): Bars {
  const values = points.map(({ value }) => value);
  const { scale, grid } = scaleOf(Math.min(0, ...values), Math.max(0, ...values), unit);
  const slot = 100 / Math.max(1, points.length);
  const barWidth = rounded(Math.min(12, slot * 0.7));
  const centreOf = (n: number) => rounded((n + 0.5) * slot);
  const drawn = points.map((point, n) => ({ at: centreOf(n), ...barOf(point, scale) }));
  const bars = drawn.map(({ at, top, ...boxes }) => ({ x: rounded(at - barWidth / 2), ...boxes }));
  const marks = points.flatMap(({ isMarked, value, shown }, n) =>
    isMarked && value !== 0 ? markOf(drawn, n, shown, barWidth) : [],
  );
  const ticks = points.map(({ tick = [] }, n) => ({ at: centreOf(n), tick }));
  return { barWidth, bars, marks, grid, ticks: ticksOf(ticks) };
}

interface DrawnBar {
  readonly at: number;
  readonly top: number;
}

/** Places a value above its bar. Leaves it out if it would touch a taller bar on a phone. */
function markOf(bars: readonly DrawnBar[], n: number, text: string, barWidth: number): Mark[] {
  const { at = 0, top = 0 } = bars[n] ?? {};
  const y = top - ABOVE_BAR;
  const anchor = at > 85 ? 'end' : at < 15 ? 'start' : 'middle';
  const half = ((text.length * CHARACTER_WIDTH) / PHONE_WIDTH) * 50;
  const centre = at + { start: half, middle: 0, end: -half }[anchor];
  const touches = (bar: DrawnBar) => bar.top < y && Math.abs(bar.at - centre) < half + barWidth / 2;
  return bars.some(touches) ? [] : [{ at, y, anchor, text }];
}

export interface Place {
  readonly ms: number;
  readonly value: number;
}

export interface Line extends Axes {
  /** SVG paths of the line segments and of the gaps between them. `x` runs from 0 to 1,000. */
  readonly stretches: string;
  readonly gaps: string;
  readonly gapEnds: readonly { readonly x: number; readonly y: number }[];
}

/** Computes a step line: each value holds until the next point. Gaps separate the segments. */
export function drawLine(stretches: readonly (readonly Place[])[], unit = 1): Line {
  const places = stretches.flat();
  const [first, last] = [places[0]?.ms ?? 0, places.at(-1)?.ms ?? 0];
  const values = places.map(({ value }) => value);
  const { scale, grid } = scaleOf(Math.min(...values), Math.max(...values), unit);
  const permille = ({ ms }: Place) => Math.round(((ms - first) / Math.max(1, last - first)) * 1_000);
  const drawn = stretches.map((stretch) => stretch.map((place) => ({ x: permille(place), y: scale(place.value) })));
  const ends = drawn.slice(1).flatMap(([to], n) => {
    const from = drawn[n]?.at(-1);
    return from && to ? [{ from, to }] : [];
  });
  return {
    stretches: drawn
      .map(([start, ...rest]) => start && `M${start.x} ${start.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}`)
      .join(''),
    gaps: ends.map(({ from, to }) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join(''),
    gapEnds: ends.map(({ to }) => ({ x: to.x / 10, y: to.y })),
    grid,
    ticks: ticksOf([10, 50, 90].map((at) => ({ at, tick: momentLabel(first + ((last - first) * at) / 100) }))),
  };
}

function momentLabel(ms: number): string[] {
  const { weekday, day, time } = inWords(isoOf(ms));
  return [`${weekday} ${time}`, day.split(' ').slice(0, 2).join(' ')];
}

type Scale = (value: number) => number;

/** Computes a bar. Any non-zero value or hollow part is tall enough to see. */
function barOf({ value, part = 0 }: PlotPoint, scale: Scale): { solid?: Box; hollow?: Box; top: number } {
  const zero = scale(0);
  const full = value === 0 ? 0 : Math.max(LEAST_BAR, Math.abs(scale(value) - zero));
  if (value <= 0) return { ...(full > 0 && { solid: { y: zero, height: full } }), top: zero };
  const share = Math.min(1, Math.max(0, part) / value);
  const hollow = share > 0 ? Math.max(LEAST_PART, Math.round(full * share)) : 0;
  const solid = share < 1 ? Math.max(LEAST_BAR, full - hollow) : 0;
  const top = zero - solid - hollow;
  return {
    ...(hollow > 0 && { hollow: { y: top, height: hollow } }),
    ...(solid > 0 && { solid: { y: zero - solid, height: solid } }),
    top,
  };
}

/** Divides the axis into up to three steps, each 1, 2 or 5 times a power of ten. */
function scaleOf(least: number, most: number, unit: number): { scale: Scale; grid: Label[] } {
  const step = steps(unit).find((one) => Math.ceil(most / one) - Math.floor(least / one) <= MAX_STEPS) ?? unit;
  const low = Math.floor(least / step);
  const high = Math.max(low + 1, Math.ceil(most / step));
  const scale = (value: number) => Math.round(BASE - ((value / step - low) / (high - low)) * HEIGHT);
  const values = Array.from({ length: high - low + 1 }, (_, n) => (low + n) * step);
  return { scale, grid: values.map((value) => ({ at: scale(value), text: axisLabel(value / unit, step / unit) })) };
}

function steps(unit: number): number[] {
  return Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power * unit)).flat();
}

/** Formats a gridline's label: `1,500`, or `15k` or `2m` if all labels can be shortened. */
function axisLabel(value: number, step: number): string {
  const [divisor, sign] = step % 1_000_000 === 0 ? [1_000_000, 'm'] : step % 5_000 === 0 ? [1_000, 'k'] : [1, ''];
  return value === 0 ? '0' : `${shownCount(value / divisor)}${sign}`;
}

/** Widths in pixels of a plot and a character on a phone. */
const [PHONE_WIDTH, CHARACTER_WIDTH] = [240, 7];

function ticksOf(all: readonly { readonly at: number; readonly tick: readonly string[] }[]): Label[][] {
  return [0, 1]
    .map((line) => withoutOverlaps(all.map(({ at, tick }) => ({ at, text: tick[line] ?? '' }))))
    .filter((labels) => labels.length > 0);
}

function withoutOverlaps(labels: readonly Label[]): Label[] {
  let free = Number.NEGATIVE_INFINITY;
  return labels.filter(({ at, text }) => {
    const [centre, half] = [(at / 100) * PHONE_WIDTH, (text.length * CHARACTER_WIDTH) / 2];
    if (text === '' || centre - half < free) return false;
    free = centre + half + 4;
    return true;
  });
}

const rounded = (percent: number) => Math.round(percent * 100) / 100;

export function hourLabels(hour: number): Required<Pick<PlotPoint, 'label' | 'tick'>> {
  const time = `${String(hour).padStart(2, '0')}:00`;
  return { label: `${time} to ${time.slice(0, 2)}:59`, tick: [hour % 6 === 0 ? time : ''] };
}

/**
 * Returns a day's labels in a table and below a plot of `count` days. Shows weekdays if they fit, otherwise Mondays'
 * dates.
 */
export function dayLabels(day: string, count = 1): Required<Pick<PlotPoint, 'label' | 'tick'>> {
  const { weekday, day: date } = inWords(day);
  const [isMonday, short] = [weekday === 'Mon', date.split(' ').slice(0, 2).join(' ')];
  const first = count <= 7 ? weekday : count <= 14 ? weekday.slice(0, 1) : isMonday ? weekday : '';
  return { label: `${weekday} ${date}`, tick: [first, isMonday || count <= 7 ? short : ''] };
}
