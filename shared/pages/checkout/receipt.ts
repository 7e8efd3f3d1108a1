import { html, raw } from 'hono/html';
import type { PaymentReceipt } from '../../money/receipt/receipt.ts';
import { CUSTOMER } from '../../money/receipt/shown-receipt.ts';
import type { Transaction } from '../../money/transaction/transaction.table.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { type CheckoutView, checkoutView } from './checkout-view.ts';
import { contactButton } from './claim-section.ts';
import * as icons from './drawings.ts';
import { icon } from './icons.ts';
import { page } from './page.ts';
import { type ReceiptFacts, receiptFacts } from './receipt-facts.ts';
import { secondPayments } from './second-payments.ts';
import { type Html, renderDocument, testBand } from './template.ts';

/** The receipt of a charge, to keep, print or send; undefined before it is paid. It leads nowhere by itself. */
export async function receiptPage(
  outside: Outside,
  transaction: Transaction,
  second: readonly PaymentReceipt[],
): Promise<Answer | undefined> {
  const facts = receiptFacts(transaction, CUSTOMER);
  const view = checkoutView(outside, transaction, { second });
  return facts && page(outside, 200, (nonce) => renderReceipt(nonce, view, facts));
}

function renderReceipt(nonce: string, view: CheckoutView, { lines, but }: ReceiptFacts): Html {
  const { merchant, contact, amount, status, isTest, path } = view;
  const title = status === 'reversed' ? 'Payment taken back' : 'Receipt';
  return renderDocument(nonce, {
    title: `${isTest ? 'TEST: ' : ''}${title}: ${amount} to ${merchant}`,
    main: html`${testBand(view)}<main class="notice receipt">
<div class="outcome">
<span class="seal">${icon(status === 'reversed' ? icons.back : icons.check)}</span>
<h1>${title}</h1>
${but.map((sentence) => html`<p><b>${sentence}</b></p>`)}
<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>\n`)}</dl>
${secondPayments(view)}
${view.second.length === 0 && contactButton(contact)}
<p><button type="button" class="plain button" id="print" hidden>Print</button></p>
<p class="shop"><a href="${path}">The page of this payment</a></p>
</div>
</main>
<script nonce="${nonce}">${raw(PRINT)}</script>`,
  });
}

/** Without a script the browser's own menu prints. */
const PRINT =
  "var b=document.getElementById('print');if(window.print){b.hidden=false;b.addEventListener('click',function(){window.print()})}";
