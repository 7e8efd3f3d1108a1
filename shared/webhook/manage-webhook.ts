import { requireMerchant } from '../merchant/manage-merchant.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  putWebhookEndpoint,
  type WebhookEndpoint,
} from './endpoint.table.ts';
import { currentSecret, withNewSecret, withUrl } from './endpoint.ts';
import { getSlowness } from './lane.table.ts';

/** Sets a merchant's webhook and returns its secret. Refuses what the API refuses. @throws NoSuch merchant. */
export async function setWebhook(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes' | 'webhooksToAnyHost'>,
  merchantId: string,
  url: string,
) {
  await requireMerchant(outside, merchantId);
  const current = await getWebhookEndpoint(outside, merchantId);
  const slowMs = await getSlowness(outside, merchantId, current);
  const endpoint = withUrl(outside, merchantId, current, url, slowMs);
  await outside.table.write([putWebhookEndpoint(endpoint, current)]);
  return { url: endpoint.url, secret: currentSecret(endpoint) };
}

/** Returns the address that it had. @throws NoSuch merchant, webhook. */
export async function removeWebhook(outside: Pick<Outside, 'table'>, merchantId: string): Promise<string> {
  const { url } = await requireWebhook(outside, merchantId);
  await outside.table.write([deleteWebhookEndpoint(merchantId)]);
  return url;
}

/** Creates a new secret for a webhook, which is shown only once. @throws NoSuch merchant, webhook. */
export async function rollWebhook(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes'>,
  merchantId: string,
): Promise<string> {
  const current = await requireWebhook(outside, merchantId);
  const endpoint = withNewSecret(outside, current);
  await outside.table.write([putWebhookEndpoint(endpoint, current)]);
  return currentSecret(endpoint);
}

async function requireWebhook(outside: Pick<Outside, 'table'>, merchantId: string): Promise<WebhookEndpoint> {
  await requireMerchant(outside, merchantId);
  const endpoint = await getWebhookEndpoint(outside, merchantId);
  if (!endpoint) throw new NoSuch('webhook', 'The merchant has no webhook.');
  return endpoint;
}
