import { html } from 'hono/html';
import { COUNTRY_CODE } from '../../../ghana/country.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { merchantRows } from '../../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { MAX_PER_PAGE, type PageRequest } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { merchantAddress, OPERATOR_MERCHANTS } from '../parts/addresses.ts';
import { emptyState, type Html, pill, shownDay } from '../parts/content.ts';
import { field } from '../parts/form.ts';
import { foldedFilters, listPage } from '../parts/list.ts';
import type { PersonVisit, Shown } from '../parts/visit.ts';

export function showMerchants(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const wanted = (visit.query.search ?? '').trim().toLowerCase();
  return listPage(visit, {
    title: 'Merchants',
    actions: [{ name: 'Add a merchant', address: `${OPERATOR_MERCHANTS}/new` }],
    above: (count) =>
      (count > 0 || wanted !== '') &&
      foldedFilters(
        visit,
        wanted || 'Filter by name, id or number',
        field('search', 'Name, id or number', { type: 'search' }),
      ),
    read: (page) => findMerchants(outside, page, wanted),
    href: ({ merchant_id }) => merchantAddress(merchant_id),
    columns: {
      Name: ({ name }) => name,
      'Paid on': paidOn,
      State: ({ suspended_at }) => (suspended_at ? pill('bad', 'Suspended') : pill('good', 'Active')),
      Since: ({ created_at }) => shownDay(created_at),
    },
    nothing: wanted
      ? emptyState('No merchants found', 'Search by part of the name, the ID or a MoMo number.')
      : emptyState(
          'No merchants yet',
          'A merchant receives payments on its own MoMo numbers and uses credits to send texts.',
        ),
  });
}

/** Finds merchants by name. Reads until a page is full, because names are not indexed. */
async function findMerchants(outside: Outside, page: PageRequest, wanted: string) {
  const entries: Merchant[] = [];
  let next = page.start;
  do {
    const read = await merchantRows.page(
      outside,
      {},
      { ...page, start: next, limit: wanted ? MAX_PER_PAGE : page.limit },
    );
    entries.push(...read.entries.filter((merchant) => isFound(merchant, wanted)));
    next = read.next;
  } while (next && entries.length < page.limit);
  return { entries, next };
}

const PREFIX = new RegExp(`^(0|${COUNTRY_CODE.slice(1)})`);

function isFound({ merchant_id, name, momo_accounts }: Merchant, wanted: string): boolean {
  const digits = wanted.replace(/\D/g, '').replace(PREFIX, '');
  return (
    name.toLowerCase().includes(wanted) ||
    merchant_id.toLowerCase() === wanted ||
    (digits.length > 2 && momo_accounts.some(({ number }) => number.includes(digits)))
  );
}

function paidOn({ momo_accounts: [first, ...others] }: Merchant): Html | string {
  if (!first) return 'No number yet';
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return html`<span><span class="number">${shownNumber(first.number)}</span>, ${networks[first.network].name}${more}</span>`;
}
