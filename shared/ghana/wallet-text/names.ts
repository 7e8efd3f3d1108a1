/** A network delivers names of up to this many characters. */
const MAX_CHARACTERS = 80;

/** True if a text may call the payee this: also by a number or an account, but not by a label or an amount. */
export function isCounterparty(name: string): boolean {
  return (
    /[\p{L}\d]/u.test(name) && name.length <= MAX_CHARACTERS && !/GHS\s*[\d,]+\.\d/i.test(name) && !isLabelled(name)
  );
}

/**
 * True if a text may call its payer this. `isWhole`: the rest of the text is the network's receipt to the end, with the balance after
 * the payment. Only then a name may hold what networks say of a payment (`THY WILL BE DONE ENTERPRISE`), and only where it cannot
 * be said of this one: of `KOFI MENSAH is pending`, nobody knows where the name ends.
 */
export function isPayerName(name: string, isWhole: boolean): boolean {
  if (!/\p{L}/u.test(name) || !isCounterparty(name) || FIGURE.test(name)) return false;
  if (!isWhole) return !name.includes(':') && !WHAT_BECAME.test(name);
  return !WHAT_BECAME.test(name) || (!REVERSED.test(name) && (isShopCalled(name) || isSaying(name)));
}

/** An id, a number, an amount or a date. */
const FIGURE = /^\d+\s*-|\d\.\d+\s*GHS|\d{6}|\d{4}-\d\d-\d\d/i;

/** A colon behind any other word is the shop's own: `MERCY:GRACE ENTERPRISE`. */
const LABEL =
  /\b(?:bal(?:ance)?|funds|ref(?:erence)?|id|no|number|fees?|charged?|charges|commission|cost|duty|levy|tax|from|to|by|at|on|for|sender|receiver|refunder|message|msg|token|note|reason|status|state|narration|description|remarks?|comments?|time|date|amount|type|name|agent|account|acct|txn|trans(?:action)?|loan|bonus|info|alert|notice|https?)\s*:/i;

function isLabelled(name: string): boolean {
  if (!name.includes(':')) return false;
  if (LABEL.test(name)) return true;
  return !SHOP_END.test(name) && name.replace(/(?<=\p{L}):(?=\p{L})/gu, '').includes(':');
}

const AUXILIARY =
  "(?:is|are|was|were|has|have|had|will|shall|would|should|could|can|must|may|might|does|did|do|cannot|\\p{L}+n['’]t)";

/** A payment's status in the networks' words, in one word or a few. */
const STATE = [
  'pending|fail(?:s|ed|ing|ure)?|declin(?:e[ds]?|ing)|cancel(?:s|l?ed|l?ing|l?ation)?|await(?:s|ed|ing)?|waiting',
  'unsuccessful(?:ly)?|reject(?:s|ed|ion)?|den(?:y|ied|ies)|refus(?:e[ds]?|al)|expir(?:e[ds]?|y|ing)|request(?:s|ed|ing)?',
  'blocked|suspended|frozen|locked|revers\\p{L}*|refund\\p{L}*|return(?:s|ed|ing)|dispute[ds]?|void(?:ed)?|aborted|abandoned',
  'bounced|time-?out|time[ds]?\\s+out|process(?:ed|ing)|queued?|initiat\\p{L}*|scheduled|delayed|incomplete|unpaid|insufficient',
  'un(?:confirmed|approved|verified|collected|claimed|settled|able|available)|invalid|error|approv\\p{L}*|authori[sz]\\p{L}*',
  'confirm\\p{L}*|accept(?:ed|ance)?|complet(?:ed|ion)|verif\\p{L}*|review|please|until|unless|once|dial|retry|held|withheld',
  'stopped|halted|withdrawn|on\\s+hold|in\\s+progress|under\\s+(?:review|investigation)|to\\s+be|yet\\s+to|due\\s+to|not\\s+yet',
  'try\\s+again|within\\s+\\d|(?:go(?:es|ne|ing)?|went)\\s+(?:through|back)|wants?\\s+to|would\\s+like|enter\\s+(?:your\\s+)?pin',
].join('|');
const SENT = 'sent|held|lost|gone|done|paid|made|put|taken|given|kept|due|void|late|wrong|incorrect';
const PREDICATE = `${AUXILIARY}\\s+(?:been|being|be|not|now|still|yet|also|only|to|on|in|under|${SENT}|\\p{L}{2,}(?:ed|ing|ly))`;
const WHAT_BECAME = new RegExp(`(?<![\\p{L}\\p{N}])(?:${STATE}|${PREDICATE}|did\\s*not)(?![\\p{L}\\p{N}])`, 'iu');
const LAST_WHAT_BECAME = new RegExp(WHAT_BECAME.source, 'giu');
const STATE_ALONE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${STATE})(?![\\p{L}\\p{N}])`, 'iu');

/** Words of a reversal, which are never part of a name. */
const REVERSED = /revers(?!e(?!\p{L}))/iu;

/** Endings of the names of shops, churches and schools; no network's sentence ends so. */
const SHOP_END =
  /(?<![\p{L}\p{N}])(?:enterprises?|enterprice|ent|ventures?|ltd|limited|company|co|plc|inc|group|holdings|trad(?:ing|ers?)|business|shop|stores?|mart|supermarket|market|boutique|fashions?|clothing|collections?|designs?|creations?|couture|salon|saloon|beauty|cosmetics|barbering|foods?|kitchen|catering|restaurant|pub|spot|joint|bakery|water|beverages|drinks|farms?|pharmacy|chemists?|clinic|hospital|school|academy|college|church|chapel|ministry|ministries|mission|foundation|fellowship|electricals?|electronics|phones|tech|technolog(?:y|ies)|solutions|consult|construction|works|engineering|logistics|transport|travels?|tours|auto|motors|parts|hardware|blocks|factory|industries|industry|studios?|media|printing|press|books|bookshop|furniture|interiors?|decor|events|lodge|hotel|provisions?|wholesale|jewell?ery|shoes|bags|fabrics|textiles|kente)\.?(?:\s+(?:gh|ghana|ltd|limited|co|company)\.?)*$/iu;

/** Between such words and the end of a shop's name there are no more than so many, all of them its own. */
const MAX_WORDS_BETWEEN = 3;
const NOT_IN_BETWEEN =
  /(?<![\p{L}\p{N}])(?:by|for|from|to|at|on|in|of|with|and|or|but|the|a|an|your?|via|through|because|as|since|per|if|after|before|mtn|momo|mobile|money|telecel|vodafone|cash|customer|bank|merchant|agent|wallet|transaction|payment)(?![\p{L}\p{N}])/iu;

/** `NOT YET FASHION`: the words that a status would have do not end the name, and what follows them is a shop's. */
function isShopCalled(name: string): boolean {
  const last = [...name.matchAll(LAST_WHAT_BECAME)].at(-1);
  if (!last || !SHOP_END.test(name)) return false;
  const behind = name.slice(last.index + last[0].length);
  const isPlain =
    /^(?:\s+[\p{L}\p{M}\p{N}&'’.-]+)+$/u.test(behind) &&
    !/\.\s+\p{L}/u.test(behind.replace(/\.(?=\s*\p{L}+\.?$)/u, ''));
  return isPlain && behind.trim().split(/\s+/).length <= MAX_WORDS_BETWEEN && !NOT_IN_BETWEEN.test(behind);
}

/** `GOD HAS BEEN GOOD`: it is said of nobody who pays. */
function isSaying(name: string): boolean {
  if (STATE_ALONE.test(name.replace(/^(?:let\s+)?(?:thy|his|god['’]?s)\s+will\s+be\s+done/iu, ''))) return false;
  return SAYING.test(name);
}

const SAYING =
  /^(?:(?:let\s+)?(?:thy|his|god['’]?s)\s+will\s+be\s+done$|(?:god|jesus|christ|jehovah|allah)\s+(?:is|has|will|can|did)\s(?!.*\b(?:paid|sent|credited|debited|received|charged|settled|posted)\b))/iu;

/** Line breaks, runs of spaces and what ends the sentence before a name are the network's. */
export function cleanName(name: string): string {
  return name
    .replace(/\s+/g, ' ')
    .replace(/^[., ]+/, '')
    .trim();
}

/** True if a name is a bank's, a switch's or an agent's, as the networks write it: it is on the payments of everybody who uses it. */
export function isInstitution(name: string): boolean {
  return INSTITUTION.test(name) || isBank(name);
}

const INSTITUTION =
  /\b(?:quickpay|interoperability|other networks|trust account|mobile money|itc|etranzact|ghipss|ghanapay|expresspay|hubtel)\b|\b(?:ova|pull|push)$|^agent\b/i;

/** `Absa Bank`, `GTBank` and `Bank of Africa`. Somebody may have the surname alone. */
const BANK =
  /^\p{L}+bank\b|^bank (?:of|to)\b|\bbank (?:ova|pull|push|ltd|limited|ghana|gh|plc|account|transfer|ghana limited)\b|\b(?:absa|access|adb|africa|agricultural|apex|atlantic|cal|cbg|commercial|community|consolidated|cooperative|development|exim|fbn|fidelity|first|fnb|gcb|gt|guaranty|investment|merchant|micro|national|nib|omni|omnibsic|prudential|republic|rural|savings|sg|societe generale|standard chartered|stanbic|trust|uba|umb|union|universal|zenith)\s+bank\b/iu;

function isBank(name: string): boolean {
  return /bank/i.test(name) && BANK.test(name);
}
