import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { newUlid } from '../../shared/runtime/values/ids.ts';
import { countCall } from '../../shared/webhook/call-limit.table.ts';
import { getWebhookEndpoint } from '../../shared/webhook/endpoint.table.ts';
import { noEndpoint } from '../../shared/webhook/endpoint.ts';
import { createWebhookEvent } from '../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../shared/webhook/event.ts';
import { presentEvent } from '../../shared/webhook/present-event.ts';
import { manifest } from '../manifest.ts';

/** Sends a test event, which only shows that webhooks arrive. */
export const handler = merchantRoute(manifest['webhook/test'], {}, async ({ holder, commit }, outside) => {
  const endpoint = await getWebhookEndpoint(outside, holder);
  if (!endpoint) throw noEndpoint();
  const now = new Date(outside.now()).toISOString();
  const data = { message: 'Momo Kiosk can reach this address.' };
  const event = newWebhookEvent(holder, 'webhook.test', newUlid(outside), now, data);
  const writes = [countCall(outside, holder), createWebhookEvent(event)];
  return commit(writes, ok('Test event queued', presentEvent(event)));
});
