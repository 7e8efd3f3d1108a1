import { html } from 'hono/html';
import { shownReceipt } from '../../../money/payment/shown-payment.ts';
import { NOT_THERE, type Receipt } from '../../../money/receipt/receipt.ts';
import { heldAddress } from '../parts/addresses.ts';
import { type Html, notice } from '../parts/content.ts';
import { type FormPlace, foldedForm, form, type Part, tick } from '../parts/form.ts';

const PATH = '/{id}/set-aside';
const SUBMIT = 'It is not for a bill';

/** Renders a form for each answer that takes a payment off the list, the one for a forged payment first. */
export function decisionForms(visit: FormPlace, receipt: Receipt): Html {
  const notThere = notThereForm(visit, receipt, warning(receipt));
  if (!notThere) return asideForm(visit, receipt);
  const facts = { path: PATH, submit: SUBMIT, isPlain: true };
  return html`<details><summary>Not there, or not for a bill</summary>${notThere}${form(placeOf(visit, receipt), facts, asideFields())}</details>`;
}

/** Renders the button that sets a payment aside because it is not in the wallet, unless the payment is verified. */
export function notThereForm(visit: FormPlace, receipt: Receipt, content?: Part): Html | false {
  const { reason } = receipt;
  if (!shownReceipt(receipt).doubt || reason === 'checking' || reason === 'reversed') return false;
  const facts = { path: PATH, submit: 'The money is not there', isPlain: true };
  return form(placeOf(visit, receipt), { ...facts, carries: { why: NOT_THERE } }, content);
}

export function asideForm(visit: FormPlace, receipt: Receipt, more?: Part): Html {
  return foldedForm(placeOf(visit, receipt), SUBMIT, { path: PATH, submit: SUBMIT }, [
    warning(receipt),
    asideFields(more),
  ]);
}

/** The lists of bills and the search show payments, too, but only the area of held payments has their forms. */
function placeOf(visit: FormPlace, { receipt_id }: Receipt): FormPlace {
  return { ...visit, addressOf: () => `${heldAddress(receipt_id)}/set-aside` };
}

function warning(receipt: Receipt): Html {
  const { doubt } = shownReceipt(receipt);
  return html`${doubt && notice('look', html`<b>${doubt.lookFirst}</b> Nothing you record here is added to any total.`)}`;
}

function asideFields(more?: Part): Part {
  return [
    html`<p class="hint">The payment stays in your books but is removed from this list. No customer can claim it. You can undo this.</p>`,
    tick('sent_back', 'I have sent the money back to the payer'),
    more,
  ];
}
