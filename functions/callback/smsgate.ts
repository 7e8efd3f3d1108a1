import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { findGatewayAccount, rereadAccounts } from '../../shared/phones/gateway/accounts.ts';
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
import { keepPhoneEvent, noteStrangersText } from '../../shared/phones/gateway/phone-event.table.ts';
import { noteRefused, type Refused } from '../../shared/phones/gateway/refused-callback.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { parseJson } from '../../shared/runtime/values/json.ts';
import { applyReport } from '../../shared/texts/sms/text-outcome.ts';
import { hearTest } from '../../shared/wallets/wallet/hear-test.ts';
import { manifest } from '../manifest.ts';

/**
 * Receives what a phone posts. The phone waits five seconds for the answer, so a wallet's text is only stored here; the stream
 * carries it on. Of all other texts that reach the phone nothing is stored but that they came.
 */
export const handler = http(manifest['callback/smsgate'], {}, async ({ path, headers, rawBody }, outside) => {
  const { gateway } = path;
  const event = parseJson(CallbackEvent, rawBody);
  if (!event) throw await refused(outside, await whereNoEventCame(outside, gateway));
  const { deviceId } = event;
  const signed = { deviceId, rawBody, signature: headers['x-signature'], timestamp: headers['x-timestamp'] };
  const refusal = await refusalNow(outside, gateway, signed);
  if (refusal) throw await refused(outside, refusal);

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

/** By what is remembered of the accounts, and where that would refuse a phone, by the accounts as they are now. */
async function refusalNow(outside: Outside, gateway: string, callback: Callback): Promise<Refused | undefined> {
  const judge = async (): Promise<Refused | undefined> => {
    const account = await findGatewayAccount(outside, gateway);
    if (!account) return { reason: 'unknown_gateway' };
    const refusal = refusalOf(account, callback, outside.now());
    return refusal && { gateway, device_id: callback.deviceId, ...refusal };
  };
  const refusal = await judge();
  // No account mends a clock.
  const mayHaveChanged = refusal !== undefined && refusal.reason !== 'clock';
  return mayHaveChanged && (await rereadAccounts(outside)) ? judge() : refusal;
}

async function whereNoEventCame(outside: Outside, gateway: string): Promise<Refused> {
  const account = await findGatewayAccount(outside, gateway);
  return account ? { reason: 'not_an_event', gateway } : { reason: 'unknown_gateway' };
}

/** An unknown gateway is answered like a wrong signature, so that the names of the gateways are not disclosed. */
async function refused(outside: Outside, what: Refused): Promise<PublicError> {
  const { gateway, reason } = what;
  const isNoted = await noteRefused(outside, what).catch(() => false);
  // Without the device's id, which anybody may have chosen.
  if (isNoted && gateway !== undefined) outside.log.warn('callback_refused', { gateway, code: reason });
  return new PublicError(
    'unauthorized',
    "The signature is not valid: check the signing key in the phone's app, the phone's clock, and the gateway's name in the webhook's address.",
  );
}

async function keepReceived(outside: Outside, gateway: string, event: ReceivedEvent): Promise<void> {
  const { sender, message } = event.payload;
  const reading = readWalletText(sender, message);
  if (reading.kind === 'stranger') {
    if (await hearTest(outside, gateway, event)) return;
    return noteStrangersText(outside, gateway, event, reading.looksLikePayment);
  }
  // A code of the merchant's: not even that it came.
  if (reading.kind !== 'secret') await keepPhoneEvent(outside, gateway, event);
}
