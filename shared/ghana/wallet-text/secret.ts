/** Words that make four digits beside them a secret. */
const WORD =
  /(?<![\p{L}\p{N}])(?:(?:log|sign)[- ]?in|(?:pass|pin)?codes?|[a-z]?-?pins?|puk|pass(?:word|phrase|key|wd)s?|o\.?t\.?ps?|one[- ]?time|tokens?|verif\p{L}*|vouchers?|cvv|secrets?|approv\p{L}*|authori[sz]\p{L}*|authenticat\p{L}*|activat\p{L}*)(?![\p{L}\p{N}])/iu;
/** A code that is called nothing: `Use 482913 to pay`, `482913 is your …`. */
const TO_USE =
  /(?<![\p{L}\p{N}])(?:use|enter|quote|type)\s+(?:the\s+)?[\p{L}-]{0,3}\p{Nd}{4}|^\W*\p{Nd}{4,8} is your(?![\p{L}\p{N}])/iu;
const DIGITS = /\p{Nd}(?:[ -]?\p{Nd}){3,}/u;
/** `K7QF2M9X` */
const MIXED = /(?<![\p{L}\p{N}])(?=[A-Z]*\p{Nd})(?=\p{Nd}*[A-Z])[A-Z\p{Nd}]{6,}(?![\p{L}\p{N}])/giu;
const LEAST_DIGITS = 2;

/**
 * True if a text may hold a code, a password or a token: a word for one, with four digits. One rule for what a wallet is sent and what a
 * person writes. It is no list of wordings: what is none is only shown without its digits.
 */
export function holdsSecret(text: string): boolean {
  const words = plain(text);
  return (WORD.test(words) && (DIGITS.test(words) || hasMixed(words))) || TO_USE.test(words);
}

/**
 * The same of a network's text that was not understood. One with the id, or the amount and the balance, of a payment may be a new wording of a payment, and warn of
 * giving a PIN away: then neither that nor the digits that its figures explain are a code.
 */
export function holdsWalletSecret(text: string): boolean {
  const words = plain(text);
  const isPaymentLike = ID.test(words) || (AMOUNT.test(words) && BALANCE.test(words));
  return holdsSecret(
    isPaymentLike ? [WARNING, ...FIGURES].reduce((rest, one) => rest.replace(one, ' … '), words) : words,
  );
}

/** True if an unread text may be a payment, whose figures a person needs: it has an id, or an amount in cedis. */
export function mayBePayment(text: string): boolean {
  const words = plain(text);
  return ID.test(words) || AMOUNT.test(words);
}

/** Masks a text that may hold a secret: keeps its words, an asterisk for each digit, and for each character of a code. */
export function withoutDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(MIXED, (word) => '*'.repeat(word.length))
    .replace(/\p{N}/gu, '*');
}

/** A sentence without digits of its own. */
const WARNING =
  /(?<!\p{L})(?:never|do not|don['’]t) (?:share|disclose|give|reveal|tell)(?!\p{L})[^.!\d]{0,200}(?=[.!]|$)/giu;

const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?';
const AMOUNT = new RegExp(`(?:GHS|GH[¢₵C]|[¢₵])\\s*${NUMBER}|(?<![\\d,])${NUMBER}\\s*(?:GHS|GH[¢₵C]|[¢₵])`, 'i');
const BALANCE = new RegExp(`\\bbal(?:ance)?\\b[^.\\d]{0,20}${NUMBER}`, 'i');
const ID = /\b(?:trans(?:action)?|txn)\.?\s*(?:id|no|ref)\s*[.:#]?\s*[a-z]{0,4}\d[\w.]{7,}|^\d{16}(?= confirmed)/i;

/** Digits that are no secret in a payment's text; a reference of ours and a phone number too. */
const FIGURES = [
  new RegExp(AMOUNT.source, 'gi'),
  new RegExp(ID.source, 'gi'),
  /\d{4}-\d\d-\d\d|\d\d?\/\d\d?\/\d{2,4}|\d\d?:\d\d(?::\d\d)?/g,
  /(?<!\d)(?:\+?233|0)\d{9}(?!\d)/g,
  /MK[ -]?\d{10}(?!\d)/gi,
];

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function hasMixed(words: string): boolean {
  return [...words.matchAll(MIXED)].some(([word]) => word.replace(/\P{Nd}/gu, '').length >= LEAST_DIGITS);
}
