import { html, raw } from 'hono/html';
import { Network, networks } from '../../ghana/network.ts';
import type { NetworkFacts } from '../../ghana/network-facts.ts';
import { messageIsChecked, notVerifiedYet, otherMessage } from '../../money/payment/shown-payment.ts';
import type { Outcome } from '../../money/settling/simulate-outcome.ts';
import * as icons from '../frame/drawings.ts';
import { type Html, monogram, type Notice, type PublicPage, safety } from '../frame/frame.ts';
import { icon } from '../frame/icon.ts';
import { qrCode } from '../frame/qr-code.ts';
import { sharedWords, checkoutWords as words } from '../words/words.ts';
import assets from './assets.json' with { type: 'json' };
import type { CheckoutView, Moment } from './checkout-view.ts';
import { claimSection, contactButton, type PageForms } from './claim-section.ts';
import { codeComesIn, codeSection } from './code-section.ts';
import { payTextSection } from './pay-text-section.ts';
import { secondPayments } from './second-payments.ts';
import { style } from './style.ts';

/** Seconds between reloads without JavaScript. */
const RENEW_SECONDS = 20;
/** Seconds before the page of a paid charge redirects. Also used by `checkout.js`. */
export const PAUSE_SECONDS = 3;

/** Renders the checkout page. Elements with an id exist in every state, so that the script can update an open page. */
export function renderCheckout(view: CheckoutView, forms: PageForms): PublicPage {
  const { isTest, merchant, logo, contact, description, path } = view;
  const { mark, line, time, panel } = faceOf(view, forms);
  return {
    title: titleOf(view, forms),
    style,
    script: scriptWithWords(),
    isTest,
    logo,
    refresh: refreshOf(view, forms),
    main: html`<main id="checkout" data-status="${lookOf(view)}" data-paid="${view.amountPaid}" data-proof="${view.check ?? ''}" data-path="${path}" data-made-at="${view.madeAt}" data-expires-at="${view.expires.at}">
<div class="side">
<header class="bill">
${monogram(merchant, logo)}
<div><h1 translate="no">${merchant}</h1>
${contact && html`<p class="contact"><a href="${contact.href}">${icon(contact.icon)}<span>${contact.short}</span></a></p>`}</div>
<p id="amount" class="amount">${amountOf(view)}</p>
${description && describe(description)}
</header>
<div class="status-bar">
<span id="mark" class="mark">${mark}</span>
<p><strong id="status" role="status">${line}</strong><span id="time">${time}</span></p>
</div>
${safety(merchant)}
</div>
<section id="panel" class="panel">${testSection(view)}${panel}</section>
<p id="said" class="unseen" role="status"></p>
</main>`,
  };
}

/** Returns the status that sets the page's colour. Green means verified. */
function lookOf({ status, isPaidAtCounter, refunded, isUnverified }: CheckoutView) {
  if (isPaidAtCounter || refunded) return 'neutral';
  return status === 'success' && isUnverified ? 'look' : status;
}

/**
 * Renders the amount to pay or, once a part has arrived, the remaining amount. Hides the parts while a payment message
 * is checked.
 */
function amountOf({ status, amount, parts, check, isUnverified }: CheckoutView): Html {
  const due = status === 'pending' ? parts : undefined;
  const [currency, figure] = (due?.missing ?? amount).split(' ');
  return html`<span>${currency} </span>${figure}${due && !check && html` <small class="hint">${words.ofWhole(amount, words.part(due.arrived, isUnverified))}</small>`}`;
}

/** Replaces the `"@key"` placeholders in the script with the localised texts. */
function scriptWithWords(): string {
  return assets['checkout.js'].replace(/"@(\w+)"/g, (_, key: keyof typeof words.script) =>
    JSON.stringify(words.script[key]),
  );
}

/** Descriptions longer than this exceed three lines on a phone. */
const LONG_DESCRIPTION_CHARACTERS = 120;

function describe(description: string): Html {
  const isLong = description.length > LONG_DESCRIPTION_CHARACTERS || description.split('\n').length > 3;
  if (!isLong) return html`<p class="description" dir="auto">${description}</p>`;
  return html`<details class="description"><summary><span class="lines" dir="auto">${description}</span><span class="more">${words.showAll}</span><span class="less">${words.showLess}</span></summary></details>`;
}

/** Renders a QR code for customers on a computer, which cannot dial. Hidden on phones. */
function onThePhone({ shortUrl }: CheckoutView): Html {
  return html`<div class="on-the-phone">
${qrCode(shortUrl, words.qrCode)}
<p><b>${words.onYourPhone}</b><br>${words.scan}</p>
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
${requestId && html`<p class="hint">${sharedWords.requestId(requestId)}</p>`}
</div>
</main>`,
  };
}

function titleOf(view: CheckoutView, { refusal, phone, payText }: PageForms): string {
  const { isTest, status, merchant, amount, isPaidAtCounter, refunded } = view;
  const isRefused = refusal || phone?.error || (payText !== 'open' && payText?.error);
  const look = lookOf(view);
  const name = isPaidAtCounter ? 'counter' : refunded || look === 'neutral' ? 'refunded' : look;
  const title = words.titles[name](sharedWords.amountTo(amount, merchant));
  const whole = status === 'pending' && isRefused ? sharedWords.errorTitle(title) : title;
  return isTest ? sharedWords.testTitle(whole) : whole;
}

/** Returns the reload interval without JavaScript. Undefined while a form is open, because a reload would clear it. */
function refreshOf(view: CheckoutView, { isOpen, payText }: PageForms): string | undefined {
  const { status, back } = view;
  if (status === 'pending' && !isOpen && !payText) return `${RENEW_SECONDS}`;
  const codeSeconds = codeComesIn(view);
  if (codeSeconds) return `${codeSeconds}`;
  return back && `${PAUSE_SECONDS};url=${back.url}`;
}

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
      const waits = parts
        ? words.partArrived(words.part(parts.arrived, view.isUnverified), parts.missing)
        : words.waiting;
      const line = view.check ? words.checking : waits;
      return { mark, line, time: words.payBy(timeAt(expires)), panel: payPanel(view, forms) };
    }
    case 'success':
      if (view.refunded) {
        const { amount, at } = view.refunded;
        return { mark: icon(icons.back), line: words.wasSentBack(amount), time: timeAt(at), panel: paidPanel(view) };
      }
      return {
        mark: icon(view.isUnverified ? icons.clock : icons.check),
        line: view.isUnverified ? words.unverified : words.received,
        time: timeAt(view.paid),
        panel: paidPanel(view),
      };
    case 'expired': {
      const time = words.expiredOn(timeAt(expires));
      const panel = endedPanel(view, icons.clock, words.newLink(merchant));
      return { mark: icon(icons.clock), line: words.expired, time, panel };
    }
    case 'cancelled': {
      if (isPaidAtCounter)
        return { mark: backMark, line: words.atCounter, time: words.nothingLeft, panel: counterPanel(view) };
      const panel = endedPanel(view, icons.close, words.cancelledBy(merchant));
      return { mark: icon(icons.close), line: words.cancelled, time: timeAt(view.cancelled), panel };
    }
    case 'reversed':
      return { mark: backMark, line: words.reversed, time: timeAt(view.reversed), panel: reversedPanel(view) };
  }
}

function timeAt(moment: Moment | undefined): Html {
  return html`${moment && html`<time datetime="${moment.at}">${moment.shown}</time>`}`;
}

function payPanel(view: CheckoutView, forms: PageForms): Html {
  const { amount, parts, network, colours, payer, number, shownNumber, accountName, reference } = view;
  const send = parts ? words.sendMissing : words.sendExactly;
  return html`
${messageCame(view)}${onThePhone(view)}
<div id="how">
<h2 tabindex="-1">${words.payWith(payer.name)}</h2>
${networkChoice(view)}
<ol class="steps" role="list">
<li>
<p>${words.dialThis}</p>
<div class="dialing"><a class="plain button dial" href="tel:${encodeURIComponent(payer.ussd)}">${icon(icons.phone)}<span>${words.dial(payer.ussd)}</span></a>
${copyButton(payer.ussd, payer.ussd, '', { label: words.copyOf(payer.ussd), drawing: `<g id="copy">${icons.copy}</g>` })}</div>
${acrossNetworks(view)}
</li>
<li>
<p>${send(html`<span class="number"><b>${parts?.missing ?? amount}</b></span>`)}</p>
<div class="pay-to ${colours}">
<p translate="no"><span class="network">${network.name}</span><b class="number">${shownNumber}</b><span class="account">${accountName}</span></p>
${copyButton(number, shownNumber, words.copyNumber)}
</div>
</li>
<li>
<p>${words.typeReference}</p>
<div class="reference">
<p translate="no"><b class="number digits">${inGroups(reference)}</b></p>
${copyButton(reference, reference, words.copyReference)}
</div>
<p class="hint">${words.digitsEnough}</p>
${payTextSection(view, forms.payText)}
</li>
<li>
<p>${words.checkName(html`<b translate="no">${accountName}</b>`)}</p>
<p class="hint">${words.turnsGreen}</p>
</li>
</ol>
</div>
${checkAgain(view)}
${claimSection(view, forms)}
${backToShop(view)}`;
}

/** Splits a reference into its prefix and ten digits. The gaps come from CSS, so a copied reference has none. */
function inGroups(reference: string): readonly Html[] {
  const [, prefix = '', ...groups] = /^(\D*)(\d{4})(\d{3})(\d+)$/.exec(reference) ?? ['', '', reference];
  return [html`<small>${prefix}</small>`, ...groups.map((digits) => html`<span>${digits}</span>`)];
}

/** Renders a message while a receipt is being checked. Shows no amount, because receipts can be forged. */
function messageCame({ merchant, contact, reference, check }: CheckoutView): Html | undefined {
  if (!check) return undefined;
  return html`<div class="came" role="note">
<p>${messageIsChecked(merchant)}</p>
<p><b>${words.payIfNot}</b></p>
${
  check === 'now'
    ? html`<p class="hint">${words.waitForGreen}</p>`
    : html`<p class="hint">${words.havePaid(merchant, shownReference(reference))}</p>
${contactButton(contact)}`
}
</div>`;
}

/** Renders the choice of networks as links, which work without JavaScript. The script updates the page in place. */
function networkChoice({ choices }: CheckoutView): Html | undefined {
  if (choices.length === 0) return undefined;
  return html`<nav class="networks" aria-labelledby="networks">
<p id="networks">${words.whichNetwork}</p>
<ul role="list">
${choices.map(({ name, url, isCurrent }) => html`<li><a class="plain button" href="${url}" data-network${isCurrent && raw(' aria-current="true"')}>${name}</a></li>`)}
</ul>
</nav>`;
}

/** Advises customers on a network where the merchant has no number. */
function acrossNetworks({ merchant, choices, network, payer }: CheckoutView): Html | undefined {
  if (choices.length === 0) return html`<p class="hint">${fromOthers(network)}</p>`;
  if (payer === network) return undefined;
  return html`<p class="hint">${words.acrossNetworks(merchant, payer.short, network.short)}</p>`;
}

/** Advises customers on another network: `From Telecel or AT: dial *110# and send to an MTN number.` */
function fromOthers(network: NetworkFacts): string {
  const others = Network.options.map((one) => networks[one]).filter((one) => one !== network);
  const ways = Object.entries(Object.groupBy(others, ({ ussd }) => ussd)).map(([ussd, from = []], n) =>
    (n ? words.fromNext : words.fromFirst)(from.map(({ short }) => short).join(words.or), ussd),
  );
  const number = `${network.article} ${network.short}`;
  return (ways.length > 1 ? words.fromSeveral : words.fromOne)(ways.join(', '), number);
}

function checkAgain({ path, networkQuery }: CheckoutView): Html {
  return html`<div class="check">
<a class="plain button" data-check href="${path}${networkQuery && `?${networkQuery}`}">${icon(icons.again)}<span>${words.checkAgain}</span></a>
<p id="checked" class="hint" role="status"></p>
</div>`;
}

function backToShop({ shop }: CheckoutView): Html | undefined {
  return shop && html`<p class="back"><a href="${shop.url}">${words.backTo(shop.host)}</a></p>`;
}

/** Renders a copy button, hidden without JavaScript. The first button defines the icon that the others reuse. */
/** `noun`: names what is copied, for screen readers. */
function copyButton(
  text: string,
  shown: string,
  noun: string,
  { label = words.copy, drawing = '<use href="#copy"/>' } = {},
): Html {
  return html`<button type="button" class="copy" data-copy="${text}" data-said="${words.copied(shown)}">${icon(drawing)}<span class="word">${label}</span>${noun && html`<span class="unseen"> ${noun}</span>`}</button>`;
}

function paidPanel(view: CheckoutView): Html {
  const { isTest, path, merchant, contact, amount, overpaid, sentBack, refunded, reference, paid, payments, back } =
    view;
  const receipt = [
    ...(isTest ? [words.sharedTest] : []),
    paid ? words.sharedPaymentOn(amount, merchant, paid.shown) : words.sharedPayment(amount, merchant),
    ...sentBack,
    words.sharedReference(reference),
    ...payments.map(({ idName, transactionId }) => words.sharedId(idName, transactionId)),
  ];
  const content = html`${!refunded && (view.isUnverified ? html`<p><b>${sharedWords.doNotPayAgain}</b> ${words.inTheShop}</p>` : html`<p>${words.hasReceived(merchant)}</p>`)}
${codeSection(view)}
${(refunded && sentBack.length === 1 ? [] : sentBack).map((sentence) => html`<p><b>${sentence}</b></p>`)}
${refunded && html`<p>${words.notReached(merchant)}</p>${contactButton(contact)}`}
${overpaid && html`<p>${words.overpaid(html`<b>${overpaid}</b>`, merchant)}</p>${contactButton(contact)}`}
${
  back
    ? html`<a id="back" class="button" href="${back.url}">${words.goOn}</a><p id="leaving" class="hint">${words.takingBack(back.host)}</p>`
    : codeComesIn(view) === undefined &&
      html`<p class="hint">${view.isUnverified ? words.comeBack : words.canClose}</p>`
}
<dl>
<div><dt>${words.paidTo}</dt><dd translate="no">${merchant}</dd></div>
<div><dt>${words.amount}</dt><dd>${amount}</dd></div>
${paid && html`<div><dt>${words.time}</dt><dd>${timeAt(paid)}</dd></div>`}
<div><dt>${words.reference}</dt><dd class="number" translate="no">${reference}</dd></div>
${payments.map(({ idName, transactionId }) => html`<div><dt>${idName}</dt><dd class="number" translate="no">${transactionId}</dd></div>`)}
</dl>
${lateArrived(view)}
${secondPayments(view)}
<p><a class="plain button" href="${path}/receipt">${view.isUnverified ? words.printDetails : words.receipt}</a></p>
${!view.isUnverified && html`<p><a class="plain button" href="${path}/receipt" data-share="${receipt.join(' ')}">${icon(icons.share)}<span class="word">${words.shareReceipt}</span></a></p>`}
${!back && backToShop(view)}`;
  if (refunded) return outcome(icons.back, words.wasSentBack(refunded.amount), content);
  if (view.isUnverified) return outcome(icons.clock, notVerifiedYet(merchant), content);
  return outcome(icons.check, sentBack.length > 0 ? words.received : words.thankYou, content);
}

function endedPanel(view: CheckoutView, seal: string, heading: string): Html {
  const { merchant, contact, reference, parts } = view;
  const content = html`<p>${words.doNotSend}</p>
${view.hasMoneyUnderReview && html`<p>${otherMessage(merchant)}</p>`}
${lateArrived(view)}
${parts && html`<p>${words.partHadArrived(html`<b>${parts.arrived}</b>`, merchant)}</p>`}
<p class="hint">${words.havePaidAlready(merchant, shownReference(reference))}</p>
${contactButton(contact)}
${backToShop(view)}`;
  return outcome(seal, heading, content);
}

function lateArrived({ late, merchant }: CheckoutView): readonly Html[] {
  return late.map(
    ({ amount, received, sentBack }) =>
      html`<p>${words.lateArrived(html`<b>${amount ?? words.aPayment}</b>`, timeAt(received))} ${sentBack ? html`<b>${sharedWords.itWasSentBack(sentBack.shown)}</b>` : words.askToCount(merchant)}</p>`,
  );
}

/** Renders the panel for a customer who paid at a till. The panel is not proof of payment. */
function counterPanel(view: CheckoutView): Html {
  const { merchant, contact, reference } = view;
  const content = html`<p>${words.tookAtTill(merchant)}</p>
<p class="hint">${words.noReceipt(shownReference(reference))}</p>
${contactButton(contact)}
${secondPayments(view)}
${backToShop(view)}`;
  return outcome(icons.fault, words.atCounter, content);
}

function reversedPanel(view: CheckoutView): Html {
  const { merchant, contact, amount, reversedAmount = amount, parts, network, payments, reference } = view;
  const content = html`<p>${words.reversedBy(reversedAmount, merchant, (payments[0]?.network ?? network).name)}${parts && ` ${words.onlyRemains(parts.arrived)}`}</p>
<p class="hint">${words.askHowToPay(merchant, shownReference(reference))}</p>
${contactButton(contact)}
${secondPayments(view)}
${backToShop(view)}`;
  return outcome(icons.back, words.networkReversed, content);
}

function shownReference(reference: string): Html {
  return html`<b class="number" translate="no">${reference}</b>`;
}

function outcome(seal: string, heading: string, content: Html): Html {
  return html`
<div class="outcome">
<span class="seal">${icon(seal)}</span>
<h2 tabindex="-1">${heading}</h2>
${content}
</div>`;
}

function testSection({ isTest, status, path }: CheckoutView) {
  const outcomes = { pending: PENDING, success: PAID, expired: [], cancelled: [], reversed: [] }[status];
  if (!isTest || outcomes.length === 0) return undefined;
  const nameOf = (outcome: (typeof outcomes)[number]) =>
    outcome === 'paid_twice' && status === 'success' ? words.paidAgain : words.outcomes[outcome];
  return html`<form class="test" method="post" action="${path}/simulate">
<p id="test">${words.whatHappens}</p>
<div role="group" aria-labelledby="test">
${outcomes.map((outcome) => html`<button class="plain button" name="outcome" value="${outcome}">${nameOf(outcome)}</button>`)}
</div>
</form>`;
}

const PENDING: readonly (Outcome & keyof typeof words.outcomes)[] = [
  'paid',
  'underpaid',
  'overpaid',
  'paid_twice',
  'held',
  'disputed',
  'reversed',
  'expired',
];

const PAID: typeof PENDING = ['paid_twice', 'disputed', 'reversed'];
