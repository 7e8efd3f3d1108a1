import type { Device, Sim } from './device.ts';
import type { SentText } from './message.ts';
import { script, style } from './page-assets.ts';
import { countParts } from './parts.ts';

/** More than anyone scrolls through; `/sent` has them all. */
const TEXTS_SHOWN = 200;

/** What the phone sent, newest first. The page asks for itself again every second and takes over what changed. */
export function renderPage(devices: readonly Device[], sent: readonly SentText[]): string {
  const older = sent.length - TEXTS_SHOWN;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Phone</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<p id="away" role="status" hidden>The phone does not answer. Is the service still running?</p>
<main>
<aside>
<h1>Phone</h1>
<p class="lead">It plays the part of the Android phone with the SMSGate app. Texts come here instead of going on air.</p>
<div id="devices">${devices.map((device) => renderDevice(device, sent)).join('')}</div>
</aside>
<section aria-label="Texts">
<ol id="texts">${sent.map(renderText).slice(-TEXTS_SHOWN).reverse().join('')}</ol>
<div id="foot">${older > 0 ? `<p>${older} older ones are in <a href="/sent">/sent</a>.</p>` : ''}</div>
<p class="empty"><strong>No texts yet.</strong> Send one through the service, and it appears here by itself.</p>
</section>
</main>
<script>${script}</script>
</body>
</html>
`;
}

function renderDevice(device: Device, sent: readonly SentText[]): string {
  const { id, name, sims } = device.settings;
  const sentCount = sent.filter((text) => text.device_id === id).length;
  const isWaiting = device.pendingCount > 0;
  return `<article class="device ${device.isOn ? 'on' : 'off'}" id="device-${escapeHtml(id)}">
<header>
<div><h2>${escapeHtml(name)}</h2><p>${device.isOn ? 'On' : 'Off'} · ${count(sentCount, 'text')} sent${
    isWaiting ? ` · <b>${device.pendingCount} waiting</b>` : ''
  }</p></div>
<button type="button" role="switch" aria-checked="${device.isOn}" aria-label="${escapeHtml(name)}" id="switch-${escapeHtml(id)}" data-device="${escapeHtml(id)}"></button>
</header>
<ul>${sims.map(renderSim).join('')}</ul>
</article>`;
}

function renderSim({ simNumber, number, network }: Sim): string {
  return `<li><span class="network ${networkClass(network)}">${escapeHtml(network)}</span>
<span class="number">${escapeHtml(formatNumber(number))}</span><span class="slot">SIM ${simNumber}</span></li>`;
}

/** `index` counts from the first text, so that a text keeps its place on the page when others come. */
function renderText(text: SentText, index: number): string {
  const parts = countParts(text.text);
  const time = new Date(text.sent_at);
  return `<li id="text-${index}">
<header><b class="number">${escapeHtml(formatNumber(text.to))}</b><time datetime="${text.sent_at}">${formatTime(time)}</time></header>
<p class="bubble" dir="auto">${linkify(text.text)}</p>
<footer><span>from ${escapeHtml(formatNumber(text.from))}${parts > 1 ? ` · ${parts} parts` : ''}</span>
<span class="state ${text.state === 'Delivered' ? 'delivered' : ''}">${escapeHtml(text.state)}</span></footer>
</li>`;
}

/** Links in a text can be opened, as on a phone: a checkout address is one. */
function linkify(text: string): string {
  const pieces = text.split(/(https?:\/\/\S*[^\s.,;:!?'")\]])/);
  return pieces
    .map((piece, index) => {
      const isLink = index % 2 === 1;
      return isLink
        ? `<a href="${escapeHtml(piece)}" target="_blank" rel="noreferrer">${escapeHtml(piece)}</a>`
        : escapeHtml(piece);
    })
    .join('');
}

/** `+233 24 123 4567`; other countries' numbers stay as they are. */
function formatNumber(number: string): string {
  return number.replace(/^(\+233)(\d\d)(\d{3})(\d{4})$/, '$1 $2 $3 $4');
}

function formatTime(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  const day = isToday ? '' : `${time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, `;
  return day + time.toLocaleTimeString('en-GB');
}

function networkClass(network: string): string {
  return ['mtn', 'telecel', 'at'].find((known) => network.toLowerCase().startsWith(known)) ?? '';
}

function count(quantity: number, noun: string): string {
  return `${quantity.toLocaleString('en')} ${noun}${quantity === 1 ? '' : 's'}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
