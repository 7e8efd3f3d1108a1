import { parsePhoneNumber } from '../../shared/ghana/phone-number.ts';
import { networkOfSender } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { findGatewayAccount } from '../../shared/phones/gateway/accounts.ts';
import { type Callback, PING, type ReceivedEvent, refusalOf, STARTED } from '../../shared/phones/gateway/callback.ts';
import { noteHeard, noteOddForm } from '../../shared/phones/gateway/phone.table.ts';
import { type OpenedCallback, openCallback, readCallback } from '../../shared/phones/gateway/read-callback.ts';
import { refusalNow, refused } from '../../shared/phones/gateway/refuse-callback.ts';
import type { Refused } from '../../shared/phones/gateway/refused-callback.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { nowIso, type Outside } from '../../shared/runtime/outside/outside.ts';
import { FEW_AT_ONCE, sideBySide } from '../../shared/runtime/values/side-by-side.ts';
import { applyReport } from '../../shared/texts/sms/text-outcome.ts';
import { keepReceived } from '../../shared/wallets/wallet/keep-received.ts';
import { receivedMs } from '../../shared/wallets/wallet/paid-number.ts';
import { manifest } from '../manifest.ts';

/**
 * Receives callbacks from a phone. The phone waits only five seconds for the response, so the stream does most of the
 * work.
 */
export const handler = http(manifest['callback/smsgate'], {}, async ({ path, headers, rawBody }, outside) => {
  const { gateway } = path;
  const post = openCallback(rawBody);
  const signed = { rawBody, signature: headers['x-signature'], timestamp: headers['x-timestamp'] };
  const device = await signerOf(outside, gateway, post, signed);

  const { [device]: key = '' } = (await findGatewayAccount(outside, gateway))?.signing_keys ?? {};
  const { name, texts, report, odd } = readCallback(post, device, key);
  const delayMs = await keepTexts(outside, gateway, texts);
  if (report) await applyReport(outside, gateway, report);
  // Frequent starts mean that Android keeps stopping the app, usually to save battery. This is the most common reason
  // for late payments.
  if (name === STARTED) outside.log.info('phone_started', { gateway, device });
  if (odd) {
    // Respond with 200. Otherwise the phone would repeat the callback for days and hold up payments.
    await noteOddForm(outside, gateway, device, odd);
    outside.log.warn(odd.fault === 'repaired' ? 'callback_repaired' : 'callback_not_understood', {
      gateway,
      device,
      code: odd.fault,
    });
  }
  // Record the phone's contact last, because storing the texts is urgent.
  if (!odd || odd.fault === 'repaired') {
    const heard = { isPing: name === PING, isRead: texts.length > 0, delayMs };
    await noteHeard(outside, gateway, device, heard).catch((error) =>
      outside.log.warn('phone_not_noted', { gateway, error }),
    );
  }
  return ok('Event accepted', {});
});

/**
 * Maximum number of wallet texts stored in parallel. Storing hundreds of texts one by one would take longer than the
 * phone's timeout.
 */
const KEPT_AT_ONCE = 20;

/**
 * Stores the texts in a callback. Texts from the same person are stored in order, because STOP and START may follow
 * each other.
 * @returns the longest time, in milliseconds, by which a new text arrived after its time stamp. Undefined if none is new.
 */
async function keepTexts(
  outside: Outside,
  gateway: string,
  texts: readonly ReceivedEvent[],
): Promise<number | undefined> {
  const delaysMs: number[] = [];
  const keep = async (event: ReceivedEvent) => {
    const isNew = await keepReceived(outside, gateway, event);
    if (isNew) delaysMs.push(outside.now() - receivedMs({ gateway, event, arrived_at: nowIso(outside) }));
  };
  const isOfWallet = ({ payload }: ReceivedEvent) => networkOfSender(payload.sender) !== undefined;
  const ofWallets = texts.filter(isOfWallet);
  await sideBySide(outside, { items: ofWallets, atOnce: KEPT_AT_ONCE }, keep);
  const others = texts.filter((text) => !isOfWallet(text));
  const byPerson = Map.groupBy(others, ({ payload: { sender } }) => parsePhoneNumber(sender) ?? sender);
  await sideBySide(outside, { items: [...byPerson.values()], atOnce: FEW_AT_ONCE }, async (ofOne) => {
    for (const text of ofOne) await keep(text);
  });
  return delaysMs.length > 0 ? Math.max(...delaysMs) : undefined;
}

/** Settings to check when a phone's callback is refused. */
const HELP = "the signing key in the phone's app, the phone's clock, and the gateway's name in the webhook's address";

/**
 * Returns the phone that signed a callback.
 * @throws PublicError `unauthorized`.
 */
async function signerOf(
  outside: Outside,
  gateway: string,
  { devices, event }: OpenedCallback,
  signed: Omit<Callback, 'deviceId'>,
): Promise<string> {
  let known: Refused | undefined;
  for (const deviceId of devices) {
    const refusal = await refusalNow(outside, () => judge(outside, gateway, { ...signed, deviceId }));
    if (!refusal) return deviceId;
    if (event || refusal.reason !== 'unknown_device') known ??= refusal;
  }
  throw await refused(outside, known ?? (await refusalOfUnreadable(outside, gateway)), HELP);
}

async function judge(outside: Outside, gateway: string, callback: Callback): Promise<Refused | undefined> {
  const account = await findGatewayAccount(outside, gateway);
  if (!account) return { reason: 'unknown_gateway' };
  const refusal = refusalOf(account, callback, outside.now());
  return refusal && { gateway, device_id: callback.deviceId, ...refusal };
}

async function refusalOfUnreadable(outside: Outside, gateway: string): Promise<Refused> {
  const account = await findGatewayAccount(outside, gateway);
  return account ? { reason: 'not_an_event', gateway } : { reason: 'unknown_gateway' };
}
