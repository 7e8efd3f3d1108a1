import { html } from 'hono/html';
import * as z from 'zod/mini';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { sendersOf } from '../../../merchants/merchant/senders.ts';
import type { SenderResponse } from '../../../phones/sender/responses.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { SETTINGS, TEXTS } from '../parts/addresses.ts';
import { changeShop, settingPage } from '../parts/change-shop.ts';
import { emptyState, facts, pill } from '../parts/content.ts';
import { choice } from '../parts/form.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/sender';
export const SENDER = `${SETTINGS}${PATH}`;

/** A sending number, or empty for any number. */
export const SenderForm = z.object({ default_from: z.optional(z.string().check(z.maxLength(64))) });

export async function showDefaultSender(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant } = visit;
  const senders = await sendersOf(outside, merchant);
  const current = senders.find(({ number }) => number === merchant.default_from);
  const title = 'Usual number for texts';
  const links = html`<p><a href="${TEXTS}/senders">All senders</a></p>`;
  if (senders.length === 0)
    return {
      title,
      main: html`${emptyState('No numbers yet', namingOperator(outside, 'Texts are sent from a SIM in a phone. Ask support to add one.'))}${links}`,
    };
  const options = [
    ['', 'Any, your own first'] as const,
    ...senders.map((sender) => [sender.number, nameOf(sender)] as const),
  ];
  const { default_from } = merchant;
  const now = [
    facts([
      ['Texts are sent from', default_from ? shownNumber(default_from) : 'any that can send, your own first'],
      ['State', default_from ? senderPill(current) : undefined],
    ]),
    html`${default_from && !current?.available && html`<p>${unavailableReason(current)} Texts without a chosen number are refused until it can send again. You can choose another number here.</p>`}`,
  ];
  return settingPage(visit, { title, now, path: PATH, links }, [
    choice('default_from', 'Number', {
      value: default_from ?? '',
      options,
      hint: 'The number that customers see, unless you choose another for a text.',
    }),
  ]);
}

/** @throws PublicError if the number cannot send texts. */
export async function setDefaultSender(visit: MerchantVisit<never, typeof SenderForm>, outside: Outside) {
  const { default_from: written } = visit.form;
  const senders = await sendersOf(outside, visit.merchant);
  const chosen = senders.find(({ number }) => written !== undefined && number === parsePhoneNumber(written));
  if (written !== undefined && !chosen)
    throw invalidRequest([{ field: 'default_from', message: 'must be one of the options listed' }]);
  const notice = chosen
    ? `Texts will be sent from ${shownNumber(chosen.number)}, unless you choose another number.`
    : 'Texts will be sent from any number that can send, your own first.';
  return changeShop(visit, outside, { default_from: chosen?.number ?? '' }, { goTo: SENDER, notice });
}

function nameOf({ number, own, available }: SenderResponse): string {
  return `${shownNumber(number)}${own ? '' : ', shared'}${available ? '' : ', cannot send now'}`;
}

/** Returns a sender's badge. `sender` is undefined if the number no longer sends. */
function senderPill(sender: SenderResponse | undefined) {
  return sender?.available ? pill('good', 'Can send') : pill('look', 'Cannot send now');
}

function unavailableReason(sender: SenderResponse | undefined): string {
  return sender ? (sender.message ?? '') : 'Support has removed this number.';
}
