import { logoRows } from '../../shared/merchants/logo/logo.table.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { manifest } from '../manifest.ts';

/** A week: an address never shows another picture. */
const MAX_AGE_SECONDS = 7 * 24 * 60 * 60;

/** A shop's logo, as the type that its bytes were found to be, for pages that show it as a picture. */
export const handler = http(manifest['checkout/logo'], {}, async ({ path }, outside) => {
  const logo = await logoRows.find(outside, path);
  if (!logo) throw new PublicError('not_found', 'There is no such logo.');
  return {
    statusCode: 200,
    headers: {
      'content-type': logo.type,
      'cache-control': `public, max-age=${MAX_AGE_SECONDS}, immutable`,
      // Whoever opens it by itself gets a picture that can do nothing.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    },
    body: logo.image_base64,
    isBase64Encoded: true,
  };
});
