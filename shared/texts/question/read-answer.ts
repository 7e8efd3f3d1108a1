import { CURRENCY_SIGNS, parseBalance } from '../../ghana/balance.ts';
import { CODE_CHARACTERS, WORD_CODE_LENGTH } from '../../runtime/values/word-code.ts';
import type { Word } from './question.table.ts';

/** An answer to a question: what its owner says, and the code of the question. */
export interface OwnersAnswer {
  readonly word: Word;
  readonly code: string;
}

const ONE = `[${CODE_CHARACTERS}]`;
/** Some people leave a space or a dash in the middle of a code. */
const CODE = `(${ONE}(?:[ -]?${ONE}){${WORD_CODE_LENGTH - 1}})`;
const WORD = `(YES|NO|(?:${CURRENCY_SIGNS})? ?[0-9][0-9,]*(?:\\.[0-9]{1,2})?)`;
const SIGN = new RegExp(`^(?:${CURRENCY_SIGNS})`);
const BETWEEN = '[ ,;:-]+';
const ANSWER = new RegExp(`^(?:${WORD}${BETWEEN}${CODE}|${CODE}${BETWEEN}${WORD})[.!]?$`);

/** `YES 7KQ4MX2P`, `no 7kq4-mx2p` or `7KQ4MX2P 1,047.50`: the whole text. Undefined for any other. */
export function readAnswer(text: string): OwnersAnswer | undefined {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toUpperCase();
  const [, first, after, before, last] = ANSWER.exec(plain) ?? [];
  const said = first ?? last;
  const code = (after ?? before)?.replace(/[ -]/g, '');
  // Every code has both a letter and a digit: "8 Saturday" has none.
  if (said === undefined || code === undefined || !/\d/.test(code) || !/[A-Z]/.test(code)) return undefined;
  const word = said === 'YES' ? 'yes' : said === 'NO' ? 'no' : parseBalance(said.replace(SIGN, ''));
  return word === undefined ? undefined : { word, code };
}

/** Whether a code may stand in a text, however it is written: each has a digit, and no text is shorter. */
export function mayHoldCode(text: string): boolean {
  const letters = text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
  return letters.length >= WORD_CODE_LENGTH && /\p{N}/u.test(letters);
}
