import { html } from 'hono/html';
import { shownReceipt } from '../../../money/payment/shown-payment.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import type { Html } from '../parts/content.ts';
import { type FormPlace, foldedForm, type Part, tick } from '../parts/form.ts';

export function asideForm(visit: FormPlace, receipt: Receipt, more?: Part): Html {
  const facts = { path: '/held/{id}/set-aside', ids: { id: receipt.receipt_id }, submit: 'It is not for a bill' };
  const { doubt } = shownReceipt(receipt);
  return foldedForm(visit, 'It is not for a bill', facts, [
    doubt && html`<p><b>${doubt.lookFirst}</b> Nothing you record here is added to any total.</p>`,
    html`<p class="hint">The payment stays in your books but is removed from this list. No customer can claim it. You can undo this.</p>`,
    tick('sent_back', 'I have sent the money back to the payer'),
    more,
  ]);
}
