import { plainText } from '../runtime/values/plain-text.ts';

/**
 * Parses a Ghanaian number to `+233` and nine digits; undefined for other text. Accepts `0`, `+233`, `233` or `00233`
 * before the nine digits, an `(0)` after the country code, and spaces, dots, dashes and brackets in between, including
 * wide digits, unusual spaces and dashes, and hidden characters that phones copy along. Does not identify the network.
 */
export function parsePhoneNumber(written: string): string | undefined {
  const plain = plainCharacters(written).replace(/[ ().-]/g, '');
  const [, subscriber] = /^(?:0|(?:\+|00)?2330?)(\d{9})$/.exec(plain) ?? [];
  return subscriber && `+233${subscriber}`;
}

/** Column names for phone numbers in files. */
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

/** Reads a number from a cell. Spreadsheets drop a leading 0, so nine digits with a mobile prefix count as a number. */
export function numberInCell(cell: string): string {
  return /^[25]\d{8}$/.test(cell.replace(/[ .-]/g, '')) ? `0${cell}` : cell;
}

/**
 * Replaces wide digits and unusual spaces and dashes, and removes hidden characters, as phones and spreadsheets copy
 * them.
 */
export function plainCharacters(written: string): string {
  return plainText(written)
    .replace(/[^\S\n\r\t]/g, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

/** True for digits that may be a local number, or an international one without its plus. */
export function mayBeNumber(digits: string): boolean {
  return /^(?:0|233)\d{9}$/.test(digits);
}

/** The message for other input. */
export const NUMBER_RULE = 'Write a Ghanaian number: 0241234567 or +233241234567.';
export const WHATSAPP_EXAMPLE = 'https://wa.me/233241234567';

/**
 * Prefix of test mode wallets. Nobody can own or dial these: a second 0 after the local 0 is the prefix for calls
 * abroad.
 */
export const TEST_NUMBER_PREFIX = '+23300';

export function isTestNumber(number: string): boolean {
  return number.startsWith(TEST_NUMBER_PREFIX);
}

/** Separators between numbers. Spaces are not, because they also occur within numbers. */
const SEPARATORS = /[\n\r,;|/\t]+/;
/** Shared with the page's script. */
export const NUMBER = /(?:(?:\+|00)?233[ ().-]*0?|0)(?:[ ().-]*\d){9}/g;

/**
 * The numbers in pasted text: one a line, with commas, with names, or all in one line. Removes duplicates. Text that
 * resembles a number but is none stays as written, so that its author can be shown it.
 */
export function numbersIn(text: string): string[] {
  const pieces = plainCharacters(text)
    .split(SEPARATORS)
    .flatMap((piece) => piece.trim() || []);
  // Pieces without digits are names, unless there are no others.
  const withDigits = pieces.filter((piece) => /\d/.test(piece));
  return [...new Set((withDigits.length > 0 ? withDigits : pieces).flatMap(numbersOfPiece))];
}

function numbersOfPiece(written: string): string[] {
  const piece = numberInCell(written);
  const found = piece.match(NUMBER) ?? [];
  const rest = piece.replace(NUMBER, '');
  const numbers = found.flatMap((written) => parsePhoneNumber(written) ?? []);
  // A number with a digit too many, or no number at all.
  return numbers.length === 0 || /\d/.test(rest) ? [piece] : numbers;
}
