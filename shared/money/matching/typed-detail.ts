import { COUNTRY_CODE } from '../../ghana/country.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { Charge } from '../charge/charge.table.ts';
import { isNamed, isOtherGeneration, nameWords, wholeName } from '../charge/customer-name.ts';
import { findCharges } from '../charge/lookup.table.ts';
import type { Term } from '../charge/search.ts';
import { orderKey, plain, runsOf, typedWords } from '../charge/typed-text.ts';

/** A detail other than the reference by which a payer may name a charge. */
export type Detail = 'order number' | 'digits' | 'phone number' | 'name';

type Details = Pick<Charge, 'merchant_reference' | 'customer_phone' | 'customer_name'>;

interface Naming {
  /** True if a payer typed this detail of the charge. */
  readonly isTyped: (typed: string, charge: Details) => boolean;
  /** True if what was typed of `other` belongs to `charge` as well, such as the phone number of both. */
  readonly isShared: (typed: string, other: Details, charge: Details) => boolean;
}

const NAMING: Readonly<Record<Detail, Naming>> = {
  'order number': {
    isTyped: (typed, { merchant_reference: order }) => isWhole(typed, order),
    isShared: (typed, { merchant_reference: other }, { merchant_reference: own }) =>
      isWhole(typed, own) && isWhole(own, other),
  },
  digits: {
    isTyped: (typed, { merchant_reference: order }) => !isWhole(typed, order) && groupsOf(typed, order).length > 0,
    isShared: (typed, { merchant_reference: other }, { merchant_reference: own }) =>
      groupsOf(typed, other).every((group) => groupsOf(typed, own).includes(group)) &&
      commonWords(typed, other) <= commonWords(typed, own),
  },
  'phone number': {
    isTyped: (typed, { customer_phone }) => phonesIn(typed).some((phone) => phone === customer_phone),
    isShared: (_, other, charge) => other.customer_phone === charge.customer_phone,
  },
  name: {
    isTyped: (typed, { customer_name }) => isWholeName(typed, customer_name),
    isShared: (typed, { customer_name: other }, { customer_name: own }) =>
      isWholeName(typed, own) && isWholeName(own, other) && !isOtherGeneration(other ?? '', own ?? ''),
  },
};

const details = Object.keys(NAMING) as Detail[];

/**
 * Returns the detail of a charge that the payer typed: its order number, digits of it, or its customer's phone number or
 * whole name.
 */
export function detailTyped(typed: string, charge: Details): Detail | undefined {
  return details.find((detail) => NAMING[detail].isTyped(typed, charge));
}

/**
 * True if a payer typed a detail of `other` that `charge` does not share. Such a payment may be for `other`, whoever the
 * payer is.
 */
export function namesDetailOf(typed: string, other: Details, charge: Details): boolean {
  return details.some((detail) => {
    const { isTyped, isShared } = NAMING[detail];
    return isTyped(typed, other) && !isShared(typed, other, charge);
  });
}

/** True if a payer typed what may be an order number, a phone number or a name. */
export function mayNameBill(typed: string): boolean {
  return ordersIn(typed).length > 0 || phonesIn(typed).length > 0 || wholeName(typed) !== undefined;
}

const MAX_OF_TERM = 100;
const MAX_ORDERS = 24;
/** Numbers of words in an order number that other words surround. */
const COUNTS = [1, 2, 3, 4, 5];

/**
 * Finds a merchant's newest charges with an order number or phone number that a payer typed. May miss charges from the
 * last two seconds.
 */
export async function listOfDetails(outside: TableOutside, merchantId: string, typed: string): Promise<Charge[]> {
  const terms: Term[] = [
    ...ordersIn(typed).map((order) => `order:${order}` as const),
    ...phonesIn(typed).map((phone) => `phone:${phone}` as const),
  ];
  const page = { newestFirst: true, limit: MAX_OF_TERM };
  const found = await Promise.all(terms.map((term) => findCharges(outside, merchantId, [term], page)));
  return found.flatMap(({ entries }) => entries);
}

/** Returns what may be a whole order number: the whole text, then its words and their combinations, shortest first. */
function ordersIn(typed: string): string[] {
  const words = [...joinedRuns(runsOf(typed)), ...joinedRuns(typedWords(typed))];
  const keys = [typed, ...words.filter(isOrder)].flatMap((one) => orderKey(one) ?? []);
  return [...new Set(keys)].slice(0, MAX_ORDERS);
}

/** Returns the words, then two words that follow one another as one, and so on up to five. */
function joinedRuns(words: readonly string[]): string[] {
  return COUNTS.flatMap((count) => words.map((_, at) => words.slice(at, at + count).join('')));
}

/** A shorter number may be a quantity or a room. */
function isOrder(key: string): boolean {
  return /\d/.test(key) && key.length >= (/[A-Z]/.test(key) ? 3 : 4) && !isYear(key);
}

function isYear(digits: string): boolean {
  return /^20\d\d$/.test(digits);
}

/**
 * True if a text contains the whole order number, in any case and with any signs. Two numbers are joined only where the
 * order number has a sign: `INV-12 3 pcs` does not contain `INV-123`.
 */
function isWhole(text = '', order = ''): boolean {
  const key = orderKey(order);
  if (key === undefined) return false;
  const words = typedWords(text).join(' ');
  const found = patternOf(order).exec(words)?.[0];
  return isOrder(key) ? found !== undefined : found === words;
}

/** Matches an order number however its letters are separated. Its numbers must be separated as in it, or joined. */
function patternOf(order: string): RegExp {
  const parts = runsOf(order)
    .join(' ')
    .replace(/ |(?<=[A-Z])(?=\w)|(?<=\d)(?=[A-Z])/g, ' ?');
  return new RegExp(`(?<!\\S)${parts}(?!\\S)`);
}

/** Returns how many words that follow one another in a text do so in the order number (2 of `1129-2` for `INV-1129-2`). */
function commonWords(text: string, order = ''): number {
  const words = typedWords(text);
  const within = ` ${typedWords(order).join(' ')} `;
  const countFrom = (at: number) => {
    let count = 0;
    while (at + count < words.length && within.includes(` ${words.slice(at, at + count + 1).join(' ')} `)) count++;
    return count;
  };
  return Math.max(0, ...words.map((_, at) => countFrom(at)));
}

/** Returns the groups of an order number's digits that a text contains (`Order 1007` for `INV-1007`). */
function groupsOf(text: string, order = ''): string[] {
  const groups = digitGroups(plain(order));
  return digitGroups(plain(text)).filter((group) => groups.includes(group));
}

function digitGroups(text: string): string[] {
  return (text.match(/\d{4,}/g) ?? []).filter((group) => !isYear(group));
}

/**
 * True if a text contains every word of a customer's name. The words of a name with a letter or number, such as `Room 5`,
 * must stand together.
 */
function isWholeName(text = '', name = ''): boolean {
  const words = wholeName(name);
  if (words === undefined) return false;
  if (words.every((word) => word.length > 1 && !/\d/.test(word))) return isNamed(words, text);
  const [typed, own] = [nameWords(text), nameWords(name)];
  const sorted = own.toSorted().join(' ');
  return typed.some(
    (_, at) =>
      typed
        .slice(at, at + own.length)
        .toSorted()
        .join(' ') === sorted,
  );
}

/**
 * Matches a Ghanaian number, with its country code, a leading 0, both (`+233 (0)24 …`) or neither. A number may begin at
 * each group of digits, because another number may stand before it.
 */
const PHONE = new RegExp(
  `(?<!\\d)(?=((?:(?:(?:00)?${COUNTRY_CODE.slice(1)}(?:[^A-Z0-9]{0,2}0)?|0)[^A-Z0-9]{0,3})?\\d(?:[^A-Z0-9]{0,3}\\d){8})(?!\\d))`,
  'g',
);

function phonesIn(typed: string): string[] {
  const numbers = Array.from(plain(typed).matchAll(PHONE), ([, number = '']) => number);
  return [...new Set(numbers.flatMap((number) => parsePhoneNumber(`0${number.replace(/\D/g, '').slice(-9)}`) ?? []))];
}
