import { html } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownAmount, shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { wholeNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import { doubtOf } from '../../../money/payment/shown-payment.ts';
import {
  type ArrivedSum,
  type Closing,
  type ClosingLine,
  type ClosingState,
  closingOf,
  type Sum,
} from '../../../money/till/closing.ts';
import { tillRows } from '../../../money/till/till.table.ts';
import { isJustLooked } from '../../../money/wallet/wallet-view.ts';
import { nowIso, type Outside, todayOf } from '../../../runtime/outside/outside.ts';
import { addDays, HOURS_A_DAY, isDay } from '../../../runtime/values/calendar.ts';
import { chainRows } from '../../../wallets/chain/chain.table.ts';
import { soleMerchantOf } from '../../../wallets/chain/change-chain.ts';
import { icon } from '../../frame/icon.ts';
import { chargeLink, TILL } from '../parts/addresses.ts';
import {
  doubtPill,
  emptyState,
  type Facts,
  facts,
  type Html,
  moneySum,
  notice,
  pill,
  section,
  shownDay,
  shownTime,
} from '../parts/content.ts';
import { icons } from '../parts/icons.ts';
import { plot } from '../parts/plot.ts';
import { hourLabels } from '../parts/plot-figures.ts';
import { printable } from '../parts/print.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { walletBalance } from '../parts/wallet-balance.ts';
import { balanceField } from '../settings/name-balance.ts';
import { walletsOf } from '../settings/wallets.ts';

/** Shows a day's takings, for counting and printing. Cashiers see only their own. */
export async function showClosing(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user, query } = visit;
  const today = todayOf(outside);
  const day = dayIn(query.day, today);
  const seesAll = may(user, 'reports:read');
  const tills = await tillRows.list(outside, merchant);
  const [closing, balances] = await Promise.all([
    closingOf(outside, merchant.merchant_id, tills, day),
    may(user, 'balances:read') && day === today ? balancesOf(visit, outside) : [],
  ]);
  const lines = closing.lines.filter(({ by }) => seesAll || by === user.user_id);
  const names = await namesOf(
    outside,
    lines.flatMap(({ by }) => by ?? []),
  );
  const main = html`<div class="actions">${otherDay(addDays(day, -1), 'The day before', icons.up)}
<p>${shownDay(`${day}T00:00:00Z`)}${day === today && html`, until ${shownTime(nowIso(outside)).split(', ')[1]}`}</p>
${day < today && otherDay(addDays(day, 1), 'The day after', icons.next)}${printable()}</div>
${closing.isMore && notice('look', 'There are too many payments on this day for this page to add up. See the reports for complete totals.')}
<div class="columns"><div>
${
  lines.length > 0
    ? html`${totalOf(lines)}${lines.map((line) => lineSection(line, names))}${takenByHour(lines)}`
    : emptyState(
        'Nothing was taken',
        seesAll ? 'No till took a payment on this day.' : 'You took no payments on this day.',
      )
}
</div><div>
${arrivedSection(closing, seesAll)}
${balances.length > 0 && (may(user, 'proof:confirm') ? html`<div class="unprinted">${section('Balances', balances)}</div>` : section('Balances', balances))}
</div></div>`;
  return { title: `Daily closing · ${merchant.name}`, main };
}

function otherDay(day: string, name: string, drawing: string): Html {
  return html`<a class="plain button unprinted" href="${TILL}/closing?day=${day}">${icon(drawing)}<span class="unseen">${name}</span></a>`;
}

function dayIn(written: string | undefined, today: string): string {
  return written?.startsWith('20') && isDay(written) && written <= today ? written : today;
}

function shown({ count, pesewas }: Sum): string {
  return `${shownMoney(pesewas)} (${count})`;
}

/** Renders a total with its badge. If only a part is unverified, shows that part's amount too. */
function shownArrived(sum: ArrivedSum, badge: Html | string = NOT_VERIFIED): Html {
  const { count, unproven } = sum;
  const part = unproven.count < count && html` · ${shown(unproven)}`;
  return html`<b class="number">${shown(sum)}</b>${unproven.count > 0 && html`${part}${badge}`}`;
}

const NOT_VERIFIED = doubtPill({ doubt: doubtOf('unverified') });

/** Renders the sum of all tills first, because the day's takings are counted against this sum. */
function totalOf(lines: readonly ClosingLine[]): Html {
  const of = (name: 'counted' | 'unproven'): Sum => ({
    count: lines.reduce((sum, line) => sum + line[name].count, 0),
    pesewas: lines.reduce((sum, line) => sum + line[name].pesewas, 0),
  });
  const [{ count, pesewas }, unproven] = [of('counted'), of('unproven')];
  return html`<section class="summary"><h2>Taken at tills</h2>
${moneySum({ payments: count, pesewas, unverifiedPesewas: unproven.pesewas })}</section>`;
}

function lineSection(line: ClosingLine, names: ReadonlyMap<string, string>): Html {
  const { till, by, firstAt, lastAt, counted: taken, unproven, disputed, undone, takenBack, again } = line;
  const some = (sum: Sum) => (sum.count > 0 ? shown(sum) : undefined);
  const timeOf = (at: string) => shownTime(at).split(', ')[1];
  const who = by === undefined ? 'paid at the sticker' : (names.get(by) ?? 'A former team member');
  return section(`${till.name} · ${who}`, [
    facts([
      ['Taken', shownArrived({ ...taken, unproven })],
      ['Of which in doubt', some(disputed)],
      ['Undone', by === undefined ? undefined : shown(undone)],
      ['Reversed by the network', shown(takenBack)],
      ['First and last', `${timeOf(firstAt)} to ${timeOf(lastAt)}`],
    ]),
    ...(again.length > 0
      ? [
          html`<p>${pill('look', 'Taken again')}</p><p>These payments were taken, then undone, and have since paid a different bill. Ask the cashier whether goods were handed over twice.</p>
<ul role="list">${again.map(({ take, reference }) => html`<li>${timeOf(take.at)} · ${shownMoney(take.amount_pesewas)} · now ${chargeLink(reference)}</li>`)}</ul>`,
        ]
      : []),
  ]);
}

function takenByHour(lines: readonly ClosingLine[]): Html | false {
  const pesewasIn = (hour: number, name: 'counted' | 'unproven') =>
    lines.reduce((sum, { hours }) => sum + (hours[hour]?.[name].pesewas ?? 0), 0);
  const points = Array.from({ length: HOURS_A_DAY }, (_, hour) => {
    const [value, part] = [pesewasIn(hour, 'counted'), pesewasIn(hour, 'unproven')];
    return { ...hourLabels(hour), value, shown: shownAmount(value), part, shownPart: shownAmount(part) };
  });
  if (points.every(({ value }) => value === 0)) return false;
  const of = { unit: CURRENCY, unitValue: 100, per: 'Hour', part: 'Not verified' } as const;
  return html`<div class="unprinted">${plot({ title: `Taken by hour, ${CURRENCY}`, ...of }, points)}</div>`;
}

const PLACES: Readonly<Record<ClosingState, string>> = {
  till: 'Taken by cashiers',
  sticker: 'Paid at a sticker',
  link: 'Through payment links',
  request: 'For payment requests',
  charge: 'For other bills',
  part: 'Part payments for bills not paid in full',
  waiting: 'Waiting to be checked',
  set_aside: 'Not for a bill',
  sent_back: 'Sent back',
  taken_back: 'Reversed by the network',
};

/** Lists the money that arrived. Cashiers see only payments that are still waiting. */
function arrivedSection(closing: Closing, seesAll: boolean): Html {
  if (!seesAll) return section('What is waiting', facts(arrivedFacts(closing, seesAll)));
  return section('What arrived', [
    ...(isAllUnverified(closing) ? [html`<p>${pill('look', 'None of this is verified')}</p>`] : []),
    facts(arrivedFacts(closing, seesAll)),
    html`<p class="hint">A payment tapped after midnight counts towards the day it was tapped.</p>`,
  ]);
}

function isAllUnverified({ arrived }: Closing): boolean {
  return arrived.count > 0 && arrived.unproven.count === arrived.count;
}

function arrivedFacts(closing: Closing, seesAll: boolean): Facts {
  const { arrived, now, marked, owed, toLookInto } = closing;
  const byHand = (sum: Sum) => (seesAll && sum.count > 0 ? html`${shown(sum)}${NOT_VERIFIED}` : undefined);
  const isShown = (state: ClosingState, { count }: Sum) => state === 'waiting' || (seesAll && count > 0);
  // The section says so once, and the total repeats it.
  const badge = seesAll && isAllUnverified(closing) ? '' : NOT_VERIFIED;
  return [
    ...[...now].flatMap(([state, sum]) =>
      isShown(state, sum) ? [[PLACES[state], shownArrived(sum, badge)] as const] : [],
    ),
    ['Arrived on your numbers', seesAll ? shownArrived(arrived) : undefined, 'total'],
    ['Of which still to be sent back', seesAll && owed.count > 0 ? shown(owed) : undefined],
    [
      'May have to be sent back: check first',
      seesAll && toLookInto.count > 0 ? html`${shown(toLookInto)}${NOT_VERIFIED}` : undefined,
    ],
    ['Cash, manually marked as paid', byHand(marked.cash)],
    ['MoMo, manually marked as paid', byHand(marked.transfers)],
  ];
}

/**
 * Shows the balances of wallets that only this merchant uses. Asks an owner to enter each one before showing it, so that
 * the look at the wallet stays independent of its texts.
 */
async function balancesOf(visit: MerchantVisit, outside: Outside): Promise<Html[]> {
  const { merchant, user } = visit;
  const all = await Promise.all(
    walletsOf(merchant).map(async (wallet) => {
      const [owner, chain] = await Promise.all([soleMerchantOf(outside, wallet), chainRows.find(outside, wallet)]);
      if (owner !== merchant.merchant_id) return [];
      const name = `${networks[wallet.network].name}, ${wholeNumber(wallet.momo_number)}`;
      const mayName = may(user, 'proof:confirm') && networks[wallet.network].provesAfterLinks !== undefined;
      if (mayName && !(chain && isJustLooked(outside, chain))) return [balanceField(visit, wallet, name)];
      return chain ? [facts([[name, walletBalance(chain)]])] : [];
    }),
  );
  return all.flat();
}
