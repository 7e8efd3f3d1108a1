import { html, raw } from 'hono/html';
import { networkStyles } from '../../ghana/network.ts';
import { messageIsChecked, notVerifiedYet, otherMessage } from '../../money/payment/shown-payment.ts';
import type { Outcome } from '../../money/settling/simulate-outcome.ts';
import * as icons from '../frame/drawings.ts';
import { type Html, monogram, type Notice, type PublicPage } from '../frame/frame.ts';
import { icon } from '../frame/icon.ts';
import { qrCode } from '../frame/qr-code.ts';
import assets from './assets.json' with { type: 'json' };
import type { CheckoutView, Moment } from './checkout-view.ts';
import { claimSection, contactButton, type PageForms } from './claim-section.ts';
import { codeComesIn, codeSection } from './code-section.ts';
import { payTextSection } from './pay-text-section.ts';
import { secondPayments } from './second-payments.ts';

export const style = assets['checkout.css'] + networkStyles('.pay-to');

/** Seconds between reloads without a script. */
const RENEW_SECONDS = 20;
/** Seconds that a customer sees the paid page before the redirect. `checkout.js` waits as long. */
export const PAUSE_SECONDS = 3;

/**
 * Renders the page of a charge. Elements with an id are the same in every state, so that the script can update the open
 * page in place.
 */
export function renderCheckout(view: CheckoutView, forms: PageForms): PublicPage {
  const { isTest, status, isPaidAtCounter, merchant, logo, contact, amount, description, path } = view;
  const [currency, figure] = amount.split(' ');
  const { mark, line, time, panel } = faceOf(view, forms);
  return {
    title: titleOf(view, forms),
    style,
    script: assets['checkout.js'],
    isTest,
    logo,
    refresh: refreshOf(view, forms),
    main: html`<main id="checkout" data-status="${isPaidAtCounter ? 'counter' : status}" data-paid="${view.amountPaid}" data-proof="${view.check ?? ''}" data-path="${path}" data-made-at="${view.madeAt}" data-expires-at="${view.expires.at}">
<div class="side">
<header class="bill">
${monogram(merchant, logo)}
<div><h1 translate="no">${merchant}</h1>
${contact && html`<p class="contact"><a href="${contact.href}">${icon(contact.icon)}<span>${contact.short}</span></a></p>`}</div>
<p class="amount"><span>${currency} </span>${figure}</p>
${description && describe(description)}
</header>
<div class="status-bar">
<span id="mark" class="mark">${mark}</span>
<p><strong id="status" role="status">${line}</strong><span id="time">${time}</span></p>
</div>
<p class="foot">${icon(icons.lock)}<span>You pay ${merchant} directly from your wallet. This page never asks for your PIN.</span></p>
${status === 'pending' && onThePhone(view)}
</div>
<section id="panel" class="panel">${testSection(view)}${panel}</section>
<p id="said" class="unseen" role="status"></p>
</main>`,
  };
}

/** Longer than three lines on a phone. */
const LONG_DESCRIPTION_CHARACTERS = 120;

function describe(description: string): Html {
  const isLong = description.length > LONG_DESCRIPTION_CHARACTERS || description.split('\n').length > 3;
  if (!isLong) return html`<p class="description" dir="auto">${description}</p>`;
  return html`<details class="description"><summary><span class="lines" dir="auto">${description}</span><span class="more">Show all</span><span class="less">Show less</span></summary></details>`;
}

/** For a customer at a computer whose wallet is on a phone. The style shows it only on wide screens. */
function onThePhone({ shortUrl }: CheckoutView): Html {
  return html`<div class="on-the-phone">
${qrCode(shortUrl, 'QR code with the address of this page')}
<p><b>Pay on your phone</b><br>Scan this with its camera to open this page there.</p>
</div>`;
}

export function renderNotice({ title, text, requestId }: Notice): PublicPage {
  return {
    title,
    style,
    main: html`<main class="message">
<div class="outcome">
<span class="seal">${icon(requestId ? icons.fault : icons.question)}</span>
<h1>${title}</h1>
<p>${text}</p>
${requestId && html`<p class="hint">Request ${requestId}</p>`}
</div>
</main>`,
  };
}

function titleOf(view: CheckoutView, { refusal, phone, payText }: PageForms): string {
  const { isTest, status, merchant, amount, isPaidAtCounter } = view;
  const cancelled = isPaidAtCounter ? 'Paid at the counter: ' : 'Cancelled: ';
  const states = { success: 'Paid: ', expired: 'Expired: ', cancelled, reversed: 'Reversed: ' };
  const isRefused = refusal || phone?.error || (payText !== 'open' && payText?.error);
  const error = isRefused ? 'Error: ' : '';
  return `${isTest ? 'TEST: ' : ''}${status === 'pending' ? `${error}Pay ` : states[status]}${amount} to ${merchant}`;
}

/** Reloads the page where its script does not run. Never while somebody types into a form, which would be emptied. */
function refreshOf(view: CheckoutView, { isOpen, payText }: PageForms): string | undefined {
  const { status, back } = view;
  if (status === 'pending' && !isOpen && !payText) return `${RENEW_SECONDS}`;
  const codeSeconds = codeComesIn(view);
  if (codeSeconds) return `${codeSeconds}`;
  return back && `${PAUSE_SECONDS};url=${back.url}`;
}

/** The mark, status, time and panel of a charge in one state. */
interface Face {
  readonly mark: Html;
  readonly line: string;
  readonly time: Html | string;
  readonly panel: Html;
}

function faceOf(view: CheckoutView, forms: PageForms): Face {
  const { status, merchant, parts, isPaidAtCounter, expires } = view;
  const backMark = icon(isPaidAtCounter ? icons.fault : icons.back);
  switch (status) {
    case 'pending': {
      const mark = html`<span class="spinner"></span>`;
      const waits = parts ? `${parts.arrived} arrived, ${parts.missing} is missing` : 'Waiting for payment…';
      const line = view.check ? 'Checking a payment message…' : waits;
      return { mark, line, time: html`Pay by ${timeAt(expires)}`, panel: payPanel(view, forms) };
    }
    case 'success':
      return { mark: icon(icons.check), line: 'Payment received', time: timeAt(view.paid), panel: paidPanel(view) };
    case 'expired': {
      const time = html`It expired on ${timeAt(expires)}`;
      const panel = endedPanel(view, icons.clock, `Ask ${merchant} for a new link`);
      return { mark: icon(icons.clock), line: 'This link has expired', time, panel };
    }
    case 'cancelled': {
      if (isPaidAtCounter)
        return { mark: backMark, line: COUNTER, time: 'Nothing is left to pay here.', panel: counterPanel(view) };
      const panel = endedPanel(view, icons.back, `${merchant} has cancelled this payment`);
      return { mark: backMark, line: 'Payment cancelled', time: timeAt(view.cancelled), panel };
    }
    case 'reversed':
      return { mark: backMark, line: 'Payment reversed', time: timeAt(view.reversed), panel: reversedPanel(view) };
  }
}

function timeAt(moment: Moment | undefined): Html | string {
  return moment ? html`<time datetime="${moment.at}">${moment.shown}</time>` : '';
}

function payPanel(view: CheckoutView, forms: PageForms): Html {
  const { amount, parts, network, colours, payer, number, shownNumber, accountName, reference } = view;
  return html`
${messageCame(view)}
<div id="how">
<h2 tabindex="-1">Pay with ${payer.name}</h2>
${networkChoice(view)}
<ol class="pay-steps" role="list">
<li>
<p>On your phone, dial this and choose to send money</p>
<a class="button dial" href="tel:${encodeURIComponent(payer.ussd)}">${icon(icons.phone)}<span>Dial ${payer.ussd}</span></a>
${acrossNetworks(view)}
</li>
<li>
<p>Send ${parts ? 'the missing' : 'exactly'} <span class="number"><b>${parts?.missing ?? amount}</b></span> to this number</p>
<div class="pay-to ${colours}">
<p translate="no"><span class="network">${network.name}</span><b class="number">${shownNumber}</b><span class="account">${accountName}</span></p>
${copyButton(number, shownNumber, 'number')}
</div>
</li>
<li>
<p>Type this in the reference field</p>
<div class="reference">
<p translate="no"><b class="number digits">${inGroups(reference)}</b></p>
${copyButton(reference, reference, 'reference')}
</div>
<p class="hint">The ten digits alone are enough. Is somebody else paying for you? Use the reference.</p>
${payTextSection(view, forms.payText)}
</li>
<li>
<p>Check that your phone shows <b translate="no">${accountName}</b>, and confirm with your PIN</p>
<p class="hint">This page turns green when the payment arrives.</p>
</li>
</ol>
</div>
${checkAgain(view)}
${claimSection(view, forms)}
${backToShop(view)}`;
}

/**
 * Splits a reference into its prefix and ten digits. The style adds the gaps, so that the text stays the plain
 * reference.
 */
function inGroups(reference: string): readonly Html[] {
  const [, prefix = '', ...groups] = /^(\D*)(\d{4})(\d{3})(\d+)$/.exec(reference) ?? ['', '', reference];
  return [html`<small>${prefix}</small>`, ...groups.map((digits) => html`<span>${digits}</span>`)];
}

/** A receipt claims a payment but may be forged, so paying stays possible and no amount is named. */
function messageCame({ merchant, contact, reference, check }: CheckoutView): Html | undefined {
  if (!check) return undefined;
  return html`<div class="came" role="note">
<p>${messageIsChecked(merchant)}</p>
<p><b>If you have not paid yet, pay now.</b></p>
${
  check === 'now'
    ? html`<p class="hint">Have you paid? Wait: this page turns green once your payment is verified.</p>`
    : html`<p class="hint">Have you paid? Show ${merchant} the text from your network and the reference <b class="number" translate="no">${reference}</b>.</p>
${contactButton(contact)}`
}
</div>`;
}

/** Links that work without a script. With one, the page changes in place. */
function networkChoice({ choices }: CheckoutView): Html | undefined {
  if (choices.length === 0) return undefined;
  return html`<nav class="networks" aria-labelledby="networks">
<p id="networks">Which network do you pay from?</p>
<ul role="list">
${choices.map(({ name, url, isCurrent }) => html`<li><a href="${url}" data-network${isCurrent && raw(' aria-current="true"')}>${name}</a></li>`)}
</ul>
</nav>`;
}

/** For a customer whose network the merchant has no number on. */
function acrossNetworks({ merchant, choices, network, fromOthers, payer }: CheckoutView): Html | undefined {
  if (choices.length === 0) return html`<p class="hint">${fromOthers}</p>`;
  if (payer === network) return undefined;
  return html`<p class="hint">${merchant} has no ${payer.short} number. Choose to send to another network, send to the ${network.short} number below, and do not leave out the reference.</p>`;
}

function checkAgain({ path, networkQuery }: CheckoutView): Html {
  return html`<div class="check">
<a class="plain button" data-check href="${path}${networkQuery && `?${networkQuery}`}">${icon(icons.again)}<span>Check again</span></a>
<p id="checked" class="hint" role="status"></p>
</div>`;
}

function backToShop({ shop }: CheckoutView): Html | undefined {
  return shop && html`<p class="back"><a href="${shop.url}">Back to ${shop.host}</a></p>`;
}

/** Copy buttons need the script and are hidden without it. */
function copyButton(text: string, shown: string, noun: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" data-said="${shown} copied">${icon(icons.copy)}<span class="word">Copy</span><span class="unseen"> the ${noun}</span></button>`;
}

function paidPanel(view: CheckoutView): Html {
  const { isTest, path, merchant, contact, amount, overpaid, sentBack, reference, paid, payments, back } = view;
  const receipt = [
    ...(isTest ? ['TEST.'] : []),
    `${amount} paid to ${merchant}${paid ? ` on ${paid.shown}` : ''}.`,
    ...(view.isUnverified ? [notVerifiedYet(merchant)] : []),
    `Reference ${reference}.`,
    ...payments.map(({ idName, transactionId }) => `${idName} ${transactionId}.`),
  ];
  const content = html`<p>${view.isUnverified ? notVerifiedYet(merchant) : `${merchant} has received your payment.`}</p>
${codeSection(view)}
${sentBack.map((sentence) => html`<p><b>${sentence}</b></p>`)}
${overpaid && html`<p>You paid <b>${overpaid}</b> more than was asked. Ask ${merchant} to send it back.</p>${contactButton(contact)}`}
${
  back
    ? html`<a id="back" class="button" href="${back.url}">Continue</a><p id="leaving" class="hint">Taking you back to ${back.host}…</p>`
    : codeComesIn(view) === undefined && html`<p class="hint">You can close this page.</p>`
}
<dl>
<div><dt>Paid to</dt><dd translate="no">${merchant}</dd></div>
<div><dt>Amount</dt><dd>${amount}</dd></div>
${paid && html`<div><dt>Time</dt><dd>${timeAt(paid)}</dd></div>`}
<div><dt>Reference</dt><dd class="number" translate="no">${reference}</dd></div>
${payments.map(({ idName, transactionId }) => html`<div><dt>${idName}</dt><dd class="number" translate="no">${transactionId}</dd></div>`)}
</dl>
${secondPayments(view)}
<p><a class="plain button" href="${path}/receipt">Receipt to print or keep</a></p>
<p><a class="plain button" href="${path}/receipt" data-share="${receipt.join(' ')}">${icon(icons.share)}<span class="word">Share receipt</span></a></p>
${!back && backToShop(view)}`;
  return outcome(icons.check, 'Thank you', content);
}

function endedPanel(view: CheckoutView, seal: string, heading: string): Html {
  const { merchant, contact, reference, parts, late } = view;
  const content = html`<p>Please do not send money for this one: it would not be recognised.</p>
${view.isOtherChecked && html`<p>${otherMessage(merchant)}</p>`}
${late.map(({ amount, received, sentBack }) => html`<p><b>${amount ?? 'A payment'}</b> arrived on ${timeAt(received)}, after the time to pay had ended.${sentBack ? html` <b>It was sent back on ${sentBack.shown}.</b>` : ` Ask ${merchant} to count it.`}</p>`)}
${parts && html`<p><b>${parts.arrived}</b> had arrived, which was too little. Ask ${merchant} to send it back or to count it.</p>`}
<p class="hint">Have you paid already? Show ${merchant} the text from your network and the reference <b class="number" translate="no">${reference}</b>.</p>
${contactButton(contact)}
${backToShop(view)}`;
  return outcome(seal, heading, content);
}

/** Proves nothing at the counter: only the till shows what was taken there. */
function counterPanel(view: CheckoutView): Html {
  const { merchant, contact, reference } = view;
  const content = html`<p>The cashier of ${merchant} has taken your payment at the till. Please do not send money again.</p>
<p class="hint">This page is no receipt: goods leave once, at the counter. Have you not got yours? Show the cashier the text from your network and the reference <b class="number" translate="no">${reference}</b>.</p>
${contactButton(contact)}
${secondPayments(view)}
${backToShop(view)}`;
  return outcome(icons.fault, COUNTER, content);
}

function reversedPanel(view: CheckoutView): Html {
  const { merchant, contact, amount, parts, network, payments, reference } = view;
  const content = html`<p>${amount} had reached ${merchant}, and then ${(payments[0]?.network ?? network).name} reversed it. ${merchant} does not have the money.${parts && html` Only ${parts.arrived} of it remains.`}</p>
<p class="hint">Ask ${merchant} how to pay, and quote the reference <b class="number" translate="no">${reference}</b>.</p>
${contactButton(contact)}
${secondPayments(view)}
${backToShop(view)}`;
  return outcome(icons.back, 'The network reversed this payment', content);
}

const COUNTER = 'Paid at the counter';

function outcome(seal: string, heading: string, content: Html): Html {
  return html`
<div class="outcome">
<span class="seal">${icon(seal)}</span>
<h2 tabindex="-1">${heading}</h2>
${content}
</div>`;
}

/** Buttons that simulate a test charge's outcomes without a script. */
function testSection({ isTest, status, path }: CheckoutView) {
  const outcomes = { pending: PENDING, success: PAID, expired: [], cancelled: [], reversed: [] }[status];
  if (!isTest || outcomes.length === 0) return undefined;
  return html`<form class="test" method="post" action="${path}/simulate">
<p id="test">Test: what happens next?</p>
<div role="group" aria-labelledby="test">
${outcomes.map(([outcome, label]) => html`<button class="plain button" name="outcome" value="${outcome}">${label}</button>`)}
</div>
</form>`;
}

const PENDING: readonly (readonly [Outcome, string])[] = [
  ['paid', 'Paid'],
  ['underpaid', 'Underpaid'],
  ['overpaid', 'Overpaid'],
  ['paid_twice', 'Paid twice'],
  ['held', 'To check'],
  ['disputed', 'Disputed'],
  ['reversed', 'Reversed'],
  ['expired', 'Expired'],
];

const PAID: typeof PENDING = [
  ['paid_twice', 'Paid again'],
  ['disputed', 'Disputed'],
  ['reversed', 'Reversed'],
];
