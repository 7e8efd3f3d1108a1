import { CURRENCY } from '../../ghana/country.ts';

// How people and their spreadsheets write what the API takes as numbers.

/** An amount, with or without its currency, whose capitals do not matter; the group is its number, which may have commas. */
export const AMOUNT_PATTERN = `(?:${CURRENCY}|GH₵|₵)?\\s*((?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d{1,2})?)`;
const AMOUNT = new RegExp(`^${AMOUNT_PATTERN}$`, 'i');

/** `GHS 1,200.50` as `1200.50`; what is no amount stays, to be refused as it was written. */
export function amountIn(written: string): string {
  return AMOUNT.exec(written.trim())?.[1]?.replaceAll(',', '') ?? written;
}

/** `-3, 0, 7` as numbers; what is none stays, to be refused. */
export function daysIn(written: string): (number | string)[] {
  const days = written.split(/[\s,;]+/).filter((one) => one !== '');
  return days.map((one) => (/^[-+]?\d{1,3}$/.test(one) ? Number(one) : one));
}
