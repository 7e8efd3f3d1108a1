/*
 * invitation   INVITATION#<user> / INVITATION   the sha256 of the token that lets a person make a passkey, once and within its
 *                                               time. Each has one at most: an earlier link may be in other hands.
 * invited number   INVITATION#<number> / NUMBER    when the last three links went to a number as texts
 * invited today    INVITATION#<merchant> / <day>   how many links of a merchant went out as texts on that day
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, type IdOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { countThreeADay, countUpTo } from '../../runtime/table/limits.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { newToken, readToken } from './session.table.ts';
import type { User } from './user.table.ts';

/**
 * How long the link of somebody with this role can be opened. Who can neither move money nor change anything of the shop may be
 * invited in the morning for the evening.
 */
export function invitationSeconds({ role }: Pick<User, 'role'>): number {
  return role === 'cashier' || role === 'viewer' ? 24 * 60 * 60 : 15 * 60;
}

/** The same in words: `15 minutes`, `24 hours`. */
export function invitationTime(user: Pick<User, 'role'>): string {
  const minutes = invitationSeconds(user) / 60;
  return minutes < 60 ? `${minutes} minutes` : `${minutes / 60} hours`;
}

const Invitation = z.object({
  user_id: z.string(),
  hash: z.string(),
  /** The id of the person, or the command line. */
  invited_by: z.string(),
  expires_at_epoch_seconds: z.number(),
});
export type Invitation = z.infer<typeof Invitation>;

export const invitationRows = rows(Invitation, { pk: 'INVITATION#<user_id>', sk: 'INVITATION' });

/** A new invitation: the token for its link, and the write that makes it valid, and any earlier one of the person void. */
export function newInvitation(outside: IdOutside, user: Pick<User, 'user_id' | 'role'>, invitedBy: string) {
  const { user_id } = user;
  const { token, hash } = newToken(outside, user_id);
  const invitation: Invitation = { user_id, hash, invited_by: invitedBy, ...endsIn(outside, invitationSeconds(user)) };
  return { token, write: invitationRows.put(invitation) };
}

/** An invitation that can still be accepted. */
export async function getInvitation(outside: TimedOutside, token: string): Promise<Invitation | undefined> {
  const read = readToken(token);
  const invitation = read && (await invitationRows.find(outside, { user_id: read.userId }));
  if (!invitation || invitation.hash !== read.hash) return undefined;
  return invitation.expires_at_epoch_seconds * 1000 > outside.now() ? invitation : undefined;
}

/** Uses an invitation up, in the transaction that makes the passkey; refused if it has been used, or replaced by another. */
export function useInvitation(invitation: Invitation): TableWrite {
  return invitationRows.remove(invitation, {
    ...asRead({ hash: invitation.hash }),
    refused: () => new PublicError('not_found', 'This invitation was used, or is too old. Ask for another one.'),
  });
}

/** More than a shop invites. These texts cost no credit, so nothing else would end a flood of them. */
export const MAX_INVITATION_TEXTS_PER_DAY = 10;

/** Counts a link that goes out as a text, in the same transaction; refused beyond what a number or a merchant may have. */
export function countInvitationText(
  outside: Clock,
  { to, merchantId }: { readonly to: string; readonly merchantId: string },
): TableWrite[] {
  const message = 'has had three links in the last 24 hours: leave it empty, and show the link instead';
  return [
    countThreeADay(outside, { pk: `INVITATION#${to}`, sk: 'NUMBER' }, () => invalidRequest([{ field: 'to', message }])),
    countUpTo(outside, {
      key: (day) => ({ pk: `INVITATION#${merchantId}`, sk: day }),
      per: 'day',
      most: { counted: MAX_INVITATION_TEXTS_PER_DAY },
      refused: `At most ${MAX_INVITATION_TEXTS_PER_DAY} links a day go out as texts. Nothing was done: leave the number empty, and show the link instead.`,
    }),
  ];
}
