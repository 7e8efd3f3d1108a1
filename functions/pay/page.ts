import { linkOfSlug, payPage } from '../../shared/pages/pay/page.ts';
import { errorPage } from '../../shared/pages/pay/shop-page.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

export const handler = http(manifest['pay/page'], { errorPage }, async ({ path }, outside) =>
  payPage(outside, await linkOfSlug(outside, path.slug)),
);
