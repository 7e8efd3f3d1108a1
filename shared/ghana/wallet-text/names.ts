import { plainText } from '../../runtime/values/plain-text.ts';
import { denies, mayEndWithStatus } from './status.ts';

const MAX_CHARACTERS = 80;

/** True for a valid payee: a name, a phone number or an account number. */
export function isCounterparty(name: string): boolean {
  return (
    /[\p{L}\d]/u.test(name) && name.length <= MAX_CHARACTERS && !/GHS\s*[\d,]+\.\d/i.test(name) && !LABEL.test(name)
  );
}

/** True for a counterparty that needs no proof: it contains no status and no unknown label. */
export function isSureCounterparty(name: string): boolean {
  return isOwnAccount(name) ? ENDS_WITH_ACCOUNT.test(name) && !denies(name) : !name.includes(':');
}

/** True if a name can be a payer's, whatever it resembles. */
export function isPayerName(name: string): boolean {
  return /\p{L}/u.test(name) && isCounterparty(name) && !MONEY_OR_DATE.test(name);
}

/** True for a payer name that needs no proof: nobody can take a part of it for a status, a label or a figure. */
export function isSurePayerName(name: string): boolean {
  return isPayerName(name) && !name.includes(':') && !FIGURE.test(name) && !isProse(name) && !mayEndWithStatus(name);
}

const MONEY_OR_DATE = /\d\.\d+\s*GHS|\d{4}-\d\d-\d\d/i;
/** Matches an id, a number or a short code. */
const FIGURE = /^\d+\s*-|\d{6}|\*\d/;

/** True if the name runs on into other words, as in `KOFI MENSAH stuck`. */
function isProse(name: string): boolean {
  const [first = '', ...others] = plainText(name).split(/\s+/);
  const isName = /^\p{Lu}{2,}$/u.test(first) || /^\p{Lu}\p{L}*\.? \p{Lu}/u.test(`${first} ${others[0] ?? ''}`);
  return isName && !isInstitution(name) && others.some((word) => /^\p{Ll}{2,}\b/u.test(word) && !PARTICLE.test(word));
}

const PARTICLE = /^(?:and|of|the|de|da|van|von|der|bin|ibn|binti?|al|el|la|le|na|ne|ova)$/;

/** Matches the network's labels, which no name contains. */
const LABEL =
  /\b(?:bal(?:ance)?|funds|ref(?:erence)?|id|no|number|fees?|charged?|charges|commission|cost|duty|levy|tax|from|to|by|at|on|for|sender|receiver|refunder|message|msg|token|note|reason|status|state|narration|description|remarks?|comments?|time|date|amount|type|name|agent|account|acct|txn|trans(?:action)?|loan|bonus|info|alert|notice|https?)\s*:/i;

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
  return /^your\s/i.test(name) && OWN_ACCOUNT.test(name);
}

const OWN_ACCOUNT = /(?<![\p{L}\p{N}])(?:account|acct|a\/c)(?!\p{L})/iu;
/** Matches the word at the end of the name, or before a masked number. */
const ENDS_WITH_ACCOUNT = /(?<![\p{L}\p{N}])(?:account|acct|a\/c)(?:[^\p{L}]|x)*$/iu;
