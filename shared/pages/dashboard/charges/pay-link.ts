import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { PhoneNumber } from '../../../ghana/phone-number-schema.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { type Merchant, nameDecidesUpToPesewas } from '../../../merchants/merchant/merchant.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { addNote } from '../../../money/charge/change-charge.table.ts';
import { type Charge, isMatchedByName, requireCharge } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { missingPesewas } from '../../../money/payment/payment.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { acceptSend } from '../../../texts/sms/send.ts';
import { qrCode } from '../../frame/qr-code.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { copyable, type Html, section, shareButton } from '../parts/content.ts';
import { choice, field, foldedForm } from '../parts/form.ts';
import type { MerchantVisit } from '../parts/visit.ts';
import { mayOpenPage } from './reader.ts';

export const SendLinkForm = z.object({
  to: PhoneNumber,
  from: z.optional(z.literal('random', 'must be one of the options listed')),
});

/** Renders the section for sharing a pending charge's page. Empty for other charges. */
export function payLink(visit: MerchantVisit<'reference'>, outside: Outside, charge: Charge): Html | string {
  if (statusOf(outside, charge) !== 'pending' || !mayOpenPage(visit.user, charge)) return '';
  const url = linkOf(outside, charge);
  const { customer_phone } = charge;
  const facts = { path: '/{reference}/send', submit: 'Send for 1 credit' };
  const sending = foldedForm(visit, 'Send the link by text message', facts, [
    field('to', 'Phone number', {
      type: 'tel',
      inputMode: 'tel',
      value: customer_phone && shownNumber(customer_phone),
      isRequired: true,
    }),
    choice('from', 'From', {
      options: [
        ['', 'Your usual number'],
        ['random', 'Any number that can send now'],
      ],
    }),
    html`<p class="hint">The text: ${linkText(outside, charge)}</p>`,
  ]);
  return section(
    'Share it',
    html`<div class="pay-link"><p class="actions">${shareButton(linkText(outside, charge), { number: customer_phone, isMain: shownPaid(charge).doubt === undefined })}</p>
${copyable(url, 'link')}
${qrCode(url, 'QR code of the link')}</div>
<p class="hint">${recognisedBy(visit.merchant, charge)}</p>
${may(visit.user, 'texts:send') && sending}`,
  );
}

/**
 * Texts a charge's link to the customer. Costs one credit.
 * @throws PublicError `not_found`, `forbidden`, `charge_not_pending`, `no_sender_available`, `queue_full`,
 * `insufficient_credits`.
 */
export async function sendLink(visit: MerchantVisit<'reference', typeof SendLinkForm>, outside: Outside) {
  const { merchant, user, path, form, commit } = visit;
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  if (!mayOpenPage(user, charge))
    throw new PublicError(
      'forbidden',
      'The link was not sent. The bill’s page will show a code that you are not allowed to see.',
    );
  if (statusOf(outside, charge) !== 'pending')
    throw new PublicError('charge_not_pending', 'This bill can no longer be paid, so its link was not sent.');
  const { reference } = charge;
  const { to, from } = form;
  const text = { to: [to], message: linkText(outside, charge), reference, ...(from && { from }) };
  const { send, writes } = await acceptSend(outside, merchant, text);
  const sent = `Link sent to ${shownNumber(to)} as a text`;
  const note = { at: send.created_at, by: user.user_id, text: sent, send_id: send.send_id };
  const entry = { action: 'charge send', about: reference, after: { send_id: send.send_id } };
  const notice = `${sent}, from ${shownNumber(send.from)}. It cost 1 credit.`;
  return commit([...writes, addNote(charge, note)], { goTo: chargeAddress(reference), notice }, entry);
}

function linkOf({ baseUrl }: Pick<Outside, 'baseUrl'>, { access_code }: Charge): string {
  return `${baseUrl}/c/${access_code}`;
}

/** Returns a text that fits into one SMS, without the details. */
function linkText(outside: Pick<Outside, 'baseUrl'>, charge: Charge): string {
  return `${charge.merchant_name}: please pay ${shownMoney(missingPesewas(charge))} here: ${linkOf(outside, charge)}`;
}

/** Lists the details that identify a payment, for the shop to read out on the phone. */
function recognisedBy(merchant: Merchant, charge: Charge): string {
  const { reference, customer_name, amount_pesewas } = charge;
  const isByName = isMatchedByName(charge) && amount_pesewas <= nameDecidesUpToPesewas(merchant);
  const byName = isByName
    ? ` If they forget it, ${wholeMoney(missingPesewas(charge))} from ${customer_name}’s wallet is matched by name for two hours.`
    : '';
  return `The customer enters ${reference} as the payment reference.${byName}`;
}
