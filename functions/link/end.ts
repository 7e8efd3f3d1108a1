import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { changeLink, requireLink } from '../../shared/money/link/link.table.ts';
import { hasEnded, presentLink } from '../../shared/money/link/link.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Ends a payment link: it opens no more charges. */
export const handler = merchantRoute(manifest['link/end'], {}, async ({ merchant, path, commit }, outside) => {
  const link = await requireLink(outside, merchant.merchant_id, path.slug);
  const ends_at = new Date(outside.now()).toISOString();
  const writes = hasEnded(outside, link) ? [] : [changeLink(link, { ends_at })];
  const ended = writes.length > 0 ? { ...link, ends_at } : link;
  return commit(writes, ok('Link ended', presentLink(outside, ended)));
});
