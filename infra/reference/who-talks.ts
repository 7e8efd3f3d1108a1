import { html } from 'hono/html';
import type { Html } from './fields.ts';

/** The parties to a charge and to a text, in drawing order. */
const parties = ['Your server', 'Momo Kiosk', 'Your phone', 'Mobile network', 'Customer'] as const;
type Party = (typeof parties)[number];

const messages: readonly (readonly [from: Party, to: Party, text: string])[] = [
  ['Your server', 'Momo Kiosk', 'create a charge'],
  ['Customer', 'Momo Kiosk', 'open its checkout page'],
  ['Customer', 'Mobile network', 'pay your number'],
  ['Mobile network', 'Your phone', 'payment text'],
  ['Your phone', 'Momo Kiosk', 'post the text'],
  ['Momo Kiosk', 'Your server', 'charge.success'],
  ['Your server', 'Momo Kiosk', 'verify the charge'],
  ['Your server', 'Momo Kiosk', 'send a text'],
  ['Momo Kiosk', 'Your phone', 'send the text'],
  ['Your phone', 'Customer', 'SMS'],
];

/** Returns the diagram as Mermaid, for the Markdown documents. */
export function mermaidOfMessages(): string {
  return ['sequenceDiagram', ...messages.map(([from, to, text]) => `${from}->>${to}: ${text}`)].join('\n');
}

const LANE_PX = 136;
const ROW_PX = 36;
const HEAD_PX = 32;
const ARROW_PX = 7;

/** Returns the diagram for the page. The diagram needs no script, and scrolls sideways on a phone. */
export function drawingOfMessages(): Html {
  const xOf = (party: Party) => LANE_PX * (parties.indexOf(party) + 0.5);
  const height = HEAD_PX + ROW_PX * messages.length + 8;
  const width = LANE_PX * parties.length;
  return html`<div class="table" tabindex="0" role="group" aria-label="Diagram"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${messages.map(([from, to, text]) => `${from} to ${to}: ${text}`).join('. ')}." fill="currentColor" stroke="none" font-size="13" text-anchor="middle">
${parties.map((party) => html`<text x="${xOf(party)}" y="18" font-weight="600">${party}</text><path d="M${xOf(party)} ${HEAD_PX - 4}V${height}" stroke="currentColor" opacity="0.3"/>`)}
${messages.map(([from, to, text], index) => {
  const y = HEAD_PX + ROW_PX * (index + 1) - 8;
  const [start, end] = [xOf(from), xOf(to)];
  const back = end > start ? -ARROW_PX : ARROW_PX;
  return html`<path d="M${start} ${y}H${end}" stroke="currentColor"/><path d="M${end} ${y}l${back} -4v8z"/><text x="${(start + end) / 2}" y="${y - 6}">${text}</text>`;
})}
</svg></div>`;
}
