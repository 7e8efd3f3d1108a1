import type * as z from 'zod/mini';
import { replaceMerchant } from '../../../merchants/merchant/merchant.table.ts';
import {
  endWaiting,
  listChanges,
  noLongerWaits,
  noteSeen,
  tellOwners,
  type WaitingChange,
} from '../../../merchants/merchant/money-change.table.ts';
import { applyChange } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { CHANGES } from '../addresses.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { auditedDifference } from './audited-difference.ts';
import { changeInWords } from './change-words.ts';
import type { SeenForm } from './changes.ts';
import { refuseForeign } from './foreign-number.ts';

/**
 * Makes exactly the change that was shown: its id is another one whenever it says something else.
 * @throws PublicError where it does not wait any more, or the shop is not what it was proposed for.
 */
export async function approveChange(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, user } = visit;
  const waiting = await requireWaiting(visit, outside);
  const { change, by: proposed_by } = waiting;
  const after = applyChange(merchant, change);
  if (!after)
    throw new PublicError(
      'invalid_request',
      'The settings have changed since this was proposed, so nothing was done. Refuse it, and have it proposed again.',
    );
  // Whose number it is may have become known since.
  if (change.kind === 'add') await refuseForeign(outside, merchant, user, change.number);
  const writes = [
    endWaiting(waiting),
    ...replaceMerchant(merchant, after),
    ...tellOwners(outside, { before: merchant, after, by: user.user_id, proposed_by }),
  ];
  const { before, after: values } = auditedDifference(merchant, after) ?? {};
  const entry = { action: 'change approve', before, after: { ...values, proposed_by } };
  const notice = `Done. ${changeInWords(change).what}: ${changeInWords(change).after}.`;
  return visit.commit(withAudit(outside, visit, writes, entry), { goTo: CHANGES, notice });
}

/** Ends a change that waits: an owner refuses it, or whoever proposed it withdraws it. */
export async function dropChange(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, user } = visit;
  const waiting = await requireWaiting(visit, outside);
  const isOwn = waiting.by === user.user_id;
  if (!isOwn && !may(user, 'settings:approve'))
    throw new PublicError('forbidden', 'Only an owner, or whoever proposed this change, can end it.');
  const wanted = applyChange(merchant, waiting.change);
  const { before, after } = (wanted && auditedDifference(merchant, wanted)) ?? {};
  const action = isOwn ? 'change withdraw' : 'change refuse';
  const entry = { action, before, after: { ...after, proposed_by: waiting.by } };
  const notice = isOwn ? 'It is withdrawn: nothing was changed.' : 'It is refused: nothing was changed.';
  return visit.commit(withAudit(outside, visit, [endWaiting(waiting)], entry), { goTo: CHANGES, notice });
}

/** An owner has seen what was changed, up to the newest that the page showed. */
export async function seeChanges(
  visit: MerchantVisit<never, z.infer<typeof SeenForm>>,
  outside: Outside,
): Promise<Going> {
  const { merchant, user, form } = visit;
  // What is still to come cannot have been seen.
  const until = [form.until, new Date(outside.now()).toISOString()].sort()[0] ?? form.until;
  const seen = noteSeen(outside, { merchant_id: merchant.merchant_id, user_id: user.user_id, until });
  return visit.commit([seen], { goTo: CHANGES });
}

async function requireWaiting(
  { merchant, path }: Pick<MerchantVisit<'id'>, 'merchant' | 'path'>,
  outside: Outside,
): Promise<WaitingChange> {
  const { waiting } = await listChanges(outside, merchant.merchant_id);
  const found = waiting.find(({ id }) => id === path.id);
  if (!found) throw noLongerWaits();
  return found;
}
