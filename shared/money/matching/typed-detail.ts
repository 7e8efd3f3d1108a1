import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Charge } from '../charge/charge.table.ts';
import { isNamed, matchableName } from '../charge/customer-name.ts';
import { plain } from './typed-reference.ts';

type Details = Pick<Charge, 'merchant_reference' | 'customer_phone' | 'customer_name'>;

/**
 * True if a payer typed a detail of `other` that `charge` does not share: its order number (`merchant_reference`), or
 * its customer's phone number or whole name. Such a payment may be for `other`, whoever the payer is.
 */
export function namesDetailOf(typed: string, other: Details, charge: Details): boolean {
  return [hasOrderNumber, hasPhone, hasName].some((has) => has(typed, other) && !has(typed, charge));
}

/** Returns the strings in what a payer typed that may be a whole order number, at most `MAX_ORDER_NUMBERS`. */
export function orderNumbersIn(typed: string): string[] {
  const words = typed.split(/[\s,;:]+/).filter((word) => word.length >= MIN_DIGITS && /\d/.test(word));
  return [...new Set([typed.trim(), ...words])].filter((one) => one !== '').slice(0, MAX_ORDER_NUMBERS);
}

const MAX_ORDER_NUMBERS = 4;

/** Fewer digits may be a quantity. */
const MIN_DIGITS = 3;

/** True if the whole order number was typed, or a group of its digits (`Order 1007` for `INV-1007`). */
function hasOrderNumber(typed: string, { merchant_reference }: Details): boolean {
  const [number, text] = [merchant_reference ?? '', typed].map((one) =>
    plain(one)
      .replace(/[^A-Z0-9]+/g, ' ')
      .trim(),
  );
  if (!number || !text) return false;
  if (text === number || (number.length >= MIN_DIGITS && ` ${text} `.includes(` ${number} `))) return true;
  const groups = new Set(digitGroups(number));
  return digitGroups(text).some((group) => groups.has(group));
}

function digitGroups(text: string): string[] {
  return (text.match(/\d+/g) ?? []).filter((group) => group.length >= MIN_DIGITS);
}

function hasPhone(typed: string, { customer_phone }: Details): boolean {
  const numbers = plain(typed).match(/\d(?:[^A-Z0-9]{0,2}\d){8,12}/g) ?? [];
  return customer_phone !== undefined && numbers.some((one) => parsePhoneNumber(one) === customer_phone);
}

function hasName(typed: string, { customer_name = '' }: Details): boolean {
  const words = matchableName(customer_name);
  return words !== undefined && isNamed(words, typed);
}
