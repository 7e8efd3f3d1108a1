import { CURRENCY_SIGNS, parseBalance } from '../../ghana/balance.ts';
import { CODE_CHARACTERS, WORD_CODE_LENGTH } from '../../runtime/values/word-code.ts';
import type { AnswerValue } from './question.table.ts';

export interface OwnersAnswer {
  readonly value: AnswerValue;
  readonly code: string;
}

const ONE = `[${CODE_CHARACTERS}]`;
const CODE = `(${ONE}(?:[ -]?${ONE}){${WORD_CODE_LENGTH - 1}})`;
const VALUE = `(YES|NO|(?:${CURRENCY_SIGNS})? ?[0-9](?:,?[0-9])*(?:\\.[0-9]{1,2})?)`;
const SIGN = new RegExp(`^(?:${CURRENCY_SIGNS})`);
const BETWEEN = '[ ,;:-]+';
const ANSWER = new RegExp(`^(?:${VALUE}${BETWEEN}${CODE}|${CODE}${BETWEEN}${VALUE})[.!]?$`);

/**
 * Parses an answer such as `YES 7KQ4MX2P`, `no 7kq4-mx2p` or `7KQ4MX2P 1,047.50`. Returns undefined for any other text.
 */
export function readAnswer(text: string): OwnersAnswer | undefined {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toUpperCase();
  const [, first, after, before, last] = ANSWER.exec(plain) ?? [];
  const written = first ?? last;
  const code = (after ?? before)?.replace(/[ -]/g, '');
  // Every code contains a letter and a digit, so "8 Saturday" is not an answer.
  if (written === undefined || code === undefined || !/\d/.test(code) || !/[A-Z]/.test(code)) return undefined;
  const value = written === 'YES' ? 'yes' : written === 'NO' ? 'no' : parseBalance(written.replace(SIGN, ''));
  return value === undefined ? undefined : { value, code };
}

/** Returns true if the text may contain a code in any notation. */
export function mayHoldCode(text: string): boolean {
  const letters = text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
  return letters.length >= WORD_CODE_LENGTH && /\p{N}/u.test(letters);
}
