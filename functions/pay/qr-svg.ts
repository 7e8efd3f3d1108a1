import { requireSlug } from '../../shared/money/link/link.table.ts';
import { linkUrl } from '../../shared/money/link/link.ts';
import { qrSvg } from '../../shared/pages/pay/qr.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

export const handler = http(manifest['pay/qr-svg'], {}, async ({ path }, outside) => {
  const { slug } = await requireSlug(outside, path.slug);
  return qrSvg(linkUrl(outside, slug));
});
