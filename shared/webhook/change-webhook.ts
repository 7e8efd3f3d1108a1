import { isSameHolder, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { requireMerchant } from '../merchants/merchant/manage-merchant.ts';
import { originalIdOf } from '../merchants/merchant/test-account.ts';
import { nowIso, type Outside, type TableOutside, type WriteOutside } from '../runtime/outside/outside.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { newUlid } from '../runtime/values/ids.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import { endpointRows, putWebhookEndpoint, type WebhookEndpoint } from './endpoint.table.ts';
import { noEndpoint, type WebhookRequest, withNewSecret, withUrl } from './endpoint.ts';
import { countCall, createWebhookEvent, putAttempt, replaceWebhookEvent, webhookEventRows } from './event.table.ts';
import { newWebhookEvent, noEvent, replayed } from './event.ts';
import { getSlowness } from './lane.table.ts';

/**
 * Sets the URL and event types of a webhook. Creates the webhook and its secret if necessary.
 * @throws PublicError `invalid_request`. The writes throw `busy` if the webhook has changed.
 */
export async function changeUrl(outside: UrlOutside, holder: KeyHolder, wanted: WebhookRequest) {
  const current = await endpointRows.find(outside, holder);
  const slowMs = await getSlowness(outside, holder, current);
  const endpoint = withUrl(outside, holder, { current, slowMs }, wanted);
  const after = { host: new URL(endpoint.url).host, ...(wanted.events && { events: wanted.events.join(', ') }) };
  const entry = { ...entryOf(holder, 'webhook set'), after };
  return { endpoint, isNew: !current, writes: [putWebhookEndpoint(endpoint, current)], entry };
}

type UrlOutside = Pick<Outside, 'table' | 'now' | 'randomBytes' | 'allowsThisMachine'>;

/**
 * Creates a new secret. The old secret also signs events for 24 more hours.
 * @throws PublicError `not_found`. The writes throw `busy` if the webhook has changed.
 */
export async function changeSecret(outside: WriteOutside, holder: KeyHolder) {
  const current = await requireEndpoint(outside, holder);
  const endpoint = withNewSecret(outside, current);
  return { endpoint, writes: [putWebhookEndpoint(endpoint, current)], entry: entryOf(holder, 'webhook roll') };
}

/**
 * Returns a webhook's URL and the writes that remove the webhook.
 * @throws PublicError `not_found`.
 */
export async function prepareRemoval(outside: TableOutside, holder: KeyHolder) {
  const { url } = await requireEndpoint(outside, holder);
  return { url, writes: [endpointRows.remove(holder)], entry: entryOf(holder, 'webhook remove') };
}

function entryOf({ merchant_id, key_kind }: KeyHolder, action: string) {
  return { merchant_id: originalIdOf(merchant_id), action, about: key_kind };
}

async function requireEndpoint(outside: TableOutside, holder: KeyHolder): Promise<WebhookEndpoint> {
  const endpoint = await endpointRows.find(outside, holder);
  if (!endpoint) throw noEndpoint();
  return endpoint;
}

/**
 * @throws PublicError `not_found` if there is no enabled webhook. The writes throw `too_many_requests` above the rate
 * limit.
 */
export async function testEvent(outside: Outside, holder: KeyHolder) {
  const { disabled_at } = await requireEndpoint(outside, holder);
  if (disabled_at)
    throw new PublicError('not_found', `Your webhook has been disabled since ${disabled_at}. Set it again first.`);
  const now = nowIso(outside);
  const data = { message: 'Momo Kiosk can reach this address.' };
  const event = newWebhookEvent(holder, 'webhook.test', { cause: newUlid(outside), at: now, data });
  return { event, writes: [countCall(outside, holder), createWebhookEvent(event)] };
}

/**
 * Resends an event under the same id, with up to ten new attempts.
 * @throws PublicError `not_found`. The writes throw `too_many_requests` above the rate limit, or `busy` while the event
 * is being sent.
 */
export async function replayEvent(outside: Outside, holder: KeyHolder, eventId: string) {
  const event = await webhookEventRows.find(outside, { event_id: eventId });
  if (!event || !isSameHolder(event, holder)) throw noEvent(event, holder);
  if (event.is_kept)
    throw new PublicError(
      'not_found',
      'This test event was stored while you had no webhook, and will never be sent. Trigger a new event.',
    );
  const again = replayed(outside, event);
  const tries = event.ended_by ? [putAttempt(event, event.ended_by)] : [];
  return { event: again, writes: [countCall(outside, holder), replaceWebhookEvent(outside, event, again), ...tries] };
}

/**
 * Returns the holder if it has a webhook. Used by operator commands, whose errors name the holder.
 * @throws NoSuch for an unknown merchant or webhook.
 */
export async function requireWebhook(outside: TableOutside, holder: KeyHolder): Promise<KeyHolder> {
  await requireMerchant(outside, holder.merchant_id);
  if (await endpointRows.find(outside, holder)) return holder;
  throw new NoSuch('webhook', `The merchant has no webhook for its ${holder.key_kind} keys.`);
}
