import type { TableOutside } from '../../runtime/outside/outside.ts';
import { COMMAND_LINE } from '../audit/audit.table.ts';
import { may } from './permissions.ts';
import type { SignedIn } from './session.ts';
import { hasPasskeyOf, userRows } from './user.table.ts';

/** The person who gives a link or code (or `COMMAND_LINE`), and the passkey of their session. */
export interface Giver {
  readonly by: string;
  readonly credential_id?: string | undefined;
}

export function giverOf({ user, session }: SignedIn): Giver {
  return { by: user.user_id, credential_id: session.credential_id };
}

/**
 * Returns true while the person who gave a link or code may still give access, and still has the passkey of the session
 * in which they gave it. Otherwise the link or code is void.
 */
export async function mayStillGive(outside: TableOutside, { by, credential_id }: Giver): Promise<boolean> {
  if (by === COMMAND_LINE) return true;
  const giver = await userRows.find(outside, { user_id: by });
  if (giver === undefined || giver.removed_at !== undefined) return false;
  return may(giver, 'team:write') && hasPasskeyOf(giver, { credential_id });
}
