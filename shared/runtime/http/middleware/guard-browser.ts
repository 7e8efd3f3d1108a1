import type { Middleware } from './middleware.ts';

/** On every answer: browsers must not guess its type, nor connect without TLS again. */
const HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** Adds what every answer of the service tells browsers. Comes early in the chain, so that errors have it too. */
export function guardBrowser(): Middleware {
  const guard: Middleware['after'] = (request) => {
    const { response } = request;
    if (response) request.response = { ...response, headers: { ...HEADERS, ...response.headers } };
  };
  return { after: guard, onError: guard };
}
