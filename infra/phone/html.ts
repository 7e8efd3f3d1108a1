import { knownNetwork } from './receipt-text.ts';

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** `+233 24 123 4567`; other countries' numbers and names stay as they are. */
export function formatNumber(number: string): string {
  return number.replace(/^(\+233)(\d\d)(\d{3})(\d{4})$/, '$1 $2 $3 $4');
}

export function renderNetwork(network: string): string {
  const known = knownNetwork(network);
  return `<span class="network ${known?.toLowerCase() ?? ''}">${escapeHtml(network)}</span>`;
}
