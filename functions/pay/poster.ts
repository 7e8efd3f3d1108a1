import { linkOfSlug } from '../../shared/pages/pay/page.ts';
import { posterPage } from '../../shared/pages/pay/poster.ts';
import { errorPage } from '../../shared/pages/pay/shop-page.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

/** Serves a printable poster with a payment link's QR code. */
export const handler = http(manifest['pay/poster'], { errorPage }, async ({ path }, outside) =>
  posterPage(outside, await linkOfSlug(outside, path.slug)),
);
