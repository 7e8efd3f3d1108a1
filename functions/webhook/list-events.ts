import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS, pageOf, TIME_PARAMETERS, timesOf } from '../../shared/runtime/http/pagination.ts';
import { eventsBetween, webhookEventRows } from '../../shared/webhook/event.table.ts';
import { presentEvent } from '../../shared/webhook/present-event.ts';
import type { EventListResponse } from '../../shared/webhook/responses.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['webhook/list-events'],
  { query: [...PAGE_PARAMETERS, ...TIME_PARAMETERS] },
  async ({ holder, query, allows }, outside) => {
    const page = pageOf(query);
    const between = eventsBetween(timesOf(query));
    const { entries: events, next } = await webhookEventRows.page(outside, holder, { ...page, between });
    const shown = events.map((event) => presentEvent(event, allows('receipts:assign')));
    return ok<EventListResponse>('Webhook events', { events: shown }, metaOf(page, next));
  },
);
