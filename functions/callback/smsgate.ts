import { findGatewayAccount } from '../../shared/gateway/accounts.ts';
import { CallbackEvent, isGenuineCallback, isOurs, ReceivedEvent, StateReport } from '../../shared/gateway/callback.ts';
import { keepPhoneEvent } from '../../shared/gateway/phone-event.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { parseJson } from '../../shared/runtime/values/json.ts';
import { applyReport } from '../../shared/sms/apply-report.ts';
import { manifest } from '../manifest.ts';

/** Takes what a phone tells. It waits five seconds for the answer, so a receipt is only kept here; the stream carries it on. */
export const handler = http(manifest['callback/smsgate'], {}, async ({ path, headers, rawBody }, outside) => {
  const account = await findGatewayAccount(outside, path.gateway);
  if (!account) throw new PublicError('not_found', `There is no gateway ${path.gateway} here.`);
  const event = parseJson(CallbackEvent, rawBody);
  const signed = { rawBody, signature: headers['x-signature'], timestamp: headers['x-timestamp'] };
  if (!event || !isGenuineCallback(account, { deviceId: event.deviceId, ...signed }, outside.now())) {
    throw new PublicError(
      'unauthorized',
      "The signature does not fit: check the signing key in the phone's app and its clock.",
    );
  }
  const received = parseJson(ReceivedEvent, rawBody);
  if (received) await keepPhoneEvent(outside, path.gateway, received);
  const report = parseJson(StateReport, rawBody);
  if (report) await applyReport(outside, path.gateway, report);
  // Taken all the same, or the phone would post it for days; the operator learns that its app speaks another language.
  if (!received && !report && isOurs(event)) outside.log.error('callback_not_understood', { gateway: path.gateway });
  return ok('Event taken', {});
});
