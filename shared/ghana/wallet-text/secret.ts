import { readableWords } from './latin.ts';

/** Words that mark a nearby four-digit number as a possible secret. */
const WORD =
  /(?<!\p{L})(?:(?:log|sign)[- ]?in|(?:pass|pin)?codes?|kode|[a-z]?-?pins?|(?:momo|cash)pins?|puk|2fa|mot de passe|pass(?:word|phrase|key|wd)s?|o\.?t\.?ps?|one[- ]?time|tokens?|verif\p{L}*|vouchers?|cvv|secrets?|approv\p{L}*|authori[sz]\p{L}*|authenticat\p{L}*|activat\p{L}*|security (?:no|number|digits))(?!\p{L})/iu;
/** Matches an unlabelled code: `Use 482913 to pay`, `482913 is your …`. */
const TO_USE =
  /(?<![\p{L}\p{N}])(?:use|enter|quote|type)\s+(?:the\s+)?[\p{L}-]{0,3}\p{Nd}{4}|^\W*\p{Nd}{4,8} is your(?![\p{L}\p{N}])/iu;
/** Matches a request that the recipient might answer with a code. */
const ASKS =
  /^\W*(?:please |pls |kindly )?(?:use|enter|quote|type|confirm|reply|give|key in|press|send)(?!\p{L})|(?<!\p{L})to (?:confirm|complete|pay|withdraw|accept)(?!\p{L})/u;
/** Matches the three digits of a card's CVV. */
const OF_CARD = /(?<!\p{L})cv[vc]2?(?!\p{L})[^\p{L}\p{N}]{0,3}(?:is\s)?\p{Nd}{3}/u;
const DIGITS = /\p{Nd}(?:[\s./–—-]{0,3}\p{Nd}){3,}/u;
const DIGITS_OR_TIME = /\p{Nd}(?:[\s./:–—-]{0,3}\p{Nd}){3,}/u;
/** Matches codes such as `K7QF2M9X`. */
const MIXED = /(?<![\p{L}\p{N}])(?=[A-Z]*\p{Nd})(?=\p{Nd}*[A-Z])[A-Z\p{Nd}]{6,}(?![\p{L}\p{N}])/giu;
const LEAST_DIGITS = 2;
const CODE = '(?:codes?|kode|pins?|otps?|tokens?|pass(?:word|phrase|key|code|wd)s?|secrets?|vouchers?)(?!\\p{L})';
const CALLED_CODE = new RegExp(
  `((?<!\\p{L})${CODE}(?:\\s{1,3}is(?!\\p{L}))?(?:\\s{0,3}[:=]\\s{0,3}|\\s{1,3}))(?!${CODE})(\\S+)`,
  'giu',
);
/** Matches an answer to a security question, or a password, which can be any word. */
const CALLED_ANSWER =
  /((?<!\p{L})(?:(?:secret|security|memorable|reset)\s(?:answer|word|phrase)|pass(?:word|phrase|key|wd)|login)\s{0,3}(?:[:=]|is(?!\p{L}))\s{0,3})(\S+)/giu;
/** Matches `QXTRPL`, `AB12` and `kofi-Secret`, which do not look like words in a sentence. */
const LOOKS_LIKE_CODE = /\p{Nd}|^\p{Lu}{4}|\p{Ll}.*\p{Lu}/u;

/**
 * True if a text may contain a code, a password or a token, that is, four digits and a word that suggests a secret. The
 * rule applies to texts from wallets and from people. It is deliberately broad, because a false positive only hides
 * digits.
 */
export function holdsSecret(text: string): boolean {
  const words = readableWords(text);
  const besideAmounts = words.replace(AMOUNTS, ' … ');
  return (
    (WORD.test(words) && (DIGITS.test(besideAmounts) || hasMixed(words))) || TO_USE.test(words) || OF_CARD.test(words)
  );
}

/**
 * Variant of `holdsSecret` for a network's text that could not be parsed. A text with an id, or with an amount and a
 * balance, may be a new wording for a payment with a warning against sharing a PIN. In such a text, the warning and the
 * payment's figures do not count as a code unless a sentence calls them a code.
 */
export function holdsWalletSecret(text: string): boolean {
  const words = readableWords(text);
  const isPaymentLike = ID.test(words) || (AMOUNT.test(words) && BALANCE.test(words));
  if (!isPaymentLike) return holdsSecret(words);
  const withoutWarnings = words.replace(WARNING, ' … ');
  return (
    holdsSecret(FIGURES.reduce((rest, one) => rest.replace(one, ' … '), withoutWarnings)) ||
    withoutWarnings
      .split(/[.!?;](?=\s)/)
      .some((one) => WORD.test(one) && DIGITS_OR_TIME.test(one.replace(AMOUNTS, ' … ')))
  );
}

/**
 * True if a text that could not be parsed contains an id or an amount in cedis. The text may be about a payment, so a
 * person needs its figures.
 */
export function mayBePayment(text: string): boolean {
  const words = readableWords(text);
  return ID.test(words) || AMOUNT.test(words);
}

/**
 * Masks a text that may contain a secret. Keeps the words, but replaces every digit and every character of a code with
 * an asterisk.
 */
export function withoutDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(CALLED_CODE, (all: string, label: string, word: string) =>
      LOOKS_LIKE_CODE.test(word) ? `${label}${word.replace(/[\p{L}\p{Nd}]/gu, '*')}` : all,
    )
    .replace(CALLED_ANSWER, (_, label: string, word: string) => `${label}${word.replace(/[\p{L}\p{Nd}]/gu, '*')}`)
    .replace(MIXED, (word) => '*'.repeat(word.length))
    .replace(/\p{N}/gu, '*');
}

/**
 * Masks all digits except a payment's figures. Any other digits could be a code. In a sentence that mentions a code or
 * asks for something, all digits are masked, because any figure could be a code.
 */
export function withFiguresAlone(text: string): string {
  const sentences = text.normalize('NFKC').split(/(?<=[.!?;])(?=\s)|(?<=\n)/);
  const words = sentences.map((one) => (mayNameCode(one) ? withoutDigits(one) : one)).join('');
  let masked = '';
  let from = 0;
  for (const figure of words.matchAll(FIGURE)) {
    masked += withoutDigits(words.slice(from, figure.index)) + figure[0];
    from = figure.index + figure[0].length;
  }
  return masked + withoutDigits(words.slice(from));
}

function mayNameCode(sentence: string): boolean {
  const words = readableWords(sentence).replace(WARNING, ' … ');
  return WORD.test(words) || ASKS.test(words);
}

/** Matches a sentence that warns against sharing a code and contains no digits. */
const WARNING =
  /(?<!\p{L})(?:never|do not|don['’]t) (?:share|disclose|give|reveal|tell)(?!\p{L})[^.!\d]{0,200}(?=[.!]|$)/giu;

const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?';
const SIGN = '(?:GHS|GH[¢₵C]|[¢₵])';
/** Matches an amount. In `456123 GHS 5.00`, the currency belongs to the second number. */
const AMOUNT = new RegExp(`${SIGN}\\s*${NUMBER}|(?<![\\d,])${NUMBER}\\s*${SIGN}(?!\\s*\\d)`, 'i');
const AMOUNTS = new RegExp(AMOUNT.source, 'gi');
const BALANCE = new RegExp(`\\bbal(?:ance)?\\b[^.\\d]{0,20}${NUMBER}`, 'i');
const ID =
  /\b(?:trans(?:action)?|txn)\.?\s*(?:id|no|ref)\s*[.:#]?\s*(?:[a-z]{2,4}\d[\w.]{6,}|[a-z]?\d[\w.]{9,})|^\d{16}(?= confirmed)/i;

/**
 * Digits in a payment's text that are not secret. They include the digits of a charge's reference and of a phone
 * number.
 */
const FIGURES = [
  AMOUNTS,
  new RegExp(ID.source, 'gi'),
  /^\d{16}(?!\d)|\b(?:balance|fee|charged|levy|tax)(?:\s+(?:is|was))?\s*:?\s*\d[\d,]*\.\d\d(?!\d)/gi,
  /\d{4}-\d\d-\d\d(?:\s+(?:at\s+)?\d\d:\d\d(?::\d\d)?)?|\b(?:on|date:?)\s+\d\d?\/\d\d?\/\d{2,4}|\bat\s+\d\d?:\d\d(?::\d\d)?/gi,
  /(?<!\d)(?:\+?233|0)[235]\d{8}(?!\d)/g,
  /MK[^\w]{0,3}\d(?:[ -]?\d){9}(?!\d)/gi,
];
const FIGURE = new RegExp(FIGURES.map(({ source }) => source).join('|'), 'gi');

function hasMixed(words: string): boolean {
  return [...words.matchAll(MIXED)].some(([word]) => word.replace(/\P{Nd}/gu, '').length >= LEAST_DIGITS);
}
