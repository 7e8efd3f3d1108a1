import { html } from 'hono/html';
import { shownCount, shownMoney } from '../../../ghana/money.ts';
import { pesewasIn } from '../../../ghana/typed.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { detailTyped } from '../../../money/matching/typed-detail.ts';
import { doubtOf } from '../../../money/payment/shown-payment.ts';
import { makeRequest } from '../../../money/request/make-request.ts';
import { type PaymentRequest, requestRows } from '../../../money/request/request.table.ts';
import { isOverdue, overduePesewas } from '../../../money/request/request.ts';
import { withPaid } from '../../../money/request/schedule.ts';
import { recordedSums, requestStateOf, type Sums } from '../../../money/request/sums.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { REQUESTS, requestAddress } from '../parts/addresses.ts';
import {
  emptyState,
  type Html,
  money,
  noNumberYet,
  PARTLY_PAID,
  paymentPill,
  pill,
  type Remark,
  shortDay,
} from '../parts/content.ts';
import { field, form } from '../parts/form.ts';
import { foldedFilters, listPage } from '../parts/list.ts';
import { hasWords } from '../parts/search-words.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { MAX_IN_FILE } from './request-file.ts';
import { bodyOf, inFormWords, type RequestForm, requestFields } from './request-form.ts';

export function showRequests(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user, query } = visit;
  const { q = '' } = query;
  return listPage(visit, {
    title: 'Payment requests',
    caption: 'Payment requests, newest first',
    actions: may(user, 'charges:write')
      ? [
          { name: 'New request', address: `${REQUESTS}/new` },
          { name: 'Many at once', address: `${REQUESTS}/list`, isPlain: true },
        ]
      : [],
    perPage: 25,
    read: async (page) => {
      const asked = q ? { ...page, limit: LOOKED_THROUGH } : page;
      const { entries, next } = await requestRows.page(outside, merchant, asked);
      const requests = entries.map((request) => ({ request, sums: recordedSums(request) }));
      return { entries: q ? requests.filter((one) => isMeant(one, q)) : requests, next };
    },
    above: () =>
      foldedFilters(
        visit,
        q || 'Filter by name or amount',
        field('q', 'Title, name, phone, order number or amount', { type: 'search', value: q }),
      ),
    href: ({ request }) => requestAddress(request.slug),
    columns: {
      For: ({ request }) => request.title,
      Customer: ({ request, sums }) => customerOf(outside, request, sums),
      State: ({ request, sums }) => statePill(outside, request, sums),
      Amount: { figure: ({ request, sums }) => amountOf(outside, request, sums) },
    },
    isCompact: true,
    below: (count) =>
      count > 0 &&
      may(user, 'reports:read') &&
      html`<p><a href="${REQUESTS}/requests.csv" download>Download the last ${shownCount(MAX_IN_FILE)} (spreadsheet)</a></p>`,
    nothing: q
      ? emptyState(
          `Nothing found for “${q}”`,
          'Each page searches a hundred requests. Check the spelling, or try a name, a number or an amount.',
        )
      : emptyState(
          'No payment requests yet',
          'A request is an invoice with its own page. Customers pay all or part of it, in one go or in monthly instalments.',
        ),
  });
}

/** Number of requests to search per page. */
const LOOKED_THROUGH = 100;

/** True for a request that the words describe, or whose order number, customer or open amount they are. */
function isMeant({ request, sums }: { readonly request: PaymentRequest; readonly sums: Sums }, typed: string): boolean {
  const { title, customer_name = '', merchant_reference = '', instalments } = request;
  const amounts = [request.total_pesewas, sums.openPesewas, ...instalments.map(({ amount_pesewas }) => amount_pesewas)];
  return (
    hasWords(`${title} ${customer_name} ${merchant_reference}`, typed) ||
    detailTyped(typed, request) !== undefined ||
    amounts.some((amount) => amount === pesewasIn(typed))
  );
}

/** Names the customer and, while the request is open, the next due date. */
function customerOf(outside: Outside, request: PaymentRequest, sums: Sums): string {
  const next = withPaid(request.instalments, sums.paidPesewas).find((one) => one.paid_pesewas < one.amount_pesewas);
  const isOpen = requestStateOf(request, sums) === 'open';
  return [request.customer_name, isOpen && next?.due && `due ${shortDay(outside, next.due)}`]
    .filter(Boolean)
    .join(' · ');
}

/** Renders a request's total and, while it is open, what is overdue or left to pay. */
function amountOf(outside: Outside, request: PaymentRequest, sums: Sums): Html {
  const total = money(request.total_pesewas);
  if (requestStateOf(request, sums) !== 'open') return total;
  const latePesewas = overduePesewas(outside, request, sums);
  if (latePesewas > 0) return html`${total}<br><span class="hint">${shownMoney(latePesewas)} overdue</span>`;
  if (sums.openPesewas === request.total_pesewas) return total;
  return html`${total}<br><span class="hint">${shownMoney(sums.openPesewas)} to pay</span>`;
}

/** Renders the state of a request. Says of an overdue request that only its paid part is in doubt. */
export function statePill(outside: Outside, request: PaymentRequest, sums: Sums): Html {
  const doubt = sums.paidPesewas > 0 ? doubtOf(sums.backing) : undefined;
  const state = plainState(outside, request, sums);
  return doubt && state.label === 'Overdue'
    ? html`<span class="pills">${pill(state.tone, state.label)} ${paymentPill(PARTLY_PAID, { doubt })}</span>`
    : paymentPill(state, { doubt });
}

/** Returns the state of a request without its proof. */
function plainState(outside: Outside, request: PaymentRequest, sums: Sums): Remark {
  const state = requestStateOf(request, sums);
  if (state === 'cancelled') return { tone: 'plain', label: 'Cancelled' };
  if (state === 'paid') return { tone: 'good', label: 'Paid' };
  if (isOverdue(outside, request, sums)) return { tone: 'look', label: 'Overdue' };
  return sums.paidPesewas > 0 ? PARTLY_PAID : { tone: 'plain', label: 'Not paid yet' };
}

export async function showNewRequest(visit: MerchantVisit): Promise<Shown> {
  const title = 'New payment request';
  if (visit.merchant.momo_accounts.length === 0) return { title, main: noNumberYet() };
  const fields = form(visit, { path: '/new', submit: 'Create request' }, requestFields());
  return { title, main: html`<div class="card">${fields}</div>` };
}

export function addRequest(visit: MerchantVisit<never, typeof RequestForm>, outside: Outside): Promise<Going> {
  const { merchant, form: typed, commit } = visit;
  return inFormWords(typed, async () =>
    makeRequest(outside, merchant, bodyOf(outside, typed), ({ slug, title, instalments }, writes) => {
      const parts = instalments.length > 1 ? ` Its ${instalments.length} parts are below.` : '';
      return commit(
        writes,
        { goTo: requestAddress(slug), notice: `The request is ready. Send its address to the customer.${parts}` },
        { action: 'request create', about: slug, after: { title } },
      );
    }),
  );
}
