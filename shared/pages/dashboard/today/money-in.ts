import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownAmount, shownCount, shownMoney } from '../../../ghana/money.ts';
import type { Day } from '../../../money/booking/days.ts';
import { addUp, moneyInPesewas, type Totals } from '../../../money/booking/totals.ts';
import { doubtOf } from '../../../money/payment/shown-payment.ts';
import { REPORTS } from '../parts/addresses.ts';
import { doubtPill, type Html, money, shownDay } from '../parts/content.ts';
import { type PlotPoint, plot } from '../parts/plot.ts';

/** Days compared with as many days before them. */
const PLOTTED_DAYS = 30;
export const COMPARED_DAYS = 2 * PLOTTED_DAYS;

/** Money received today and in the last 7 and 30 days, each beside the same number of days before. */
export function moneyIn(days: readonly Day[], isMore: boolean): Html {
  const last = (count: number, before = 0) => totalsOf(days.slice(days.length - count - before, days.length - before));
  const atLeast = isMore ? 'at least ' : '';
  const moneyOf = (totals: Totals) => html`<span>${atLeast}${money(moneyInPesewas(totals))}</span>`;
  const compared = (name: string, count: number) =>
    html`<li><p><b>${name}</b>${moneyOf(last(count))}<span class="hint">${hintOf(last(count), changeSince(last(count), last(count, count), count))}</span></p></li>
`;
  return html`<section class="summary"><h2>Money in today</h2>
<p class="amount">${moneyOf(last(1))}</p><p class="hint">${hintOf(last(1))}</p>
<ul class="rows" role="list">${compared('Last 7 days', 7)}${compared('Last 30 days', PLOTTED_DAYS)}</ul></section>`;
}

export function moneyByDay(days: readonly Day[]): Html {
  const plotted = days.slice(-PLOTTED_DAYS);
  return html`${plot(
    `Money in by day, ${CURRENCY}`,
    CURRENCY,
    plotted.map(({ day, totals }) => moneyPoint(shownDay(day), totals)),
    { note: noteUnverified(totalsOf(plotted)) },
  )}
<p><a href="${REPORTS}">Reports and files</a></p>`;
}

export function moneyPoint(label: string, totals: Totals): PlotPoint {
  const pesewas = moneyInPesewas(totals);
  return { label, value: Math.max(0, pesewas), shown: shownAmount(pesewas) };
}

function hintOf(totals: Totals, change?: string): Html {
  const { payments, reversed_pesewas, released_pesewas } = totals;
  const back = reversed_pesewas + released_pesewas;
  const facts = [
    `${shownCount(payments)} payment${payments === 1 ? '' : 's'}`,
    ...(back > 0 ? [`less ${shownMoney(back)} taken back or to check again`] : []),
    ...(change ? [change] : []),
  ].join(', ');
  const unverified = shownUnverified(totals);
  return html`${facts}${unverified && html`, of that ${unverified}`}`;
}

/** The unverified share of the days' money with its badge. Undefined if there is none. */
export function shownUnverified({ unverified_pesewas }: Totals): Html | undefined {
  if (unverified_pesewas <= 0) return undefined;
  return html`${money(unverified_pesewas)}${doubtPill({ doubt: doubtOf('unverified') })}`;
}

/**
 * The unverified share of all days together. No day has its own, because money that is verified later leaves the sum of
 * that later day.
 */
export function noteUnverified(totals: Totals): Html | undefined {
  const unverified = shownUnverified(totals);
  return unverified && html`<p class="hint">Of that not verified: ${unverified}</p>`;
}

/** Undefined without a previous value. */
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
