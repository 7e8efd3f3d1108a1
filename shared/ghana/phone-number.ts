import { plainText } from '../runtime/values/plain-text.ts';

/**
 * Parses a Ghanaian number to `+233` and nine digits. Returns undefined for anything else. Accepts the prefixes `0`,
 * `+233`, `233` and `00233`, separators, and full-width or hidden characters.
 */
export function parsePhoneNumber(written: string): string | undefined {
  const plain = plainCharacters(written).replace(/[ ().-]/g, '');
  const [, subscriber] = /^(?:0|(?:\+|00)?2330?)(\d{9})$/.exec(plain) ?? [];
  return subscriber && `+233${subscriber}`;
}

/** Names of a column of phone numbers, including those in contact lists exported by Google and Outlook. */
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
  'phone_1_value',
  'mobile_phone',
] as const;

/**
 * Reads a phone number from a spreadsheet cell. Restores the leading 0, which spreadsheets drop. Reads the first of
 * several numbers, which Google joins with `:::`.
 */
export function numberInCell(cell: string): string {
  const [number = ''] = cell.split(' ::: ');
  return /^[25]\d{8}$/.test(number.replace(/[ .-]/g, '')) ? `0${number}` : number;
}

/** Normalises full-width digits, spaces and dashes, and strips invisible characters. */
export function plainCharacters(written: string): string {
  return plainText(written)
    .replace(/[^\S\n\r\t]/g, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

/** True if the digits could be a local phone number, or an international number without the plus sign. */
export function mayBeNumber(digits: string): boolean {
  return /^(?:0|233)\d{9}$/.test(digits);
}

export const NUMBER_RULE = 'Write a Ghanaian number: 0241234567 or +233241234567.';
export const WHATSAPP_EXAMPLE = 'https://wa.me/233241234567';

/** Prefix of test-mode phone numbers. Nobody can own or dial them, because 00 is the international call prefix. */
export const TEST_NUMBER_PREFIX = '+23300';

export function isTestNumber(number: string): boolean {
  return number.startsWith(TEST_NUMBER_PREFIX);
}

/** Separators between phone numbers. Excludes spaces, which also occur within a number. */
const SEPARATORS = /[\n\r,;|/\t]+/;
/** Matches a phone number within text. Also used by the browser script. */
export const NUMBER = /(?:(?:\+|00)?233(?:[ ().-]*0)?|0)(?:[ ().-]*\d){9}/g;

/** Returns the phone numbers in pasted text, without duplicates. Invalid numbers are returned as typed. */
export function numbersIn(text: string): string[] {
  const pieces = plainCharacters(text)
    .split(SEPARATORS)
    .flatMap((piece) => piece.trim() || []);
  // Skip pieces without digits (such as names), unless no piece has digits.
  const withDigits = pieces.filter((piece) => /\d/.test(piece));
  return [...new Set((withDigits.length > 0 ? withDigits : pieces).flatMap(numbersOfPiece))];
}

function numbersOfPiece(written: string): string[] {
  const piece = numberInCell(written);
  const found = piece.match(NUMBER) ?? [];
  const rest = piece.replace(NUMBER, '');
  const numbers = found.flatMap((written) => parsePhoneNumber(written) ?? []);
  // Return invalid numbers as typed.
  return numbers.length === 0 || /\d/.test(rest) ? [piece] : numbers;
}
