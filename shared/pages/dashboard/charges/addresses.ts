import { html } from 'hono/html';
import type { Html } from '../html.ts';

export const CHARGES = '/dashboard/charges';
export const HELD = `${CHARGES}/held`;

export function chargeAddress(reference: string): string {
  return `${CHARGES}/${encodeURIComponent(reference)}`;
}

export function heldAddress(receiptId: string): string {
  return `${HELD}/${encodeURIComponent(receiptId)}`;
}

export function chargeLink(reference: string): Html {
  return html`<a class="number" href="${chargeAddress(reference)}">${reference}</a>`;
}
