import { plainText } from '../../runtime/values/plain-text.ts';

/** Maps foreign letters to similar Latin letters. The string lists pairs: a foreign letter, then its Latin letter. */
const FOREIGN = new Map(
  'аaеeоoрpсcуyхxкkмmтtнhвbіi\u03bfo\u03b1a\u03b9i\u0131iđdłlħhŧtøo'.match(/../gu)?.map((pair): [string, string] => {
    const [letter = '', latin = ''] = pair;
    return [letter, latin];
  }),
);

/** Converts to lower case, removes hidden characters, and replaces foreign letters with similar Latin letters. */
export function inLatin(text: string): string {
  return Array.from(plainText(text).toLowerCase(), (letter) => FOREIGN.get(letter) ?? letter).join('');
}

/** Matches letters that are separated by single characters: `P I N`, `o-t-p`, `p/i/n`. */
const SPACED_LETTERS = /(?<![\p{L}\p{N}])\p{L}(?:[ ./_*-]{1,2}\p{L}){2,}(?![\p{L}\p{N}])/gu;

/**
 * Returns the words of a text as a person reads them: in Latin letters, without accents, with spaced-out letters
 * joined.
 */
export function readableWords(text: string): string {
  return inLatin(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(SPACED_LETTERS, (letters) => letters.replace(/[ ./_*-]/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
}
