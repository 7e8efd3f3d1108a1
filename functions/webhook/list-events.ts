import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, pageOf } from '../../shared/runtime/http/pagination.ts';
import { listWebhookEvents } from '../../shared/webhook/event.table.ts';
import { presentEvent } from '../../shared/webhook/present-event.ts';
import type { EventListResponse } from '../../shared/webhook/responses.ts';
import { manifest } from '../manifest.ts';

/** Lists a merchant's events, newest first. */
export const handler = merchantRoute(manifest['webhook/list-events'], {}, async ({ merchant, query }, outside) => {
  const page = pageOf(query);
  const { events, next } = await listWebhookEvents(outside, merchant.merchant_id, page);
  return ok<EventListResponse>('Webhook events', { events: events.map(presentEvent) }, metaOf(page, next));
});
