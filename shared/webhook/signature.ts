import { createHmac } from 'node:crypto';

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** `whsec_` and 24 random bytes in base64. */
export function newWebhookSecret(randomBytes: (length: number) => Buffer): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** The headers that prove a webhook: one signature for each valid secret, `v1,<base64>`, separated by spaces. */
export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
