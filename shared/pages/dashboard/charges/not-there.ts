import { html } from 'hono/html';
import * as z from 'zod/mini';
import { unbroken } from '../../../ghana/money.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { haveLeft } from '../../../money/charge/charge.ts';
import { isOpenRefund, type Payment, paymentsOf } from '../../../money/payment/payment.ts';
import { shownOne } from '../../../money/payment/shown-payment.ts';
import { ShownProof, shownProofOfCharge } from '../../../money/receipt/shown-proof.ts';
import { removablePayments, setCountedAside } from '../../../money/settling/not-there.ts';
import { isPaidWithout } from '../../../money/settling/without-payment.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { chargeAddress } from '../parts/addresses.ts';
import type { Html } from '../parts/content.ts';
import { fold, form } from '../parts/form.ts';
import type { Going, MerchantVisit } from '../parts/visit.ts';
import { REFUND_ID } from './refunds.ts';
import { isOfWebsite } from './released-goods.ts';

export const NotThereForm = z.object({
  receipt: z.string().check(z.maxLength(100)),
  shown: z._default(ShownProof, 'unverified'),
});

/** Renders a form for each payment whose money may be missing. The form sets the payment aside. */
export function notThereForms(visit: MerchantVisit<'reference'>, outside: Clock, charge: Charge): Html | undefined {
  const payments = removablePayments(charge);
  const isRefundOpen = charge.refunds?.some(isOpenRefund) && removablePayments({ ...charge, refunds: [] }).length > 0;
  if (isRefundOpen)
    return folded(
      html`<p>First say that you will not send the refund. <a href="#${REFUND_ID}">Go to the refund</a></p>`,
    );
  if (payments.length === 0) return undefined;
  const shown = shownProofOfCharge(charge);
  const isOnly = paymentsOf(charge).length === 1;
  const forms = payments.map((payment) => {
    const amount = unbroken(shownOne(charge, payment).amount);
    const facts = {
      path: PATH,
      submit: isOnly ? 'Remove the payment' : `Remove ${amount}, ID ending ${payment.transaction_id.slice(-4)}`,
      carries: { receipt: payment.receipt_id, shown },
      isDangerous: true,
    } as const;
    const isOwed = haveLeft(charge) && !isPaidWithout(charge, payment, true);
    const left = isOwed && ' Its goods have already left, so ask the customer for the money.';
    const warning = html`<p>The payment is removed from the bill, which ${stateWithout(outside, charge, payment)}.${left}${isOfWebsite(charge) && ' Your website will be notified.'}</p>`;
    return form(visit, facts, warning);
  });
  return folded(html`${forms}`, visit.refused?.path === PATH);
}

const PATH = '/{reference}/not-there';

function folded(content: Html, isOpen = false): Html {
  return fold('The money is not there', { isOpen, isButton: true }, content);
}

/** Says in which state a bill is once a person has removed one of its payments. */
export function stateWithout(outside: Clock, charge: Charge, payment: Payment): string {
  const { cancelled_at, expires_at } = charge;
  if (isPaidWithout(charge, payment, true)) return 'stays paid by its other payments';
  if (cancelled_at !== undefined) return 'is cancelled again';
  return Date.parse(expires_at) <= outside.now() ? 'counts as expired' : 'waits for its payment again';
}

/** @throws PublicError `not_found`, `charge_not_pending`. */
export function sayNotThere(visit: MerchantVisit<'reference', typeof NotThereForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, commit } = visit;
  const { receipt, shown } = visit.form;
  const { reference } = path;
  const { merchant_id: merchantId } = merchant;
  return retryIfChanged(async () => {
    const notThere = { merchantId, reference, receiptId: receipt, by: user.user_id, shown };
    const { writes } = await setCountedAside(outside, notThere);
    const entry = { action: 'charge not-there', about: reference, after: { receipt } };
    return commit(
      writes,
      { goTo: chargeAddress(reference), notice: 'The payment was removed. It is listed as “not for a bill”.' },
      entry,
    );
  });
}
