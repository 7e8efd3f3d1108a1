import { html } from 'hono/html';
import { type Network, networks, unreadNote } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { othersPaidOn } from '../../../merchants/merchant/manage-merchant.ts';
import { MAX_MOMO_ACCOUNTS } from '../../../merchants/merchant/merchant.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SETTINGS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { emptyState, pill } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { NUMBERS, numberAddress } from './number-of.ts';

const columns = ['Number', 'Network', 'Name', 'State'].map((name) => ({ name }));

/** The numbers that a merchant is paid on. */
export async function showNumbers({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id, momo_accounts } = merchant;
  const others = await Promise.all(momo_accounts.map(({ number }) => othersPaidOn(outside, merchant_id, number)));
  const mayChange = may(user, 'settings:write');
  const rows = momo_accounts.map(({ number, network, account_name }, n) => ({
    ...(mayChange && { href: numberAddress(number) }),
    cells: [
      shownNumber(number),
      networks[network].name,
      account_name,
      stateOf({ network, isFirst: n === 0, isShared: (others[n]?.length ?? 0) > 0 }),
    ],
  }));
  const isShared = others.some((one) => one.length > 0);
  const add = html`<p><a class="button" href="${NUMBERS}/new">Add a number</a></p>`;
  const mayAdd = mayChange && momo_accounts.length < MAX_MOMO_ACCOUNTS;
  const nothing = emptyState(
    'No number yet',
    'Customers cannot pay until there is one.',
    mayChange ? html`<a class="button" href="${NUMBERS}/new">Add a number</a>` : undefined,
  );
  return {
    title: 'MoMo numbers',
    main: html`${rows.length > 0 ? html`${mayAdd && add}${table('Numbers that customers pay to', columns, rows)}` : nothing}
${rows.length > 1 && html`<p class="hint">Customers are shown the first number. Those who choose another network are shown the first one of that.</p>`}
${isShared && html`<p>${SHARED}</p>`}
${[...new Set(momo_accounts.map(({ network }) => unreadNote(network)))].map((note) => note && html`<p>${note}</p>`)}
<p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

export const SHARED =
  'A number that several shops are paid on shows none of them the payments that name no charge, nor its balance: only the operator sees those.';

function stateOf({ network, isFirst, isShared }: { network: Network; isFirst: boolean; isShared: boolean }): Html {
  const { isRead } = networks[network];
  return html`<span class="pills">${isFirst && pill('good', 'Shown first')}${isShared && pill('look', 'Shared')}${!isRead && pill('look', 'Unread')}${!isFirst && !isShared && isRead && pill('plain', 'In use')}</span>`;
}
