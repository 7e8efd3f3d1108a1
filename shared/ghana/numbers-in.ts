import { parsePhoneNumber } from './phone-number.ts';

/** What separates numbers, whatever else is between them. A space does not: it is also within numbers. */
const SEPARATORS = /[\n\r,;|/\t]+/;
/** Also for the page's script. */
export const NUMBER = /(?:(?:\+|00)?233[ ().-]*0?|0)(?:[ ().-]*\d){9}/g;

/**
 * The numbers in a text that somebody pasted: one below the other, with commas, with names beside them, or all in one line. Each
 * once. What looks like a number and is none stays as it was written, so that it can be shown to whoever typed it.
 */
export function numbersIn(text: string): string[] {
  const pieces = text.split(SEPARATORS).flatMap((piece) => piece.trim() || []);
  // What has no digit is a name, unless there is nothing else.
  const withDigits = pieces.filter((piece) => /\d/.test(piece));
  return [...new Set((withDigits.length > 0 ? withDigits : pieces).flatMap(numbersOfPiece))];
}

function numbersOfPiece(piece: string): string[] {
  const found = piece.match(NUMBER) ?? [];
  const rest = piece.replace(NUMBER, '');
  const numbers = found.flatMap((written) => parsePhoneNumber(written) ?? []);
  // A digit too many, or what is no number at all.
  return numbers.length === 0 || /\d/.test(rest) ? [piece] : numbers;
}
