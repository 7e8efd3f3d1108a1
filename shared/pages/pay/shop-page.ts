import { html } from 'hono/html';
import { logoUrl } from '../../merchants/logo/logo-url.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PublicError } from '../../runtime/values/errors.ts';
import { framed, type Html, monogram, noticeOf, type PublicPage } from '../frame/frame.ts';
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

/** The reason why nobody can pay this shop now; undefined if it is open. */
export function whyNotTaking({ suspended_at, momo_accounts }: Merchant): string | undefined {
  return suspended_at !== undefined || momo_accounts.length === 0 ? NOT_TAKING : undefined;
}

export const NOT_TAKING = 'This shop is not taking payments now. Do not pay.';

/** The error page for links that have no page of their own. */
export function errorPage(error: PublicError, requestId: string, outside: Outside): Promise<Answer> {
  const { title, text, requestId: id } = noticeOf(error, requestId);
  const main = html`<main><div class="card"><h1>${title}</h1><p class="description">${text}</p>${id && html`<p class="hint">Request ${id}</p>`}</div></main>`;
  return framed(outside, error.statusCode, { title, main, style, headers: error.headers });
}
