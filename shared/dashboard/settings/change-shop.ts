import { type MerchantChanges, prepareChange } from '../../merchant/manage-merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { auditedDifference } from './audited-difference.ts';

/** Changes what the command line's `merchant set` does, and says so in the audit. What changes nothing writes nothing. */
export async function changeShop(
  visit: Pick<MerchantVisit<never, unknown>, 'merchant' | 'user' | 'commit'>,
  outside: Outside,
  changes: MerchantChanges,
  going: Going,
): Promise<Going> {
  const { after, writes } = await prepareChange(outside, visit.merchant, changes);
  const difference = auditedDifference(visit.merchant, after);
  const entry = { action: 'merchant set', ...difference };
  return visit.commit(withAudit(outside, visit, difference ? writes : [], entry), going);
}
