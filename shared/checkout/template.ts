import { html, raw } from 'hono/html';
import assets from './assets.json' with { type: 'json' };
import type { CheckoutView } from './checkout-view.ts';
import type { Refusal } from './claim.ts';
import { icon, icons } from './icons.ts';

export type Html = ReturnType<typeof html>;

interface ClaimForm {
  readonly isOpen: boolean;
  readonly refusal: Refusal | undefined;
}

/** How often the page reloads itself without a script. */
const RENEW_SECONDS = 20;
/** How long a customer sees that the charge is paid before the browser goes on; `checkout.js` waits as long. */
export const PAUSE_SECONDS = 3;

/**
 * The page of a charge. Everything with an id is the same in every state, so that the script can copy what changed into the
 * open page, and nothing around it moves.
 */
export function renderCheckout(nonce: string, view: CheckoutView, claimForm: ClaimForm): Html {
  const { status, merchant, amount, description, path } = view;
  const [currency, figure] = amount.split(' ');
  return renderDocument(nonce, {
    title: titleOf(view, claimForm),
    withoutScript: refreshOf(view, claimForm),
    main: html`<main id="checkout" data-status="${status}" data-paid="${view.amountPaid}" data-path="${path}" data-made-at="${view.madeAt}" data-expires-at="${view.expires.at}">
<div class="side">
<header class="summary">
<p class="monogram" aria-hidden="true">${[...merchant][0]}</p>
<h1>${merchant}</h1>
<p class="amount"><span>${currency} </span>${figure}</p>
${description && html`<p class="description" dir="auto">${description}</p>`}
</header>
<div class="bar">
<span id="mark" class="mark">${markOf(view)}</span>
<p><strong id="status" role="status">${statusLineOf(view)}</strong><span id="time">${timeLineOf(view)}</span></p>
</div>
<p class="foot">${icon(icons.lock)}<span>You pay ${merchant} directly from your wallet. This page never asks for your PIN.</span></p>
</div>
<section id="panel" class="panel">${panelOf(view, claimForm)}</section>
<p id="said" class="unseen" role="status"></p>
</main>
<script nonce="${nonce}">${raw(assets['checkout.js'])}</script>`,
  });
}

/** A page without a charge. */
export function renderNotice(nonce: string, notice: { title: string; text: string; requestId?: string }): Html {
  return renderDocument(nonce, {
    title: notice.title,
    main: html`<main class="notice">
<div class="outcome">
<span class="seal">${icon(notice.requestId ? icons.fault : icons.question)}</span>
<h1>${notice.title}</h1>
<p>${notice.text}</p>
${notice.requestId && html`<p class="hint">Request ${notice.requestId}</p>`}
</div>
</main>`,
  });
}

function renderDocument(nonce: string, page: { title: string; withoutScript?: Html | undefined; main: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${page.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f2ee" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${icons.tab}">
${page.withoutScript && html`<noscript>${page.withoutScript}</noscript>`}
<style nonce="${nonce}">${raw(assets['checkout.css'])}</style>
</head>
<body>
${page.main}
</body>
</html>
`;
}

function titleOf({ status, merchant, amount }: CheckoutView, { refusal }: ClaimForm): string {
  switch (status) {
    case 'pending':
      return `${refusal ? 'Error: ' : ''}Pay ${amount} to ${merchant}`;
    case 'success':
      return `Paid: ${amount} to ${merchant}`;
    case 'expired':
      return `Expired: ${amount} to ${merchant}`;
    case 'reversed':
      return `Reversed: ${amount} to ${merchant}`;
  }
}

/** Keeps the page up to date without a script. Not while somebody types into the form, which a reload would empty. */
function refreshOf({ status, back }: CheckoutView, { isOpen }: ClaimForm): Html | undefined {
  if (status === 'pending' && !isOpen) return html`<meta http-equiv="refresh" content="${RENEW_SECONDS}">`;
  if (back) return html`<meta http-equiv="refresh" content="${PAUSE_SECONDS};url=${back.url}">`;
  return undefined;
}

function markOf({ status }: CheckoutView): Html {
  switch (status) {
    case 'pending':
      return html`<span class="spinner"></span>`;
    case 'success':
      return icon(icons.check);
    case 'expired':
      return icon(icons.clock);
    case 'reversed':
      return icon(icons.back);
  }
}

function statusLineOf({ status, parts }: CheckoutView): string {
  switch (status) {
    case 'pending':
      return parts ? `${parts.arrived} arrived, ${parts.missing} is missing` : 'Waiting for payment…';
    case 'success':
      return 'Payment received';
    case 'expired':
      return 'This link has expired';
    case 'reversed':
      return 'Payment reversed';
  }
}

function timeLineOf({ status, expires, paid, reversed }: CheckoutView): Html | string {
  switch (status) {
    case 'pending':
      return html`Pay by <time datetime="${expires.at}">${expires.shown}</time>`;
    case 'success':
      return paid ? html`<time datetime="${paid.at}">${paid.shown}</time>` : '';
    case 'expired':
      return html`It expired on <time datetime="${expires.at}">${expires.shown}</time>`;
    case 'reversed':
      return reversed ? html`<time datetime="${reversed.at}">${reversed.shown}</time>` : '';
  }
}

function panelOf(view: CheckoutView, claimForm: ClaimForm): Html {
  switch (view.status) {
    case 'pending':
      return payPanel(view, claimForm);
    case 'success':
      return paidPanel(view);
    case 'expired':
      return expiredPanel(view);
    case 'reversed':
      return reversedPanel(view);
  }
}

function payPanel(view: CheckoutView, claimForm: ClaimForm): Html {
  const { amount, parts, network, number, shownNumber, accountName, reference } = view;
  return html`
<h2 tabindex="-1">Pay with ${network.name}</h2>
<ol class="steps" role="list">
<li>
<p>On your phone, dial this and choose to send money</p>
<a class="dial" href="tel:${encodeURIComponent(network.ussd)}">${icon(icons.phone)}<span>Dial ${network.ussd}</span></a>
<p class="hint">${network.fromOthers}</p>
</li>
<li>
<p>Send ${parts ? 'the missing' : 'exactly'} <b>${parts?.missing ?? amount}</b> to this number</p>
<div class="wallet ${network.colours}">
<p><span class="network">${network.name}</span><b class="number">${shownNumber}</b><span class="account">${accountName}</span></p>
${copyButton(number, shownNumber, 'number')}
</div>
</li>
<li>
<p>Type this in the reference field</p>
<div class="reference">
<p><b class="number">${reference}</b></p>
${copyButton(reference, reference, 'reference')}
</div>
<p class="hint">The ten digits alone are enough.</p>
</li>
<li>
<p>Check that your phone shows <b>${accountName}</b>, and confirm with your PIN</p>
<p class="hint">This page turns green when the payment arrives.</p>
</li>
</ol>
${claimSection(view, claimForm)}`;
}

/** Without a script the copy buttons are not shown: they could do nothing. */
function copyButton(text: string, shown: string, noun: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" data-said="${shown} copied">${icon(icons.copy)}<span class="word">Copy</span><span class="unseen"> the ${noun}</span></button>`;
}

/**
 * Without a script the page reloads itself, which would close the form and empty it. There the fold is a link to a page that
 * has the form open and does not reload.
 */
function claimSection({ path }: CheckoutView, { isOpen, refusal }: ClaimForm): Html {
  const fault = refusal && (refusal.error.errors?.[0]?.message ?? refusal.error.message);
  const wrong = refusal?.error.errors?.[0]?.field;
  const isWrong = (field: string) => fault !== undefined && (wrong ?? 'transaction_id') === field;
  const typed = (field: 'transaction_id' | 'name') => refusal?.typed[field].slice(0, MAX_REPEATED_CHARACTERS) ?? '';
  const problem = 'I have paid but nothing happens';
  return html`
<details class="claim"${isOpen && raw(' open')}>
<summary>${icon(icons.chevron)}${problem}</summary>
<form id="claim" method="post" action="${path}/claim">
<p>Your network sent you a text when you paid. Type or paste the <b>transaction ID</b> from it, and the name that your wallet is registered under.</p>
<ul class="examples" role="list">
<li><span>MTN</span> Payment made for GHS … Transaction ID: <mark>51234567890</mark></li>
<li><span>Telecel</span> <mark>0000019305566778</mark> Confirmed. …</li>
</ul>
<p id="claim-fault" class="fault" role="alert"${!fault && raw(' hidden')}>${fault}</p>
<label for="transaction-id">Transaction ID</label>
<input id="transaction-id" name="transaction_id" value="${typed('transaction_id')}" autocomplete="off" autocapitalize="characters" spellcheck="false" required aria-describedby="claim-fault"${isWrong('transaction_id') && raw(' aria-invalid="true" autofocus')}>
<label for="payer-name">Name on the wallet that paid</label>
<div class="field">
<input id="payer-name" name="name" value="${typed('name')}" autocomplete="name" autocapitalize="words" spellcheck="false" required aria-describedby="claim-fault"${isWrong('name') && raw(' aria-invalid="true" autofocus')}>
<button class="button">Check</button>
</div>
</form>
${isOpen && html`<noscript><p><a href="${path}">Back to waiting for the payment</a></p></noscript>`}
</details>
${!isOpen && html`<noscript><p class="claim-link"><a href="${path}?claim#claim">${problem}</a></p></noscript>`}`;
}

/** As long as a text that a customer may have pasted. */
const MAX_REPEATED_CHARACTERS = 500;

function paidPanel({ merchant, amount, overpaid, reference, paid, back }: CheckoutView): Html {
  return html`
<div class="outcome">
<span class="seal">${icon(icons.check)}</span>
<h2 tabindex="-1">Thank you</h2>
<p>${merchant} has received your payment.</p>
${overpaid && html`<p>You paid <b>${overpaid}</b> more than was asked. Ask ${merchant} to send it back.</p>`}
${
  back
    ? html`<a id="back" class="button" href="${back.url}">Continue</a><p class="hint">Taking you back to ${back.host}…</p>`
    : html`<p class="hint">You can close this page.</p>`
}
<dl>
<div><dt>Paid to</dt><dd>${merchant}</dd></div>
<div><dt>Amount</dt><dd>${amount}</dd></div>
${paid && html`<div><dt>Time</dt><dd><time datetime="${paid.at}">${paid.shown}</time></dd></div>`}
<div><dt>Reference</dt><dd class="number">${reference}</dd></div>
</dl>
</div>`;
}

function expiredPanel({ merchant, reference, parts }: CheckoutView): Html {
  return html`
<div class="outcome">
<span class="seal">${icon(icons.clock)}</span>
<h2 tabindex="-1">Ask ${merchant} for a new link</h2>
<p>Please do not send money for this one: it would not be recognised.</p>
${parts && html`<p><b>${parts.arrived}</b> had arrived, which was too little. Ask ${merchant} to send it back or to count it.</p>`}
<p class="hint">Have you paid already? Show ${merchant} the text from your network and the reference <b class="number">${reference}</b>.</p>
</div>`;
}

function reversedPanel({ merchant, amount, parts, network, reference }: CheckoutView): Html {
  return html`
<div class="outcome">
<span class="seal">${icon(icons.back)}</span>
<h2 tabindex="-1">The network reversed this payment</h2>
<p>${amount} had reached ${merchant}, and then ${network.name} reversed it. ${merchant} does not have the money.${parts && html` What is left of it is ${parts.arrived}.`}</p>
<p class="hint">Ask ${merchant} how to pay, and quote the reference <b class="number">${reference}</b>.</p>
</div>`;
}
