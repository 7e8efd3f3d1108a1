import type { Middleware } from './middleware.ts';

/** The answer to a HEAD request is that to GET without its body. Before all others, since those look at the body. */
export function answerHead(): Middleware {
  const cut: Middleware['after'] = (request) => {
    if (request.response && request.event.requestContext.http.method === 'HEAD') {
      request.response = { ...request.response, body: '', isBase64Encoded: false };
    }
  };
  return { after: cut, onError: cut };
}
