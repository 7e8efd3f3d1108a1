import { type MerchantChanges, merchantAfter } from '../../../merchants/merchant/manage-merchant.ts';
import { replaceMerchant } from '../../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { listChanges, proposeChanges, tellOwners } from '../../../merchants/merchant/money-change.table.ts';
import { type MoneyChange, withoutRisk } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { TableWrite } from '../../../runtime/table/table.ts';
import { CHANGES } from '../addresses.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { auditedDifference } from './audited-difference.ts';

type Visit = Pick<MerchantVisit<never, unknown>, 'merchant' | 'user' | 'commit'>;

/**
 * Changes what the command line's `merchant set` does, and says so in the audit. What changes nothing writes nothing. Of what a person may
 * not decide alone nothing but what lessens a risk is done: the rest waits for an owner.
 */
export async function changeShop(
  visit: Visit,
  outside: Outside,
  changes: MerchantChanges,
  going: Going,
): Promise<Going> {
  const { merchant, user } = visit;
  const wanted = await merchantAfter(outside, merchant, changes);
  const { safe, waits } = may(user, 'settings:approve') ? { safe: wanted, waits: [] } : withoutRisk(merchant, wanted);
  const writes = writesOf(visit, outside, safe);
  if (waits.length === 0) return visit.commit(writes, going);
  const done = writes.length > 0 ? ' The rest is set.' : '';
  const notice = `This waits for an owner, who sees it on their first page.${done}`;
  const proposed = await proposal(visit, outside, { safe, wanted, waits });
  return visit.commit([...writes, ...proposed], { goTo: CHANGES, notice });
}

/** What makes a merchant so, with its audit entry and what tells the owners; nothing where nothing is different. */
function writesOf({ merchant, user, ...visit }: Visit, outside: Outside, after: Merchant): readonly TableWrite[] {
  const difference = auditedDifference(merchant, after);
  const told = tellOwners(outside, { before: merchant, after, by: user.user_id });
  // Two numbers may have the same last digits, which are all that the audit says.
  if (!difference && told.length === 0) return [];
  const writes = [...replaceMerchant(merchant, after), ...told];
  return withAudit(outside, { merchant, user, ...visit }, writes, { action: 'merchant set', ...difference });
}

async function proposal(
  visit: Visit,
  outside: Outside,
  {
    safe,
    wanted,
    waits,
  }: { readonly safe: Merchant; readonly wanted: Merchant; readonly waits: readonly MoneyChange[] },
): Promise<readonly TableWrite[]> {
  const { merchant, user } = visit;
  const who = { merchant_id: merchant.merchant_id, by: user.user_id };
  const writes = proposeChanges(outside, who, waits, await listChanges(outside, merchant.merchant_id));
  return withAudit(outside, visit, writes, { action: 'change propose', ...auditedDifference(safe, wanted) });
}
