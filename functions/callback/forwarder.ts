import { forwarderKeys } from '../../shared/phones/gateway/accounts.ts';
import { refusalOfSigned } from '../../shared/phones/gateway/callback.ts';
import {
  ForwardedText,
  receivedAtMs,
  receivedEventOf,
  sentAtSeconds,
  signForwarded,
} from '../../shared/phones/gateway/forwarded-text.ts';
import { FORWARDER } from '../../shared/phones/gateway/forwarder.ts';
import { formOf } from '../../shared/phones/gateway/odd-form.ts';
import { noteHeard, noteOddForm } from '../../shared/phones/gateway/phone.table.ts';
import { refusalNow, refused } from '../../shared/phones/gateway/refuse-callback.ts';
import type { Refused } from '../../shared/phones/gateway/refused-callback.table.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import { keepReceived } from '../../shared/wallets/wallet/keep-received.ts';
import { manifest } from '../manifest.ts';

/** Receives a text from an ordinary forwarding app. */
export const handler = http(
  manifest['callback/forwarder'],
  { body: ForwardedText, form: true, repairsJson: true },
  async ({ path, body, isRepaired }, outside) => {
    const { phone } = path;
    const refusal = await refusalNow(outside, () => judge(outside, phone, body));
    if (refusal) throw await refused(outside, refusal, HELP);
    const { [phone]: key = '' } = await forwarderKeys(outside);
    const isNew = await keepReceived(outside, FORWARDER, receivedEventOf(phone, body, key));
    // Record the delay last, because storing the text is urgent. A repeated callback does not show the original delay.
    const delayMs = Math.max(0, sentAtSeconds(body) * 1000 - receivedAtMs(body));
    const noted = async () => {
      await noteHeard(outside, FORWARDER, phone, isNew ? { delayMs } : {});
      if (isRepaired) await noteOddForm(outside, FORWARDER, phone, { fault: 'repaired', form: formOf(body) });
    };
    await noted().catch((error) => outside.log.warn('phone_not_noted', { gateway: FORWARDER, error }));
    return ok('Text accepted', {});
  },
);

/** Settings to check when a callback is refused. */
const HELP =
  "the phone's name in the address, the phone's key and clock, and how the lines are joined for the signature (docs/integrate/forwarders.md)";

async function judge(outside: Outside, phone: string, text: ForwardedText): Promise<Refused | undefined> {
  const signed = {
    deviceId: phone,
    signature: text.signature,
    signedAtSeconds: sentAtSeconds(text),
    sign: (key: string) => signForwarded(text, key),
  };
  const refusal = refusalOfSigned(await forwarderKeys(outside), signed, outside.now());
  return refusal && { gateway: FORWARDER, device_id: phone, ...refusal };
}
