import { networks } from '../../../ghana/network.ts';
import { ODD_FAULTS, ODD_REMEDIES } from '../../../phones/gateway/odd-form.ts';
import { FORM_KEPT_MS, listPhones, type Phone } from '../../../phones/gateway/phone.table.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { unreadForms } from '../../../wallets/wallet/watch-forms.ts';
import { type Finding, fine, wrong } from '../finding.ts';

/** Checks that this release can parse the phones' callbacks, and that no sender's name imitates a network's name. */
export async function checkCallbacks({ outside }: Deployment): Promise<Finding[]> {
  const { phones } = await listPhones(outside);
  return phones.flatMap((phone) => [
    ...unreadForms(outside, phone).map((form) => (form.isOpen ? notUnderstood(phone, form) : understood(phone, form))),
    ...(phone.odd_forms ?? [])
      .filter(({ fault, last_ms }) => fault === 'repaired' && outside.now() - last_ms < FORM_KEPT_MS)
      .map((form) => repaired(phone, form)),
    ...(phone.lookalikes ?? []).map((one) => looksLike(phone, one)),
  ]);
}

type Form = NonNullable<Phone['odd_forms']>[number];

function notUnderstood(phone: Phone, { fault, form, count, first_ms, last_ms }: Form): Finding {
  return wrong(
    `${nameOf(phone)} posts ${ODD_FAULTS[fault]}: ${counted(count, 'callback')} from ${isoOf(first_ms)} to ${isoOf(last_ms)}. Payments in these callbacks are not recognised. Their format is ${form}.`,
    `${ODD_REMEDIES[fault]} Then follow docs/operate/runbooks.md, "Handle callbacks that are not understood".`,
  );
}

function understood(phone: Phone, { fault, count, first_ms, last_ms, asked_ms }: Form): Finding {
  const asked =
    asked_ms === undefined
      ? 'the phone has not yet been asked to resend its inbox'
      : `the phone was asked to resend its inbox at ${isoOf(asked_ms)}`;
  return fine(
    `${nameOf(phone)} posted ${ODD_FAULTS[fault]}, ${counted(count, 'callback')} from ${isoOf(first_ms)} to ${isoOf(last_ms)}. Its texts have been understood since then, and ${asked}. Compare the receipts of that time with the wallet.`,
  );
}

function repaired(phone: Phone, { fault, last_ms }: Form): Finding {
  return wrong(`${nameOf(phone)} posts ${ODD_FAULTS[fault]}, last at ${isoOf(last_ms)}.`, ODD_REMEDIES[fault]);
}

/** Reports a sender whose name resembles a network's name. Not a fault, because anybody can send such a text. */
function looksLike(
  phone: Phone,
  { sender, network, count, last_ms }: NonNullable<Phone['lookalikes']>[number],
): Finding {
  const { name, senders } = networks[network];
  return fine(
    `${nameOf(phone)} received ${counted(count, 'text')} or more from “${sender}”, the last at ${isoOf(last_ms)}. This sender’s name resembles ${name}, whose texts come from ${senders.join(', ')}. Its texts may be forged, so they do not confirm payments.`,
  );
}

function nameOf({ device_id, gateway }: Phone): string {
  return `The phone ${device_id} of the gateway ${gateway}`;
}
