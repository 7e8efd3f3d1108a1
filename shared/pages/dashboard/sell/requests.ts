import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { makeRequest } from '../../../money/request/make-request.ts';
import { type PaymentRequest, requestRows } from '../../../money/request/request.table.ts';
import { isOverdue } from '../../../money/request/request.ts';
import { recordedSums, requestStateOf, type Sums } from '../../../money/request/sums.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { REQUESTS, requestAddress } from '../parts/addresses.ts';
import { emptyState, type Html, noNumberYet, pill, shownDay } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { pagination, table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { MAX_IN_FILE } from './request-file.ts';
import { bodyOf, inFormWords, type RequestForm, requestFields } from './request-form.ts';

const PER_PAGE = '25';

/** A merchant's payment requests, the newest first. */
export async function showRequests(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, query, user } = visit;
  const page = pageOf({ per_page: PER_PAGE, cursor: query.cursor });
  const { entries: requests, next } = await requestRows.page(outside, merchant, page);
  const action =
    may(user, 'charges:write') &&
    html`<p class="actions"><a class="button" href="${REQUESTS}/new">New request</a><a class="plain button" href="${REQUESTS}/list">Requests from a list</a></p>`;
  const columns = ['For', 'Customer', 'State', 'Made', { name: 'Still to pay', isNumber: true }];
  const list =
    requests.length > 0
      ? html`${table(
          'Payment requests, the newest first',
          columns,
          requests.map((request) => {
            const sums = recordedSums(request);
            const { slug, title, customer_name = '', created_at } = request;
            const state = statePill(outside, request, sums);
            const cells = [title, customer_name, state, shownDay(created_at), shownMoney(sums.openPesewas)];
            return { href: requestAddress(slug), cells };
          }),
        )}
${may(user, 'reports:read') && html`<p><a href="${REQUESTS}/requests.csv" download>The newest ${MAX_IN_FILE}, with each one’s address, as a file</a></p>`}
${pagination(visit, metaOf(page, next))}`
      : emptyState(
          'No payment requests yet',
          'A request is an invoice with a page: your customer pays all of it or a part, at once or each month.',
        );
  return { title: 'Payment requests', main: html`${action}${list}` };
}

export function statePill(outside: Outside, request: PaymentRequest, sums: Sums): Html {
  const state = requestStateOf(request, sums);
  if (state === 'cancelled') return pill('plain', 'Cancelled');
  if (state === 'paid') return pill('good', 'Paid');
  if (isOverdue(outside, request, sums)) return pill('look', 'Overdue');
  return pill('plain', sums.paidPesewas > 0 ? 'Partly paid' : 'Not paid yet');
}

export async function showNewRequest(visit: MerchantVisit): Promise<Shown> {
  const title = 'New payment request';
  if (visit.merchant.momo_accounts.length === 0) return { title, main: noNumberYet() };
  const fields = form(visit, { path: '/new', submit: 'Create request' }, requestFields);
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
