import { createHash } from 'node:crypto';
import { WebHookEventType } from 'android-sms-gateway';
import type { Place } from '../../runtime/stage/place.ts';
import { StateReport } from './callback.ts';

/** The events that a phone is to post. */
export const EVENTS = [WebHookEventType.SmsReceived, WebHookEventType.SystemPing];

/**
 * What became of its texts, which a phone is not asked for: the app posts everything from one queue, one after the other, so that a
 * payment's text would wait behind the reports of every text that was sent. Housekeeping asks the gateway instead.
 */
export const REPORTS: readonly string[] = StateReport.shape.event.options;

/** Whether a webhook has phones report what became of their texts to this address. */
export function isReport(webhook: { readonly event: string; readonly url: string }, url: string): boolean {
  return webhook.url === url && REPORTS.includes(webhook.event);
}

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
