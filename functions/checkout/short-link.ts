import { redirect } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

/** Redirects a short link to its checkout page. That page also reports invalid codes. */
export const handler = http(manifest['checkout/short-link'], {}, async ({ path }, outside) =>
  redirect(`${outside.baseUrl}/checkout/${encodeURIComponent(path.access_code)}`),
);
