import { isPrivateText } from '../../ghana/wallet-text/read-wallet-text.ts';
import { holdsSecret } from '../../ghana/wallet-text/secret.ts';
import { plainText } from '../../runtime/values/plain-text.ts';

/**
 * Phrases from texts by banks, wallets and other services. Customers do not use these phrases when they write to shops.
 */
const TOLD = [
  'transaction (?:id|no|number|ref\\w*)',
  'trans(?:action)?\\.? ?id',
  'financial transaction',
  '(?:current|available|avail|new|closing|ledger|account|wallet|your) bal(?:ance)?\\b',
  'bal(?:ance)? ?(?::|is|of) ?\\d',
  'bal(?:ance)? ?(?::|is|of)? ?gh[¢₵s]',
  '(?:acct|a/c|account) ?(?:no|number|ending|\\*|x{2,}|\\d)',
  '(?:has been|was|been) (?:debited|credited)',
  '(?:debited|credited) (?:with|by|from|to)',
  'payment (?:made|received) (?:for|from|to)',
  'your (?:payment|transfer|withdrawal|deposit|loan) (?:of|to|from)',
  'cash[- ]?(?:in|out) (?:made|received|of|for)',
  'card (?:no|number|ending)',
  '(?:transfer|payment|deposit|withdrawal) of gh[¢₵s].{0,80}success',
  'confirmed\\. ?(?:you have|gh[¢₵s])',
  'confirmed from',
  'you (?:have )?(?:received|sent|transferred|withdrawn|paid|deposited|bought) (?:airtime|gh[¢₵s]|\\d)',
  'e-?levy',
  'momo pin',
  '(?:do not|don.t|never) (?:share|disclose|give)',
  'one[- ]?time',
];
const TOLD_WORDS = new RegExp(`(?:^|[^\\p{L}])(?:${TOLD.join('|')})`, 'iu');

/** Matches a text of one word that may be a code: `482910`, `G-482910`, `K7QF2M9X`. */
const ONE_WORD = /^[A-Z0-9][A-Z0-9-]*$/i;
const LEAST_DIGITS = 3;
const LEAST_MIXED_CHARACTERS = 6;

/**
 * Returns false if the text may contain a code or come from a wallet or bank. The content of such a text is never
 * stored.
 */
export function mayBeShown(words: string): boolean {
  if (plain(words) === '') return false;
  const text = plain(withoutAddresses(words));
  if (text === '') return true;
  if (isPrivateText(text) || TOLD_WORDS.test(text)) return false;
  return !mayBeCode(text);
}

/** Returns true if the text contains four digits, in any script and with any spacing. */
export function hasFourDigits(words: string): boolean {
  return [...plain(withoutAddresses(words)).matchAll(/\p{N}/gu)].length > LEAST_DIGITS;
}

const DIGITAL_ADDRESS = /(?<![\p{L}\p{N}-])[A-Z][A-Z0-9]-\d{3,4}-\d{4}(?![\p{L}\p{N}-])/giu;
const ADDRESS_WORDS =
  /(?<!\p{L})(?:(?<!(?:mail|ip|web|wallet) )address|ghana ?post|gps|(?:post|postal|zip|area) ?code|locat(?:ion|ed)|landmark|(?:live|stay)s? (?:at|in|near))(?!\p{L})/iu;

/**
 * Removes Ghana Post digital addresses (`GA-183-8164`). Keeps them if the text mentions a secret, because tokens can
 * have the same format.
 */
function withoutAddresses(words: string): string {
  const text = plain(words);
  if (holdsSecret(text) && !ADDRESS_WORDS.test(text)) return text;
  return text.replace(DIGITAL_ADDRESS, ' ');
}

function plain(words: string): string {
  return plainText(words).replace(/\s+/g, ' ').trim();
}

function mayBeCode(text: string): boolean {
  if (/^[\p{N}\s.:-]+$/u.test(text)) return hasFourDigits(text);
  const bare = text.replace(/(?<![.!?,'"])[.!?,'"]+$/, '');
  if (!ONE_WORD.test(bare)) return false;
  const digits = bare.replace(/\D/g, '').length;
  return digits >= LEAST_DIGITS || (digits > 0 && bare.length >= LEAST_MIXED_CHARACTERS);
}
