import { type Answer, asksForJson, ok, redirect } from '../runtime/http/answer.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Transaction } from '../transaction/transaction.table.ts';
import { chargeOfCode } from './charge-of-code.ts';
import { checkoutPath, presentStatus } from './checkout-view.ts';
import { checkoutPage } from './page.ts';
import type { PhoneClaim } from './phone-claim.ts';

interface PageRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** A form is answered with the page, a script with the envelope. Without a `claim` the charge is paid. */
export async function answerPhoneClaim(
  outside: Outside,
  { headers, query }: PageRequest,
  transaction: Transaction,
  claim: PhoneClaim | undefined,
): Promise<Answer> {
  if (!asksForJson(headers)) {
    return claim
      ? checkoutPage(outside, transaction, { phone: claim, network: query.network })
      : redirect(checkoutPath(transaction.access_code), 303);
  }
  if (claim?.error) throw claim.error;
  if (claim?.said) return ok(claim.said, presentStatus(outside, transaction));
  const paid = transaction.state === 'success' ? transaction : await chargeOfCode(outside, transaction.access_code);
  return ok('The charge is paid', presentStatus(outside, paid));
}
