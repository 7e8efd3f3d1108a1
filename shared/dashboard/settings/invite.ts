import { html } from 'hono/html';
import * as z from 'zod/mini';
import { qrCode } from '../../checkout/qr-code.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { text } from '../../runtime/values/text.ts';
import { INVITATION_SECONDS } from '../../user/invitation.table.ts';
import { inviteUser } from '../../user/manage-users.ts';
import { merchantRoles } from '../../user/permissions.ts';
import { TEAM } from '../addresses.ts';
import type { Html } from '../html.ts';
import { choice, field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { copyable, section } from '../parts/status.ts';
import { invitationUrl } from '../sign-in/invitation-url.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { roleOptions, rolesExplained } from './roles.ts';

const MAX_NAME_CHARACTERS = 60;

export const InviteForm = z.object({
  name: text(MAX_NAME_CHARACTERS),
  role: z.enum(merchantRoles, 'must be one of the roles'),
});

export async function showInvite(visit: MerchantVisit): Promise<Shown> {
  const facts = { path: '/team/invite', action: `${TEAM}/invite`, submit: 'Make the link' };
  return {
    title: 'Invite somebody',
    main: html`${form(visit, facts, (filled) => [
      field(filled, { name: 'name', label: 'Name', maxLength: MAX_NAME_CHARACTERS, isRequired: true }),
      choice(filled, { name: 'role', label: 'Role', value: 'cashier', options: roleOptions }),
    ])}
${section('What each role may do', rolesExplained())}`,
  };
}

/** The link is shown in the answer itself: it is nowhere else, and stays in no address. */
export async function invite(
  { merchant, user, form: { name, role } }: MerchantVisit<never, z.infer<typeof InviteForm>>,
  outside: Outside,
): Promise<Shown> {
  const { merchant_id } = merchant;
  const { token } = await inviteUser(outside, { name: name.trim(), role, merchant_id }, { by: user.user_id });
  return { title: `A link for ${name}`, main: showLink(outside, token) };
}

/** A link for somebody else's phone. */
export function showLink(outside: Pick<Outside, 'baseUrl'>, token: string): Html {
  const url = invitationUrl(outside, token);
  return html`<section><p>Have them open it on their own phone within ${INVITATION_SECONDS / 60} minutes. It works once.</p>
<p>${copyable(url, 'link')}</p>
<p>${qrCode(url, 'QR code of the link')}</p>
<p class="hint">Whoever opens it first gets the role: show it, or send it to nobody else.</p></section>
<p><a class="plain button" href="${TEAM}">Back to the team</a></p>`;
}
