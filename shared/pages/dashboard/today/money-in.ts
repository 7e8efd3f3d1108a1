import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownAmount, shownCount, wholeMoney } from '../../../ghana/money.ts';
import { type Day, unverifiedByDay } from '../../../money/booking/days.ts';
import { addUp, moneyInPesewas, type Totals } from '../../../money/booking/totals.ts';
import { CHARGES, REPORTS } from '../parts/addresses.ts';
import { facts, type Html, type MoneyIn, money, moneySum, section, sumPill } from '../parts/content.ts';
import { plot } from '../parts/plot.ts';
import { dayLabels, type PlotPoint } from '../parts/plot-figures.ts';

const WEEK_DAYS = 7;
const LONGEST_DAYS = 30;
/** Number of days to read. Each period is compared with the previous one. */
export const COMPARED_DAYS = 2 * LONGEST_DAYS;
const PLOTTED_DAYS = 14;

export function moneyToday(days: readonly Day[], isMore: boolean): Html {
  const today = days.slice(-1);
  const weekBefore = days.at(-8);
  const bars = days.slice(-PLOTTED_DAYS).map((day) => ({
    ...dayLabels(day.day, PLOTTED_DAYS),
    days: [day],
    isMarked: [today[0], weekBefore].includes(day),
  }));
  return moneySection(
    'Money in today',
    { days: today, isMore, hints: takenOff(today, 'today') },
    html`${unverifiedOf(today) > 0 && html`<p><a href="${CHARGES}?status=unverified">See the bills that are not verified</a></p>`}${weekBefore && html`<p class="hint">Last ${new Date(weekBefore.day).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })}, the whole day: ${money(moneyInPesewas(weekBefore.totals))}</p>`}
${moneyPlot(`Last ${PLOTTED_DAYS} days`, bars)}`,
  );
}

interface Sum {
  readonly days: readonly Day[];
  readonly isMore: boolean;
  readonly hints?: readonly string[];
}

/** Renders the money received on these days, followed by `hints` and `more`. */
export function moneySection(heading: string, { days, isMore, hints }: Sum, more: Html): Html {
  return html`<section class="summary"><h2>${heading}</h2>
${moneySum(moneyIn(days), moneyOf(days, isMore), hints)}
${more}</section>`;
}

export function moneyLately(days: readonly Day[], isMore: boolean): Html {
  const last = (count: number, before = 0) => days.slice(days.length - count - before, days.length - before);
  // Money that was only taken off today is named below today's sum.
  const isOnlyToday = takenOff(last(LONGEST_DAYS - 1, 1), '').length === 0;
  const less = isOnlyToday ? [] : takenOff(last(LONGEST_DAYS), `in the last ${LONGEST_DAYS} days`);
  const periods = [WEEK_DAYS, LONGEST_DAYS];
  const changes = periods.flatMap((count) => {
    const change = changeSince(last(count), last(count, count));
    return change ? [`The last ${count} days brought ${change}.`] : [];
  });
  return section('Money in lately', [
    facts(periods.map((count) => [`Last ${count} days`, sumOf(last(count), isMore)])),
    ...[...changes, ...less].map((one) => html`<p class="hint">${one}</p>`),
    html`<p class="actions"><a class="plain button" href="${REPORTS}">Reports and files</a></p>`,
  ]);
}

function moneyOf(days: readonly Day[], isMore: boolean): Html {
  return html`<span>${isMore && 'at least '}${money(moneyInPesewas(totalsOf(days)))}</span>`;
}

export interface BarOfDays extends Pick<PlotPoint, 'label' | 'tick' | 'isMarked'> {
  readonly days: readonly Day[];
}

export function moneyPlot(title: string, bars: readonly BarOfDays[], per?: string): Html {
  return plot(
    { title: `${title}, ${CURRENCY}`, unit: CURRENCY, unitValue: 100, per, part: 'Not verified' },
    moneyPoints(bars),
  );
}

function moneyPoints(bars: readonly BarOfDays[]): PlotPoint[] {
  const unverifiedIn = unverifiedWithin(bars.flatMap(({ days }) => days));
  return bars.map(({ days, ...bar }) => {
    const value = moneyInPesewas(totalsOf(days));
    const part = unverifiedIn(days);
    return { ...bar, value, shown: shownAmount(value), part, shownPart: shownAmount(part) };
  });
}

function sumOf(days: readonly Day[], isMore: boolean): Html {
  const sum = moneyIn(days);
  return html`<span>${moneyOf(days, isMore)} (${shownCount(sum.payments)})</span>${sumPill(sum)}`;
}

function moneyIn(days: readonly Day[]): MoneyIn {
  const totals = totalsOf(days);
  return { payments: totals.payments, pesewas: moneyInPesewas(totals), unverifiedPesewas: unverifiedOf(days) };
}

/** Says in one line how much money was taken off and why, if any was. */
function takenOff(days: readonly Day[], when: string): string[] {
  const { reversed_pesewas, released_pesewas } = totalsOf(days);
  const parts = [
    { pesewas: reversed_pesewas, why: 'reversed by the network' },
    { pesewas: released_pesewas, why: 'removed from bills' },
  ].filter(({ pesewas }) => pesewas > 0);
  if (parts.length === 0) return [];
  const reasons = parts.map(({ pesewas, why }) => (parts.length > 1 ? `${wholeMoney(pesewas)} ${why}` : why));
  return [`${wholeMoney(reversed_pesewas + released_pesewas)} taken off ${when}: ${reasons.join(', ')}.`];
}

export function unverifiedOf(days: readonly Day[]): number {
  return unverifiedWithin(days)(days);
}

/** Returns a function that adds up the unverified money of some of these days. */
export function unverifiedWithin(all: readonly Day[]): (days: readonly Day[]) => number {
  const byDay = new Map(unverifiedByDay(all).map((pesewas, n) => [all[n], pesewas]));
  return (days) => days.reduce((sum, day) => sum + (byDay.get(day) ?? 0), 0);
}

function changeSince(days: readonly Day[], daysBefore: readonly Day[]): string | undefined {
  const before = `the ${daysBefore.length} days before`;
  const [is, was] = [moneyInPesewas(totalsOf(days)), moneyInPesewas(totalsOf(daysBefore))];
  if (was <= 0) return undefined;
  const percent = Math.round(((is - was) / was) * 100);
  if (percent === 0) return `as much as ${before}`;
  return `${Math.abs(percent)}% ${percent > 0 ? 'more' : 'less'} than ${before}`;
}

export function totalsOf(days: readonly Day[]): Totals {
  return addUp(days.map(({ totals }) => totals));
}
