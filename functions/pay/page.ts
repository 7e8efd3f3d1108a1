import { linkOfSlug, payPage } from '../../shared/pages/pay/page.ts';
import { errorPage } from '../../shared/pages/pay/shop-page.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

/** What a payment link is for, and the form that opens a charge. */
export const handler = http(manifest['pay/page'], { errorPage }, async ({ path }, outside) =>
  payPage(outside, await linkOfSlug(outside, path.slug)),
);
