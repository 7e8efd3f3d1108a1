import { html } from 'hono/html';
import * as z from 'zod/mini';
import { KEY_CACHE_SECONDS } from '../../../merchants/merchant/api-key.table.ts';
import { giverOf } from '../../../merchants/user/giver.ts';
import {
  endAccess,
  giveRole,
  keysMadeBy,
  prepareInvitation,
  prepareNewLink,
  removePerson,
  revokeSessions,
} from '../../../merchants/user/manage-users.ts';
import { listPasskeys } from '../../../merchants/user/passkey.table.ts';
import { may, merchantRoles } from '../../../merchants/user/permissions.ts';
import { listSharedPhones } from '../../../merchants/user/shared-phone.table.ts';
import { listUsers, requireUser, type User } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { DEVELOPERS, SHARED_PHONES, TEAM, WEBHOOKS } from '../parts/addresses.ts';
import { ago, facts, type Html, pill, section, shownDay } from '../parts/content.ts';
import { choice, field, form, formSection, tick, ticks } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import { ROLES } from '../parts/shop-words.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { giveLink, LinkForm, linkField, MAX_NAME_CHARACTERS, PersonName } from '../sign-in/invitation-link.ts';

export async function showTeam({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  const users = await listUsers(outside, merchant.merchant_id);
  const mayChange = may(user, 'team:write');
  // One read per person is acceptable, because teams are small.
  const [passkeys, phones] = await Promise.all([
    Promise.all(users.map(({ user_id }) => listPasskeys(outside, user_id))),
    listSharedPhones(outside, merchant.merchant_id),
  ]);
  const hasPasskey = new Set(users.filter((_, n) => passkeys[n]?.length));
  const stateOf = (one: User) => {
    if (one.user_id === user.user_id || hasPasskey.has(one)) return '';
    const hasPin = phones.some(({ people }) => people[one.user_id]?.pin);
    return hasPin ? pill('plain', 'PIN only') : pill('waiting', 'Invited');
  };
  const list = table(users, {
    caption: 'People who work at this shop',
    href: mayChange && (({ user_id }) => `${TEAM}/${user_id}`),
    columns: {
      Name: ({ user_id, name }) => (user_id === user.user_id ? `${name} (you)` : name),
      Since: ({ created_at }) => shownDay(created_at),
      Role: ({ role }) => role,
      State: stateOf,
    },
    isCompact: true,
  });
  return {
    title: 'Team',
    actions: [mayChange && { name: 'Invite someone', address: `${TEAM}/invite` }],
    main: list,
  };
}

export const InviteForm = z.extend(LinkForm, {
  name: PersonName,
  role: z.enum(merchantRoles, 'must be one of the roles'),
});

export async function showInvite(visit: MerchantVisit): Promise<Shown> {
  const facts = { path: '/team/invite', submit: 'Create the link' };
  return {
    title: 'Invite someone',
    main: html`<div class="card">${form(visit, facts, [
      field('name', 'Name', { maxLength: MAX_NAME_CHARACTERS, isRequired: true }),
      choice('role', 'Role', { value: 'cashier', options: roleOptions }),
      linkField,
    ])}</div>
<p class="hint">No phone of their own? <a href="${SHARED_PHONES}/add">Add them on a shared phone</a>, where they sign in by PIN.</p>
${section('What each role may do', rolesExplained())}`,
  };
}

export async function invite(visit: MerchantVisit<never, typeof InviteForm>, outside: Outside): Promise<Shown> {
  const { merchant, form } = visit;
  const person = { name: form.name, role: form.role, merchant_id: merchant.merchant_id };
  const invited = await prepareInvitation(outside, person, giverOf(visit));
  return giveLink(visit, outside, invited, {
    merchant,
    to: form.to,
    back: { path: TEAM, name: 'Back to the team' },
  });
}

export const RoleForm = z.object({ role: z.enum(merchantRoles, 'must be one of the roles') });

export async function showMember(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const { path, merchant } = visit;
  const member = await requireUser(outside, path.id, merchant.merchant_id);
  const { name, role } = member;
  const { keys } = await keysMadeBy(outside, member);
  return {
    title: name,
    main: html`${section('Role', [
      form(
        visit,
        { path: '/team/{id}/role', submit: 'Change the role' },
        choice('role', 'What they may do', { value: role, options: roleOptions }),
      ),
      html`<p class="hint">Any unopened link stops working. The person is also signed out of shared phones.${keys.length > 0 && html` Their <a href="${DEVELOPERS}">API keys</a> keep working until somebody revokes them.`}</p>`,
      rolesExplained(),
    ])}
${section('Lost their passkey, or the phone it was on?', [
  html`<p>Create a link for a new passkey. Old passkeys and PINs stop working at once. The person is also signed out everywhere.</p>`,
  form(visit, { path: '/team/{id}/link', submit: 'Create a link' }, linkField),
])}
${formSection(visit, 'Signed in somewhere they should not be?', { path: '/team/{id}/end-sessions', submit: 'End their sessions' })}
${section('No longer here?', [
  html`<p>Removing ${name} ends their passkeys, PINs, sessions and notifications at once. Texts that they scheduled are not sent, and the credits come back.</p>
${may(member, 'webhooks:write') && html`<p>A webhook that they set stays. <a href="${WEBHOOKS}">Check its address</a>.</p>`}
${may(member, 'team:write') && html`<p>People and phones that they added stay. Look through <a href="${TEAM}">the team</a> and <a href="${SHARED_PHONES}">the shared phones</a>.</p>`}
${keys.length > 0 && html`<p>These API keys of theirs stop working within ${KEY_CACHE_SECONDS} seconds:</p><ul>${keys.map((key) => html`<li>…${key.hint}, ${key.last_used_at ? html`last used ${ago(outside, key.last_used_at)}` : 'never used'}</li>`)}</ul>`}`,
  form(
    visit,
    { path: '/team/{id}/remove', submit: `Remove ${name}`, isDangerous: true },
    keys.length > 0 &&
      path.id !== visit.user.user_id &&
      tick(
        'keep_keys',
        `Keep these keys, because the shop’s website uses them. They become yours. ${name} may still have copies.`,
      ),
  ),
])}`,
  };
}

export async function changeRoleOf(visit: MerchantVisit<'id', typeof RoleForm>, outside: Outside): Promise<Going> {
  const member = await memberOf(visit, outside);
  await giveRole(outside, member, visit.form.role, by(visit));
  return { goTo: TEAM, notice: `${member.name} is ${visit.form.role} now.` };
}

export async function inviteAgainOf(visit: MerchantVisit<'id', typeof LinkForm>, outside: Outside): Promise<Shown> {
  const { merchant, form } = visit;
  const member = await memberOf(visit, outside);
  const isRecovery = may(visit.user, 'operator');
  const invited = await prepareNewLink(outside, member, { ...giverOf(visit), isRecovery });
  const back = { path: TEAM, name: 'Back to the team' };
  const shown = await giveLink(visit, outside, invited, { merchant, to: form.to, back });
  await endAccess(outside, member);
  return shown;
}

export async function endSessionsOf(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const member = await memberOf(visit, outside);
  await revokeSessions(outside, member, by(visit));
  return { goTo: TEAM, notice: `${member.name} is now signed out everywhere.` };
}

export const RemoveForm = z.object(ticks(['keep_keys']));

export async function removeFromTeam(visit: MerchantVisit<'id', typeof RemoveForm>, outside: Outside): Promise<Going> {
  const member = await memberOf(visit, outside);
  await removePerson(outside, member, { ...by(visit), keepsKeys: visit.form.keep_keys === 'on' });
  return { goTo: TEAM, notice: `${member.name} was removed.` };
}

function memberOf({ path, merchant }: MerchantVisit<'id', unknown>, outside: Outside): Promise<User> {
  return requireUser(outside, path.id, merchant.merchant_id);
}

function by({ user }: Pick<MerchantVisit, 'user'>) {
  return { by: user.user_id };
}

const roleOptions = merchantRoles.map((role) => [role, role] as const);

function rolesExplained(): Html {
  return facts(merchantRoles.map((role) => [role, ROLES[role], 'long']));
}
