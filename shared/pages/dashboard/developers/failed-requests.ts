import { html } from 'hono/html';
import { listFailedRequests, MAX_FAILED_REQUESTS } from '../../../merchants/merchant/failed-request.table.ts';
import { testAccountIdOf } from '../../../merchants/merchant/test-account.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { errorAnchor } from '../../../runtime/values/errors.ts';
import { emptyState, shownTime } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

export async function showFailedRequests(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  const requests = await listFailedRequests(
    outside,
    visit.session.is_test ? testAccountIdOf(merchant_id) : merchant_id,
  );
  const list = table(requests, {
    caption: 'Requests that failed',
    columns: {
      Request: ({ method, route }) => html`<code>${method} ${route}</code>`,
      Why: ({ status, code }) =>
        html`<span>${status} ${code && html`<a href="/docs#${errorAnchor(code)}">${code}</a>`}</span>`,
      Key: ({ hint }) => html`<span class="number">…${hint}</span>`,
      When: ({ at }) => shownTime(at),
      Id: ({ request_id }) => html`<code>${request_id}</code>`,
    },
    nothing: emptyState('No failed requests', 'Failed requests from your server appear here for three days.'),
  });
  return {
    title: 'Failed requests',
    main: html`${list}
<p class="hint">This list shows at most ${MAX_FAILED_REQUESTS} requests from the last three days, without their content. If many fail in a row, only a few are kept. Requests with an unknown key are not listed.</p>`,
  };
}
