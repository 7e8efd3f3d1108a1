import { html, raw } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { icon, icons } from '../../checkout/icons.ts';
import { SETTINGS, TEAM } from '../addresses.ts';
import type { Html } from '../html.ts';
import { section } from '../parts/status.ts';
import { NEW_CHARGE, WEBHOOKS } from './addresses.ts';

/** What to do first, where nothing was paid yet. */
export function firstSteps({ momo_accounts: [account] }: Merchant, user: User, hasCharge: boolean): Html {
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
            what: html`For a website: <a href="${WEBHOOKS}">set a webhook</a>, which tells your server of each payment.`,
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
