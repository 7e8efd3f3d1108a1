import { html } from 'hono/html';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { mayHaveReversal } from '../../../money/payment/backing.ts';
import { paymentsOf } from '../../../money/payment/payment.ts';
import { shownOne } from '../../../money/payment/shown-payment.ts';
import { mayVouch, vouchForCharge } from '../../../money/settling/vouch.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { type Html, notice } from '../parts/content.ts';
import { foldedForm } from '../parts/form.ts';
import type { Going, MerchantVisit } from '../parts/visit.ts';
import { NO_REVERSAL, whatToFind, withReference } from './held-words.ts';
import { carriesOf, type LookAtChargeForm } from './look.ts';

/** Renders the form in which a person says that the money of a bill in doubt is in the wallet. */
export function vouchForm(visit: MerchantVisit<'reference'>, charge: Charge): Html | false {
  if (!mayVouch(charge)) return false;
  const facts = {
    path: '/{reference}/there',
    submit: 'Yes, the money is there',
    carries: carriesOf(charge),
    // A green button would lead to the answer that a forger wants.
    isButton: true,
  } as const;
  // No wallet shows the cash part of a bill.
  const inWallet = paymentsOf(charge).filter(({ marked }) => marked?.how !== 'cash');
  const payments = inWallet.map((payment) => {
    const what = whatToFind(shownOne(charge, payment), withReference(charge, payment));
    return html`<br><b class="number">${what?.amount}</b>${what?.more}`;
  });
  const warning = notice(
    'look',
    html`<b>Look in the wallet itself, not at its texts.</b> Confirm only if all of this matches:${payments}${mayHaveReversal(charge) && html`<br>${NO_REVERSAL} Confirm only if it has none.`}`,
  );
  return foldedForm(visit, 'The money is there', facts, warning);
}

/** @throws PublicError `not_found`, `charge_not_pending`, `receipt_not_held` (also if the form is outdated). */
export function sayThere(visit: MerchantVisit<'reference', typeof LookAtChargeForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const { reference } = path;
  return retryIfChanged(async () => {
    const look = { ...form, by: user.user_id };
    const writes = await vouchForCharge(outside, { merchantId: merchant.merchant_id, reference, look });
    return commit(
      writes,
      { goTo: chargeAddress(reference), notice: 'The bill is no longer in doubt.' },
      { action: 'charge there', about: reference, after: { shown: form.shown } },
    );
  });
}
