import type { Reader } from '../../receipt/shown-receipt.ts';
import { may } from '../../user/permissions.ts';
import type { User } from '../../user/user.table.ts';

/** What somebody may see of receipts. */
export function readerOf(user: User): Reader {
  return { seesBalances: may(user, 'balances:read'), seesIds: may(user, 'receipts:assign') };
}
