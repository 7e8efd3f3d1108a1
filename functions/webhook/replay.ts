import { isSameHolder } from '../../shared/merchant/key-holder.ts';
import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { countCall } from '../../shared/webhook/call-limit.table.ts';
import { getWebhookEvent, replaceWebhookEvent } from '../../shared/webhook/event.table.ts';
import { noEvent, replayed } from '../../shared/webhook/event.ts';
import { presentEvent } from '../../shared/webhook/present-event.ts';
import { manifest } from '../manifest.ts';

/** Sends an event again, under the same id, with ten tries of its own. */
export const handler = merchantRoute(manifest['webhook/replay'], {}, async ({ holder, path, commit }, outside) => {
  const event = await getWebhookEvent(outside, path.id);
  if (!event || !isSameHolder(event, holder)) throw noEvent();
  const again = replayed(outside, event);
  const writes = [countCall(outside, holder), replaceWebhookEvent(outside, event, again)];
  return commit(writes, ok('Webhook event queued', presentEvent(again)));
});
