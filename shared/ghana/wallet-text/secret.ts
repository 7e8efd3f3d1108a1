import { readableWords } from './latin.ts';

/** Words that suggest a secret, such as `PIN`. */
const WORD =
  /(?<!\p{L})(?:(?:log|sign)[- ]?in|(?:pass|pin)?codes?|kode|[a-z]?-?pins?|(?:momo|cash)pins?|puk|2fa|mot de passe|pass(?:word|phrase|key|wd)s?|o\.?t\.?ps?|one[- ]?time|tokens?|verif\p{L}*|vouchers?|cvv|secrets?|approv\p{L}*|authori[sz]\p{L}*|authenticat\p{L}*|activat\p{L}*|security (?:no|number|digits))(?!\p{L})/iu;
/** Matches an unlabelled code, such as `Use 482913 to pay` or `482913 is your …`. */
const TO_USE =
  /(?<![\p{L}\p{N}])(?:use|enter|quote|type)\s+(?:the\s+)?[\p{L}-]{0,3}\p{Nd}{4}|^\W*\p{Nd}{4,8} is your(?![\p{L}\p{N}])/iu;
/** Matches an instruction to use or send a code. */
const ASKS =
  /^\W*(?:please |pls |kindly )?(?:use|enter|quote|type|confirm|reply|give|key in|press|send)(?!\p{L})|(?<!\p{L})to (?:confirm|complete|pay|withdraw|accept)(?!\p{L})/u;
/** Matches a card's CVV. */
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
/** Matches a password or the answer to a security question. */
const CALLED_ANSWER =
  /((?<!\p{L})(?:(?:secret|security|memorable|reset)\s(?:answer|word|phrase)|pass(?:word|phrase|key|wd)|login)\s{0,3}(?:[:=]|is(?!\p{L}))\s{0,3})(\S+)/giu;
/** Matches `QXTRPL`, `AB12` and `kofi-Secret`, which do not look like ordinary words. */
const LOOKS_LIKE_CODE = /\p{Nd}|^\p{Lu}{4}|^\P{Ll}*\p{Ll}.*\p{Lu}/u;

/** True if a text may contain a code, a password or a token. Deliberately broad: a false positive only masks digits. */
export function holdsSecret(text: string): boolean {
  const words = readableWords(text);
  const besideAmounts = words.replace(AMOUNTS, ' … ');
  return (
    (WORD.test(words) && (DIGITS.test(besideAmounts) || hasMixed(words))) || TO_USE.test(words) || OF_CARD.test(words)
  );
}

/**
 * Like `holdsSecret`, but for unparsed texts from networks. If the text looks like a payment, ignores its figures and
 * PIN warnings.
 */
export function holdsWalletSecret(text: string): boolean {
  const words = readableWords(text);
  const isPaymentLike = ID.test(words) || (AMOUNT.test(words) && BALANCE.test(words));
  if (!isPaymentLike) return holdsSecret(words);
  const withoutWarnings = words.replace(WARNING, ' … ');
  return (
    holdsSecret(withoutFigures(words)) ||
    withoutWarnings
      .split(/[.!?;](?=\s)/)
      .some((one) => WORD.test(one) && DIGITS_OR_TIME.test(one.replace(AMOUNTS, ' … ')))
  );
}

/** True if an unparsed text contains a transaction id or an amount. */
export function mayBePayment(text: string): boolean {
  const words = readableWords(text);
  return ID.test(words) || AMOUNT.test(words);
}

/** Replaces a payment's figures and warnings. */
export function withoutFigures(text: string): string {
  return FIGURES.reduce((rest, one) => rest.replace(one, ' … '), text.replace(WARNING, ' … '));
}

/** Masks all digits and codes in a text with asterisks. */
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

/** Masks all digits except a payment's figures. In a sentence that may mention a code, masks every digit. */
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

/** Matches a warning never to share a code. */
const WARNING =
  /(?<!\p{L})(?:never|do not|don['’]t) (?:share|disclose|give|reveal|tell)(?!\p{L})[^.!\d]{0,200}(?=[.!]|$)/giu;

const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?';
const SIGN = '(?:GHS|GH[¢₵C]|[¢₵])';
/** Matches an amount. In `456123 GHS 5.00`, the currency belongs to `5.00`. */
const AMOUNT = new RegExp(`${SIGN}\\s*${NUMBER}|(?<![\\d,])${NUMBER}\\s*${SIGN}(?!\\s*\\d)`, 'i');
const AMOUNTS = new RegExp(AMOUNT.source, 'gi');
const BALANCE = new RegExp(`\\bbal(?:ance)?\\b[^.\\d]{0,20}${NUMBER}`, 'i');
const ID =
  /\b(?:trans(?:action)?|txn)\.?\s*(?:id|no|ref)(?:\s*[.:#])?\s*(?:[a-z]{2,4}\d[\w.]{6,}|[a-z]?\d[\w.]{9,})|^\d{16}(?= confirmed)/i;

/** Digits in a payment's text that are not secret, such as amounts, references and phone numbers. */
const FIGURES = [
  AMOUNTS,
  new RegExp(ID.source, 'gi'),
  /^\d{16}(?!\d)|\b(?:balance|fee|charged|levy|tax)(?:\s+(?:is|was))?(?:\s*:)?\s*\d[\d,]*\.\d\d(?!\d)/gi,
  /\d{4}-\d\d-\d\d(?:\s+(?:at\s+)?\d\d:\d\d(?::\d\d)?)?|\b(?:on|date:?)\s+\d\d?\/\d\d?\/\d{2,4}|\bat\s+\d\d?:\d\d(?::\d\d)?/gi,
  /(?<!\d)(?:\+?233|0)[235]\d{8}(?!\d)/g,
  /MK[^\w]{0,3}\d(?:[ -]?\d){9}(?!\d)/gi,
];
const FIGURE = new RegExp(FIGURES.map(({ source }) => source).join('|'), 'gi');

function hasMixed(words: string): boolean {
  return [...words.matchAll(MIXED)].some(([word]) => word.replace(/\P{Nd}/gu, '').length >= LEAST_DIGITS);
}
