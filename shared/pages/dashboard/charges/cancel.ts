import { html } from 'hono/html';
import { cancelOwnCharge } from '../../../money/receipt/charge-parts.ts';
import type { Transaction } from '../../../money/transaction/transaction.table.ts';
import { statusOf } from '../../../money/transaction/transaction.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { chargeAddress } from './addresses.ts';

const PATH = '/{reference}/cancel';

/** Ends a charge that nobody wants any more. Two taps, because it cannot be undone. */
export function cancelSection(visit: MerchantVisit<'reference'>, outside: Outside, charge: Transaction): Html | string {
  if (statusOf(outside, charge) !== 'pending') return '';
  const isOpen = visit.refused?.path === PATH;
  const cancelling = form(
    visit,
    { path: PATH, action: `${chargeAddress(charge.reference)}/cancel`, submit: 'Cancel the charge', isDangerous: true },
    () =>
      html`<p>Its page will tell the customer not to pay. A payment that arrives all the same is held for you. This cannot be undone.</p>`,
  );
  return section(
    'Cancel',
    html`<details${isOpen && html` open`}><summary>Cancel this charge</summary>${cancelling}</details>`,
  );
}

export function cancelCharge(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  return cancelOwnCharge(outside, merchant.merchant_id, path.reference, ({ reference }, writes) =>
    commit(withAudit(outside, visit, writes, { action: 'charge cancel', about: reference }), {
      goTo: chargeAddress(reference),
      notice: 'The charge is cancelled.',
    }),
  );
}
