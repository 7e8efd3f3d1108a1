import { plainText } from '../../runtime/values/plain-text.ts';

/** Maps lookalike letters to Latin letters. Each pair is a foreign letter and its Latin equivalent. */
const FOREIGN = new Map(
  'аaеeоoрpсcуyхxкkмmтtнhвbіi\u03bfo\u03b1a\u03b9i\u0131iđdłlħhŧtøo'.match(/../gu)?.map((pair): [string, string] => {
    const [letter = '', latin = ''] = pair;
    return [letter, latin];
  }),
);

/** Converts to lower case, strips invisible characters, and replaces lookalike letters with Latin letters. */
export function inLatin(text: string): string {
  return Array.from(plainText(text).toLowerCase(), (letter) => FOREIGN.get(letter) ?? letter).join('');
}

/** Matches spaced-out letters, such as `P I N`, `o-t-p` and `p/i/n`. */
const SPACED_LETTERS = /(?<![\p{L}\p{N}])\p{L}(?:[ ./_*-]{1,2}\p{L}){2,}(?![\p{L}\p{N}])/gu;

/** Normalises text: lower-case Latin letters, no accents, spaced-out letters joined. */
export function readableWords(text: string): string {
  return inLatin(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(SPACED_LETTERS, (letters) => letters.replace(/[ ./_*-]/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
}
