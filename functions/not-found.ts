import { html } from 'hono/html';
import leven from 'leven';
import { type Notice, noticeOf } from '../shared/pages/frame/frame.ts';
import { noticePage } from '../shared/pages/pay/shop-page.ts';
import { type Answer, jsonAnswer, redirect } from '../shared/runtime/http/answer.ts';
import { http } from '../shared/runtime/http/http.ts';
import { isWithin, matchRoute } from '../shared/runtime/http/match-route.ts';
import type { ErrorPage } from '../shared/runtime/http/middleware/answer-errors.ts';
import { PublicError } from '../shared/runtime/values/errors.ts';
import { manifest } from './manifest.ts';

/** Responds to requests that match no route: a page for browsers, JSON for programs. */
export const handler = http(
  manifest['not-found'],
  { errorPage: pageForPeople },
  async ({ method, rawPath, rawQuery, headers }) => {
    const allowed = methodsOf(rawPath);
    if (allowed.length > 0) {
      const allow = [...new Set(allowed)].join(', ');
      const message = `${method} is not allowed on this path, which accepts ${allow}.${hintOf(method, rawPath)}`;
      throw new PublicError('method_not_allowed', message, { headers: { allow } });
    }
    // Redirect browsers from a mistyped dashboard URL to the dashboard's first page.
    if ((isWithin('/dashboard', rawPath) && isPerson(headers)) || /^\/dashboard\/?$/.test(rawPath))
      return redirect(manifest['dashboard/sign-in'].path);
    const withoutSlash = rawPath.replace(/\/$/, '');
    if (methodsOf(withoutSlash).includes(method)) return withoutTheSlash(withoutSlash, rawQuery);
    const message = `The path ${rawPath.slice(0, 200)} does not exist.${hintOf(method, withoutSlash)} GET /docs lists the routes.`;
    throw new PublicError('not_found', message);
  },
);

function isPerson({ accept }: Readonly<Record<string, string | undefined>>): boolean {
  return accept?.includes('text/html') ?? false;
}

function pageForPeople(...[error, requestId, outside, headers]: Parameters<ErrorPage>): ReturnType<ErrorPage> {
  if (!isPerson(headers)) return undefined;
  const words = WORDS[error.statusCode] ?? { ...noticeOf(error, requestId) };
  return noticePage(outside, error, words, LINKS);
}

const WORDS: Readonly<Record<number, Notice>> = {
  404: {
    title: 'Page not found',
    text: 'Part of the link may be missing. To pay, open the link again exactly as the shop sent it.',
  },
  405: {
    title: 'This form cannot be submitted here',
    text: 'Go back and submit the form again. To pay, open the shop’s link again.',
  },
};

const LINKS = html`<p><a href="/dashboard">For shops: the dashboard</a><br><a href="/docs">For developers: the API reference</a></p>`;

function hintOf(method: string, path: string): string {
  const meant = nearest(method, path);
  return meant ? ` Did you mean ${meant}?` : '';
}

/** Returns the API route that was probably meant, allowing for typos, wrong versions and missing segments. */
function nearest(method: string, path: string): string | undefined {
  const given = wordsOf(path);
  const routes = Object.values(manifest).flatMap((row) => (row.on === 'http' && isWithin(API, row.path) ? [row] : []));
  const [best, second] = routes
    .map((row) => ({ row, distance: apart(given, wordsOf(row.path)) + otherMethod(method, row.method) }))
    .toSorted((one, other) => one.distance - other.distance);
  if (!best || best.distance > MAX_DISTANCE || best.distance === second?.distance) return undefined;
  return `${best.row.method} ${best.row.path}`;
}

/** Returns the path segments without the `/api/v1` prefix or a similar one. */
function wordsOf(path: string): string[] {
  const steps = path
    .slice(0, MAX_PATH_CHARACTERS)
    .toLowerCase()
    .replace(/^(\/api)?(\/v\d+)?(?=\/)/, '')
    .split('/');
  return steps.filter(Boolean).flatMap((step) => ELSEWHERE.get(step.replace(/s$/, '')) ?? [step]);
}

/** Segment names that other payment services use. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([
  ['balance', ['sms', 'credits']],
  ['charge', ['transaction']],
  ['checkout', ['transaction']],
  ['message', ['sms']],
  ['payment', ['transaction']],
]);

/**
 * Counts the route's segments that are missing from the given path. Segments that match `IMPLIED` count half. Returns
 * Infinity if the given path has a segment that the route lacks.
 */
function apart(given: readonly string[], route: readonly string[]): number {
  const [step, ...rest] = route;
  if (step === undefined) return given.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  const leftOut = (IMPLIED.test(step) ? 0.5 : 1) + apart(given, rest);
  return given[0] !== undefined && isMeant(given[0], step) ? Math.min(leftOut, apart(given.slice(1), rest)) : leftOut;
}

/** Segments that callers often leave out: ids, and actions implied by the method. */
const IMPLIED = /^(initialize|send|verify|\{.+)$/;

/**
 * True if a segment resembles the route's segment. Any segment with a digit, such as `MK-4071932685`, matches a
 * parameter.
 */
function isMeant(given: string, step: string): boolean {
  return step.startsWith('{') ? /\d/.test(given) : leven(given, step) <= Math.ceil(step.length / 5);
}

/** Returns a penalty if the methods differ. The penalty is higher if one of them is GET or DELETE. */
function otherMethod(given: string, method: string): number {
  if (given === method) return 0;
  return [given, method].some((one) => one === 'GET' || one === 'DELETE') ? 1.5 : 0.5;
}

const API = '/api/v1';
const MAX_PATH_CHARACTERS = 100;
const MAX_DISTANCE = 1.5;

function methodsOf(path: string): string[] {
  return Object.values(manifest).flatMap((row) => {
    if (row.on === 'area') return isWithin(row.path, path) ? ['GET', 'HEAD', 'POST'] : [];
    if (row.on !== 'http' || !matchRoute(row.path, path)) return [];
    return row.method === 'GET' ? ['GET', 'HEAD'] : [row.method];
  });
}

/**
 * Redirects to the path without its trailing slash, because API Gateway matches paths exactly. Status 308 preserves the
 * method and body.
 */
function withoutTheSlash(path: string, query: string): Answer {
  // API Gateway has already decoded the path.
  const location = path.toWellFormed().split('/').map(encodeURIComponent).join('/') + (query && `?${query}`);
  const message = 'This path must not end in a slash. Follow the redirect, or remove the slash.';
  return jsonAnswer(308, JSON.stringify({ status: false, message }), { location });
}
