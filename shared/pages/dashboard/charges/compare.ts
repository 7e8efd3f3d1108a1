import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import type { Candidate } from '../../../money/receipt/candidates.ts';
import type { PaymentReceipt } from '../../../money/receipt/receipt.ts';
import { missingPesewas } from '../../../money/transaction/payment.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { icon, icons } from '../../checkout/icons.ts';
import type { Html } from '../html.ts';
import { shownTime } from '../shown-time.ts';
import { stateOf } from './charge-state.ts';

/** What speaks for a charge, and why it is not certain that a payment is for it. */
export function compared(outside: Pick<Outside, 'now'>, receipt: PaymentReceipt, candidate: Candidate): Html {
  const { fits, doubts } = reasons(outside, receipt, candidate);
  return html`<ul class="compare" role="list">${fits.map((one) => html`<li class="fits">${icon(icons.check)}<span>${one}</span></li>`)}${doubts.map((one) => html`<li class="doubts">${icon(icons.question)}<span>${one}</span></li>`)}</ul>`;
}

function reasons(outside: Pick<Outside, 'now'>, receipt: PaymentReceipt, candidate: Candidate) {
  const { charge } = candidate;
  const all = [
    ofAmount(candidate),
    ofReference(receipt, candidate),
    ofName(receipt, candidate),
    ...(candidate.isLater
      ? [doubt(`It was created only after the payment came: ${shownTime(charge.created_at)}.`)]
      : []),
    ...(charge.state === 'pending' ? [] : [doubt(stateOf(outside, charge).text)]),
  ];
  return {
    fits: all.flatMap((one) => ('fits' in one ? [one.fits] : [])),
    doubts: all.flatMap((one) => ('doubt' in one ? [one.doubt] : [])),
  };
}

type Reason = { readonly fits: string } | { readonly doubt: string };
const fits = (text: string): Reason => ({ fits: text });
const doubt = (text: string): Reason => ({ doubt: text });

function ofAmount({ charge, excessPesewas }: Candidate): Reason {
  const due = missingPesewas(charge);
  const what = due > 0 && due < charge.amount_pesewas ? 'what is missing' : 'its amount';
  if (excessPesewas === 0) return fits(`The amount is exactly ${what}.`);
  const differs = `${shownMoney(Math.abs(excessPesewas))} ${excessPesewas > 0 ? 'more' : 'less'} than ${what}`;
  return doubt(`The payment is ${differs}.`);
}

function ofReference({ payer_reference }: PaymentReceipt, { reference }: Candidate): Reason {
  switch (reference) {
    case 'named':
      return fits('The payer typed its reference.');
    case 'near':
      return doubt(`The payer typed “${payer_reference}”: nearly its reference.`);
    case 'other':
      return doubt(`The payer typed another reference: “${payer_reference}”.`);
    case 'none':
      return doubt('The payer typed no reference of a charge.');
  }
}

function ofName({ payer_name }: PaymentReceipt, { charge: { customer_name }, name }: Candidate): Reason {
  switch (name) {
    case 'fits':
      return fits(`The payer’s name is its customer’s: ${customer_name}.`);
    case 'shares':
      return doubt(`Its customer is ${customer_name}: only a part of the payer’s name.`);
    case 'differs':
      return doubt(`Its customer is ${customer_name}, the payer is ${payer_name}.`);
    case 'unknown':
      return doubt(payer_name ? 'It has no customer’s name to compare.' : 'The text does not say who paid.');
  }
}
