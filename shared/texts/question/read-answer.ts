import { CURRENCY_SIGNS, parseBalance } from '../../ghana/balance.ts';
import { CODE_CHARACTERS, WORD_CODE_LENGTH } from '../../runtime/values/word-code.ts';
import type { Word } from './question.table.ts';

export interface OwnersAnswer {
  readonly word: Word;
  readonly code: string;
}

const ONE = `[${CODE_CHARACTERS}]`;
/** Some people put a space or a dash in the middle of a code. */
const CODE = `(${ONE}(?:[ -]?${ONE}){${WORD_CODE_LENGTH - 1}})`;
const WORD = `(YES|NO|(?:${CURRENCY_SIGNS})? ?[0-9][0-9,]*(?:\\.[0-9]{1,2})?)`;
const SIGN = new RegExp(`^(?:${CURRENCY_SIGNS})`);
const BETWEEN = '[ ,;:-]+';
const ANSWER = new RegExp(`^(?:${WORD}${BETWEEN}${CODE}|${CODE}${BETWEEN}${WORD})[.!]?$`);

/** Parses a whole text such as `YES 7KQ4MX2P`, `no 7kq4-mx2p` or `7KQ4MX2P 1,047.50`. Undefined for any other. */
export function readAnswer(text: string): OwnersAnswer | undefined {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toUpperCase();
  const [, first, after, before, last] = ANSWER.exec(plain) ?? [];
  const said = first ?? last;
  const code = (after ?? before)?.replace(/[ -]/g, '');
  // Every code has both a letter and a digit, unlike "8 Saturday".
  if (said === undefined || code === undefined || !/\d/.test(code) || !/[A-Z]/.test(code)) return undefined;
  const word = said === 'YES' ? 'yes' : said === 'NO' ? 'no' : parseBalance(said.replace(SIGN, ''));
  return word === undefined ? undefined : { word, code };
}

/** True if a text may hold a code in any notation: every code has a digit, and no text with one is shorter. */
export function mayHoldCode(text: string): boolean {
  const letters = text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
  return letters.length >= WORD_CODE_LENGTH && /\p{N}/u.test(letters);
}
