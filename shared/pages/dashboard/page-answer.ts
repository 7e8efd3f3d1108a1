import { html } from 'hono/html';
import type { Answer } from '../../runtime/http/answer.ts';
import type { ErrorPage } from '../../runtime/http/middleware/answer-errors.ts';
import { securityHeaders } from '../../runtime/http/security-headers.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PublicError } from '../../runtime/values/errors.ts';
import { frame } from './frame.ts';
import { type MenuFacts, menuFactsFor, NO_FACTS } from './menu-facts.ts';
import type { RawVisit } from './page.ts';
import { SIGN_IN } from './parts/addresses.ts';
import { faultOf } from './parts/faults.ts';
import { noNoticeCookie, noticeIn } from './parts/notice.ts';
import { inShopWords } from './parts/shop-words.ts';
import type { Shown, Visitor } from './parts/visit.ts';

interface Around {
  readonly visitor: Visitor | undefined;
  readonly visit?: Pick<RawVisit, 'cookies' | 'headers' | 'here' | 'refused'>;
  readonly version?: string | undefined;
  readonly refreshSeconds?: number | undefined;
  readonly menuFacts?: MenuFacts;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders a page with its frame. Shows the last action's notice once. */
export async function pageAnswer(
  outside: Pick<Outside, 'baseUrl' | 'operator'>,
  shown: Shown & { readonly status: number },
  { visitor, visit, version, refreshSeconds, menuFacts = NO_FACTS, headers }: Around,
): Promise<Answer> {
  const notice = visit && noticeIn(outside, visit.cookies);
  const refused = visit?.refused?.isShown ? undefined : visit?.refused;
  const fault = refused?.errors.length ? faultOf('', refused.errors) : refused?.message;
  const around = {
    visitor,
    here: visit?.here ?? '',
    cameFrom: visit?.headers.referer,
    notice,
    fault,
    version,
    refreshSeconds,
    menuFacts,
    operator: outside.operator,
    host: new URL(outside.baseUrl).host,
  };
  const body = String(await frame(shown, around));
  return {
    statusCode: shown.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(shown.style ? headersWith(`${OWN} ${shown.style.source}`) : HEADERS),
      ...headers,
    },
    ...(notice && { cookies: [noNoticeCookie(outside)] }),
    body,
  };
}

const OWN = "'self'";
const HEADERS = headersWith(OWN);

function headersWith(style: string): Readonly<Record<string, string>> {
  return {
    ...securityHeaders({
      style,
      script: OWN,
      isApp: true,
      // The till keeps the screen on.
      opens: ['publickey-credentials-create', 'publickey-credentials-get', 'screen-wake-lock'],
    }),
    // Browsers send a form's origin only if the referrer policy allows it.
    'referrer-policy': 'same-origin',
  };
}

const refusals = {
  'not allowed': {
    title: 'This is not part of your role',
    text: 'Your role does not include this page. Ask an owner to do this for you, or to change your role.',
  },
  'by passkey alone': {
    title: 'This needs your passkey',
    text: 'A PIN on a shared phone only opens the till, bills and texts. For this, sign in with your passkey on your own phone.',
  },
  'foreign form': {
    title: 'Nothing was done',
    text: 'This form was not sent from this dashboard. Open the form here and submit it again.',
  },
  'page of another': {
    title: 'Nothing was done',
    text: 'You changed test mode or the shop in another window. Open the page here and send the form again.',
  },
  suspended: {
    title: 'Nothing was done',
    text: 'This shop is suspended. You can view everything but change nothing. Ask support.',
  },
  'no merchant': {
    title: 'Which merchant?',
    text: 'This page belongs to a merchant. Open a merchant’s dashboard first.',
  },
} as const;

export function refuse(
  outside: Outside,
  visitor: Visitor | undefined,
  refusal: keyof typeof refusals,
): Promise<Answer> {
  return refusalAnswer(outside, visitor, { ...refusals[refusal], status: 403 });
}

export function refuseError(
  outside: Outside,
  visitor: Visitor | undefined,
  { code, statusCode, message, headers }: PublicError,
  requestId: string,
): Promise<Answer> {
  const texts = {
    not_found: { title: 'Page not found', text: 'The address may be incomplete, or the page has been removed.' },
    too_many_requests: { title: 'One moment', text: 'That was too fast. Wait a few seconds and load this page again.' },
    internal: {
      title: 'Something went wrong on our side',
      text: `Try again in a moment. If it happens again, tell support this request ID: ${requestId}.`,
    },
  };
  const known = Object.entries(texts).find(([one]) => one === code)?.[1];
  const words = known ?? { title: 'That did not work', text: message };
  return refusalAnswer(outside, visitor, { ...words, status: statusCode, headers });
}

/** Renders an unexpected error, or an error before authentication. */
export const errorPage: ErrorPage = (error, requestId, outside) => refuseError(outside, undefined, error, requestId);

interface RefusalPage {
  readonly title: string;
  readonly text: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

async function refusalAnswer(
  outside: Outside,
  visitor: Visitor | undefined,
  { title, text, status, headers }: RefusalPage,
): Promise<Answer> {
  // Operators without an open merchant have no start page.
  const isNowhere = visitor !== undefined && visitor.merchant === undefined;
  const main = html`<p>${inShopWords(outside, text)}</p>${!isNowhere && html`<p><a class="button" href="${SIGN_IN}">Go to the start page</a></p>`}`;
  // After a failure or a rate limit, skip the menu's reads.
  const menuFacts = status < 429 ? await menuFactsFor(outside, visitor) : NO_FACTS;
  return pageAnswer(outside, { title, main, status }, { visitor, menuFacts, ...(headers && { headers }) });
}
