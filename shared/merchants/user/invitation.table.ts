/**
 * invitation       INVITATION#<user> / INVITATION   sha256 of a token for creating a passkey once. Each user has at
 *                                                   most one invitation, so a new link invalidates the old one
 * invited number   INVITATION#<number> / NUMBER     the times of the last three links texted to a number
 * invited today    INVITATION#<merchant> / <day>    the number of links that a merchant texted on that day
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, type IdOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { countThreeADay, countUpTo } from '../../runtime/table/limits.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import type { Giver } from './giver.ts';
import { newToken, readToken } from './session.table.ts';
import type { User } from './user.table.ts';

/** Returns the lifetime of an invitation link. Links for roles with few permissions last longer. */
export function invitationSeconds({ role }: Pick<User, 'role'>): number {
  return role === 'cashier' || role === 'viewer' ? DAY_SECONDS : 15 * 60;
}

export function invitationTime(user: Pick<User, 'role'>): string {
  const minutes = invitationSeconds(user) / 60;
  return minutes < 60 ? `${minutes} minutes` : `${minutes / 60} hours`;
}

const Invitation = z.object({
  user_id: z.string(),
  hash: z.string(),
  invited_by: z.string(),
  /** The passkey of the giver's session. Removing it voids the link. */
  credential_id: z.optional(z.string()),
  expires_at_epoch_seconds: z.number(),
});
export type Invitation = z.infer<typeof Invitation>;

export const invitationRows = rows(Invitation, { pk: 'INVITATION#<user_id>', sk: 'INVITATION' });

export function newInvitation(
  outside: IdOutside,
  user: Pick<User, 'user_id' | 'role'>,
  { by: invited_by, credential_id }: Giver,
) {
  const { user_id } = user;
  const { token, hash } = newToken(outside, user_id);
  const ends = endsIn(outside, invitationSeconds(user));
  const invitation: Invitation = { user_id, hash, invited_by, credential_id, ...ends };
  return { token, write: invitationRows.put(invitation) };
}

/** Returns undefined if the invitation was used or has expired. */
export async function getInvitation(outside: TimedOutside, token: string): Promise<Invitation | undefined> {
  const read = readToken(token);
  const invitation = read && (await invitationRows.find(outside, { user_id: read.userId }));
  if (!invitation || invitation.hash !== read.hash) return undefined;
  return invitation.expires_at_epoch_seconds * 1000 > outside.now() ? invitation : undefined;
}

/**
 * Uses up an invitation. The write fails if the invitation was used or replaced. Include the write in the transaction
 * that creates the passkey.
 */
export function useInvitation(invitation: Invitation): TableWrite {
  return invitationRows.remove(invitation, {
    ...asRead({ hash: invitation.hash }),
    refused: () =>
      new PublicError('not_found', 'This invitation has expired or has already been used. Ask for a new one.'),
  });
}

/** Maximum number of invitation texts per merchant per day. These texts cost no credits. */
export const MAX_INVITATION_TEXTS_PER_DAY = 10;

/** Counts an invitation text. The writes fail above the limit for the number or the merchant. */
export function countInvitationText(
  outside: Clock,
  { to, merchantId }: { readonly to: string; readonly merchantId: string },
): TableWrite[] {
  const message = 'has received three links in 24 hours. Leave the number empty, and show the link instead.';
  return [
    countThreeADay(outside, { pk: `INVITATION#${to}`, sk: 'NUMBER' }, () => invalidRequest([{ field: 'to', message }])),
    countUpTo(outside, {
      key: (day) => ({ pk: `INVITATION#${merchantId}`, sk: day }),
      per: 'day',
      most: { counted: MAX_INVITATION_TEXTS_PER_DAY },
      refused: `No more than ${MAX_INVITATION_TEXTS_PER_DAY} links can be texted a day, so nothing was done. Leave the number empty, and show the link instead.`,
    }),
  ];
}
