import { html, raw } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { lastDays, totalsOfDays } from '../../../money/booking/days.ts';
import { listReferences } from '../../../money/transaction/transaction.table.ts';
import { type Answer, jsonAnswer } from '../../../runtime/http/answer.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { icon, icons } from '../../checkout/icons.ts';
import { NEW_CHARGE, SETTINGS, TEAM, WEBHOOKS } from '../addresses.ts';
import { type Html, section } from '../parts/content.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { COMPARED_DAYS, moneyByDay, moneyIn, moneyToday } from './money-in.ts';
import { countWaiting, waiting } from './waiting.ts';
import { wallets, walletsSeen } from './wallets.ts';

/** Who sees no reports needs the days in which something may wait. */
const WAITING_DAYS = 7;

/** The first page: what came in, what needs a person, and whether payments would be noticed. */
export async function showToday({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = merchant;
  const seesReports = may(user, 'reports:read');
  const [{ days, isMore }, seen] = await Promise.all([
    totalsOfDays(outside, merchant_id, lastDays(outside, seesReports ? COMPARED_DAYS : WAITING_DAYS)),
    walletsSeen(outside, merchant),
  ]);
  const isFirstRun = seesReports && days.every(({ totals }) => totals.payments === 0);
  const [waits, hasCharge] = await Promise.all([
    waiting(outside, merchant_id, user, { days, wallets: seen }),
    isFirstRun && hasCharges(outside, merchant_id),
  ]);
  const money = seesReports ? moneyIn(days, isMore) : moneyToday(days, isMore);
  return {
    title: 'Today',
    main: html`${isFirstRun ? firstSteps(merchant, user, hasCharge) : money}
${waits}
${seesReports && !isFirstRun && moneyByDay(days)}
${wallets(outside, seen)}`,
  };
}

/** How much waits for a person, for the icon of an app: its service worker asks. */
export async function showWaiting({ merchant, user }: MerchantVisit, outside: Outside): Promise<Answer> {
  const { merchant_id } = merchant;
  const [{ days }, seen] = await Promise.all([
    totalsOfDays(outside, merchant_id, lastDays(outside, WAITING_DAYS)),
    walletsSeen(outside, merchant),
  ]);
  const waiting = await countWaiting(outside, merchant_id, user, { days, wallets: seen });
  return jsonAnswer(200, JSON.stringify({ waiting }));
}

async function hasCharges(outside: Outside, merchantId: string): Promise<boolean> {
  const times = [new Date(0).toISOString(), new Date(outside.now()).toISOString()] as const;
  return (await listReferences(outside, merchantId, times, 1)).length > 0;
}

/** What to do first, where nothing was paid yet. */
function firstSteps({ momo_accounts: [account] }: Merchant, user: User, hasCharge: boolean): Html {
  const steps = [
    {
      isDone: account !== undefined,
      what: account
        ? html`Payments go to <b>${networks[account.network].name} <span class="number">${shownNumber(account.number)}</span></b>, ${account.account_name}.`
        : may(user, 'settings:write')
          ? html`<a href="${SETTINGS}/numbers/new">Add the MoMo number</a> that you are paid on.`
          : 'Ask the owner to add the MoMo number that you are paid on.',
    },
    {
      isDone: hasCharge,
      what: may(user, 'charges:write')
        ? html`<a href="${NEW_CHARGE}">Make a charge</a> of ${CURRENCY} 1, open its link on a phone and pay it.`
        : 'The first charge is made, and paid from a phone.',
    },
    { isDone: false, what: 'This page then shows the payment, within seconds.' },
    ...(may(user, 'team:write')
      ? [{ isDone: false, what: html`<a href="${TEAM}">Invite</a> the people who work with you.` }]
      : []),
    ...(may(user, 'webhooks:write')
      ? [
          {
            isDone: false,
            what: html`For a website: <a href="${WEBHOOKS}">set a webhook</a>, which notifies your server of each payment.`,
          },
        ]
      : []),
  ];
  return section(
    'Your first payment',
    html`<ol class="steps" role="list">${steps.map(
      ({ isDone, what }) =>
        html`<li${isDone && raw(' class="done"')}>${isDone && icon(icons.check)}<span>${what}${isDone && html`<span class="unseen"> (done)</span>`}</span></li>`,
    )}</ol>`,
  );
}
