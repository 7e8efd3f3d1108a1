import { html } from 'hono/html';
import { listFailedRequests, MAX_FAILED_REQUESTS } from '../../../merchants/merchant/failed-request.table.ts';
import { twinIdOf } from '../../../merchants/merchant/twin.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { errorAnchor } from '../../../runtime/values/errors.ts';
import { emptyState, shownTime } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

const columns = ['Request', 'Why', 'Key', 'When', 'Id'];

/** What a merchant's server asked for and was refused, so that a developer sees why. */
export async function showFailedRequests(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  const requests = await listFailedRequests(outside, visit.session.is_test ? twinIdOf(merchant_id) : merchant_id);
  const rows = requests.map(({ method, route, status, code, hint, at, request_id }) => ({
    cells: [
      html`<code>${method} ${route}</code>`,
      html`<span>${status} ${code && html`<a href="/docs#${errorAnchor(code)}">${code}</a>`}</span>`,
      html`<span class="number">…${hint}</span>`,
      shownTime(at),
      html`<code>${request_id}</code>`,
    ],
  }));
  const nothing = emptyState('No request failed', 'Requests from your server that fail show here for three days.');
  return {
    title: 'Failed requests',
    main: html`${rows.length > 0 ? table('Requests that failed', columns, rows) : nothing}
<p class="hint">The last ${MAX_FAILED_REQUESTS} of three days, without their content. Of many in a row, a few are kept. Requests with an unknown key are not listed.</p>`,
  };
}
