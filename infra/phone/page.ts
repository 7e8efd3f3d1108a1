import { html, raw } from 'hono/html';
import { COUNTRY_CODE, CURRENCY } from '../../shared/ghana/country.ts';
import { shownMoney } from '../../shared/ghana/money.ts';
import { Network, networkExamples, networkStyles, networks } from '../../shared/ghana/network.ts';
import assets from './assets.json' with { type: 'json' };
import { type Device, LATE_MS, type Sim, type TextOutcome, textOutcomes } from './device.ts';
import type { Gateway } from './gateway.ts';
import { knownNetwork, type OpenCharge, receiptWriters } from './payment.ts';
import { countParts, type Received, type SentText } from './texts.ts';

const TEXTS_SHOWN = 200;

interface PageContent extends Pick<Gateway, 'devices' | 'sent' | 'received'> {
  /** Returns a number's balance, in pesewas. */
  readonly balanceOf: (number: string) => number;
  charges: readonly OpenCharge[];
}

/**
 * Renders the sent and received texts, newest first, and the forms that simulate incoming texts. The page updates every
 * second.
 */
export function renderPage({ devices, sent, received, charges, balanceOf }: PageContent): Html {
  const texts = [
    ...sent.map((text, index) => ({ at: text.sent_at, draw: () => renderSent(text, index) })).slice(-TEXTS_SHOWN),
    ...received
      .map((text, index) => ({ at: text.receivedAt, draw: () => renderReceived(text, index) }))
      .slice(-TEXTS_SHOWN),
  ].toSorted((one, other) => one.at.localeCompare(other.at));
  const older = sent.length + received.length - TEXTS_SHOWN;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Phone</title>
<link rel="icon" href="data:,">
<style>${raw(assets['phone.css'] + networkStyles('.network'))}</style>
</head>
<body>
<p id="away" role="status" hidden>The phone is not responding. Is the service still running?</p>
<main>
<header class="top">
<h1>Phone</h1>
<p class="lead">This page simulates the Android phone with the SMSGate app. Texts that the service sends appear here instead of on a real phone; payments that you make here arrive as the network’s SMS.</p>
</header>
<aside>
<div id="devices">${devices.map((device) => renderDevice(device, { sent, received, balanceOf }))}</div>
${renderPayForm(devices, charges)}
${renderReceiveForm(devices)}
</aside>
<section aria-labelledby="texts-title">
<h2 id="texts-title">Texts</h2>
<ol id="texts">${texts
    .slice(-TEXTS_SHOWN)
    .reverse()
    .map(({ draw }) => draw())}</ol>
<div id="foot">${older > 0 && html`<p>${older} older ones are in <a href="/sent">/sent</a> and <a href="/received">/received</a>.</p>`}</div>
<p class="empty"><strong>No texts yet.</strong> Pay a charge, or send a text through the service, and it appears here.</p>
</section>
</main>
<script>${raw(assets['phone.js'])}</script>
</body>
</html>
`;
}

function renderDevice(
  device: Device,
  { sent, received, balanceOf }: Pick<PageContent, 'sent' | 'received' | 'balanceOf'>,
): Html {
  const { id, name, sims } = device.settings;
  const sentCount = sent.filter((text) => text.device_id === id).length;
  const receivedCount = received.filter((text) => text.deviceId === id).length;
  const isWaiting = device.pendingCount > 0;
  const counts = `${sentCount.toLocaleString('en')} sent, ${receivedCount.toLocaleString('en')} received`;
  return html`<article class="card device ${device.isOn ? 'on' : 'off'}" id="device-${id}">
<header>
<div><h2>${name}</h2><p>${device.isOn ? 'On' : 'Off'} · ${counts}${
    isWaiting && html` · <b>${device.pendingCount} waiting</b>`
  }</p></div>
<button type="button" role="switch" aria-checked="${String(device.isOn)}" aria-label="${name}" id="switch-${id}" data-device="${id}"></button>
</header>
<ul>${sims.map((sim) => renderSim(sim, balanceOf(sim.number)))}</ul>
<div class="outcomes" role="group" aria-label="Texts that the service sends"><span>Texts</span>
${textOutcomes.map(
  (texts) =>
    html`<button type="button" data-device="${id}" data-texts="${texts}" aria-pressed="${String(device.texts === texts)}">${OUTCOMES[texts]}</button>`,
)}
</div>
</article>`;
}

const OUTCOMES: Readonly<Record<TextOutcome, string>> = {
  sent: 'are sent',
  late: `${LATE_MS / 1000} s late`,
  failed: 'fail',
};

function renderSim({ simNumber, number, network }: Sim, balancePesewas: number): Html {
  return html`<li>${renderNetwork(network)}
<span class="number">${formatNumber(number)}</span><span class="slot">SIM ${simNumber} · Current Balance <b class="number">${shownMoney(balancePesewas)}</b></span></li>`;
}

/** `index` counts from the oldest text, so it does not change when new texts arrive. */
function renderSent(text: SentText, index: number): Html {
  const parts = countParts(text.text);
  return html`<li class="sent" id="sent-${index}">
<header><span>Sent to <b class="number">${formatNumber(text.to)}</b></span>${renderTime(text.sent_at)}</header>
<p class="bubble" dir="auto">${linkify(text.text)}</p>
<footer><span>from ${formatNumber(text.from)}${parts > 1 ? ` · ${parts} parts` : ''}</span>
<span class="state ${text.state === 'Delivered' ? 'delivered' : ''}">${text.state}</span></footer>
</li>`;
}

function renderReceived(text: Received, index: number): Html {
  const at = text.recipient === null ? 'on a number unknown to the phone' : `on ${formatNumber(text.recipient)}`;
  return html`<li class="received" id="received-${index}">
<header><span>Received from <b>${formatNumber(text.sender)}</b></span>${renderTime(text.receivedAt)}</header>
<p class="bubble" dir="auto">${linkify(text.message)}</p>
<footer><span>${at}${text.simNumber === null ? '' : ` · SIM ${text.simNumber}`}</span>${
    text.payment &&
    html`<span><button type="button" data-send-back="${text.payment.transactionId}" data-amount="${text.payment.amountPesewas / 100}">Send money back</button>
<button type="button" data-reverse="${text.payment.transactionId}">Reverse</button></span>`
  }</footer>
</li>`;
}

function linkify(text: string): (Html | string)[] {
  return text.split(/(https?:\/\/\S*[^\s.,;:!?'")\]])/).map((piece, index) => {
    const isLink = index % 2 === 1;
    return isLink ? html`<a href="${piece}" target="_blank" rel="noreferrer">${piece}</a>` : piece;
  });
}

function renderTime(iso: string): Html {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date().toDateString();
  const day = isToday ? '' : `${time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, `;
  return html`<time datetime="${iso}">${day}${time.toLocaleTimeString('en-GB')}</time>`;
}

const SOME_NAME = 'KOFI MENSAH';

function renderPayForm(devices: readonly Device[], charges: readonly OpenCharge[]): Html {
  return html`<form class="card" id="pay" aria-labelledby="pay-title">
<h2 id="pay-title">Pay a charge</h2>
<p class="hint">You are the customer. Pick an open charge, or fill in a payment by hand.</p>
<fieldset>
<legend>Open charges</legend>
<ol id="charges">${charges.map((charge) => renderCharge(devices, charge))}</ol>
<p class="none">None. Create one (<code>npm start</code> prints the command) and it appears here.</p>
</fieldset>
<label>Reference <input name="reference" autocomplete="off" spellcheck="false" placeholder="none" aria-describedby="reference-hint"></label>
<p class="hint" id="reference-hint">What the payer types on their phone. Clear or change it, and the payment may be held.</p>
<div class="row">
<label>Payer’s name <input name="name" required maxlength="80" autocomplete="off" value="${SOME_NAME}"></label>
<label class="short">Amount, ${CURRENCY} <input name="amount" type="number" inputmode="decimal" min="0.01" max="1000000" step="0.01" required></label>
</div>
${renderSims(devices, 'Paid to')}
<label class="payer-phone" hidden>Payer’s number <input name="payerPhone" type="tel" autocomplete="off" value="${COUNTRY_CODE}209876543"></label>
<label class="check"><input type="checkbox" name="twice"><span>Twice <span class="hint">The phone posts the same SMS twice, as real ones sometimes do.</span></span></label>
<label class="check"><input type="checkbox" name="late"><span>Late <span class="hint">The network’s SMS comes after ${LATE_MS / 1000} seconds.</span></span></label>
<button>Pay</button>
<p class="result" role="status"></p>
</form>`;
}

/** Renders a form for any other SMS, such as a scam, a reversal or a receipt with different wording. */
function renderReceiveForm(devices: readonly Device[]): Html {
  return html`<details class="card">
<summary>Receive any other SMS</summary>
<form id="receive">
<label>Sender <input name="sender" required autocomplete="off" value="MobileMoney" list="senders"></label>
<datalist id="senders">${Network.options.map((one) => html`<option value="${networks[one].senders[0]}">`)}<option value="${COUNTRY_CODE}555000111"></datalist>
<label>Message <textarea name="message" required rows="4" placeholder="${networkExamples.MTN?.samples.sent?.text}"></textarea></label>
${renderSims(devices, 'Arrives at')}
<button>Receive this SMS</button>
<p class="result" role="status"></p>
</form>
</details>`;
}

function renderCharge(devices: readonly Device[], charge: OpenCharge): Html {
  const { reference, amountPesewas, momoNumber, network, customerName, description, checkoutUrl } = charge;
  const device = devices.find(({ settings }) => settings.sims.some(({ number }) => number === momoNumber));
  const sim = device?.settings.sims.find(({ number }) => number === momoNumber);
  const amount = (amountPesewas / 100).toFixed(2);
  const shown = (amountPesewas / 100).toLocaleString('en', { minimumFractionDigits: 2 });
  const about = [customerName, description].filter((part) => part !== undefined && part !== '').join(' · ');
  return html`<li id="charge-${reference}">
<label><input type="radio" name="charge" value="${reference}" data-amount="${amount}" data-name="${(customerName || SOME_NAME).toUpperCase()}" data-sim="${device && sim && simValue(device, sim.simNumber)}"${!sim && ' disabled'}>
<span class="what"><b>${CURRENCY} ${shown}</b>${about !== '' && html`<span class="about">${about}</span>`}
<span class="faint">${reference} · ${sim ? renderNetwork(network) : `paid to ${formatNumber(momoNumber)}, which is not in this phone`}</span></span></label>
${checkoutUrl !== undefined && html`<a href="${checkoutUrl}" target="_blank" rel="noreferrer" aria-label="Checkout page of ${reference}">Checkout</a>`}
</li>`;
}

function renderSims(devices: readonly Device[], label: string): Html {
  const several = devices.length > 1;
  const options = devices.flatMap((device) =>
    device.settings.sims.map(({ simNumber, number, network }) => {
      const where = several ? `${device.settings.name}, SIM ${simNumber}` : `SIM ${simNumber}`;
      const text = `${network} ${formatNumber(number)} (${where})`;
      return html`<option value="${simValue(device, simNumber)}"${includesPhone(network) && ' data-tells-phone'}>${text}</option>`;
    }),
  );
  return html`<label>${label} <select name="sim">${options}</select></label>`;
}

function includesPhone(name: string): boolean {
  const network = knownNetwork(name);
  return network !== undefined && receiptWriters.get(network)?.includesPhone === true;
}

function simValue(device: Device, simNumber: number): string {
  return `${simNumber}/${device.settings.id}`;
}

type Html = ReturnType<typeof html>;

function formatNumber(number: string): string {
  return number.replace(new RegExp(`^(\\${COUNTRY_CODE})(\\d\\d)(\\d{3})(\\d{4})$`), '$1 $2 $3 $4');
}

function renderNetwork(network: string): Html {
  return html`<span class="network ${knownNetwork(network)?.toLowerCase()}">${network}</span>`;
}
