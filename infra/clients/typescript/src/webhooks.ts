import { WebhookSignatureError } from './errors.ts';
import type { WebhookEvent } from './generated/events.ts';

/**
 * Request headers, either Fetch's `Headers` or an object such as Node's `request.headers`. Names are case-insensitive.
 */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

interface VerifyOptions {
  /** Maximum difference between the request's time and this computer's clock, in seconds. Defaults to 300. */
  readonly toleranceSeconds?: number;
}

/** Verifies and signs webhooks according to Standard Webhooks (https://www.standardwebhooks.com). */
export const webhooks = {
  /**
   * Verifies the signature of a request and returns its event. Store each event's `id`, because the same event can
   * arrive more than once.
   * @param body The request's bytes as received, before any parsing.
   * @param secret The secret returned by `webhook.set` or `webhook.rollSecret`. Pass several if your URL serves several
   * webhooks.
   * @throws WebhookSignatureError if the signature is missing or wrong, the body was changed, or the time is outside
   * the tolerance.
   */
  async verify(
    body: string | Uint8Array | ArrayBuffer,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    { toleranceSeconds = 300 }: VerifyOptions = {},
  ): Promise<WebhookEvent> {
    const bytes = bytesOf(body);
    const keys = await Promise.all([secret].flat().map((one) => keyOf(one, 'verify')));
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    if (!(Math.abs(Date.now() / 1000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN)) <= toleranceSeconds))
      throw new WebhookSignatureError(
        `The webhook's timestamp differs from this clock by more than ${toleranceSeconds} seconds.`,
      );
    const signed = concatenated(`${id}.${timestamp}.`, bytes);
    for (const given of header(headers, 'webhook-signature').split(' ')) {
      if (!given.startsWith('v1,')) continue;
      const signature = decoded(given.slice(3));
      for (const key of keys) {
        if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
          return { ...JSON.parse(new TextDecoder().decode(bytes)), id };
      }
    }
    throw new WebhookSignatureError('The webhook is not signed with this secret, or was changed in transit.');
  },

  /**
   * Returns the headers that the service would send with this body, for testing an endpoint.
   * @param timestamp Seconds since 1970. Defaults to now.
   */
  async sign(
    body: string | Uint8Array | ArrayBuffer,
    secret: string,
    {
      id = `evt_${crypto.randomUUID()}`,
      timestamp = Math.floor(Date.now() / 1000),
    }: { id?: string; timestamp?: number } = {},
  ): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
    const signed = concatenated(`${id}.${timestamp}.`, bytesOf(body));
    const signature = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), signed);
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
    };
  },
};

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer || body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError('`body` was already parsed. Pass the request’s bytes as received, or their text.');
}

async function keyOf(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' && decoded(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0)
    throw new TypeError('`secret` is not a webhook secret. Use one that starts with `whsec_`.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

function header(headers: WebhookHeaders, name: string): string {
  const { get } = headers;
  const value =
    typeof get === 'function'
      ? get.call(headers, name)
      : Object.entries(headers).find(([written]) => written.toLowerCase() === name)?.[1];
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(' ');
  throw new WebhookSignatureError(`The request has no ${name} header, so it is not a Momo Kiosk webhook.`);
}

function concatenated(text: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = new TextEncoder().encode(text);
  const all = new Uint8Array(first.length + bytes.length);
  all.set(first);
  all.set(bytes, first.length);
  return all;
}

/** Decodes base64. Returns undefined for invalid base64. */
function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
