/*
 * invitation   INVITATION#<sha256 of its token> / INVITATION   lets a person make a passkey, once and within a quarter of an hour
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { PublicError } from '../runtime/values/errors.ts';

export const INVITATION_SECONDS = 15 * 60;

const Invitation = z.object({
  user_id: z.string(),
  /** The id of the person, or the command line. */
  invited_by: z.string(),
  expires_at_epoch_seconds: z.number(),
});
export type Invitation = z.infer<typeof Invitation>;

/** A new invitation: the token for its link, and the write that makes it valid. */
export function newInvitation(
  { now, randomBytes }: Pick<Outside, 'now' | 'randomBytes'>,
  userId: string,
  invitedBy: string,
): { readonly token: string; readonly write: TableWrite } {
  const token = randomBytes(32).toString('base64url');
  const expires_at_epoch_seconds = Math.floor(now() / 1000) + INVITATION_SECONDS;
  const invitation: Invitation = { user_id: userId, invited_by: invitedBy, expires_at_epoch_seconds };
  return {
    token,
    write: { put: { Item: { ...keyOf(token), ...invitation }, ConditionExpression: 'attribute_not_exists(pk)' } },
  };
}

/** An invitation that can still be accepted. */
export async function getInvitation(
  outside: Pick<Outside, 'table' | 'now'>,
  token: string,
): Promise<Invitation | undefined> {
  const item = await outside.table.get(keyOf(token));
  const invitation = item && z.parse(Invitation, item);
  return invitation && invitation.expires_at_epoch_seconds * 1000 > outside.now() ? invitation : undefined;
}

/** Uses an invitation up, in the transaction that makes the passkey; refused if it was used meanwhile. */
export function useInvitation(token: string): TableWrite {
  return {
    delete: { Key: keyOf(token), ConditionExpression: 'attribute_exists(pk)' },
    refused: () => new PublicError('not_found', 'This invitation was used, or is too old. Ask for another one.'),
  };
}

function keyOf(token: string) {
  return { pk: `INVITATION#${createHash('sha256').update(token).digest('hex')}`, sk: 'INVITATION' };
}
