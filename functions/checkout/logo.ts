import { logoRows } from '../../shared/merchants/logo/logo.table.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { DAY_SECONDS } from '../../shared/runtime/values/calendar.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { manifest } from '../manifest.ts';

/** Cached for a week, because a given URL always returns the same image. */
const MAX_AGE_SECONDS = 7 * DAY_SECONDS;

/** Serves a logo with the type detected from its bytes. */
export const handler = http(manifest['checkout/logo'], {}, async ({ path }, outside) => {
  const logo = await logoRows.find(outside, path);
  if (!logo) throw new PublicError('not_found', 'There is no logo at this address.');
  return {
    statusCode: 200,
    headers: {
      'content-type': logo.type,
      'cache-control': `public, max-age=${MAX_AGE_SECONDS}, immutable`,
      // Prevents a logo from running scripts if it is opened directly.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    },
    body: logo.image_base64,
    isBase64Encoded: true,
  };
});
