import { wholeMoney } from '../../../ghana/money.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { mayUndo, undoPayment } from '../../../money/till/take.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { chargeAddress } from '../parts/addresses.ts';
import type { Html } from '../parts/content.ts';
import { foldedForm } from '../parts/form.ts';
import type { Going, MerchantVisit } from '../parts/visit.ts';
import { undoerOf } from './undoer.ts';

type Visit = MerchantVisit<'reference'>;

/** Renders the form in which a manager undoes a cashier's tap. */
export function undoTapForm(visit: Visit, outside: Outside, charge: Charge): Html | false {
  const facts = { path: '/{reference}/undo-tap', submit: 'Yes, undo it' };
  const what = `The bill is cancelled, and its ${wholeMoney(charge.amount_pesewas)} wait for a decision again. Undo only if no goods were handed over.`;
  return mayUndo(outside, charge, undoerOf(visit.user)) && foldedForm(visit, 'Undo this sale', facts, [what]);
}

/** @throws PublicError `not_found`, `charge_not_pending`. */
export function undoTap(visit: MerchantVisit<'reference', undefined>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  return retryIfChanged(async () => {
    const { charge, writes } = await undoPayment(outside, merchant.merchant_id, path.reference, undoerOf(visit.user));
    const going = { goTo: chargeAddress(path.reference), notice: 'The sale was undone. Its payment is waiting again.' };
    const entry = { action: 'till undo', about: path.reference, after: { till: charge.origin.till_id } };
    return commit(writes, going, entry);
  });
}
