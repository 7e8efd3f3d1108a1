import { CURRENCY } from '../../ghana/country.ts';

/** An amount with an optional currency. The capture group contains the number, with or without thousands separators. */
export const AMOUNT_PATTERN = `(?:(?:${CURRENCY}|GH₵|₵)\\s*)?((?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d{1,2})?)`;
const AMOUNT = new RegExp(`^${AMOUNT_PATTERN}$`, 'i');

/** Converts `GHS 1,200.50` to `1200.50`. Returns anything else unchanged, for a later check to reject. */
export function amountIn(written: string): string {
  return AMOUNT.exec(written.trim())?.[1]?.replaceAll(',', '') ?? written;
}

export function daysIn(written: string): (number | string)[] {
  const days = written.split(/[\s,;]+/).filter((one) => one !== '');
  return days.map((one) => (/^[-+]?\d{1,3}$/.test(one) ? Number(one) : one));
}
