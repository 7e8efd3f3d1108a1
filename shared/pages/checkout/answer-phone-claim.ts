import type { Transaction } from '../../money/transaction/transaction.table.ts';
import { type Answer, asksForJson, ok } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { answerPaid } from './answer-paid.ts';
import { presentStatus } from './checkout-view.ts';
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
  if (!claim) return answerPaid(outside, headers, transaction);
  if (!asksForJson(headers)) return checkoutPage(outside, transaction, { phone: claim, network: query.network });
  if (claim.error) throw claim.error;
  return ok(claim.said, presentStatus(outside, transaction));
}
