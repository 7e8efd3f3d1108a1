import { html, raw } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownAmount, shownCount, shownMoney } from '../../../ghana/money.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { type Day, totalsOfDays } from '../../../money/booking/days.ts';
import { moneyInPesewas, type TotalName, type Totals } from '../../../money/booking/totals.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { type FieldError, PublicError } from '../../../runtime/values/errors.ts';
import { REPORTS } from '../parts/addresses.ts';
import {
  emptyState,
  facts,
  type Html,
  money,
  notice,
  pill,
  section,
  shownDay,
  sumPill,
  tabs,
} from '../parts/content.ts';
import { field } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import { plot } from '../parts/plot.ts';
import { dayLabels } from '../parts/plot-figures.ts';
import { NEW_BILL } from '../parts/title.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { type BarOfDays, moneyPlot, moneySection, totalsOf, unverifiedOf, unverifiedWithin } from './money-in.ts';
import { lengthOf, type Period, periodOf, queryOf, usualPeriods } from './period.ts';

/** Maximum number of days to list. Longer periods are listed by month. */
const MAX_SHOWN_DAYS = 62;

export async function showReports(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { period, faults } = wantedPeriod(outside, visit.query);
  const isUsual = usualPeriods(outside).some(([, one]) => isSame(one, period));
  const current = period && !isUsual && html`: <span class="pill" aria-current="true">${inWords(period)}</span>`;
  const chosen = html`${presets(outside, period)}
<details${!period && raw(' open')}><summary>Other days${current}</summary>${periodForm(visit, outside, period, faults)}</details>`;
  if (!period) return { title: 'Reports', status: 400, main: chosen };
  const { days, isMore } = await totalsOfDays(outside, visit.merchant.merchant_id, period);
  const isEmpty = Object.values(totalsOf(days)).every((value) => value === 0);
  const main = html`${chosen}
${
  isEmpty
    ? emptyState('Nothing happened in this period', 'Reports add up your payments and refunds, by day and month.')
    : html`${isMore && notice('look', 'There are too many entries in the last few days to add up here. Figures are complete after three days.')}
${moneyIn(period, days, isMore)}
${counts(days)}
${byTime(days)}
${files(period)}`
}`;
  const actions = [
    isEmpty ? may(visit.user, 'charges:write') && NEW_BILL : { name: 'Files', address: `#${FILES_ID}`, isPlain: true },
  ];
  return { title: 'Reports', actions, main };
}

/** Returns the period to show, with errors for its fields. */
function wantedPeriod(outside: Outside, query: MerchantVisit['query']) {
  try {
    return { period: periodOf(outside, query), faults: [] };
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    return { faults: error.errors ?? [] };
  }
}

function isSame(one: Period, other: Period | undefined): boolean {
  return one.first === other?.first && one.last === other.last;
}

function inWords({ first, last }: Period): string {
  return first === last ? shownDay(first) : `${shownDay(first)} to ${shownDay(last)}`;
}

function presets(outside: Outside, period: Period | undefined): Html {
  const periods = usualPeriods(outside);
  // On the 30th, "30 days" and "This month" are the same days.
  const current = periods.find(([, one]) => isSame(one, period));
  return tabs(
    'Usual periods',
    periods.map((one) => ({ address: `${REPORTS}?${queryOf(one[1])}`, name: one[0], isCurrent: one === current })),
  );
}

function periodForm(
  { query }: MerchantVisit,
  outside: Outside,
  period: Period | undefined,
  errors: readonly FieldError[],
): Html {
  const usual = period ?? periodOf(outside, {});
  const typed = { from: query.from ?? usual.first, to: query.to ?? usual.last };
  const filled = { typed, errors, wasSent: true, shown: new Set<FieldError>() };
  return html`<form class="card filters" role="search" method="get" action="${REPORTS}">
${field('from', 'From', { type: 'date' })(filled)}
${field('to', 'To', { type: 'date' })(filled)}
<button class="plain button">Show</button>
</form>`;
}

function moneyIn(period: Period, days: readonly Day[], isMore: boolean): Html {
  const totals = totalsOf(days);
  const times = (count: number, pesewas: number) =>
    count > 0 ? `${shownMoney(pesewas)} (${shownCount(count)})` : undefined;
  const less = (shown: string | undefined) => shown && `− ${shown}`;
  return moneySection(
    'Money in',
    { days, isMore },
    html`<p class="hint">${inWords(period)}: ${counted(lengthOf(period), 'day')}, in Ghana time</p>
${facts([
  // Without deductions, it would repeat the sum above.
  [
    'Payments',
    moneyInPesewas(totals) === totals.payments_pesewas
      ? undefined
      : html`${times(totals.payments, totals.payments_pesewas) ?? '0'}${unverifiedPill(days, totals.payments_pesewas)}`,
  ],
  [
    'Of which overpaid',
    totals.overpaid_pesewas === 0 ? undefined : html`${money(totals.overpaid_pesewas)}${overpaidDoubt(days)}`,
  ],
  ['Reversed by the network', less(times(totals.reversed, totals.reversed_pesewas))],
  ['Removed from bills', less(times(totals.released, totals.released_pesewas))],
  ['Refunds sent', times(totals.refunds, totals.refunds_pesewas)],
])}
${moneyPlot('Money in', barsOf(days), perOf(days))}`,
  );
}

function unverifiedPill(days: readonly Day[], ofPesewas: number, of?: string): Html | string {
  return sumPill({ pesewas: ofPesewas, unverifiedPesewas: unverifiedOf(days) }, of);
}

/** Says how much of the overpaid money may be unverified. Days do not store how much of it is. */
function overpaidDoubt(days: readonly Day[]): Html | undefined {
  const totals = totalsOf(days);
  const unverified = unverifiedOf(days);
  if (unverified === 0) return undefined;
  if (unverified >= moneyInPesewas(totals)) return pill('look', 'Not verified');
  return pill('look', html`<span>Up to ${money(Math.min(unverified, totals.overpaid_pesewas))} not verified</span>`);
}

function counts(days: readonly Day[]): Html {
  const totals = totalsOf(days);
  const hasTexts = totals.texts_accepted + totals.texts_failed > 0;
  const bills = facts([
    ['Created', shownCount(totals.charges_created)],
    // A number of bills, so the amount is not a part of it.
    ['Paid', html`${shownCount(totals.charges_paid)}${unverifiedPill(days, moneyInPesewas(totals), ' in bills')}`],
    ['Expired', some(totals.charges_expired)],
    ['Cancelled', some(totals.charges_cancelled)],
    ['Reversed', some(totals.charges_reversed)],
  ]);
  const texts = facts([
    ['Sent', shownCount(totals.texts_accepted)],
    ['Failed', some(totals.texts_failed)],
  ]);
  return html`<div class="beside">${section('Bills', [bills, countPlot(days, 'Bills paid', 'charges_paid')])}
${hasTexts && section('Texts', [texts, countPlot(days, 'Texts sent', 'texts_accepted')])}</div>`;
}

function countPlot(days: readonly Day[], title: string, name: TotalName): Html {
  const points = barsOf(days).map(({ totals, ...bar }) => {
    const value = totals[name];
    return { ...bar, value, shown: shownCount(value) };
  });
  return html`${points.some(({ value }) => value > 0) && plot({ title, unit: title, per: perOf(days) }, points)}`;
}

function byTime(days: readonly Day[]): Html {
  const bars = barsOf(days).filter(({ totals }) => Object.values(totals).some((value) => value !== 0));
  const unverifiedIn = unverifiedWithin(days);
  const unverified = unverifiedIn(days);
  const list = table(bars.toReversed(), {
    caption: isByDay(days) ? 'What happened on each day' : 'What happened in each month',
    href: !isByDay(days) && (({ period }) => `${REPORTS}?${queryOf(period)}`),
    columns: {
      [perOf(days)]: ({ label }) => label,
      [`${CURRENCY} in`]: { figure: ({ totals }) => shownAmount(moneyInPesewas(totals)) },
      [`${CURRENCY} not verified`]: { figure: ({ days }) => (unverified > 0 ? shownAmount(unverifiedIn(days)) : '') },
      [`${CURRENCY} reversed`]: {
        figure: ({ totals }) => shownAmount(totals.reversed_pesewas + totals.released_pesewas),
      },
      Created: { figure: ({ totals }) => shownCount(totals.charges_created) },
      Paid: { figure: ({ totals }) => shownCount(totals.charges_paid) },
      Expired: { figure: ({ totals }) => shownCount(totals.charges_expired) },
      Texts: { figure: ({ totals }) => shownCount(totals.texts_accepted) },
    },
  });
  return html`<details class="card"><summary>${isByDay(days) ? 'Day by day' : 'Month by month'}</summary>${unverified > 0 && html`<p class="hint">${unverified < moneyInPesewas(totalsOf(days)) ? html`${money(unverified)} of this money` : 'This money'} is not verified.</p>`}${list}</details>`;
}

function isByDay({ length }: readonly Day[]): boolean {
  return length <= MAX_SHOWN_DAYS;
}

function perOf(days: readonly Day[]): 'Day' | 'Month' {
  return isByDay(days) ? 'Day' : 'Month';
}

interface Bar extends BarOfDays {
  readonly period: Period;
  readonly totals: Totals;
}

function barsOf(days: readonly Day[]): Bar[] {
  if (isByDay(days)) return days.map((one) => barOf([one], dayLabels(one.day, days.length)));
  return [...Map.groupBy(days, ({ day }) => day.slice(0, 7)).values()].map((ofMonth) => {
    const [month = '', year = ''] = shownDay(ofMonth[0]?.day ?? '')
      .split(' ')
      .slice(1);
    return barOf(ofMonth, { label: `${month} ${year}`, tick: [month, month === 'Jan' ? year : ''] });
  });
}

function barOf(days: readonly Day[], labels: Pick<BarOfDays, 'label' | 'tick'>): Bar {
  const [first = '', last = ''] = [days[0]?.day, days.at(-1)?.day];
  return { ...labels, days, period: { first, last }, totals: totalsOf(days) };
}

const FILES_ID = 'files';

function files(period: Period): Html {
  const query = queryOf(period);
  return html`<div id="${FILES_ID}">${section(
    'Files',
    html`<p class="hint">Files for these days, for Excel and similar programs. Amounts are in ${CURRENCY}, times in Ghana time.</p>
<p class="actions">
<a class="plain button" href="${REPORTS}/days.csv?${query}" download>Totals by day (spreadsheet)</a>
<a class="plain button" href="${REPORTS}/files/charges?${query}">Bills (spreadsheet)</a>
<a class="plain button" href="${REPORTS}/files/payments?${query}">Payments (spreadsheet)</a>
</p>`,
  )}</div>`;
}

function some(count: number): string | undefined {
  return count > 0 ? shownCount(count) : undefined;
}
