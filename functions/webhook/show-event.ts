import { isSameHolder } from '../../shared/merchants/merchant/key-holder.ts';
import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { getEventAndAttempts } from '../../shared/webhook/event.table.ts';
import { noEvent } from '../../shared/webhook/event.ts';
import { presentEventAndAttempts } from '../../shared/webhook/present-event.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(manifest['webhook/show-event'], {}, async ({ holder, path, allows }, outside) => {
  const found = await getEventAndAttempts(outside, path.id);
  if (!found || !isSameHolder(found.event, holder)) throw noEvent(found?.event, holder);
  return ok('Webhook event', presentEventAndAttempts(found.event, found.attempts, allows('receipts:assign')));
});
