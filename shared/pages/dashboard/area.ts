import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { forMerchant, testAccountOf } from '../../merchants/merchant/test-account.ts';
import { isOfTheShop, may } from '../../merchants/user/permissions.ts';
import { isFresh, signedIn } from '../../merchants/user/session.ts';
import { activityCookie } from '../../merchants/user/shared-phone.ts';
import { type Answer, redirect } from '../../runtime/http/answer.ts';
import { type HttpHandler, http } from '../../runtime/http/http.ts';
import { matchRoute } from '../../runtime/http/match-route.ts';
import type { Authenticate } from '../../runtime/http/middleware/authenticate.ts';
import { type HttpRequest, readIds } from '../../runtime/http/request.ts';
import { cached } from '../../runtime/outside/cached.ts';
import { namingOperator } from '../../runtime/outside/operator.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { AreaRow } from '../../runtime/triggers/row.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type MenuFacts, menuFactsFor } from './menu-facts.ts';
import { commits, earlierGoing, isOfAnother, newOnce, repeatOf } from './once.ts';
import type { AreaPage, Outcome, RawVisit } from './page.ts';
import { errorPage, pageAnswer, refuse, refuseError } from './page-answer.ts';
import { confirmTo, OPERATOR_PHONES, signInTo } from './parts/addresses.ts';
import { ONCE } from './parts/form.ts';
import { noticeCookie } from './parts/notice.ts';
import { inShopWords } from './parts/shop-words.ts';
import type { Going, Visitor } from './parts/visit.ts';

export interface AreaHandler extends HttpHandler {
  readonly pages: readonly AreaPage[];
}

type Request = HttpRequest<AreaRow, undefined>;

interface Area {
  readonly row: AreaRow;
  readonly pages: readonly AreaPage[];
}

interface Asked {
  readonly httpRequest: Request;
  readonly visitor: Visitor | undefined;
}

interface FoundPage {
  readonly page: AreaPage;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Builds a dashboard area from its table of pages. Authorises visitors, checks forms' origins and renders errors as
 * pages.
 */
export function area(row: AreaRow, table: readonly (readonly AreaPage[])[]): AreaHandler {
  const pages = table.flat();
  const forAll = pages.filter(({ isForAll }) => isForAll);
  const authenticate: Authenticate<Visitor | undefined> = async (event, outside) =>
    forAll.some(({ path }) => matchRoute(path, restOf(row, event.rawPath))) ? undefined : visitorOf(event, outside);
  const options = { authenticate, errorPage };
  const handler = http(row, options, async (httpRequest, outside, visitor) => {
    try {
      return stillThere(await answer({ row, pages }, { httpRequest, visitor }, outside), httpRequest, outside, visitor);
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      return refuseError(outside, visitor, error, httpRequest.requestId);
    }
  });
  return Object.assign(handler, { pages });
}

/**
 * Extends a session on a shared phone when a person opens a page. Browsers from before 2023 do not send the header that
 * distinguishes opening a page from an automatic reload.
 */
function stillThere(answered: Answer, { headers }: Request, outside: Outside, visitor: Visitor | undefined): Answer {
  const { by_pin } = visitor?.session ?? {};
  const { 'sec-fetch-mode': mode = 'navigate' } = headers;
  if (!by_pin || mode !== 'navigate') return answered;
  return { ...answered, cookies: [activityCookie(outside, by_pin), ...(answered.cookies ?? [])] };
}

async function answer(area: Area, asked: Asked, given: Outside): Promise<Answer> {
  const { row } = area;
  const { httpRequest, visitor } = asked;
  const found = pageAt(area, httpRequest);
  const { page } = found;
  const outside = forMerchant(given, merchantOf(page, visitor) ?? {});
  const { rawPath, rawQuery } = httpRequest;
  const here = `${rawPath.split('/').map(encodeURIComponent).join('/')}${rawQuery && `?${rawQuery}`}`;
  const stop = stopBefore(page, visitor, {
    shownAt: page.method === 'GET' ? here : addressOf(row, page.shownOn ?? page.path, found.path),
    isLooking: isLooking(httpRequest),
    isFromOurPage: isSameOrigin(outside, httpRequest.headers),
    hasFreshPasskey: visitor !== undefined && isFresh(outside, visitor.session),
  });
  if (stop) return 'goTo' in stop ? redirect(stop.goTo, 303) : refuse(outside, visitor, stop.refused);
  if (page.method === 'POST') return submit(outside, area, found, asked);
  return show(outside, page, visitOf(outside, row, found, { ...asked, here }));
}

export function stopBefore(
  page: AreaPage,
  visitor: Visitor | undefined,
  asked: { shownAt: string; isLooking: boolean; isFromOurPage: boolean; hasFreshPasskey: boolean },
): { goTo: string } | { refused: Parameters<typeof refuse>[2] } | undefined {
  const { needs, needsFresh, ofMerchant } = page;
  const isForm = page.method === 'POST';
  // After a rejected form, the address bar contains the form's URL. On a reload, redirect to the page with the form.
  if (isForm && asked.isLooking) return { goTo: asked.shownAt };
  if (isForm && !asked.isFromOurPage) return { refused: 'foreign form' };
  if (!visitor) return needs === 'nothing' ? undefined : { goTo: signInTo(asked.shownAt, isForm) };
  const { user, merchant, shop } = visitor;
  const isOperator = may(user, 'operator');
  if (needsPasskey(page, visitor)) return { refused: 'by passkey alone' };
  if (needs !== 'nothing' && needs !== 'session' && !may(user, needs)) return { refused: 'not allowed' };
  // An operator who has no merchant open goes to the operator's own pages.
  if (ofMerchant && !merchant) return isOperator ? { goTo: OPERATOR_PHONES } : { refused: 'no merchant' };
  if (isForm && ofMerchant && shop?.suspended_at && !isOperator) return { refused: 'suspended' };
  if (needsFresh && !asked.hasFreshPasskey) return { goTo: confirmTo(asked.shownAt, isForm) };
  return undefined;
}

/** Returns true if a person who signed in with a PIN must use a passkey for this page. */
function needsPasskey({ needs, needsFresh, onSharedPhone }: AreaPage, { user, session }: Visitor): boolean {
  if (!session.by_pin || needs === 'nothing' || onSharedPhone) return false;
  return needs === 'session' || (may({ role: user.role }, needs) && (needsFresh === true || !may(user, needs)));
}

function restOf(row: AreaRow, rawPath: string): string {
  return rawPath.slice(row.path.length).replace(/\/$/, '') || '/';
}

function isLooking({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Finds the page for a path. Form URLs redirect to the page that shows the form.
 * @throws PublicError `not_found`, `method_not_allowed`.
 */
function pageAt({ row, pages }: Area, httpRequest: Request): FoundPage {
  const { method, rawPath } = httpRequest;
  const rest = restOf(row, rawPath);
  const found = pages.flatMap((page) => {
    const path = matchRoute(page.path, rest);
    return path ? [{ page, path: readIds(path) }] : [];
  });
  const wanted = isLooking(httpRequest) ? 'GET' : method;
  const fitting =
    found.find(({ page }) => page.method === wanted) ??
    found.find(({ page }) => page.shownOn !== undefined && isLooking(httpRequest));
  if (fitting) return fitting;
  if (found.length === 0) throw new PublicError('not_found', 'This page does not exist.');
  throw new PublicError('method_not_allowed', 'This address only accepts forms.', { headers: { allow: 'POST' } });
}

function visitOf(
  outside: Outside,
  row: AreaRow,
  { page, path }: FoundPage,
  { httpRequest, visitor, here }: Asked & Pick<RawVisit, 'here'>,
): RawVisit {
  const { query, headers, cookies, requestId } = httpRequest;
  const merchant = merchantOf(page, visitor);
  return {
    path,
    here,
    headers,
    cookies,
    requestId,
    visitor,
    merchant,
    addressOf: (pattern, ids) => addressOf(row, pattern, { ...path, ...ids }),
    // Browsers submit an empty filter as an empty field.
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value)),
    form: {},
    refused: undefined,
    once: newOnce(outside, visitor?.merchant_id),
    ...commits(outside, undefined, { visitor, merchant }),
  };
}

/**
 * Returns the page's merchant, or its test account in test mode. Pages about the shop itself always get the merchant.
 */
function merchantOf({ ofMerchant, needs }: AreaPage, visitor: Visitor | undefined): Merchant | undefined {
  if (!ofMerchant || needs === 'nothing' || needs === 'session') return undefined;
  return isOfTheShop(needs) ? visitor?.shop : visitor?.merchant;
}

async function show(outside: Outside, page: AreaPage, visit: RawVisit, status?: number): Promise<Answer> {
  const version = await page.version?.(visit, outside);
  if (version !== undefined && visit.headers['if-none-match'] === `"${version}"`)
    return { statusCode: 304, headers: { 'cache-control': 'no-store' }, body: '' };
  const [outcome, menuFacts] = await Promise.all([page.run(visit, outside), menuFactsFor(outside, visit.visitor)]);
  // A reload would discard the rejected form.
  const refreshSeconds = visit.refused ? undefined : page.refreshSeconds;
  return outcomeAnswer(outside, outcome, visit, { status, version, refreshSeconds, menuFacts });
}

/** Handles a submitted form. A rejected form is shown again with the typed values. */
async function submit(outside: Outside, { row, pages }: Area, found: FoundPage, asked: Asked): Promise<Answer> {
  const { httpRequest, visitor } = asked;
  const { page, path } = found;
  const shownOn = pages.find((one) => one.method === 'GET' && one.path === (page.shownOn ?? page.path));
  const here = addressOf(row, page.shownOn ?? page.path, path);
  const { [ONCE]: from, ...form } = await typedIn(page, httpRequest);
  if (page.ofMerchant && isOfAnother(from, visitor?.merchant_id)) return refuse(outside, visitor, 'page of another');
  const repeat = repeatOf(row, visitor?.user_id ?? '', from, [page.path, path, form]);
  const visit = { ...visitOf(outside, row, found, { ...asked, here }), query: {} };
  try {
    const outcome = await page.run({ ...visit, form, ...commits(outside, repeat, visit) }, outside);
    const shown = 'main' in outcome && { menuFacts: await menuFactsFor(outside, visit.visitor) };
    return await outcomeAnswer(outside, outcome, visit, { ...shown });
  } catch (error) {
    const earlier = await earlierGoing(outside, repeat, error);
    if (earlier) return going(outside, earlier);
    if (!(error instanceof PublicError) || error.code === 'not_found' || !shownOn) throw error;
    const { code, message, errors = [], statusCode } = error;
    const inWords = (text: string) => (page.ofMerchant ? inShopWords : namingOperator)(outside, text);
    const refused = {
      path: page.path,
      action: addressOf(row, page.path, path),
      typed: form,
      code,
      message: inWords(message),
      errors: errors.map((one) => ({ ...one, message: inWords(one.message) })),
      isShown: false,
    };
    return show(outside, shownOn, { ...visit, refused }, statusCode);
  }
}

async function outcomeAnswer(
  outside: Outside,
  outcome: Outcome,
  visit: RawVisit,
  {
    status,
    ...around
  }: {
    status?: number | undefined;
    version?: string | undefined;
    refreshSeconds?: number | undefined;
    menuFacts?: MenuFacts;
  },
): Promise<Answer> {
  if ('goTo' in outcome) return going(outside, outcome);
  if ('main' in outcome)
    return pageAnswer(
      outside,
      { ...outcome, status: status ?? outcome.status ?? 200 },
      { ...around, visitor: visit.visitor, visit },
    );
  return outcome;
}

function going(outside: Outside, { goTo, cookies = [], ...notice }: Going): Answer {
  return { ...redirect(goTo, 303), cookies: [...cookies, ...(notice.notice ? [noticeCookie(outside, notice)] : [])] };
}

function addressOf(row: AreaRow, pattern: string, path: Readonly<Record<string, string>>): string {
  const filled = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  return filled === '/' ? row.path : `${row.path}${filled}`;
}

/** Maximum number of requests per second per person. Nobody taps this fast, even with several pages reloading. */
const REQUESTS_PER_SECOND = 10;
const COUNTED_SECONDS = 60;

const visitorOf: Authenticate<Visitor | undefined> = async ({ cookies = [] }, outside) => {
  const found = await signedIn(outside, cookies);
  if (!found) return undefined;
  const { user, session } = found;
  const merchantId = user.merchant_id ?? session.opened_merchant_id;
  const shop = merchantId === undefined ? undefined : await merchantCache.get(outside, merchantId);
  const merchant = shop && session.is_test ? testAccountOf(shop) : shop;
  const countedBy = (await counters.get(outside, session.hash)) ?? session;
  const rate = { countedBy, requestsPerSecond: REQUESTS_PER_SECOND };
  return { ...found, user_id: user.user_id, merchant_id: merchant?.merchant_id, merchant, shop, rate };
};

const counters = cached(COUNTED_SECONDS, async (_: Outside, _session) => ({}));

/** Reads the submitted fields, without the empty ones that browsers also send. */
async function typedIn(
  { hasFile }: AreaPage,
  { headers, rawBody, rawBytes }: Pick<HttpRequest<unknown, undefined>, 'headers' | 'rawBody' | 'rawBytes'>,
) {
  const type = headers['content-type'] ?? '';
  const isWithFile = hasFile === true && /^multipart\/form-data\b/i.test(type);
  if (rawBody !== '' && !isWithFile && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new PublicError('unsupported_media_type', 'Submit the form from its own page.');
  const sent = isWithFile ? await fieldsAndFiles(rawBytes, type) : [...new URLSearchParams(rawBody)];
  const fields = sent.filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(fields.map(([name, value]) => [name, value.toWellFormed()]));
}

/**
 * Reads a multipart form. Files become base64; their names and types cannot be trusted.
 * @throws PublicError `invalid_request`.
 */
async function fieldsAndFiles(body: Buffer, type: string): Promise<(readonly [string, string])[]> {
  // `Response` throws synchronously for an invalid content type.
  const read = async () => new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const sent = await read().catch(() => {
    throw new PublicError('invalid_request', 'The form arrived incomplete. Send it again.');
  });
  const values = [...sent].map(async ([name, value]) => {
    if (typeof value === 'string') return [name, value] as const;
    return [name, Buffer.from(await value.arrayBuffer()).toString('base64')] as const;
  });
  return Promise.all(values);
}

/**
 * Returns true if the form was sent from this service. Browsers since 2023 send `Sec-Fetch-Site`; older ones send the
 * origin.
 */
function isSameOrigin(
  { baseUrl }: Pick<Outside, 'baseUrl'>,
  { 'sec-fetch-site': site, origin }: Readonly<Record<string, string | undefined>>,
): boolean {
  return site === undefined ? origin === new URL(baseUrl).origin : site === 'same-origin';
}
