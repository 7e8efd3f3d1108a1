/**
 * webhook endpoint   WEBHOOK#<holder> / WEBHOOK   URL and signing secrets; one row per kind of API key. The holder is
 *                                                 `<merchant>` or `<merchant>.sms`
 *   gsi2   OFF#WEBHOOK / <holder>     while the endpoint is disabled
 *
 * Stored outside the merchant's partition, which every route that accepts a key can read.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { holderId, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { isTestAccount } from '../merchants/merchant/test-account.ts';
import type { TableOutside } from '../runtime/outside/outside.ts';
import { rows } from '../runtime/table/rows.ts';
import { asRead, type Item, type TableWrite } from '../runtime/table/table.ts';
import { keyKinds } from '../runtime/triggers/row.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { WebhookEventType } from './event.ts';

const Secret = z.object({
  /** The secret in its full form: `whsec_` and base64. */
  secret: z.string(),
  /** Set on a replaced secret, which is valid until this time. */
  valid_until: z.optional(z.string()),
});

export const WebhookEndpoint = z.object({
  merchant_id: z.string(),
  /** Kind of API key that manages this webhook. */
  key_kind: z._default(z.enum(keyKinds), 'live'),
  url: z.string(),
  events: z.optional(z.array(WebhookEventType)),
  secrets: z.array(Secret),
  created_at: z.string(),
  /** Start of the current run of failures. */
  failing_since: z.optional(z.string()),
  last_failed_at: z.optional(z.string()),
  /** Expected response time in ms. Set only for a slow receiver. */
  slow_ms: z.optional(z.number()),
  disabled_at: z.optional(z.string()),
  disabled_reason: z.optional(z.enum(['gone', 'failing'])),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const OFF_PARTITION = 'OFF#WEBHOOK';
/** List disabled test webhooks separately, so that they never crowd out live ones. */
const offPartition = ({ merchant_id }: KeyHolder) => (isTestAccount(merchant_id) ? 'OFF#TEST_WEBHOOK' : OFF_PARTITION);
const offKey = (endpoint: WebhookEndpoint) =>
  endpoint.disabled_at ? { gsi2pk: offPartition(endpoint), gsi2sk: holderId(endpoint) } : {};
export const endpointRows = rows(WebhookEndpoint, {
  pk: (holder: KeyHolder) => `WEBHOOK#${holderId(holder)}`,
  sk: 'WEBHOOK',
});

/** Creates the endpoint, or replaces `current`. Fails if the endpoint has changed since it was read. */
export function putWebhookEndpoint(endpoint: WebhookEndpoint, current: WebhookEndpoint | undefined): TableWrite {
  return endpointRows.put(
    { ...offKey(endpoint), ...endpoint },
    {
      ...(current ? stillAt(current) : { when: 'attribute_not_exists(pk)' }),
      refused: (found) =>
        // Not a conflict: an earlier attempt of this call succeeded, but its response was lost.
        isDeepStrictEqual(found?.secrets, endpoint.secrets) && found?.url === endpoint.url
          ? undefined
          : new PublicError('busy', 'Another request has just changed the webhook. Check the webhook, then try again.'),
    },
  );
}

function stillAt({ url, secrets, disabled_at }: WebhookEndpoint) {
  return asRead({ url, secrets, disabled_at });
}

export async function noteFailing(
  outside: TableOutside,
  endpoint: WebhookEndpoint,
  since: string,
  at: string,
): Promise<void> {
  await outside.table.update(ofAddress(endpoint, { failing_since: since, last_failed_at: at }));
}

export async function noteWorking(outside: TableOutside, endpoint: WebhookEndpoint): Promise<void> {
  await outside.table.update(ofAddress(endpoint, { failing_since: undefined, last_failed_at: undefined }));
}

function ofAddress(endpoint: WebhookEndpoint, set: Item, also = ''): TableWrite {
  return endpointRows.change(endpoint, set, { when: `#url = :url${also}`, values: { ':url': endpoint.url } });
}

/**
 * Disables the webhook until the merchant sets its URL again. Returns false if it is already disabled or has a new URL.
 */
export async function disableEndpoint(
  outside: TableOutside,
  endpoint: WebhookEndpoint,
  reason: NonNullable<WebhookEndpoint['disabled_reason']>,
  at: string,
): Promise<boolean> {
  const off = { gsi2pk: offPartition(endpoint), gsi2sk: holderId(endpoint) };
  const disabled = await outside.table.update(
    ofAddress(endpoint, { disabled_at: at, disabled_reason: reason, ...off }, ' AND attribute_not_exists(disabled_at)'),
  );
  return disabled !== undefined;
}

const MAX_DISABLED = 100;

export async function listDisabled(outside: TableOutside): Promise<string[]> {
  const { keys } = await outside.table.listIndexKeys('gsi2', OFF_PARTITION, { limit: MAX_DISABLED });
  return keys.map(({ sort }) => sort.split('.')[0] ?? sort);
}
