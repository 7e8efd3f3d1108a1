import type { Answer } from '../../runtime/http/answer.ts';
import { securityHeaders } from '../../runtime/http/security-headers.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { dashboardStyle } from './assets.ts';
import { frame } from './frame.ts';
import { noNoticeCookie, noticeIn } from './notice.ts';
import type { RawVisit } from './page.ts';
import type { Shown, Visitor } from './visit.ts';

interface Around {
  readonly visitor: Visitor | undefined;
  readonly visit?: Pick<RawVisit, 'cookies' | 'here' | 'refused'>;
  readonly version?: string | undefined;
  readonly refreshSeconds?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page with all that is around it. What was just done is said once. */
export async function pageAnswer(
  outside: Pick<Outside, 'baseUrl'>,
  shown: Shown & { readonly status: number },
  { visitor, visit, version, refreshSeconds, headers }: Around,
): Promise<Answer> {
  const notice = visit && noticeIn(outside, visit.cookies);
  const refused = visit?.refused?.isSaid ? undefined : visit?.refused;
  const fault = refused?.errors.map(({ message }) => message).join(' ') || refused?.message;
  const around = { visitor, here: visit?.here ?? '', notice, fault, version, refreshSeconds };
  const body = String(await frame(shown, around));
  return {
    statusCode: shown.status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...(visitor ? HEADERS : STRANGERS_HEADERS), ...headers },
    ...(notice && { cookies: [noNoticeCookie(outside)] }),
    body,
  };
}

const OWN = "'self'";
const HEADERS = headersWith(OWN);
/** The style is in the page itself. */
const STRANGERS_HEADERS = headersWith(`${OWN} ${dashboardStyle.source}`);

function headersWith(style: string): Readonly<Record<string, string>> {
  return {
    ...securityHeaders({ style, script: OWN, opens: ['publickey-credentials-create', 'publickey-credentials-get'] }),
    // A form names its origin only where a page of this service may be told as the referrer.
    'referrer-policy': 'same-origin',
  };
}
