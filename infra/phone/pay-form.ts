import { html } from 'hono/html';
import { COUNTRY_CODE, CURRENCY } from '../../shared/ghana/country.ts';
import { Network, networks } from '../../shared/ghana/network.ts';
import { type Device, LATE_MS } from './device.ts';
import { formatNumber, type Html, renderNetwork } from './elements.ts';
import type { OpenCharge } from './open-charge.ts';
import { knownNetwork, receiptWriters } from './receipt-text.ts';

/** The payer of a charge that names no customer. */
const SOME_NAME = 'KOFI MENSAH';

/** Plays the customer: picks an open charge, or enters a payment by hand, and pays. */
export function renderPayForm(devices: readonly Device[], charges: readonly OpenCharge[]): Html {
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
<button>Pay this charge</button>
<p class="result" role="status"></p>
</form>`;
}

/** Any other SMS: a scam, a reversal, a promotion, a receipt in another wording. */
export function renderReceiveForm(devices: readonly Device[]): Html {
  return html`<details class="card">
<summary>Receive any other SMS</summary>
<form id="receive">
<label>Sender <input name="sender" required autocomplete="off" value="MobileMoney" list="senders"></label>
<datalist id="senders">${Network.options.map((one) => html`<option value="${networks[one].senders[0]}">`)}<option value="${COUNTRY_CODE}555000111"></datalist>
<label>Message <textarea name="message" required rows="4"></textarea></label>
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
      return html`<option value="${simValue(device, simNumber)}"${tellsPhone(network) && ' data-tells-phone'}>${text}</option>`;
    }),
  );
  return html`<label>${label} <select name="sim">${options}</select></label>`;
}

function tellsPhone(name: string): boolean {
  const network = knownNetwork(name);
  return network !== undefined && receiptWriters.get(network)?.tellsPhone === true;
}

/** The value of a choice of SIM, as the script returns it: SIM and device. */
function simValue(device: Device, simNumber: number): string {
  return `${simNumber}/${device.settings.id}`;
}
