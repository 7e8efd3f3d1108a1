import { dropPasskey, endOneSession, endSessions } from '../../../merchants/user/manage-access.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { ACCOUNT } from '../addresses.ts';
import type { Going, PersonVisit } from '../visit.ts';

export async function removeOwnPasskey({ path, user }: PersonVisit<'id'>, outside: Outside): Promise<Going> {
  await dropPasskey(outside, user, path.id);
  return { goTo: ACCOUNT, notice: 'The passkey was removed.' };
}

export async function endOwnSession({ path, user }: PersonVisit<'hash'>, outside: Outside): Promise<Going> {
  await endOneSession(outside, user.user_id, path.hash);
  return { goTo: ACCOUNT, notice: 'That session has ended.' };
}

export async function endOtherSessions({ user, session }: PersonVisit, outside: Outside): Promise<Going> {
  const ended = await endSessions(outside, user.user_id, session.hash);
  return { goTo: ACCOUNT, notice: `${ended} session${ended === 1 ? ' has' : 's have'} ended.` };
}
