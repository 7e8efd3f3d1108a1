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
  throw new PublicError('not_found', `There is no ${rawPath.slice(0, 200)} here. GET /docs lists the routes.`);
});

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
