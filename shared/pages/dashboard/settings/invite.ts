import { html } from 'hono/html';
import * as z from 'zod/mini';
import { prepareInvitation } from '../../../merchants/user/manage-users.ts';
import { merchantRoles } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { TEAM } from '../addresses.ts';
import { choice, field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import { giveLink, LinkForm, linkField } from '../sign-in/invitation-link.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { MAX_NAME_CHARACTERS, PersonName } from './person-name.ts';
import { roleOptions, rolesExplained } from './roles.ts';

export const InviteForm = z.extend(LinkForm, {
  name: PersonName,
  role: z.enum(merchantRoles, 'must be one of the roles'),
});

export async function showInvite(visit: MerchantVisit): Promise<Shown> {
  const facts = { path: '/team/invite', action: `${TEAM}/invite`, submit: 'Make the link' };
  return {
    title: 'Invite somebody',
    main: html`<div class="card">${form(visit, facts, (filled) => [
      field(filled, { name: 'name', label: 'Name', maxLength: MAX_NAME_CHARACTERS, isRequired: true }),
      choice(filled, { name: 'role', label: 'Role', value: 'cashier', options: roleOptions }),
      linkField(filled),
    ])}</div>
${section('What each role may do', rolesExplained())}`,
  };
}

export async function invite(
  visit: MerchantVisit<never, z.infer<typeof InviteForm>>,
  outside: Outside,
): Promise<Shown> {
  const { merchant, user, form } = visit;
  const person = { name: form.name, role: form.role, merchant_id: merchant.merchant_id };
  const invited = await prepareInvitation(outside, person, { by: user.user_id });
  return giveLink(visit, outside, invited, {
    ...{ merchant, to: form.to },
    back: { path: TEAM, name: 'Back to the team' },
  });
}
