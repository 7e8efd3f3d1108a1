import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Reader } from '../../../money/receipt/shown-receipt.ts';
import { codeOf } from '../../../money/transaction/goods.ts';
import type { Transaction } from '../../../money/transaction/transaction.table.ts';

export function readerOf(user: User): Reader {
  return { seesBalances: may(user, 'balances:read'), seesIds: may(user, 'receipts:assign') };
}

/** Withholds the charge's page from some people, because it shows a link's stock code. */
export function mayOpenPage(user: User, charge: Pick<Transaction, 'goods'>): boolean {
  return codeOf(charge) === undefined || may(user, 'codes:read');
}
