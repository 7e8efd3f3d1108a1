import { html, raw } from 'hono/html';
import type { Charge } from '../../money/charge/charge.table.ts';
import { asCustomerSees } from '../../money/payment/backing.ts';
import { CUSTOMER } from '../../money/receipt/shown-receipt.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import * as icons from '../frame/drawings.ts';
import { framed, PRINT, type PublicPage } from '../frame/frame.ts';
import { icon } from '../frame/icon.ts';
import { sharedWords, receiptWords as words } from '../words/words.ts';
import { type CheckoutView, checkoutView, type ViewOptions } from './checkout-view.ts';
import { contactButton } from './claim-section.ts';
import { type ReceiptFacts, receiptFacts } from './receipt-facts.ts';
import { secondPayments } from './second-payments.ts';
import { style } from './style.ts';

/**
 * Renders a charge's customer receipt, or returns undefined before payment. Never redirects, and has no link to the
 * charge's page: a receipt is shared, but the page may show a code or lead to `callback_url`.
 */
export async function receiptPage(
  outside: Outside,
  charge: Charge,
  noted: Pick<ViewOptions, 'second' | 'ended'>,
): Promise<Answer | undefined> {
  const facts = receiptFacts(asCustomerSees(charge), CUSTOMER);
  const view = checkoutView(outside, charge, noted);
  return facts && framed(outside, 200, renderReceipt(view, facts));
}

/** Returns true for names, references and ids, which must not be translated. */
function isKept(name: string): boolean {
  return [words.paidTo, words.reference].includes(name) || name.endsWith(' ID');
}

function renderReceipt(view: CheckoutView, { lines, but }: ReceiptFacts): PublicPage {
  const { merchant, contact, amount, status, isTest, isUnverified } = view;
  const title = status === 'reversed' ? words.reversedTitle : words.title;
  const whole = `${title}: ${sharedWords.amountTo(amount, merchant)}`;
  return {
    style,
    script: PRINT,
    isTest,
    title: isTest ? sharedWords.testTitle(whole) : whole,
    main: html`<main class="message receipt">
<div class="outcome">
<span class="seal">${icon(status === 'reversed' ? icons.back : isUnverified ? icons.clock : icons.check)}</span>
<h1>${title}</h1>
${but.map((sentence) => html`<p><b>${sentence}</b></p>`)}
<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto"${isKept(name) && raw(' translate="no"')}>${value}</dd></div>\n`)}</dl>
${secondPayments(view)}
${view.second.length === 0 && contactButton(contact)}
<p><button type="button" class="plain button" id="print" hidden>${sharedWords.print}</button></p>
</div>
</main>`,
  };
}
