import type { NetworkTexts, Shape } from '../network-facts.ts';
import { mayTellStatus, mentionsStatus } from './status.ts';

/** The named parts of a text that fits a shape, as they are written. */
export type Parts = Readonly<Record<string, string | undefined>>;

const DIGITS_END = String.raw`(?!\d|[.,]\d)`;
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.\d{1,2})?${DIGITS_END}`;
const MONEY = String.raw`(?:(?:GHS\s*){1,2}${NUMBER}|${NUMBER}\s*GHS)`;
/** A charge is also written without a currency, and as a dash for none. */
const CHARGE = String.raw`(?:GHS\s*)?(?:GHS\s*)?(?:${NUMBER}|-(?!\s*\d))(?:\s*GHS)?`;

const PATTERNS: Parts = {
  amount: MONEY,
  balance: MONEY,
  /** The amount of a payment that was refused. */
  refused: MONEY,
  /** Told, and of no interest. */
  money: MONEY,
  phone: String.raw`(?<!\d)(?:233|0)\d{9}(?!\d)`,
  digits: String.raw`(?<!\d)\d{3,16}(?!\d)`,
  /** A full stop that must not be missing. */
  stop: String.raw`\.`,
  date: String.raw`\d{4}-\d\d-\d\d`,
  time: String.raw`\d\d:\d\d(?::\d\d)?`,
  /** Somebody else's id or account: digits and letters, partly masked, or a dash. */
  token: String.raw`(?:-|[a-z]*[\d*][\w*]*)`,
};

/** Written by a payer, or of no fixed form. Those of `true` end where the network's next words stand for the last time. */
const FREE_PARTS: Readonly<Record<string, boolean | undefined>> = {
  name: false,
  institution: false,
  anything: false,
  advert: false,
  reference: true,
  message: true,
};

const FREE_PART = new RegExp(`\\{(${Object.keys(FREE_PARTS).join('|')})\\}`);

interface FreePart {
  readonly part: string;
  /** The network's words behind the part; undefined if the part ends the text. */
  readonly next: RegExp | undefined;
  /** The network ends the part with one or more full stops of its own. */
  readonly endsWithStop: boolean;
}

interface Matcher {
  readonly head: RegExp;
  readonly steps: readonly FreePart[];
}

/** Compiled at the first text that needs it. */
const matchers = new WeakMap<Shape, Matcher>();

/**
 * The parts of a text that fits a shape from its first character to its last. The text between two free parts is searched
 * once, from the side on which no payer has written; nothing is tried again, so the effort grows with the text's length.
 */
export function fitShape(texts: NetworkTexts, shape: Shape, text: string): Parts | undefined {
  const matcher = matcherOf(texts, shape);
  matcher.head.lastIndex = 0;
  const head = matcher.head.exec(text);
  if (!head) return undefined;
  const parts: Record<string, string | undefined> = { ...head.groups };
  let at = head[0].length;
  for (const { part, next, endsWithStop } of matcher.steps) {
    if (!next) {
      const end = part === 'reference' ? endOfReference(texts, text, at) : text.length;
      if (end === undefined || holdsText(texts, text.slice(at, end))) return undefined;
      parts[part] = text
        .slice(at, end)
        .trim()
        .replace(/\s*\.$/, '');
      return parts;
    }
    const match = search(next, text, at, FREE_PARTS[part] === true);
    if (!match) return undefined;
    const between = text.slice(at, match.index).trim();
    const words = endsWithStop ? withoutStop(part, between) : between;
    if (holdsText(texts, between)) return undefined;
    if (words === undefined || (part === 'advert' && !isAdvert(texts, words))) return undefined;
    Object.assign(parts, { [part]: words }, match.groups);
    at = match.index + match[0].length;
  }
  return isAdvert(texts, text.slice(at)) ? parts : undefined;
}

function matcherOf(texts: NetworkTexts, shape: Shape): Matcher {
  let matcher = matchers.get(shape);
  if (!matcher) {
    matcher = compile(texts, shape.text);
    matchers.set(shape, matcher);
  }
  return matcher;
}

/**
 * Without the full stop that the network puts behind the part: behind a reference exactly one, for a payer may type more.
 * Undefined if there is another punctuation mark, which may belong to either.
 */
function withoutStop(part: string, words: string): string | undefined {
  if (!FREE_PARTS[part]) return words.replace(/(?<![\s.,])[\s.,]+$/, '');
  if (/[,;:]$/.test(words)) return undefined;
  return words.endsWith('.') ? words.slice(0, -1).trimEnd() : words;
}

/** All charges of a `{charges}` part in pesewas; undefined if one kind is named twice, which might be the same one. */
export function sumOfCharges(texts: NetworkTexts, charges: string): number | undefined {
  const found = [...charges.matchAll(new RegExp(labelledCharge(texts, '(?<label>', '(?<charge>'), 'giu'))];
  const taxes = found.filter(({ groups }) => /tax|levy/i.test(groups?.label ?? ''));
  if (taxes.length > 1 || found.length - taxes.length > 1) return undefined;
  return found.reduce((sum, { groups }) => sum + pesewasOf(groups?.charge ?? ''), 0);
}

/** `GHS 1,234.5` is 123450, `-` nothing. */
export function pesewasOf(money: string): number {
  const [cedis = '', decimals = ''] = money.replace(/[^\d.]/g, '').split('.');
  return Number(cedis) * 100 + Number(decimals.padEnd(2, '0'));
}

function search(pattern: RegExp, text: string, from: number, isLast: boolean): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  let found: RegExpExecArray | undefined;
  for (let match = pattern.exec(text); match; match = isLast ? pattern.exec(text) : null) found = match;
  return found;
}

const ID_LABEL = String.raw`\btransaction id\s*:?\s*`;

/**
 * True if the network begins another text about money in these words. A phone that joins two texts makes one of them, with the first
 * one's amount and the last one's id.
 */
function holdsText(texts: NetworkTexts, words: string): boolean {
  const id = `(?<!\\d)${texts.transactionId}(?!\\d)`;
  if (!new RegExp(id).test(words)) return false;
  const isLabelled = new RegExp(ID_LABEL + id, 'i').test(words);
  return Object.values(texts.shapes).some((shape) => {
    const [head = ''] = shape.text.split(FREE_PART, 1);
    if (!/\{(?:amount|money)\}/.test(head) || !(isLabelled || head.includes('{id}'))) return false;
    return new RegExp(matcherOf(texts, shape).head.source, 'iu').test(words);
  });
}

/** Words about money or this transaction: no advert that may be overlooked, and neither is one that tells a status. */
const SAYS_SOMETHING =
  /:(?!\/\/)|\d{6}|\d\.\d|GHS|GH[¢₵]|¢|₵|cedi|balance|\bfees?\b|\btax|levy|charg|commission|transaction|\bref\b|reference|\bhold\b|debit|credit|\bloan|success/i;

/** Said by every network, of no payment. */
const WARNING =
  /(?:never|do not|don['’]t) share your \w+(?: (?:or|and) (?:your )?\w+)? with (?:anyone|anybody)(?: or click unknown links)?/gi;

/** True if words may be overlooked: each sentence is on the network's list, or speaks the language of adverts and tells no status. */
function isAdvert(texts: NetworkTexts, words: string): boolean {
  const unknown = unknownWords(texts, words);
  return isEmptyOfFacts(unknown) && unknown.split(SENTENCE_END).every((one) => !/\p{L}/u.test(one) || SELLS.test(one));
}

function unknownWords(texts: NetworkTexts, words: string): string {
  return words.replace(knownAdverts(texts), ' . ').replace(WARNING, ' . ');
}

function isEmptyOfFacts(words: string): boolean {
  return !SAYS_SOMETHING.test(words) && !mentionsStatus(words);
}

const SENTENCE_END = /[.!?](?=\s|$)|\n/;

/** A sentence with one of these sells, greets or, with an `I`, is a payer's: a network tells nothing about a payment with it. */
const SELLS =
  /https?:|www\.|\*\d+#|%|\b(?:download|dial|app|click|enjoy|free|bonus|win|offer|promo|visit|call|customers?|invite|save|borrow|bundles|mtn|momo|telecel|t-?cash|easy|easier|faster|happy|merry|thank(?:s| you)|welcome|god bless|stay alert|y['’]ello)\b|^\s*i\s/iu;

/** A link, a short code, a percentage, an exclamation, the language of adverts, or another sentence that labels nothing. */
const READS_AS_ADVERT =
  /https?:|www\.|\*\d+#|[!%]|\b(?:download|dial|app|click|enjoy|free|bonus|win|offer|promo|visit|call|customers?|never share|your pin|(?<=\S\s)thank you)\b|[.?]\s+\p{L}[^:]*$/iu;

/** No payer types these: a link, a short code, an amount, the names of networks and of what they sell. */
const IS_ADVERT =
  /https?:|www\.|\*\d+#|GHS|GH[¢₵]|\b(?:download|dial|app|click|mtn|momo|telecel|t-?cash|bundles|borrow|loan|pin|otp)\b/i;

/** One of these a payer may type (`Church offer`); a sentence with two is an advert's. */
const OF_ADVERTS = /%|\b(?:enjoy|free|bonus|win|offer|promo|visit|call|customers?|invite|save)\b/gi;

/** `St. Mary`, `A. B. Mensah`: no sentence ends here. */
const ABBREVIATION =
  /(?<![\p{L}\p{N}])(st|mr|mrs|ms|messrs|dr|prof|rev|hon|jnr|snr|sis|bro|pst|alh|apt|no|fr|mt|capt|ps|apst|\p{L})\.(?=\s)/giu;

/** A reference may end at a sentence, and at thanks. */
const MAY_END = /[.?!]\s+(?=\p{L})|\s(?=thank you(?!\p{L}))/iu;

/** Anybody may type it behind a reference; what it asks for tells a status. */
const POLITE = /(?<!\p{L})(?:please|pls|kindly)(?!\p{L})/giu;

/** So many words may be a payer's second sentence: `Form 2. Ama`. */
const MAX_WORDS_OF_SENTENCE = 2;

const PHONE = /(?<!\d)(?:\+?233|0)(?:[ -]?\d){9}(?![ -]?\d)/g;

/** Enough for a charge's reference with a digit left out. */
const REFERENCE_DIGITS = /MK[^A-Z0-9]{0,3}\d|(?<!\d)\d(?:[ -]?\d){6}/i;

/** A charge's reference that is written out in full: joined, or in groups with no further digit behind them. No phone number begins so. */
const WHOLE_REFERENCE =
  /MK[^A-Z0-9]{0,3}(?:\d{10}(?![0-9OIL])|\d(?:[^A-Z0-9]{0,2}\d){9}(?![^A-Z0-9]{0,2}\d))|^\s*[1-9]\d{9}(?![^A-Z0-9]{0,2}\d)/gi;

/**
 * Finds the end of a reference that no words of the network's own follow, but perhaps an advert or a status: right before a known
 * advert, else behind a charge's whole reference, else where both readings agree.
 * @returns undefined if that is unclear: no advert may become part of a reference, and no status may be overlooked.
 */
function endOfReference(texts: NetworkTexts, text: string, from: number): number | undefined {
  const known = knownAdverts(texts);
  known.lastIndex = from;
  for (let advert = known.exec(text); advert; advert = known.exec(text)) {
    const next = known.lastIndex;
    if (isAdvert(texts, text.slice(advert.index)))
      return mayHaveStatusBehind(text.slice(from, advert.index)) ? undefined : advert.index;
    known.lastIndex = next;
  }
  const rest = text.slice(from).replace(ABBREVIATION, '$1_');
  const end = endOfWhole(rest);
  const sentence = rest.slice(end).search(MAY_END);
  const ends = sentence < 0 ? rest.length : (end ?? 0) + sentence;
  if (mayTellStatus(rest.slice(0, end ?? ends), false) || mayTellStatus(rest.slice(ends), true)) return undefined;
  if (end !== undefined && !isEmptyOfFacts(withoutPhone(unknownWords(texts, rest.slice(end)).replace(POLITE, ' '))))
    return undefined;
  if (!READS_AS_ADVERT.test(rest)) return text.length;
  if (end !== undefined) return /MK[^A-Z0-9]{0,3}\d/i.test(rest.slice(end)) ? undefined : from + end;
  const words = endOfWords(texts, rest, ends);
  return words === undefined ? undefined : from + words;
}

/** Behind a reference a payer types a number to be called on, and little else. */
function withoutPhone(words: string): string {
  const others = words.replace(PHONE, ' ');
  return (others.match(/[\p{L}\p{N}]+/gu) ?? []).length <= MAX_WORDS_OF_SENTENCE ? others : words;
}

/** The index behind the last whole reference of a charge; undefined without one. */
function endOfWhole(words: string): number | undefined {
  const whole = [...words.matchAll(WHOLE_REFERENCE)].at(-1);
  return whole && whole.index + whole[0].length;
}

/** True if a status may stand on a line of its own, which no payer types, or behind a charge's whole reference. */
function mayHaveStatusBehind(words: string): boolean {
  const typed = words.trim();
  const starts = [endOfWhole(typed) ?? -1, typed.search(/[\r\n]/)].filter((at) => at >= 0);
  const rest = typed.slice(Math.min(...starts));
  const [line = ''] = rest.split(/[\r\n]|[.!?]\s/, 1);
  return mayTellStatus(line, false) || mayTellStatus(rest.slice(line.length), true);
}

/** Where a payer's words end that hold no charge's reference. */
function endOfWords(texts: NetworkTexts, rest: string, sentence: number): number | undefined {
  const withoutPhones = rest.replace(PHONE, ' ');
  if (REFERENCE_DIGITS.test(withoutPhones) || looksLikeAdvert(rest.slice(0, sentence))) return undefined;
  const behind = rest.slice(sentence).replace(/^\P{L}+/u, '');
  const isTyped = behind.split(/\s+/).length <= MAX_WORDS_OF_SENTENCE && !READS_AS_ADVERT.test(`x ${behind}`);
  if (isTyped) return rest.length;
  return isAdvert(texts, behind.replace(PHONE, ' ')) ? sentence : undefined;
}

function looksLikeAdvert(words: string): boolean {
  return IS_ADVERT.test(words) || [...words.matchAll(OF_ADVERTS)].length > 1;
}

const advertPatterns = new WeakMap<NetworkTexts, RegExp>();

function knownAdverts(texts: NetworkTexts): RegExp {
  let pattern = advertPatterns.get(texts);
  if (!pattern) {
    pattern = new RegExp(texts.adverts.map((advert) => patternOf(texts, advert)).join('|') || '(?!)', 'giu');
    advertPatterns.set(texts, pattern);
  }
  pattern.lastIndex = 0;
  return pattern;
}

function compile(texts: NetworkTexts, template: string): Matcher {
  const [head = '', ...rest] = template.split(FREE_PART);
  const steps: FreePart[] = [];
  for (let n = 0; n < rest.length; n += 2) {
    const [part = '', words = ''] = rest.slice(n, n + 2);
    const own = words.replace(/^[\s.,]+/, '');
    const wordStart = /^\p{L}/u.test(own) ? '(?<![\\p{L}\\p{N}])' : '';
    const next = own ? new RegExp(`${wordStart}${patternOf(texts, own)}`, 'giu') : undefined;
    steps.push({ part, next, endsWithStop: /^\s*\./.test(words) });
  }
  return { head: new RegExp(patternOf(texts, head), 'iuy'), steps };
}

const ANY_STOP = String.raw`\s*(?:[.,]\s*)?`;

/**
 * The pattern of the network's own words. What separates two words comes before the second, inside the bracket that may be
 * missing; where nothing comes before a bracket, behind its last. So no two runs of spaces are neighbours and none comes
 * first, and a long one is not tried in all its divisions or from each of its spaces.
 */
function patternOf(texts: NetworkTexts, template: string): string {
  let pattern = '';
  let previous = '';
  let gap = '';
  let isAllOptional = true;
  const gapsBeforeBrackets: string[] = [];
  for (const [token] of template.trim().matchAll(/\{\w+\}|[[\]]|[\p{L}\p{N}]+|[\s.,]+|[^\s.,\p{L}\p{N}]/gu)) {
    if (/^[\s.,]/.test(token)) gap += token;
    else if (token === '[') {
      pattern += '(?:';
      gapsBeforeBrackets.push(gap);
    } else if (token === ']') {
      gap = `${gapsBeforeBrackets.pop()}${gap}`;
      if (isAllOptional) previous = '';
      pattern += isAllOptional ? `${ANY_STOP})?` : ')?';
    } else {
      if (previous && token !== '{charges}') pattern += separator(previous, gap, token, pattern.endsWith(')?'));
      pattern += partPattern(texts, token) ?? token.replace(/[\\^$*+?()|/]/g, '\\$&').replace("'", "['’]");
      previous = token;
      gap = '';
      isAllOptional &&= gapsBeforeBrackets.length > 0;
    }
  }
  return pattern;
}

function separator(before: string, gap: string, after: string, isBehindBracket: boolean): string {
  if (/[.,]/.test(gap)) return ANY_STOP;
  const areWords = [before, after].every((token) => /^[\p{L}\p{N}]/u.test(token));
  return gap && areWords && !isBehindBracket ? '\\s+' : '\\s*';
}

function partPattern(texts: NetworkTexts, token: string): string | undefined {
  const [, part] = /^\{(\w+)\}$/.exec(token) ?? [];
  if (!part) return undefined;
  if (part === 'charges') return `(?<charges>(?:${ANY_STOP}${labelledCharge(texts)}){1,3})`;
  const ofNetwork: Parts = {
    id: `(?<!\\d)${texts.transactionId}(?!\\d)`,
    system: anyOf(texts.systems),
    wallet: anyOf(texts.wallets),
  };
  const pattern = ofNetwork[part] ?? PATTERNS[part];
  if (!pattern) throw new Error(`No shape may have a part named ${part}`);
  return ['amount', 'balance', 'refused', 'phone', 'id'].includes(part) ? `(?<${part}>${pattern})` : `(?:${pattern})`;
}

function labelledCharge({ chargeLabels }: NetworkTexts, label = '(?:', charge = '(?:'): string {
  return `${label}${anyOf(chargeLabels)})\\s*:?\\s*${charge}${CHARGE})`;
}

function anyOf(words: readonly string[]): string {
  return words.map((one) => one.replaceAll(' ', '\\s+')).join('|');
}
