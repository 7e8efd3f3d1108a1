import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { listCharges } from '../../../money/charge/list-charges.ts';
import { shownPayment } from '../../../money/payment/shown-payment.ts';
import { metaOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { readerOf } from '../charges/reader.ts';
import { CHARGES } from '../parts/addresses.ts';
import { arrived, emptyState, type Html, shownDay } from '../parts/content.ts';
import { pagination, table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { addLink } from './add-link.ts';
import { type Customer, customersOf } from './paying-customers.ts';

/** Customers are derived from a page of charges, because nothing else about them is stored. */
const CHARGES_A_PAGE = '100';

/** Customers by their newest charges: who paid, when and how much. */
export async function showCustomers(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user, query, here } = visit;
  const asked = { status: 'success', per_page: CHARGES_A_PAGE, ...(query.cursor && { cursor: query.cursor }) };
  const { charges, page, next } = await listCharges(outside, merchant.merchant_id, asked, readerOf(user));
  const customers = customersOf(charges);
  const [newest, oldest] = [charges[0], charges.at(-1)];
  const isAll = !query.cursor && next === undefined;
  const main = html`${
    newest &&
    oldest &&
    html`<p class="hint">${isAll ? 'From all paid bills' : `From ${counted(charges.length, 'paid bill')}, created ${shownDay(oldest.created_at)} to ${shownDay(newest.created_at)}: who paid before or after that is on another page, too`}.</p>`
  }
${customersTable(customers)}
${pagination({ here, query }, metaOf(page, next))}`;
  return { title: 'Customers', action: addLink(user), main };
}

/** Each row links to the charges with the same number, address or name. */
export function customersTable(customers: readonly Customer[]): Html {
  return table(customers, {
    caption: 'Customers who paid, the last payment first',
    href: ({ name, phone, email }) =>
      `${CHARGES}?q=${encodeURIComponent(phone ? shownNumber(phone) : (email ?? name ?? ''))}`,
    columns: {
      Customer: ({ name, phone, email = '' }) => name ?? (phone ? shownNumber(phone) : email),
      Contact: ({ phone, email = '' }) => (phone ? html`<span class="number">${shownNumber(phone)}</span>` : email),
      Bills: ({ charges }) => counted(charges, 'bill'),
      'Last paid': ({ paidAt }) => shownDay(paidAt),
      Paid: { figure: ({ pesewas, backing }) => arrived(shownPayment(pesewas, backing)) },
    },
    nothing: emptyState('No customers yet', 'Whoever pays a bill shows here, as long as that bill is kept.'),
    isCompact: true,
  });
}
