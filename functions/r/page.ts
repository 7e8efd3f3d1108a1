import { errorPage } from '../../shared/pages/pay/shop-page.ts';
import { requestOfSlug, requestPage } from '../../shared/pages/request/page.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

/** Serves a payment request's page. */
export const handler = http(manifest['r/page'], { errorPage }, async ({ path }, outside) =>
  requestPage(outside, await requestOfSlug(outside, path.slug)),
);
