import leven from 'leven';
import { type Answer, jsonAnswer, redirect } from '../shared/runtime/http/answer.ts';
import { http } from '../shared/runtime/http/http.ts';
import { isWithin, matchRoute } from '../shared/runtime/http/match-route.ts';
import { PublicError } from '../shared/runtime/values/errors.ts';
import { manifest } from './manifest.ts';

/** Answers requests that match no route, so that even a wrong address gets the envelope. */
export const handler = http(manifest['not-found'], {}, async ({ method, rawPath, rawQuery, headers }) => {
  const allowed = methodsOf(rawPath);
  if (allowed.length > 0) {
    const allow = [...new Set(allowed)].join(', ');
    throw new PublicError('method_not_allowed', `${method} is not allowed here; this path accepts ${allow}.`, {
      headers: { allow },
    });
  }
  // A browser is led to the first page from an address that was mistyped, too.
  const isPerson = isWithin('/dashboard', rawPath) && headers.accept?.includes('text/html');
  if (isPerson || /^\/dashboard\/?$/.test(rawPath)) return redirect(manifest['dashboard/today'].path);
  const withoutSlash = rawPath.replace(/\/$/, '');
  if (methodsOf(withoutSlash).includes(method)) return movedTo(withoutSlash, rawQuery);
  const meant = nearest(method, withoutSlash);
  const hint = meant ? `Did you mean ${meant}? ` : '';
  throw new PublicError('not_found', `There is no ${rawPath.slice(0, 200)} here. ${hint}GET /docs lists the routes.`);
});

/** The API's route whose path is written nearly so, or so without what all begin with; of several, one with this method. */
function nearest(method: string, path: string): string | undefined {
  const given = path.slice(0, MAX_PATH_CHARACTERS).toLowerCase();
  const routes = Object.values(manifest).flatMap((row) => (row.on === 'http' && isWithin(API, row.path) ? [row] : []));
  const distances = routes.map((row) => {
    const alike = [given, API + given].filter((one) => one.split('/').length === row.path.split('/').length);
    const apart = alike.map((one) => leven(one, filled(row.path, one)));
    return { row, distance: Math.min(...apart) + (row.method === method ? 0 : 0.5) };
  });
  const [best] = distances.toSorted((one, other) => one.distance - other.distance);
  return best && best.distance <= MAX_DISTANCE ? `${best.row.method} ${best.row.path}` : undefined;
}

/** A route's path with what stands in another path where it has parameters. */
function filled(route: string, path: string): string {
  const given = path.split('/');
  return route
    .split('/')
    .map((segment, n) => (segment.startsWith('{') ? (given[n] ?? segment) : segment))
    .join('/');
}

const API = '/api/v1';
const MAX_PATH_CHARACTERS = 100;
/** What a plural, another version or a misspelt word takes. */
const MAX_DISTANCE = 4;

function methodsOf(path: string): string[] {
  return Object.values(manifest).flatMap((row) => {
    if (row.on === 'area') return isWithin(row.path, path) ? ['GET', 'HEAD', 'POST'] : [];
    if (row.on !== 'http' || !matchRoute(row.path, path)) return [];
    return row.method === 'GET' ? ['GET', 'HEAD'] : [row.method];
  });
}

/** 308 has a client repeat the same request, with its method and its body. API Gateway takes a path only as it is written. */
function movedTo(path: string, query: string): Answer {
  // The path that comes in is decoded.
  const location = path.toWellFormed().split('/').map(encodeURIComponent).join('/') + (query && `?${query}`);
  const message = 'This path has no slash at its end: follow the redirect, or leave the slash out.';
  return jsonAnswer(308, JSON.stringify({ status: false, message }), { location });
}
