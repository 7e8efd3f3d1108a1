import { html } from 'hono/html';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { chargesSearch, requestsSearch } from '../parts/addresses.ts';
import { emptyState, type Html } from '../parts/content.ts';
import type { MerchantVisit } from '../parts/visit.ts';
import { chargesTable, searchCharges } from './find-charges.ts';
import { readerOf } from './reader.ts';

export async function billsFound(
  { merchant, user }: MerchantVisit<'id'>,
  outside: Outside,
  typed: string,
  addressOf: (reference: string) => string,
): Promise<Html> {
  const search = await searchCharges(outside, merchant.merchant_id, typed, readerOf(user));
  const charges = 'only' in search ? [search.only] : search.charges;
  const isCut = !('only' in search) && search.meta.next !== null;
  const all = html`<a href="${chargesSearch(typed)}">Search all bills for “${typed}”</a>`;
  const found =
    charges.length > 0
      ? chargesTable(outside, charges, { addressOf, searched: typed, isChoice: true })
      : isCut
        ? emptyState('None of the newest bills', html`Only the newest bills were searched. ${all}`)
        : emptyState(
            'No such bill',
            `Nothing found for “${typed}”. Type a name, a phone number, an order number, an amount or a reference.`,
          );
  return html`${found}
${charges.length > 0 && isCut && html`<p class="hint">Only the newest bills are shown. ${all}</p>`}<p class="hint">${requestsHint(typed)}</p>`;
}

export function requestsHint(typed: string): Html {
  return html`Is it for a payment request? <a href="${requestsSearch(typed)}">Search the requests for “${typed}”</a>`;
}
