import type * as z from 'zod/mini';
import {
  endAccess,
  giveRole,
  prepareNewLink,
  requireUser,
  revokeSessions,
  takeOut,
} from '../../../merchants/user/manage-users.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { TEAM } from '../addresses.ts';
import { giveLink, type LinkForm } from '../sign-in/invitation-link.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import type { RoleForm } from './member.ts';

export async function changeRoleOf(
  visit: MerchantVisit<'id', z.infer<typeof RoleForm>>,
  outside: Outside,
): Promise<Going> {
  const member = await memberOf(visit, outside);
  await giveRole(outside, member, visit.form.role, by(visit));
  return { goTo: TEAM, notice: `${member.name} is ${visit.form.role} now.` };
}

export async function inviteAgainOf(
  visit: MerchantVisit<'id', z.infer<typeof LinkForm>>,
  outside: Outside,
): Promise<Shown> {
  const { merchant, form } = visit;
  const member = await memberOf(visit, outside);
  const invited = await prepareNewLink(outside, member, by(visit));
  const back = { path: TEAM, name: 'Back to the team' };
  const shown = await giveLink(visit, outside, invited, { merchant, to: form.to, back });
  await endAccess(outside, member);
  return shown;
}

export async function endSessionsOf(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const member = await memberOf(visit, outside);
  await revokeSessions(outside, member, by(visit));
  return { goTo: TEAM, notice: `${member.name} is signed in nowhere now.` };
}

export async function removeFromTeam(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const member = await memberOf(visit, outside);
  await takeOut(outside, member, by(visit));
  return { goTo: TEAM, notice: `${member.name} was removed.` };
}

function memberOf({ path, merchant }: MerchantVisit<'id', unknown>, outside: Outside): Promise<User> {
  return requireUser(outside, path.id, merchant.merchant_id);
}

function by({ user }: Pick<MerchantVisit, 'user'>) {
  return { by: user.user_id };
}
