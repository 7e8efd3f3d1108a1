import { ItemError, invalid } from './errors.ts';

/**
 * DynamoDB's numbers: decimals with up to 38 significant digits between 1E-130 and 9.9…E+125. Stored as DynamoDB prints
 * them, so equal numbers are equal strings. Uses doubles only where they are exact.
 */

const MAX_DIGITS = 38;
const MAGNITUDES = { least: -130, most: 125 };
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,37})$/;
const PLAIN_FRACTION = /^-?(?:0|[1-9]\d{0,17})\.\d{0,18}[1-9]$/;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;
/** Digits that a double always represents exactly. */
const EXACT_LENGTH = 15;
const EXACT_INTEGER = /^-?\d{1,14}$/;

/** `digits` × 10^`exponent`, without trailing zeros in `digits`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Returns the canonical form. @throws ValidationException unless the string is a number within DynamoDB's range. */
export function canonicalNumber(text: string): string {
  return PLAIN_INTEGER.test(text) || PLAIN_FRACTION.test(text) ? text : write(parse(text), invalid);
}

/** Compares two canonical numbers. Returns a negative number, zero or a positive number. */
export function compareNumbers(one: string, other: string): number {
  if (one === other) return 0;
  if (one.length <= EXACT_LENGTH && other.length <= EXACT_LENGTH) return Number(one) - Number(other);
  const [left, right] = aligned(parse(one), parse(other));
  return left < right ? -1 : 1;
}

/** @throws ItemError if the sum has too many digits or is too large. */
export function addNumbers(one: string, other: string, sign: 1 | -1): string {
  if (EXACT_INTEGER.test(one) && EXACT_INTEGER.test(other)) return String(Number(one) + sign * Number(other));
  const [a, b] = [parse(one), parse(other)];
  const [left, right] = aligned(a, b);
  const sum = left + BigInt(sign) * right;
  return write(normalised(sum, Math.min(a.exponent, b.exponent)), (message) => new ItemError(message));
}

/**
 * Returns a canonical number's size in an item, in bytes: one per two digits on each side of the point, plus one or
 * two.
 */
export function numberBytes(text: string): number {
  if (text === '0') return 1;
  const sign = text.startsWith('-') ? 1 : 0;
  const point = text.indexOf('.');
  const pairs =
    point < 0
      ? pairsOf(text.length - sign) - Math.floor(zerosAtEnd(text) / 2)
      : wholePairs(text.slice(sign, point)) + fractionPairs(text.slice(point + 1), text[sign] === '0');
  return 1 + sign + pairs;
}

const pairsOf = (digits: number) => Math.ceil(digits / 2);
const wholePairs = (digits: string) => (digits === '0' ? 0 : pairsOf(digits.length));
const fractionPairs = (digits: string, isAll: boolean) =>
  pairsOf(digits.length) - (isAll ? Math.floor(digits.search(/[1-9]/) / 2) : 0);

function zerosAtEnd(text: string): number {
  let zeros = 0;
  while (text[text.length - 1 - zeros] === '0') zeros++;
  return zeros;
}

function parse(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  return normalised(BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`), Number(exponent) - fraction.length);
}

function normalised(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const zeros = zerosAtEnd(String(digits));
  return { digits: digits / 10n ** BigInt(zeros), exponent: exponent + zeros };
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.digits * 10n ** BigInt(a.exponent - exponent), b.digits * 10n ** BigInt(b.exponent - exponent)];
}

function write({ digits, exponent }: Decimal, error: (message: string) => Error): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits).replace('-', '');
  const magnitude = text.length - 1 + exponent;
  if (text.length > MAX_DIGITS) {
    throw error('Attempting to store more than 38 significant digits in a Number');
  }
  if (magnitude > MAGNITUDES.most) {
    throw error('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (magnitude < MAGNITUDES.least) {
    throw error('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  if (exponent >= 0) return sign + text + '0'.repeat(exponent);
  const padded = text.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
