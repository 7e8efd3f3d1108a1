import type { Outside } from '../runtime/outside.ts';
import { RetryLater } from '../runtime/queue.ts';
import type { GatewayAccount } from './accounts.ts';

/** One text to one number. `id` is ours and at most 36 characters; the gateway refuses a second one on the same device. */
export interface OutgoingText {
  readonly id: string;
  readonly deviceId: string;
  readonly simNumber: number;
  readonly to: string;
  readonly text: string;
}

/** The gateway will never take this text: a bad number, a device it does not have. The message is the gateway's own. */
export class GatewayRefused extends Error {}

/**
 * Hands a text to SMSGate. Safe to repeat: a 409 says that the device has it already.
 * @throws GatewayRefused where another try cannot help; RetryLater or another Error where it can.
 */
export async function handOver(outside: Outside, account: GatewayAccount, text: OutgoingText): Promise<void> {
  const response = await outside.fetch(`${account.url}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      id: text.id,
      deviceId: text.deviceId,
      simNumber: text.simNumber,
      phoneNumbers: [text.to],
      textMessage: { text: text.text },
      withDeliveryReport: true,
      ttl: LIFE_SECONDS,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = await response.text();
  if (response.ok || response.status === 409) return;
  if (response.status === 400) throw new GatewayRefused(answer.slice(0, 500));
  // Without the answer's words: they may name the recipient, and this is logged.
  const reason = `The gateway answered ${response.status}`;
  const seconds = Number(response.headers.get('retry-after'));
  if (seconds > 0) throw new RetryLater(Math.min(seconds, 15 * 60), reason);
  throw new Error(reason);
}

/** Below the function's timeout, so that a silent gateway is a failed try and not a killed function. */
const TIMEOUT_MS = 10_000;
/** A phone that was off for a day drops what it did not send. */
const LIFE_SECONDS = 24 * 60 * 60;
