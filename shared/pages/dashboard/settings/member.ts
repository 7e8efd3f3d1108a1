import { html } from 'hono/html';
import * as z from 'zod/mini';
import { requireUser } from '../../../merchants/user/manage-users.ts';
import { merchantRoles } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { TEAM } from '../addresses.ts';
import { choice } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import { linkField } from '../sign-in/invitation-link.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { roleOptions, rolesExplained } from './roles.ts';

export const RoleForm = z.object({ role: z.enum(merchantRoles, 'must be one of the roles') });

/** One person of a merchant, and what an owner may do about them. */
export async function showMember(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const { path, merchant } = visit;
  const { user_id, name, role } = await requireUser(outside, path.id, merchant.merchant_id);
  const facts = (what: string, submit: string) => ({
    path: `/team/{id}/${what}`,
    action: `${TEAM}/${user_id}/${what}`,
    submit,
  });
  return {
    title: name,
    main: html`${section('Role', [
      form(visit, facts('role', 'Change the role'), (filled) =>
        choice(filled, { name: 'role', label: 'What they may do', value: role, options: roleOptions }),
      ),
      rolesExplained(),
    ])}
${section('Lost their passkey, or the phone with it?', [
  html`<p>Make a link with which they make a new one. The old ones stop working at once, and they are signed out everywhere.</p>`,
  form(visit, facts('link', 'Make a link'), linkField),
])}
${section(
  'Signed in where they should not be?',
  form(visit, facts('end-sessions', 'End their sessions'), () => []),
)}
${section(
  'No longer here?',
  form(visit, { ...facts('remove', `Remove ${name}`), isDangerous: true }, () => []),
)}`,
  };
}
