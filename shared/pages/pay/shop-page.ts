import { html } from 'hono/html';
import { logoUrl } from '../../merchants/logo/logo-url.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PublicError } from '../../runtime/values/errors.ts';
import { fault, tab } from '../frame/drawings.ts';
import { framed, type Html, monogram, type Notice, noticeOf, type PublicPage } from '../frame/frame.ts';
import { icon } from '../frame/icon.ts';
import { sharedWords as words } from '../words/words.ts';
import assets from './assets.json' with { type: 'json' };

const style = assets['pay.css'];

export function shopPage(
  outside: Outside,
  statusCode: number,
  {
    merchant,
    title,
    ...page
  }: Pick<PublicPage, 'title' | 'main' | 'script' | 'headers'> & { readonly merchant: Merchant },
): Promise<Answer> {
  const { merchant_id, name, logo } = merchant;
  return framed(outside, statusCode, {
    ...page,
    title: `${title}: ${name}`,
    style,
    isTest: isTestAccount(merchant_id),
    logo: logo && logoUrl(outside, logo),
  });
}

export function shopHead(outside: Outside, { name, logo }: Pick<Merchant, 'name' | 'logo'>): Html {
  return html`<p class="seller">${monogram(name, logo && logoUrl(outside, logo))}<span translate="no">${name}</span></p>`;
}

/** Renders the notice that a page cannot be used to pay now. It is the first thing on the page. */
export function closedNotice(
  text: string,
  { tone = 'bad', icon: drawing = fault }: { tone?: 'good' | 'look' | 'bad'; icon?: string } = {},
): Html {
  return html`<p class="notice ${tone}" role="status">${icon(drawing)}<span>${text}</span></p>`;
}

export function closedReason({ suspended_at, momo_accounts }: Merchant): string | undefined {
  return suspended_at !== undefined || momo_accounts.length === 0 ? words.notTaking : undefined;
}

/** Renders an error page, for links that have no page. */
export function errorPage(error: PublicError, requestId: string, outside: Outside): Promise<Answer> {
  return noticePage(outside, error, noticeOf(error, requestId));
}

/** Renders a page with the product's logo instead of a shop's. */
export function noticePage(
  outside: Outside,
  { statusCode, headers }: PublicError,
  { title, text, requestId }: Notice,
  more?: Html,
): Promise<Answer> {
  const main = html`<main>
<p class="seller"><img src="${tab}" alt="" width="48" height="48"><span translate="no">Momo Kiosk</span></p>
<div class="card"><h1>${title}</h1><p class="description">${text}</p>${requestId && html`<p class="hint">${words.requestId(requestId)}</p>`}${more}</div>
</main>`;
  return framed(outside, statusCode, { title, main, style, headers });
}
