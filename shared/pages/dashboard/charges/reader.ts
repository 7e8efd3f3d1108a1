import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { codeOf } from '../../../money/charge/goods.ts';
import type { Reader } from '../../../money/receipt/shown-receipt.ts';

export function readerOf(user: User): Reader {
  return { seesBalances: may(user, 'balances:read'), seesIds: may(user, 'receipts:assign') };
}

/** Returns false if the charge's page shows a stock code that the person may not see. */
export function mayOpenPage(user: User, charge: Pick<Charge, 'goods'>): boolean {
  return codeOf(charge) === undefined || may(user, 'codes:read');
}
