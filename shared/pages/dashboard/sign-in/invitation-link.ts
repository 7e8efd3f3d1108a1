import { html } from 'hono/html';
import * as z from 'zod/mini';
import { PhoneNumber } from '../../../ghana/phone-number-schema.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { invitationTime } from '../../../merchants/user/invitation.table.ts';
import type { Invited } from '../../../merchants/user/manage-users.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { trimmedText } from '../../../runtime/values/text.ts';
import { textInvitation } from '../../../texts/sms/text-invitation.ts';
import { qrCode } from '../../frame/qr-code.ts';
import { SIGN_IN } from '../parts/addresses.ts';
import { copyable, type Html, pill } from '../parts/content.ts';
import { field } from '../parts/form.ts';
import type { PersonVisit, Shown } from '../parts/visit.ts';

/** Number to text the link to. Without a number, the link is only shown. */
export const LinkForm = z.object({ to: z.optional(PhoneNumber) });

export const linkField = field('to', 'Phone number', {
  type: 'tel',
  inputMode: 'tel',
  hint: 'We text the link to this number for free. Leave this empty if you would rather show them the link yourself. Anyone holding the phone that sends our texts can read the link.',
});
interface Leading {
  readonly merchant: Merchant;
  readonly to: string | undefined;
  /** Link to the previous page. Also shown if the form is resubmitted. */
  readonly back: { readonly path: string; readonly name: string };
}

/** Activates an invitation and shows its link, but only in this response, to keep it out of the browser's history. */
export async function giveLink(
  { user: by, commit }: Pick<PersonVisit, 'user' | 'commit'>,
  outside: Outside,
  { user, token, writes }: Invited,
  { merchant, to, back }: Leading,
): Promise<Shown> {
  const url = invitationUrl(outside, token);
  const text = to ? await textInvitation(outside, { merchant, user, by: by.user_id, url, to }) : undefined;
  const notice = `The link for ${user.name} was shown once${text ? ', and sent as a text' : ''}. Create another one if they need it.`;
  await commit([...writes, ...(text?.writes ?? [])], { goTo: back.path, notice });
  return {
    title: `A link for ${user.name}`,
    main: html`<section>${to && sentOrNot(to, text?.from)}
<p>Ask them to open the link on their own phone within ${invitationTime(user)}. The link works once.</p>
<p>${copyable(url, 'link')}</p>
<p>${qrCode(url, 'QR code of the link')}</p>
<p class="hint">The first person to open it gets the role. Do not show or send it to anyone else.</p></section>
<p><a class="plain button" href="${back.path}">${back.name}</a></p>`,
  };
}

function sentOrNot(to: string, from: string | undefined): Html {
  return from
    ? html`<p>${pill('waiting', 'On its way')} as a text to ${shownNumber(to)}, from ${shownNumber(from)}.</p>`
    : html`<p role="alert">${pill('look', 'Not sent')} No phone can send the link now. Phones that receive another shop’s payments never send it. An owner’s link is never sent from a phone that receives payments. Show them the link instead.</p>`;
}

export const MAX_NAME_CHARACTERS = 60;

export const PersonName = trimmedText(MAX_NAME_CHARACTERS);

export function invitationUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, token: string): string {
  return `${baseUrl}${SIGN_IN}/invitation/${token}`;
}
