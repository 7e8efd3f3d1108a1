import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { listCharges } from '../../../money/charge/list-charges.ts';
import { shownPayment } from '../../../money/payment/shown-payment.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { readerOf } from '../charges/reader.ts';
import { chargesSearch } from '../parts/addresses.ts';
import { ago, doubtPill, emptyState, type Html, shownDay } from '../parts/content.ts';
import { type List, table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { type Customer, customersOf } from './paying-customers.ts';
import { peoplePage } from './people.ts';

/** Number of charges per page. Customers are not stored, but derived from charges. */
const CHARGES_A_PAGE = '100';

export async function showPaying(visit: MerchantVisit, outside: Outside, phone: string | undefined): Promise<Shown> {
  const { merchant, user, query } = visit;
  const asked = { status: 'success', per_page: CHARGES_A_PAGE, cursor: query.cursor, phone };
  const { charges, next } = await listCharges(outside, merchant.merchant_id, asked, readerOf(user));
  const [newest, oldest] = [charges[0], charges.at(-1)];
  const paying = payingOf(outside);
  const isAll = !query.cursor && next === undefined;
  return peoplePage(visit, {
    ...paying,
    about:
      newest &&
      oldest &&
      !isAll &&
      html`<p class="hint">${`From ${counted(charges.length, 'paid bill')}, created ${shownDay(oldest.created_at)} to ${shownDay(newest.created_at)}. Other pages show earlier and later payments`}.</p>`,
    read: async () => ({ entries: customersOf(charges), next }),
    nothing: phone
      ? emptyState('No one with this number has paid', 'Try another number, or clear the field.')
      : paying.nothing,
  });
}

/** Each row links to the charges with the same number, e-mail address or name. */
const payingOf = (clock: Clock): List<Customer> => ({
  caption: 'Customers who paid, most recent first',
  href: ({ name, phone, email }) => chargesSearch(phone ? shownNumber(phone) : (email ?? name ?? '')),
  columns: {
    Customer: ({ name, phone, email = '' }) => name ?? (phone ? shownNumber(phone) : email),
    Contact: ({ phone, email = '' }) => (phone ? html`<span class="number">${shownNumber(phone)}</span>` : email),
    State: ({ pesewas, backing }) => doubtPill(shownPayment(pesewas, backing)),
    'Last paid': ({ paidAt }) => ago(clock, paidAt),
    Bills: { figure: ({ charges }) => html`<span class="wide">${String(charges)}</span>` },
    Paid: { figure: ({ pesewas, backing }) => shownPayment(pesewas, backing).amount },
  },
  nothing: emptyState('No customers yet', 'Anyone who pays a bill appears here for as long as the bill is kept.'),
  isCompact: true,
});

export function customersTable(clock: Clock, customers: readonly Customer[]): Html {
  return table(customers, payingOf(clock));
}
