import type { PlainPesewas } from './arrived.ts';
import { CURRENCY } from './country.ts';

/** The API uses cedis (GHS) with at most two decimals. Internally, every amount is in whole pesewas. */
export const MIN_AMOUNT_GHS = 0.01;
export const MAX_AMOUNT_GHS = 100_000;

/** Converts cedis to pesewas. Returns undefined if the amount is negative or has more than two decimals. */
export function pesewasOf(ghs: number): number | undefined {
  // String() returns the shortest decimal that identifies the double. The sum of 0.1 and 0.2 has 17 digits, so it is
  // rejected.
  if (!/^\d+(\.\d{1,2})?$/.test(String(ghs))) return undefined;
  return Math.round(ghs * 100);
}

export function ghsOf<Pesewas extends number>(amountPesewas: PlainPesewas<Pesewas>): number {
  return amountPesewas / 100;
}

export function shownCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,5}$)/g, ',');
}

/** Formats pesewas as `1,234.50`. Avoids Intl, which adds 12 ms to every cold start. */
export function shownAmount<Pesewas extends number>(amountPesewas: PlainPesewas<Pesewas>): string {
  return ghsOf(amountPesewas)
    .toFixed(2)
    .replace(/\B(?=(?:\d{3}){1,5}\.)/g, ',');
}

/** Formats pesewas as `GHS 1,234.50`. */
export function shownMoney<Pesewas extends number>(amountPesewas: PlainPesewas<Pesewas>): string {
  return `${CURRENCY} ${shownAmount(amountPesewas)}`;
}

/** Formats pesewas as `GHS 1,234.50` with a non-breaking space, for a page's sentences. */
export function wholeMoney<Pesewas extends number>(amountPesewas: PlainPesewas<Pesewas>): string {
  return unbroken(shownMoney(amountPesewas));
}

/** Keeps a formatted amount on one line. */
export function unbroken(shown: string): string {
  return shown.replaceAll(' ', '\u00a0');
}
