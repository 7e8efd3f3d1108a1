import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Reader } from '../../../money/receipt/shown-receipt.ts';

/** What somebody may see of receipts. */
export function readerOf(user: User): Reader {
  return { seesBalances: may(user, 'balances:read'), seesIds: may(user, 'receipts:assign') };
}
