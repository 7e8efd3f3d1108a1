import { html, raw } from 'hono/html';
import type { Answer } from '../../runtime/http/answer.ts';
import { securityHeaders } from '../../runtime/http/security-headers.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PublicError } from '../../runtime/values/errors.ts';
import { LANGUAGE, sharedWords as words } from '../words/words.ts';
import * as icons from './drawings.ts';
import { icon } from './icon.ts';

export type Html = ReturnType<typeof html>;

export interface PublicPage {
  readonly title: string;
  readonly main: Html;
  readonly style: string;
  readonly script?: string | undefined;
  /** Content of the refresh tag: `20` or `3;url=…`. The page's script hides the tag with `document.write`. */
  readonly refresh?: string | undefined;
  /** True to mark the page as a test. */
  readonly isTest?: boolean | undefined;
  readonly logo?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export async function framed(
  outside: Pick<Outside, 'randomBytes'>,
  statusCode: number,
  { title, main, style, script, refresh, isTest, logo, headers }: PublicPage,
): Promise<Answer> {
  const nonce = outside.randomBytes(16).toString('base64');
  const own = `'nonce-${nonce}'`;
  const body = html`<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f2ee" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${icons.tab}">
<style nonce="${nonce}">${raw(style)}</style>
</head>
<body>
${isTest && html`<header class="test-band"><b>${words.test}</b> ${words.noMoneyMoves}</header>`}${main}
${script && html`<script nonce="${nonce}">${raw(script)}</script>`}${refresh && html`<meta http-equiv="refresh" content="${refresh}"></noscript>`}
</body>
</html>
`;
  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...securityHeaders({ style: own, script: own, image: logo }),
      ...headers,
    },
    body: String(await body),
  };
}

/** Renders the shop's logo or the first letter of its name. */
export function monogram(name: string, logo: string | undefined): Html {
  return logo
    ? html`<img class="monogram" src="${logo}" alt="" width="48" height="48">`
    : html`<span class="monogram" aria-hidden="true">${[...name][0]}</span>`;
}

/** Renders the foot of a page that asks for a payment. */
export function safety(merchant: string): Html {
  return html`<p class="foot hint">${icon(icons.lock)}<span>${words.safe(merchant)}</span></p>`;
}

/** Script that enables the print button with this id. */
export const PRINT =
  "var b=document.getElementById('print');if(window.print){b.hidden=false;b.addEventListener('click',function(){window.print()})}";

export interface Notice {
  readonly title: string;
  readonly text: string;
  readonly requestId?: string;
}

export function noticeOf({ statusCode }: PublicError, requestId: string): Notice {
  if (statusCode === 404) return words.unknown;
  if (statusCode === 429) return words.tooMany;
  return statusCode < 500 ? words.refused : { ...words.failed, requestId };
}
