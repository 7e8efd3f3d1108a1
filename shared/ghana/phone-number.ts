import { plainText } from '../runtime/values/plain-text.ts';

/**
 * Parses a Ghanaian number to `+233` and nine digits. Returns undefined for any other string. Accepts `0`, `+233`,
 * `233` or `00233` before the nine digits, `(0)` after the country code, and spaces, dots, dashes and brackets between
 * the digits. Also handles full-width digits, unusual spaces and dashes, and hidden characters that phones add when a
 * number is copied. Does not determine the network.
 */
export function parsePhoneNumber(written: string): string | undefined {
  const plain = plainCharacters(written).replace(/[ ().-]/g, '');
  const [, subscriber] = /^(?:0|(?:\+|00)?2330?)(\d{9})$/.exec(plain) ?? [];
  return subscriber && `+233${subscriber}`;
}

export const NUMBER_COLUMNS = [
  'number',
  'phone',
  'phone_number',
  'phone_no',
  'mobile',
  'mobile_number',
  'mobile_no',
  'msisdn',
  'telephone',
  'tel',
  'contact_number',
  'to',
] as const;

/**
 * Reads a phone number from a spreadsheet cell. Spreadsheets drop the leading 0, so nine digits with a mobile prefix
 * also count as a phone number.
 */
export function numberInCell(cell: string): string {
  return /^[25]\d{8}$/.test(cell.replace(/[ .-]/g, '')) ? `0${cell}` : cell;
}

/**
 * Replaces full-width digits and unusual spaces and dashes, and removes hidden characters. Copied text often contains
 * such characters.
 */
export function plainCharacters(written: string): string {
  return plainText(written)
    .replace(/[^\S\n\r\t]/g, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

/** True if the digits could be a local phone number, or an international one without its plus sign. */
export function mayBeNumber(digits: string): boolean {
  return /^(?:0|233)\d{9}$/.test(digits);
}

export const NUMBER_RULE = 'Write a Ghanaian number: 0241234567 or +233241234567.';
export const WHATSAPP_EXAMPLE = 'https://wa.me/233241234567';

/**
 * Prefix of the numbers of test-mode wallets. Nobody can own or dial these numbers, because 00 is the prefix for
 * international calls.
 */
export const TEST_NUMBER_PREFIX = '+23300';

export function isTestNumber(number: string): boolean {
  return number.startsWith(TEST_NUMBER_PREFIX);
}

/** Separators between phone numbers. A space is not a separator, because it also occurs within phone numbers. */
const SEPARATORS = /[\n\r,;|/\t]+/;
/** Matches a phone number within a text. The script on the page uses the same expression. */
export const NUMBER = /(?:(?:\+|00)?233[ ().-]*0?|0)(?:[ ().-]*\d){9}/g;

/**
 * Finds the phone numbers in pasted text: one per line, separated by commas, next to names, or all on one line. Removes
 * duplicates. An invalid number is returned as written, so that the page can show it.
 */
export function numbersIn(text: string): string[] {
  const pieces = plainCharacters(text)
    .split(SEPARATORS)
    .flatMap((piece) => piece.trim() || []);
  // A piece without digits is a name, unless no piece has digits.
  const withDigits = pieces.filter((piece) => /\d/.test(piece));
  return [...new Set((withDigits.length > 0 ? withDigits : pieces).flatMap(numbersOfPiece))];
}

function numbersOfPiece(written: string): string[] {
  const piece = numberInCell(written);
  const found = piece.match(NUMBER) ?? [];
  const rest = piece.replace(NUMBER, '');
  const numbers = found.flatMap((written) => parsePhoneNumber(written) ?? []);
  // Return a piece that is not a phone number, or that has extra digits, as written.
  return numbers.length === 0 || /\d/.test(rest) ? [piece] : numbers;
}
