import { isSameHolder, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { requireMerchant } from '../merchants/merchant/manage-merchant.ts';
import { nowIso, type Outside, type TableOutside, type WriteOutside } from '../runtime/outside/outside.ts';
import { newUlid } from '../runtime/values/ids.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import { endpointRows, putWebhookEndpoint, type WebhookEndpoint } from './endpoint.table.ts';
import { currentSecret, noEndpoint, type WebhookRequest, withNewSecret, withUrl } from './endpoint.ts';
import { countCall, createWebhookEvent, putAttempt, replaceWebhookEvent, webhookEventRows } from './event.table.ts';
import { newWebhookEvent, noEvent, replayed } from './event.ts';
import { getSlowness } from './lane.table.ts';

/** Sets where a holder's events go, and which; a first address is new, and gets a secret. @throws PublicError `invalid_request`; the writes `busy`. */
export async function changeUrl(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes' | 'allowsThisMachine'>,
  holder: KeyHolder,
  wanted: WebhookRequest,
) {
  const current = await endpointRows.find(outside, holder);
  const slowMs = await getSlowness(outside, holder, current);
  const endpoint = withUrl(outside, holder, { current, slowMs }, wanted);
  return { endpoint, isNew: !current, writes: [putWebhookEndpoint(endpoint, current)] };
}

/** A new secret; for 24 hours both sign. @throws PublicError `not_found`; the writes `busy`. */
export async function changeSecret(outside: WriteOutside, holder: KeyHolder) {
  const current = await endpointRows.find(outside, holder);
  if (!current) throw noEndpoint();
  const endpoint = withNewSecret(outside, current);
  return { endpoint, writes: [putWebhookEndpoint(endpoint, current)] };
}

/** An event that only shows that webhooks arrive. @throws PublicError `not_found`; the writes `too_many_requests`. */
export async function testEvent(outside: Outside, holder: KeyHolder) {
  const endpoint = await endpointRows.find(outside, holder);
  if (!endpoint) throw noEndpoint();
  const now = nowIso(outside);
  const data = { message: 'Momo Kiosk can reach this address.' };
  const event = newWebhookEvent(holder, 'webhook.test', { cause: newUlid(outside), at: now, data });
  return { event, writes: [countCall(outside, holder), createWebhookEvent(event)] };
}

/**
 * An event again, under the same id, with ten tries of its own.
 * @throws PublicError `not_found`; the writes `too_many_requests`, and `busy` while it is being sent.
 */
export async function replayEvent(outside: Outside, holder: KeyHolder, eventId: string) {
  const event = await webhookEventRows.find(outside, { event_id: eventId });
  if (!event || !isSameHolder(event, holder)) throw noEvent(event, holder);
  const again = replayed(outside, event);
  const tries = event.ended_by ? [putAttempt(event, event.ended_by)] : [];
  return { event: again, writes: [countCall(outside, holder), replaceWebhookEvent(outside, event, again), ...tries] };
}

/** Sets a merchant's webhook and returns its secret. Refuses what the API refuses. @throws NoSuch merchant. */
export async function setWebhook(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes' | 'allowsThisMachine'>,
  holder: KeyHolder,
  url: string,
  events?: WebhookRequest['events'],
) {
  await requireMerchant(outside, holder.merchant_id);
  const { endpoint, writes } = await changeUrl(outside, holder, { url, events });
  await outside.table.write(writes);
  return { url: endpoint.url, secret: currentSecret(endpoint) };
}

/** Returns the address that it had. @throws NoSuch merchant, webhook. */
export async function removeWebhook(outside: TableOutside, holder: KeyHolder): Promise<string> {
  const { url } = await requireWebhook(outside, holder);
  await outside.table.write([endpointRows.remove(holder)]);
  return url;
}

/** Creates a new secret for a webhook, which is shown only once. @throws NoSuch merchant, webhook. */
export async function rollWebhook(outside: WriteOutside, holder: KeyHolder) {
  await requireWebhook(outside, holder);
  const { endpoint, writes } = await changeSecret(outside, holder);
  await outside.table.write(writes);
  return currentSecret(endpoint);
}

async function requireWebhook(outside: TableOutside, holder: KeyHolder): Promise<WebhookEndpoint> {
  await requireMerchant(outside, holder.merchant_id);
  const endpoint = await endpointRows.find(outside, holder);
  if (!endpoint) throw new NoSuch('webhook', `The merchant has no webhook for its ${holder.key_kind} keys.`);
  return endpoint;
}
