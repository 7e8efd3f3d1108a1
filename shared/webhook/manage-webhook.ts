import type { KeyHolder } from '../merchants/merchant/key-holder.ts';
import { requireMerchant } from '../merchants/merchant/manage-merchant.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { NoSuch } from '../runtime/values/no-such.ts';
import { changeSecret, changeUrl } from './change-webhook.ts';
import { deleteWebhookEndpoint, getWebhookEndpoint, type WebhookEndpoint } from './endpoint.table.ts';
import { currentSecret } from './endpoint.ts';

/** Sets a merchant's webhook and returns its secret. Refuses what the API refuses. @throws NoSuch merchant. */
export async function setWebhook(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes' | 'webhooksToAnyHost'>,
  holder: KeyHolder,
  url: string,
) {
  await requireMerchant(outside, holder.merchant_id);
  const { endpoint, writes } = await changeUrl(outside, holder, url);
  await outside.table.write(writes);
  return { url: endpoint.url, secret: currentSecret(endpoint) };
}

/** Returns the address that it had. @throws NoSuch merchant, webhook. */
export async function removeWebhook(outside: Pick<Outside, 'table'>, holder: KeyHolder): Promise<string> {
  const { url } = await requireWebhook(outside, holder);
  await outside.table.write([deleteWebhookEndpoint(holder)]);
  return url;
}

/** Creates a new secret for a webhook, which is shown only once. @throws NoSuch merchant, webhook. */
export async function rollWebhook(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes'>,
  holder: KeyHolder,
): Promise<string> {
  await requireWebhook(outside, holder);
  const { endpoint, writes } = await changeSecret(outside, holder);
  await outside.table.write(writes);
  return currentSecret(endpoint);
}

async function requireWebhook(outside: Pick<Outside, 'table'>, holder: KeyHolder): Promise<WebhookEndpoint> {
  await requireMerchant(outside, holder.merchant_id);
  const endpoint = await getWebhookEndpoint(outside, holder);
  if (!endpoint) throw new NoSuch('webhook', `The merchant has no webhook for its ${holder.key_kind} keys.`);
  return endpoint;
}
