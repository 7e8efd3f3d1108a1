import { html, raw } from 'hono/html';
import { unbroken } from '../../../ghana/money.ts';
import type { Clock } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import { inCurrency } from '../../frame/in-currency.ts';
import { receiptAddress, TILL, tillAddress } from '../parts/addresses.ts';
import { ago, doubtPill, type Html, notice, paymentPill, pill, refreshed } from '../parts/content.ts';
import { carried, form, ONCE } from '../parts/form.ts';
import { BY_NUMBER, pagination } from '../parts/list.ts';
import type { MerchantVisit } from '../parts/visit.ts';
import {
  type ArrivedView,
  type GreenView,
  HAND_OVER,
  NOT_PROVEN,
  type QuestionView,
  type ScannedView,
  type Step,
  type TakenView,
  type TillLine,
  type TillView,
} from './till-view.ts';
import type { HeardView, VoiceView } from './till-voice.ts';

type Visit = MerchantVisit<'till'>;

export function renderTill(visit: Visit, outside: Clock, view: TillView, next: string | null): Html {
  const { greens, sticker, taken, shiftId } = view;
  return html`${statusLine()}
${greens && refreshed(html`${greens.map((green) => greenBox(visit, outside, green, view.now))}`)}
<div class="columns till-columns"><div>
${payment(visit, outside, view)}
</div><div class="side">
<section><h2>Just arrived</h2>
${refreshed(html`${arrivedList(visit, outside, view)}${pagination(visit, { next }, BY_NUMBER)}`)}</section>
${sticker && stickerSection(visit, outside, sticker, view)}
</div><div>
<section><h2>Last taken</h2>
${refreshed(takenList(visit, outside, taken))}</section>
${voiceSection(view.voice)}
</div></div>
<details class="till-more"><summary>Close the day or the shift</summary>
<p><a href="${TILL}/closing">Daily closing</a></p>
${form(visit, { path: '/{till}/end', submit: 'End your shift', isPlain: true, carries: { shift: shiftId } })}</details>`;
}

/** Renders the line that reports a lost connection, with the messages that the script shows. */
function statusLine(): Html {
  return html`<p class="notice look till-line" data-offline data-lost="No connection for {s} s. New payments do not appear here. Payments shown in green stay taken." data-tap="Tap here to hear payments." data-wait="One moment …" data-again="No response yet. This payment may not have been taken, so do not hand anything over. Trying again …" data-unknown="This payment may not have been taken. When the connection is back, look under Last taken."${raw(' hidden')} role="alert"></p>`;
}

/** Renders the voice switch and the announcements, oldest first. */
function voiceSection({ language, test, heard, softNote }: VoiceView): Html {
  const button = (action: string, label: string) =>
    html`<button type="button" class="plain button" data-action="${action}">${label}</button>`;
  return html`<section data-voice lang="en" data-language="${language}" data-test="${test}"${raw(' hidden')}><h2>Voice</h2>
<p class="hint" data-when="mute">This browser cannot speak. You will still hear the chime.</p>
<p class="hint" data-when="off">The till can read out each verified payment, with the payer’s name.</p>
<p class="hint" data-when="tap">The sound is off. Tap to hear payments.</p>
<p class="hint" data-when="on">The till announces verified payments. If you hear “Check this one”, do not count it as paid yet.</p>
${refreshed(html`${softNote && html`<p class="hint">${softNote}</p>`}${heard.map(heardItem)}`)}
<p class="actions"><span data-when="off">${button('on', 'Turn on the voice')}</span><span data-when="tap">${button('test', 'Tap to hear payments')}</span><span data-when="on">${button('test', 'Test the volume')}</span><span data-when="on tap">${button('off', 'Turn off the voice')}</span></p></section>`;
}

function heardItem({ payment, sound, words, isLater, until }: HeardView): Html {
  return html`<i data-heard="${payment}/" data-sound="${sound}" data-words="${words}"${isLater && raw(' data-later="again"')}${until && html` data-until="${until}"`}${raw(' hidden')}></i>`;
}

/** Renders a box that can be read from across the counter. */
function greenBox(
  visit: Visit,
  outside: Clock,
  { reference, amount, words, needsLook, payer, paidAt, until, canHandOut }: GreenView,
  now: string,
): Html {
  return html`<div class="till-green${needsLook && ' look'}" data-until="${until}" data-now="${now}" role="status">${icon(needsLook ? icons.fault : icons.check)}<p><b class="amount">${amount}</b>${words.map((word) => html`<strong>${word}</strong>`)}<span>${payer} · ${ago(outside, paidAt)}</span></p>
${canHandOut && handOutForm(visit, reference)}</div>`;
}

/** Renders the button that clears the green box. The next customer may owe the same amount. */
function handOutForm(visit: Visit, reference: string): Html {
  return form(visit, { path: '/{till}/hand-out', submit: HAND_OVER, isPlain: true, carries: { reference } });
}

function payment(visit: Visit, outside: Clock, view: TillView): Html {
  const { step, tillId } = view;
  switch (step.kind) {
    case 'question':
      return question(visit, outside, view, step);
    case 'due':
      return due(step, view);
    case 'refused':
      return refusedTap(step, tillId);
    case 'keypad':
      return keypad(visit, step);
  }
}

function due({ amount, numbers }: Extract<Step, { kind: 'due' }>, view: TillView): Html {
  const { tillId } = view;
  return html`<section class="till-due"><p class="amount">${amount}</p>
<p>The customer pays to</p>
${numbers.map(({ network, accountName, number }) => html`<p><span class="hint">${network} · ${accountName}</span><b class="till-number">${number}</b></p>`)}
${refreshed(view.arrived.some(isRecent) ? arrivedOfAmount(view) : html`<p class="hint">Waiting for the payment. It will appear under “Just arrived”.</p>`)}
<p class="actions"><a class="plain button" href="${tillAddress(tillId)}">Another amount</a></p></section>`;
}

function isRecent({ group }: ArrivedView): boolean {
  return group === 'recent';
}

function takeable({ arrived }: TillView): readonly ArrivedView[] {
  return arrived.filter((one) => isRecent(one) && one.isTakeable);
}

/** True if the typed amount may have been paid, but no text of it is verified. The amount’s card then has the advice. */
function isAmountUnverified(view: TillView): boolean {
  const found = view.step.kind === 'due' ? takeable(view) : [];
  return found.length > 0 && found.every(({ doubt }) => doubt);
}

/** Says which payments of the typed amount can be taken. Anybody can forge a text, so only verified money “arrived”. */
function arrivedOfAmount(view: TillView): Html {
  const found = takeable(view);
  if (found.length === 0)
    return html`<p><b>No payment of this amount can be taken yet.</b> Look under “Just arrived”.</p>`;
  const unverified = found.filter(({ doubt }) => doubt).length;
  const noun = unverified === 0 ? 'payment' : 'text';
  const badge = unverified > 0 && pill('look', unverified < found.length ? `${unverified} not verified` : NOT_PROVEN);
  return html`<p><b>${counted(found.length, noun)} of this amount arrived.</b>${badge && html`<span class="pills">${badge}</span>`}</p>${isAmountUnverified(view) ? lookFirst(view, 'Then ask for the customer’s name.') : html`<p>Ask for the customer’s name.</p>`}`;
}

/** Says why a payment was not taken, in place of the amount: the page must not look like a request to pay again. */
function refusedTap({ message, href }: Extract<Step, { kind: 'refused' }>, tillId: string): Html {
  return html`<section class="look" role="alert" tabindex="-1" autofocus><p><b>${message}</b></p>
<p class="actions">${href && html`<a class="button" href="${href}">See the payment</a>`}<a class="plain button" href="${tillAddress(tillId)}">Back to the till</a></p></section>`;
}

/** Asks the cashier which charge was paid. No answer is preselected. */
function question(visit: Visit, outside: Clock, { tillId, shiftId }: TillView, asked: QuestionView): Html {
  const { amount, fieldAmount, payer, receiptId, choices } = asked;
  const choice = (value: string, label: Html | string) =>
    html`<p class="tick"><label><input type="radio" name="scanned" value="${value}" required> <span>${label}</span></label></p>`;
  return html`<section><h2>${amount} from ${payer}</h2>
<form method="post" action="${visit.addressOf('/{till}/take')}" data-till>
${takeFields(visit, shiftId, { receiptId, amount: fieldAmount })}
<fieldset><legend>Did this customer scan the sticker?</legend>
<p class="hint">Their page shows the reference. Anyone else who scanned for this amount still has to pay.</p>
${choices.map(({ reference, note, at }) => choice(reference, html`Yes: ${note && html`${note} · `}<span class="number">${reference}</span> · ${ago(outside, at)}`))}
${choice('no', 'No')}</fieldset>
<button class="button">Take ${amount}</button>
</form>
<p class="actions"><a class="plain button" href="${tillAddress(tillId)}?amount=${fieldAmount}">Back</a></p></section>`;
}

function takeFields(
  { once }: Visit,
  shift: string,
  { receiptId, amount }: { readonly receiptId: string; readonly amount: string },
): Html {
  return carried({ [ONCE]: once, receipt: receiptId, shift, amount });
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'];

function keypad({ here }: Visit, { typed, isWrong }: Extract<Step, { kind: 'keypad' }>): Html {
  return html`<form class="till-keys" method="get" action="${here.split('?')[0]}">
<p class="field"><label class="unseen" for="amount">Amount</label>
${inCurrency('amount', html`<input id="amount" class="amount" name="amount" placeholder="0.00" inputmode="decimal" autocomplete="off" required maxlength="10" value="${typed}" aria-describedby="amount-currency${isWrong && ' amount-error'}"${isWrong && raw(' aria-invalid="true"')}>`)}</p>
${isWrong && html`<p class="fault" id="amount-error">Type an amount, such as 36 or 36.50.</p>`}
<div class="keys" data-keys${raw(' hidden')}>${KEYS.map((key) => html`<button type="button" class="plain button" data-key="${key}">${key}</button>`)}<button type="button" class="plain button" data-key="delete" aria-label="Delete">${icon(icons.backspace)}</button></div>
<button class="button">Ask for this amount</button>
</form>`;
}

/** For a cashier, who may not have the MoMo phone. */
function lookFirst(view: TillView, then = ''): Html {
  return notice(
    'look',
    html`<b>Check the MoMo balance first.</b>${isTight(view) || ` ${view.whoLooks}`}${then && ` ${then}`}`,
  );
}

/** True if the keypad leaves room for one line of advice on a phone's first screen. */
function isTight({ step }: TillView): boolean {
  return step.kind === 'keypad';
}

function stickerSection(
  visit: Visit,
  outside: Clock,
  { paid, unpaid }: NonNullable<TillView['sticker']>,
  view: TillView,
): Html {
  const list = (heading: string, charges: readonly ScannedView[], first?: Html) =>
    charges.length > 0 &&
    html`<h3>${heading}</h3>${first}<ul class="till-list" role="list">${charges.map((charge) => scannedItem(visit, outside, charge))}</ul>`;
  const verified = paid.filter(({ doubt }) => !doubt);
  const unverified = paid.filter(({ doubt }) => doubt);
  const nothing = html`<p class="hint">Nobody has scanned the sticker in this shift. When a customer does, their bill appears here.</p>`;
  return html`<section><h2>Customers who scanned the sticker</h2>
${refreshed(html`${list('Paid', verified)}${list(`Paid, ${NOT_PROVEN.toLowerCase()}`, unverified, lookFirst(view))}${list('Still to pay', unpaid)}${paid.length + unpaid.length === 0 && nothing}`)}
<p class="actions"><a href="${tillAddress(visit.path.till)}">Refresh</a></p></section>`;
}

function scannedItem(visit: Visit, outside: Clock, charge: ScannedView): Html {
  return html`<li><div class="payment-line">${line(outside, charge)}</div>
${charge.canHandOut && handOutForm(visit, charge.reference)}</li>`;
}

function line(outside: Clock, { amount, doubt, payer, idEnd, at, remark }: TillLine, verb?: Html): Html {
  return html`<b class="number">${amount}</b><span class="hint">${ago(outside, at)}</span><span class="payment-payer">${payer}${idEnd && html` · <span>ID ${idEnd}</span>`}</span><span class="pills">${remark ? paymentPill(remark, { doubt }) : doubtPill({ doubt })}</span>${verb}`;
}

function arrivedList(visit: Visit, outside: Clock, view: TillView): Html {
  const { arrived, isMore, unverifiedNote, shiftId, now } = view;
  if (arrived.length === 0)
    return html`<p class="hint">Nothing new in this shift. New payments appear here. Tap one to take it. If you type an amount, matching payments come first.</p>`;
  const list = (of: readonly ArrivedView[]) =>
    of.length > 0 &&
    html`<ul class="till-list" role="list" data-now="${now}">${of.map((one) => html`<li>${arrivedItem(visit, outside, one, shiftId)}</li>`)}</ul>`;
  const { recent = [], other = [], earlier = [] } = Object.groupBy(arrived, ({ group }) => group);
  const nothing = html`<p class="hint">Nothing${other.length > 0 ? ' of this amount' : ''} in the last five minutes.</p>`;
  return html`${unverifiedNote && !isAmountUnverified(view) && lookFirst(view)}${list(recent) || nothing}
${earlier.length > 0 && html`<h3>Earlier</h3>${list(earlier)}`}
${other.length > 0 && html`<h3>Other payments</h3>${list(other)}`}
${isMore && html`<p class="hint">More payments have arrived. Type an amount to see those of that amount.</p>`}${unverifiedNote && html`<p class="hint"><b>${NOT_PROVEN}</b>: ${unverifiedNote}${isTight(view) && ` ${view.whoLooks}`}</p>`}`;
}

function arrivedItem(visit: Visit, outside: Clock, { tap, isTakeable, ...shown }: ArrivedView, shiftId: string): Html {
  switch (tap.action) {
    case 'take':
      return html`<form method="post" action="${visit.addressOf('/{till}/take')}" data-till>
${takeFields(visit, shiftId, tap)}
<button class="payment-line">${line(outside, shown, isTakeable ? html`<b class="${shown.doubt && 'plain '}button">Take</b>` : undefined)}</button>
</form>`;
    case 'open':
      return html`<a class="payment-line" href="${tap.href}">${line(outside, shown, html`<b class="plain button">Check</b>`)}</a>`;
    case 'nothing':
      return html`<div class="payment-line">${line(outside, shown)}</div>`;
  }
}

function takenList(visit: Visit, outside: Clock, taken: readonly TakenView[]): Html {
  if (taken.length === 0) return html`<p class="hint">Nothing taken in this shift yet.</p>`;
  const undo = ({ reference, amount }: TakenView) =>
    form(visit, {
      path: '/{till}/undo',
      submit: `Undo ${unbroken(amount)}`,
      isPlain: true,
      carries: { reference },
    });
  return html`<ul class="till-list" role="list">${taken.map(
    (one) => html`<li><a class="payment-line" href="${receiptAddress(one.reference)}">${line(outside, one)}</a>
${one.canUndo && undo(one)}</li>`,
  )}</ul>`;
}
