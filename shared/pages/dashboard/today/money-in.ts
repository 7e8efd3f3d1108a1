import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownAmount, shownCount, shownMoney } from '../../../ghana/money.ts';
import type { Day } from '../../../money/booking/days.ts';
import { addUp, moneyInPesewas, type Totals } from '../../../money/booking/totals.ts';
import { REPORTS } from '../addresses.ts';
import { type Html, shownDay, tile, tiles } from '../parts/content.ts';
import { type PlotPoint, plot } from '../parts/plot.ts';

/** How many days are compared with as many before them. */
const PLOTTED_DAYS = 30;
export const COMPARED_DAYS = 2 * PLOTTED_DAYS;

/** What charges got today, for those who may not see more of it. */
export function moneyToday(days: readonly Day[], isMore: boolean): Html {
  return tiles(moneyTile('Money in today', totalsOf(days.slice(-1)), isMore));
}

/** What charges got today, in the last 7 and the last 30 days, each beside as many days before them. */
export function moneyIn(days: readonly Day[], isMore: boolean): Html {
  const last = (count: number, before = 0) => totalsOf(days.slice(days.length - count - before, days.length - before));
  const compared = (name: string, count: number) =>
    moneyTile(name, last(count), isMore, changeSince(last(count), last(count, count), count));
  return html`<div class="stacked">${tiles(
    moneyTile('Money in today', last(1), isMore),
    compared('Last 7 days', 7),
    compared('Last 30 days', PLOTTED_DAYS),
  )}</div>`;
}

/** The same for each day, and the way to all others. */
export function moneyByDay(days: readonly Day[]): Html {
  return html`${plot(
    `Money in by day, ${CURRENCY}`,
    CURRENCY,
    days.slice(-PLOTTED_DAYS).map(({ day, totals }) => moneyPoint(shownDay(day), totals)),
  )}
<p class="actions"><a class="plain button" href="${REPORTS}">Reports and files</a></p>`;
}

/** What charges got, as a bar of a plot. */
export function moneyPoint(label: string, totals: Totals): PlotPoint {
  const pesewas = moneyInPesewas(totals);
  return { label, value: Math.max(0, pesewas), shown: shownAmount(pesewas) };
}

function moneyTile(name: string, totals: Totals, isMore: boolean, change?: string): Html {
  const { payments, reversed_pesewas, released_pesewas } = totals;
  const back = reversed_pesewas + released_pesewas;
  const hints = [
    `${shownCount(payments)} payment${payments === 1 ? '' : 's'}`,
    ...(back > 0 ? [`less ${shownMoney(back)} taken back or to check again`] : []),
    ...(change ? [change] : []),
  ];
  const atLeast = isMore ? 'at least ' : '';
  return tile(name, html`<span class="unit">${atLeast}${CURRENCY}</span> ${shownAmount(moneyInPesewas(totals))}`, {
    hint: hints.join(', '),
  });
}

/** Undefined where there is nothing to compare with. */
function changeSince(now: Totals, before: Totals, count: number): string | undefined {
  const [is, was] = [moneyInPesewas(now), moneyInPesewas(before)];
  if (was <= 0) return undefined;
  const percent = Math.round(((is - was) / was) * 100);
  if (percent === 0) return `as much as in the ${count} days before`;
  return `${Math.abs(percent)}% ${percent > 0 ? 'more' : 'less'} than in the ${count} days before`;
}

function totalsOf(days: readonly Day[]): Totals {
  return addUp(days.map(({ totals }) => totals));
}
