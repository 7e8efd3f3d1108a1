import { plainText } from '../../runtime/values/plain-text.ts';

/** Letters that look like Latin ones, which follow each. */
const FOREIGN = new Map(
  'аaеeоoрpсcуyхxкkмmтtнhвbіi\u03bfo\u03b1a\u03b9i\u0131iđdłlħhŧtøo'.match(/../gu)?.map((pair): [string, string] => {
    const [letter = '', latin = ''] = pair;
    return [letter, latin];
  }),
);

/** Small letters in one form, without hidden characters, with Latin letters for foreign ones that look the same. */
export function inLatin(text: string): string {
  return Array.from(plainText(text).toLowerCase(), (letter) => FOREIGN.get(letter) ?? letter).join('');
}

/** `P I N`, `o-t-p`, `p/i/n` */
const SPACED_LETTERS = /(?<![\p{L}\p{N}])\p{L}(?:[ ./_*-]{1,2}\p{L}){2,}(?![\p{L}\p{N}])/gu;

/** The words of a text as a reader takes them: Latin, without accents, and whole where their letters stand apart. */
export function readableWords(text: string): string {
  return inLatin(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(SPACED_LETTERS, (letters) => letters.replace(/[ ./_*-]/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
}
