import { createHash } from 'node:crypto';
import { WebHookEventType } from 'android-sms-gateway';
import type { Place } from '../runtime/stage/place.ts';

/** The events of a phone that the service acts on. */
export const EVENTS = [
  WebHookEventType.SmsReceived,
  WebHookEventType.SmsSent,
  WebHookEventType.SmsDelivered,
  WebHookEventType.SmsFailed,
  WebHookEventType.SystemPing,
];

/** Where the phones of an account are to post. */
export async function callbackUrl(place: Place, gateway: string): Promise<string> {
  return `${await place.baseUrl()}/callback/smsgate/${gateway}`;
}

/**
 * Its own for each stage, gateway and event, within SMSGate's 36 characters: stages and gateways may share an account, in which
 * ids are unique.
 */
export function webhookId(stage: string, gateway: string, event: string): string {
  const whose = createHash('sha256').update(`${stage}/${gateway}`).digest('hex').slice(0, 12);
  return `mk-${whose}-${event.replace(/^\w+:/, '')}`;
}

export function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
