import { html, raw } from 'hono/html';
import { logoUrl } from '../../merchants/logo/logo-url.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import { securityHeaders } from '../../runtime/http/security-headers.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PublicError } from '../../runtime/values/errors.ts';
import * as icons from '../checkout/drawings.ts';
import assets from './assets.json' with { type: 'json' };

export type Html = ReturnType<typeof html>;

interface Framed {
  readonly title: string;
  readonly main: Html;
  /** Whose page it is. */
  readonly merchant?: Merchant;
  readonly script?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A page where anybody may pay, whole in one answer. */
export async function framed(
  outside: Outside,
  statusCode: number,
  { title, main, merchant, script, headers }: Framed,
): Promise<Answer> {
  const nonce = outside.randomBytes(16).toString('base64');
  const own = `'nonce-${nonce}'`;
  const image = merchant?.logo && `${outside.baseUrl}/logo/${merchant.logo}`;
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}${merchant && `: ${merchant.name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f2ee" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${icons.tab}">
<style nonce="${nonce}">${raw(assets['pay.css'])}</style>
</head>
<body>
${merchant && testBand(merchant)}${main}
${script && html`<script nonce="${nonce}">${raw(script)}</script>`}
</body>
</html>
`;
  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...securityHeaders({ style: own, script: own, image }),
      ...headers,
    },
    body: String(await body),
  };
}

/** The shop, at the top of what is its own. */
export function shopHead(outside: Outside, { name, logo }: Pick<Merchant, 'name' | 'logo'>): Html {
  const picture = logo
    ? html`<img class="monogram" src="${logoUrl(outside, logo)}" alt="" width="48" height="48">`
    : html`<span class="monogram" aria-hidden="true">${[...name][0]}</span>`;
  return html`<p class="shop">${picture}<span>${name}</span></p>`;
}

/** Why nobody can pay a shop now, whatever for; undefined where anybody can. */
export function whyNotTaking({ suspended_at, momo_accounts }: Merchant): string | undefined {
  return suspended_at !== undefined || momo_accounts.length === 0 ? NOT_TAKING : undefined;
}

export const NOT_TAKING = 'This shop is not taking payments now. Do not pay.';

/** Nobody must take a test's page for a real one. */
function testBand({ merchant_id }: Pick<Merchant, 'merchant_id'>) {
  return isTwin(merchant_id) && html`<header class="test-band"><b>TEST</b> No money moves on this page</header>`;
}

/** The page for an error where no link's own page can say it. */
export function errorPage(error: PublicError, requestId: string, outside: Outside): Promise<Answer> {
  const { statusCode, headers } = error;
  const { title, text } = statusCode === 404 ? UNKNOWN : statusCode < 500 ? REFUSED : FAILED;
  const id = statusCode >= 500 && html`<p class="hint">Request ${requestId}</p>`;
  const main = html`<main><div class="card"><h1>${title}</h1><p class="description">${text}</p>${id}</div></main>`;
  return framed(outside, statusCode, { title, main, headers });
}

const UNKNOWN = {
  title: 'This payment link does not exist',
  text: 'The address may be incomplete. Open it again exactly as it was given to you, or ask the shop.',
};
const REFUSED = { title: 'That did not work', text: 'The form could not be read. Go back and try again.' };
const FAILED = { title: 'Something went wrong on our side', text: 'Nothing was paid. Wait a moment and try again.' };
