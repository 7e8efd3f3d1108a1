import { plainText } from '../../runtime/values/plain-text.ts';
import { readableWords } from './latin.ts';
import { behindFirstState, behindStatuses, DAY, holdsState } from './status.ts';

const MAX_CHARACTERS = 80;

/** True for a valid payee: a name, a phone number or an account number. */
export function isCounterparty(name: string): boolean {
  return (
    /[\p{L}\d]/u.test(name) && name.length <= MAX_CHARACTERS && !/GHS\s*[\d,]+\.\d/i.test(name) && !isLabelled(name)
  );
}

/**
 * True for a valid payer name. Pass `isWhole` if the rest of the text is a complete receipt: a shop's name may then
 * contain status words, as in `NOT YET FASHION`.
 */
export function isPayerName(name: string, isWhole: boolean): boolean {
  if (!/\p{L}/u.test(name) || !isCounterparty(name) || FIGURE.test(name) || isProse(name)) return false;
  if (!isWhole && name.includes(':')) return false;
  const behind = behindStatuses(name).at(-1);
  if (behind === undefined) return true;
  return isWhole && (beginsWithStatus(name) || isShopCalled(name, behind) || isSaying(name) || isNamedAfterDay(name));
}

/** Matches an id, a number, an amount, a date or a short code. */
const FIGURE = /^\d+\s*-|\d\.\d+\s*GHS|\d{6}|\d{4}-\d\d-\d\d|\*\d/i;

/** True if the name runs on into other words, as in `KOFI MENSAH stuck`. */
function isProse(name: string): boolean {
  const [first = '', ...others] = plainText(name).split(/\s+/);
  const isName = /^\p{Lu}{2,}$/u.test(first) || /^\p{Lu}\p{L}*\.? \p{Lu}/u.test(`${first} ${others[0] ?? ''}`);
  if (!isName || isInstitution(name)) return false;
  return others.some((word) => /^\p{Ll}{2,}\b/u.test(word) && !PARTICLE.test(word) && !SHOP_END.test(word));
}

const PARTICLE = /^(?:and|of|the|de|da|van|von|der|bin|ibn|binti?|al|el|la|le|na|ne|ova)$/;

/** Matches the network's labels. After any other word, a colon is part of the name, as in `MERCY:GRACE ENTERPRISE`. */
const LABEL =
  /\b(?:bal(?:ance)?|funds|ref(?:erence)?|id|no|number|fees?|charged?|charges|commission|cost|duty|levy|tax|from|to|by|at|on|for|sender|receiver|refunder|message|msg|token|note|reason|status|state|narration|description|remarks?|comments?|time|date|amount|type|name|agent|account|acct|txn|trans(?:action)?|loan|bonus|info|alert|notice|https?)\s*:/i;

function isLabelled(name: string): boolean {
  if (!name.includes(':')) return false;
  if (LABEL.test(name)) return true;
  return !SHOP_END.test(name) && name.replace(/(?<=\p{L}):(?=\p{L})/gu, '').includes(':');
}

/** Matches `reversed` and `reversal`, but not `reverse`. */
const REVERSED = /revers(?!e(?!\p{L}))/iu;

/** Words that end the names of shops, churches, schools and associations. */
const SHOP_END =
  /(?<![\p{L}\p{N}])(?:enterprises?|enterprice|ent|ventures?|ltd|limited|company|co|plc|inc|group|holdings|trad(?:ing|ers?)|business|shop|stores?|mart|supermarket|market|boutique|fashions?|clothing|collections?|designs?|creations?|couture|salon|saloon|beauty|cosmetics|barbering|foods?|kitchen|catering|restaurant|pub|spot|joint|bakery|water|beverages|drinks|farms?|pharmacy|chemists?|clinic|hospital|school|academy|college|church|chapel|ministry|ministries|mission|foundation|fellowship|electricals?|electronics|phones|tech|technolog(?:y|ies)|solutions|consult|construction|works|engineering|logistics|transport|travels?|tours|auto|motors|parts|hardware|blocks|factory|industries|industry|studios?|media|printing|press|books|bookshop|furniture|interiors?|decor|events|lodge|hotel|provisions?|wholesale|services|centres?|center|bar|class|committee|ngo|initiatives?|association|society|union|club|taxi|tyres?|dealers?|hairdressing|tailoring|dressmaking|sewing|welding|laundry|cleaning|rentals|agency|agencies|associates|estates?|properties|investments?|nursery|institute|university|temple|mosque|choir|gas|oil|fuel|mining|rice|meat|poultry|herbal|vent|cafe|lounge|spa|gym|radio|photos|photography|computers|jewell?ery|shoes|bags|fabrics|textiles|kente)\.?(?:\s+(?:gh|ghana|ltd|limited|co|company)\.?)*$/iu;

/** Maximum number of words after a status word in a shop's name. */
const MAX_WORDS_BETWEEN = 3;
const NOT_IN_BETWEEN =
  /(?<![\p{L}\p{N}])(?:by|for|from|to|at|on|in|of|with|and|or|but|the|your?|via|through|because|as|since|per|if|after|before|mtn|momo|mobile|money|telecel|vodafone|cash|customer|bank|merchant|agent|wallet|transaction|payment)(?![\p{L}\p{N}])/iu;

/** True if the name starts with a status word that is part of a shop's name, such as `REVERSED LIFE CHURCH`. */
function beginsWithStatus(name: string): boolean {
  const { behind = '', isAsked } = behindFirstState(name) ?? {};
  if (/^\p{Ll}/u.test(name) || !isPlain(behind) || behindStatuses(`x${behind}`).length > 0) return false;
  if (!SHOP_END.test(behind)) return false;
  return isAsked || !/(?<!\p{L})(?:by|at|to|for|via|your?|mtn|momo|telecel)(?!\p{L})/u.test(behind);
}

/** True if a status word is followed by the end of a shop's name, as in `NOT YET FASHION`. */
function isShopCalled(name: string, behind: string): boolean {
  const words = readableWords(name);
  const isShop = SHOP_END.test(words) && !REVERSED.test(name) && isPlain(behind) && !isOfGoods(words);
  return isShop && behind.trim().split(' ').length <= MAX_WORDS_BETWEEN && !NOT_IN_BETWEEN.test(behind);
}

/** True if the status word could refer to goods, as in `KOFI MENSAH REQUESTED RICE`. */
function isOfGoods(words: string): boolean {
  return GOODS_END.test(words) && holdsState(words.replace(OF_SHOPS, '').replace(/^\S+/, ''));
}

const OF_SHOPS = /frozen (?=foods?|meat|chicken|fish)|(?:no|never) fail(?:s|ed|ing)?(?!\p{L})|not yet/gu;
const GOODS_END =
  /(?<!\p{L})(?:business|shop|stores?|market|fashions?|clothing|beauty|cosmetics|foods?|catering|pub|spot|joint|water|beverages|drinks|electronics|phones|tech|technolog(?:y|ies)|solutions|works|transport|travels?|tours|auto|motors|parts|hardware|blocks|media|printing|press|books?|furniture|decor|events|lodge|hotel|provisions?|wholesale|services|center|bar|taxi|tyres?|welding|laundry|cleaning|rentals|agency|gas|oil|fuel|mining|rice|meat|poultry|herbal|cafe|lounge|spa|gym|radio|photos|computers|jewell?ery|shoes|bags|fabrics|textiles|kente)\.?$/u;

/** True if the words form a single sentence. */
function isPlain(behind: string): boolean {
  return /^(?:\s[\p{L}\p{N}&'’.-]+)+$/u.test(behind) && !/\.\s\p{L}/u.test(behind.replace(/\.(?=\s?\p{L}+\.?$)/u, ''));
}

/** True for sayings such as `GOD HAS BEEN GOOD`. */
function isSaying(name: string): boolean {
  const words = readableWords(name);
  const isPhrase = WHOLE_SAYING.test(words) || OF_GOD.test(words);
  return isPhrase && !holdsState(words.replace(/ (?:never fails?|knows tomorrow)(?!\p{L})/u, ''));
}

const WHOLE_SAYING =
  /^(?:(?:let )?(?:thy|his|your|god['’]?s|lord['’]?s) will be done|(?:\p{L}+ ){1,2}never fails|(?!.*\b(?:transfer|payment|transaction|money|amount|balance|cash|funds?|deposit|credit|this|it)\b)(?:\p{L}+ ){1,2}(?:is|are|will be|shall be) (?:good|well|able|great|risen|alive|faithful|love|life|king|lord)|who is who|(?:god|jesus|christ) (?:has )?paid it all|never give up|who knows tomorrow|no weapon (?:fashioned|formed)(?: against me)?|god['’]?s time is (?:the )?best)$/u;
const OF_GOD =
  /^(?:the )?(?:god|jesus|christ|jehovah|allah|jah|yahweh|nyame|onyame|lord)\s(?:is|has|will|can|did|never)\s(?!.*\b(?:paid(?! it all$)|sent|credited|debited|received|charged|settled|posted)\b)/u;

/** True if a weekday at the start or end of a short name is part of it, as `SUNDAY` always is: `MONDAY OKAFOR`. */
function isNamedAfterDay(name: string): boolean {
  return behindStatuses(readableWords(name).replace(NAMED_DAY, 'sunday')).length === 0;
}

const NAMED_DAY = new RegExp(
  `^(?:${DAY})(?=(?: [\\p{L}.'’-]+){1,3}$)|(?<=^(?:\\p{L}[\\p{L}.'’-]* ){1,3})(?:${DAY})$`,
  'u',
);

/** True if the name belongs to a bank, a payment switch or an agent. Such a name does not identify the payer. */
export function isInstitution(name: string): boolean {
  return INSTITUTION.test(name) || isBank(name);
}

const INSTITUTION =
  /\b(?:quickpay|interoperability|other networks|trust account|mobile money|itc|etranzact|ghipss|ghanapay|expresspay|hubtel)\b|\b(?:ova|pull|push)$|^agent\b/i;

/** Matches `Absa Bank`, `GTBank` and `Bank of Africa`, but not `Bank` alone, which may be a surname. */
const BANK =
  /^\p{L}+bank\b|^bank (?:of|to)\b|\bbank (?:ova|pull|push|ltd|limited|ghana|gh|plc|account|transfer|ghana limited)\b|\b(?:absa|access|adb|africa|agricultural|apex|atlantic|cal|cbg|commercial|community|consolidated|cooperative|development|exim|fbn|fidelity|first|fnb|gcb|gt|guaranty|investment|merchant|micro|national|nib|omni|omnibsic|prudential|republic|rural|savings|sg|societe generale|standard chartered|stanbic|trust|uba|umb|union|universal|zenith)\s+bank\b/iu;

function isBank(name: string): boolean {
  return /bank/i.test(name) && BANK.test(name);
}

/**
 * True for an account of the wallet's owner, as in `your GCB account`. Money from there is the owner's transfer, never a
 * customer's payment.
 */
export function isOwnAccount(name: string): boolean {
  return /^your\s/i.test(name) && OWN_ACCOUNT.test(name) && behindStatuses(name).length === 0;
}

/** Matches the word at the end of the name, or before a masked number. */
const OWN_ACCOUNT = /(?<![\p{L}\p{N}])(?:account|acct|a\/c)(?:[^\p{L}]|x)*$/iu;
