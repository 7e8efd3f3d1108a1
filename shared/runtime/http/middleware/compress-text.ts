import { gzipSync } from 'node:zlib';
import { acceptsGzip } from '../accepts-gzip.ts';
import type { Middleware } from './middleware.ts';

/** A smaller body hardly gets smaller, and fits in one packet as it is. */
const MIN_BYTES = 1024;
const TEXT = /^(text\/(html|css|javascript|csv)|application\/json)\b/;

/**
 * Compresses texts for clients that accept it: API Gateway's HTTP API does not. Comes first in the chain, so that it sees what
 * every other middleware has answered.
 *
 * Compressing a secret beside what an attacker can write makes its length a hint (BREACH), if the attacker can have the victim's
 * client send many requests. No client sends anything here by itself that opens an answer: a session's cookie goes along with links
 * alone when another site asks, and pages of the dashboard that open so hold no secret; an API key is a header that no browser
 * adds, a checkout's secret is its address, which an attacker would have to know to send anything there, and a page's nonce is
 * different in each answer.
 */
export function compressText(): Middleware {
  const compress: Middleware['after'] = (request) => {
    const { response, event } = request;
    if (!response || response.isBase64Encoded || !TEXT.test(response.headers['content-type'] ?? '')) return;
    if (Buffer.byteLength(response.body) < MIN_BYTES) return;
    const headers = { ...response.headers, vary: 'accept-encoding' };
    request.response = acceptsGzip(event.headers)
      ? {
          ...response,
          headers: { ...headers, 'content-encoding': 'gzip' },
          body: gzipSync(response.body).toString('base64'),
          isBase64Encoded: true,
        }
      : { ...response, headers };
  };
  return { after: compress, onError: compress };
}
