import { http } from '../shared/runtime/http/http.ts';
import { matchRoute } from '../shared/runtime/http/match-route.ts';
import { PublicError } from '../shared/runtime/values/errors.ts';
import { manifest } from './manifest.ts';

/** Answers requests that match no route, so that even a wrong address gets the envelope. */
export const handler = http(manifest['not-found'], {}, async ({ method, rawPath }) => {
  const allowed = Object.values(manifest).flatMap((row) =>
    row.on === 'http' && matchRoute(row.path, rawPath) ? [row.method] : [],
  );
  if (allowed.length === 0) {
    throw new PublicError('not_found', `There is no ${rawPath.slice(0, 200)} here. GET /docs lists the routes.`);
  }
  const allow = [...new Set(allowed)].join(', ');
  throw new PublicError('method_not_allowed', `${method} is not allowed here; this path accepts ${allow}.`, {
    headers: { allow },
  });
});
