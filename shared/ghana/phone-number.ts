import { plainText } from '../runtime/values/plain-text.ts';

/**
 * A Ghanaian number in international form, `+233` and nine digits; undefined for anything else. Accepts a local `0`, `+233`,
 * `233` or `00233` before the nine digits, the `(0)` that some write behind it, and spaces, dots, dashes and brackets anywhere
 * between, also as phones copy them: wide digits, any kind of space or dash, and hidden characters. It does not say which network
 * the number is on.
 */
export function parsePhoneNumber(written: string): string | undefined {
  const plain = plainCharacters(written).replace(/[ ().-]/g, '');
  const [, subscriber] = /^(?:0|(?:\+|00)?2330?)(\d{9})$/.exec(plain) ?? [];
  return subscriber && `+233${subscriber}`;
}

/** The names of a file's column with phone numbers. */
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

/** A number in a cell of a file. A spreadsheet drops the 0 at its front: nine digits are one where a mobile network has such numbers. */
export function numberInCell(cell: string): string {
  return /^[25]\d{8}$/.test(cell.replace(/[ .-]/g, '')) ? `0${cell}` : cell;
}

/** A text with plain digits, spaces and dashes, and without hidden characters: phones and spreadsheets copy the others along. */
export function plainCharacters(written: string): string {
  return plainText(written)
    .replace(/[^\S\n\r\t]/g, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

/** Whether digits may be a phone number: a local one, or an international one without its plus. */
export function mayBeNumber(digits: string): boolean {
  return /^(?:0|233)\d{9}$/.test(digits);
}

/** The answer to anything else that an operator writes. */
export const NUMBER_RULE = 'Write a Ghanaian number: 0241234567 or +233241234567.';
export const WHATSAPP_EXAMPLE = 'https://wa.me/233241234567';

/**
 * Wallets that only exist in test mode have numbers that begin so. Nobody can have one, or dial it: behind the 0 of a local number
 * another 0 is the prefix for calls abroad.
 */
export const TEST_NUMBER_PREFIX = '+23300';

export function isTestNumber(number: string): boolean {
  return number.startsWith(TEST_NUMBER_PREFIX);
}

/** What separates numbers, whatever else is between them. A space does not: it is also within numbers. */
const SEPARATORS = /[\n\r,;|/\t]+/;
/** Also for the page's script. */
export const NUMBER = /(?:(?:\+|00)?233[ ().-]*0?|0)(?:[ ().-]*\d){9}/g;

/**
 * The numbers in a text that somebody pasted: one below the other, with commas, with names beside them, or all in one line. Each
 * once. What looks like a number and is none stays as it was written, so that it can be shown to the person who typed it.
 */
export function numbersIn(text: string): string[] {
  const pieces = plainCharacters(text)
    .split(SEPARATORS)
    .flatMap((piece) => piece.trim() || []);
  // What has no digit is a name, unless there is nothing else.
  const withDigits = pieces.filter((piece) => /\d/.test(piece));
  return [...new Set((withDigits.length > 0 ? withDigits : pieces).flatMap(numbersOfPiece))];
}

function numbersOfPiece(written: string): string[] {
  const piece = numberInCell(written);
  const found = piece.match(NUMBER) ?? [];
  const rest = piece.replace(NUMBER, '');
  const numbers = found.flatMap((written) => parsePhoneNumber(written) ?? []);
  // A digit too many, or what is no number at all.
  return numbers.length === 0 || /\d/.test(rest) ? [piece] : numbers;
}
