import { type AuditEntry, recordAudit } from '../../merchants/audit/audit.table.ts';
import { othersPaidOn } from '../../merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countInvitationText, invitationSeconds, invitationTime } from '../../merchants/user/invitation.table.ts';
import type { User } from '../../merchants/user/user.table.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { fitName } from './segments.ts';
import { createSend } from './send.table.ts';
import { operatorSender, operatorText } from './send.ts';

interface Invitation extends Pick<AuditEntry, 'by'> {
  readonly merchant: Pick<Merchant, 'merchant_id' | 'name'>;
  readonly user: User;
  /** The invitation link. Anybody with this link can open the dashboard. */
  readonly url: string;
  readonly to: string;
}

/**
 * Texts an invitation link, within the limits for invitations. Returns the writes for the transaction that activates
 * the link, or undefined if no suitable phone can send now. The writes fail with `invalid_request` or
 * `too_many_requests` above a limit.
 */
export async function textInvitation(outside: Outside, { merchant, user, by, url, to }: Invitation) {
  const { merchant_id } = merchant;
  // Never send an owner's link from the shop's own phone, where a manager could open it first.
  const from = await senderNow(outside, user.role === 'owner' ? undefined : merchant_id);
  if (from === undefined) return undefined;
  const send = operatorText(outside, {
    from,
    to,
    message: invitationText(merchant, user, url),
    purpose: 'invitation',
    uselessAfterMs: invitationSeconds(user) * 1000,
  });
  const after = { send_id: send.send_id };
  const noted = recordAudit(outside, { merchant_id, by, action: 'user send', about: user.user_id, after });
  return { from, writes: [...countInvitationText(outside, { to, merchantId: merchant_id }), createSend(send), noted] };
}

/**
 * Returns a sender whose phone is not in another merchant's shop, where somebody could open the link. Returns undefined
 * if no such sender can send now.
 */
async function senderNow(outside: Outside, merchantId: string | undefined): Promise<string | undefined> {
  const senders = await rememberedSenders(outside);
  const others = await Promise.all(senders.map(({ number }) => othersPaidOn(outside, merchantId, number)));
  const inOtherShops = new Set(senders.filter((_, n) => others[n]?.length).map(phoneOf));
  try {
    return operatorSender(
      outside,
      senders.filter((sender) => !inOtherShops.has(phoneOf(sender))),
    );
  } catch (error) {
    if (error instanceof PublicError) return undefined;
    throw error;
  }
}

function phoneOf({ gateway, device_id }: Sender): string {
  return `${gateway} ${device_id}`;
}

/** Returns a text of one or two SMS. Inviters cannot change its wording. */
function invitationText({ name }: Pick<Merchant, 'name'>, user: User, url: string): string {
  return fitName(
    name,
    { orElse: 'The shop', maxSegments: 2 },
    (shop) =>
      `${shop}: open this link on your own phone within ${invitationTime(user)} to use the dashboard. Do not show it to anyone. ${url}`,
  );
}
