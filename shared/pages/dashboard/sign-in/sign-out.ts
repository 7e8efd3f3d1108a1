import { endSession, noSessionCookie } from '../../../merchants/user/session.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SIGN_IN } from '../addresses.ts';
import type { Going, PersonVisit } from '../visit.ts';

/** Ends the session, so that its token is worth nothing any more. */
export async function signOut({ session }: PersonVisit, outside: Outside): Promise<Going> {
  await endSession(outside, session);
  return { goTo: SIGN_IN, notice: 'You are signed out.', cookies: [noSessionCookie(outside)] };
}
