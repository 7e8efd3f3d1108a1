import type { PlainPesewas } from './arrived.ts';
import { CURRENCY } from './country.ts';

/** Cedis (GHS) as in requests and answers: a number with at most two decimals. Internally everything is integer pesewas. */
export const MIN_AMOUNT_GHS = 0.01;
export const MAX_AMOUNT_GHS = 100_000;

/**
 * The pesewas of an amount in cedis; undefined for more than two decimals, a negative amount, or anything that is not a number.
 */
export function pesewasOf(ghs: number): number | undefined {
  // The shortest decimal that names the double is what the caller wrote: 0.1 + 0.2 shows its 17 digits here and is refused.
  if (!/^\d+(\.\d{1,2})?$/.test(String(ghs))) return undefined;
  return Math.round(ghs * 100);
}

export function ghsOf<Pesewas extends number>(amountPesewas: PlainPesewas<Pesewas>): number {
  return amountPesewas / 100;
}

/** A count as `1,234`. */
export function shownCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Pesewas as `1,234.50`. Without Intl: it takes twelve milliseconds of each cold start to make its formats. */
export function shownAmount<Pesewas extends number>(amountPesewas: PlainPesewas<Pesewas>): string {
  return ghsOf(amountPesewas)
    .toFixed(2)
    .replace(/\B(?=(\d{3})+\.)/g, ',');
}

/** Pesewas as `GHS 1,234.50`. */
export function shownMoney<Pesewas extends number>(amountPesewas: PlainPesewas<Pesewas>): string {
  return `${CURRENCY} ${shownAmount(amountPesewas)}`;
}
