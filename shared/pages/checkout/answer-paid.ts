import type { Transaction } from '../../money/transaction/transaction.table.ts';
import { type Answer, asksForJson, ok, redirect } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { chargeOfCode } from './charge-of-code.ts';
import { checkoutPath, presentStatus } from './checkout-view.ts';

/** What a customer gets whose charge is paid now. `transaction` is the charge as it was read before. */
export async function answerPaid(
  outside: Outside,
  headers: Readonly<Record<string, string | undefined>>,
  transaction: Transaction,
): Promise<Answer> {
  if (!asksForJson(headers)) return redirect(checkoutPath(transaction.access_code), 303);
  const paid = transaction.state === 'success' ? transaction : await chargeOfCode(outside, transaction.access_code);
  return ok('The charge is paid', presentStatus(outside, paid));
}
