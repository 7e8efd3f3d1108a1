import { findGatewayAccount } from '../../shared/phones/gateway/accounts.ts';
import {
  type Callback,
  CallbackEvent,
  isRead,
  PING,
  ReceivedEvent,
  refusalOf,
  STARTED,
  StateReport,
} from '../../shared/phones/gateway/callback.ts';
import { noteHeard } from '../../shared/phones/gateway/phone.table.ts';
import { refusalNow, refused } from '../../shared/phones/gateway/refuse-callback.ts';
import type { Refused } from '../../shared/phones/gateway/refused-callback.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import { parseJson } from '../../shared/runtime/values/json.ts';
import { applyReport } from '../../shared/texts/sms/text-outcome.ts';
import { keepReceived } from '../../shared/wallets/wallet/keep-received.ts';
import { manifest } from '../manifest.ts';

/**
 * Receives what a phone posts. The phone waits five seconds for the answer, so a wallet's text is only stored here; the stream
 * carries it on. Of all other texts that reach the phone nothing is stored but that they came.
 */
export const handler = http(manifest['callback/smsgate'], {}, async ({ path, headers, rawBody }, outside) => {
  const { gateway } = path;
  const event = parseJson(CallbackEvent, rawBody);
  if (!event) throw await refused(outside, await whereNoEventCame(outside, gateway), HELP);
  const { deviceId } = event;
  const signed = { deviceId, rawBody, signature: headers['x-signature'], timestamp: headers['x-timestamp'] };
  const refusal = await refusalNow(outside, () => judge(outside, gateway, signed));
  if (refusal) throw await refused(outside, refusal, HELP);

  const received = parseJson(ReceivedEvent, rawBody);
  if (received) await keepReceived(outside, gateway, received);
  const report = parseJson(StateReport, rawBody);
  if (report) await applyReport(outside, gateway, report);
  // Answered 200 all the same, or the phone would repeat it for days; the log tells the operator that the app posts something
  // unknown.
  if (!received && !report && isRead(event)) outside.log.error('callback_not_understood', { gateway });
  // A phone that starts often is one that Android stops: its battery saver is the usual reason for payments that come late.
  if (event.event === STARTED) outside.log.info('phone_started', { gateway, device: deviceId });
  // Last, and never in the way of a payment's text.
  await noteHeard(outside, gateway, deviceId, { isPing: event.event === PING }).catch((error) =>
    outside.log.warn('phone_not_noted', { gateway, error }),
  );
  return ok('Event taken', {});
});

/** What to check where a phone is refused. */
const HELP = "the signing key in the phone's app, the phone's clock, and the gateway's name in the webhook's address";

async function judge(outside: Outside, gateway: string, callback: Callback): Promise<Refused | undefined> {
  const account = await findGatewayAccount(outside, gateway);
  if (!account) return { reason: 'unknown_gateway' };
  const refusal = refusalOf(account, callback, outside.now());
  return refusal && { gateway, device_id: callback.deviceId, ...refusal };
}

async function whereNoEventCame(outside: Outside, gateway: string): Promise<Refused> {
  const account = await findGatewayAccount(outside, gateway);
  return account ? { reason: 'not_an_event', gateway } : { reason: 'unknown_gateway' };
}
