import assets from '../../shared/pages/docs/assets.json' with { type: 'json' };
import { textWithAddress } from '../../shared/pages/docs/text-with-address.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { securityHeaders } from '../../shared/runtime/http/security-headers.ts';
import { staticAnswer } from '../../shared/runtime/http/static-answer.ts';
import { sha256Bytes } from '../../shared/runtime/values/sha256.ts';
import { manifest } from '../manifest.ts';

const [file] = manifest['docs/page'].files;
const MAX_AGE_SECONDS = 5 * 60;

/** Allows the style and script by hash: a cached page cannot use a nonce. */
const headers = securityHeaders({ style: hashOf(assets['reference.css']), script: hashOf(assets['reference.js']) });

/** Serves the generated API reference, with the service's own base URL. */
export const handler = http(manifest['docs/page'], {}, async (httpRequest, { baseUrl }) => {
  const page = await textWithAddress(file, baseUrl);
  const answer = staticAnswer(page, httpRequest.headers, 'text/html; charset=utf-8', MAX_AGE_SECONDS);
  return { ...answer, headers: { ...headers, ...answer.headers } };
});

function hashOf(text: string): string {
  return `'sha256-${sha256Bytes(text).toString('base64')}'`;
}
