import type { NetworkTexts, Shape } from '../network-facts.ts';
import { mayBeStatus, mentionsStatus } from './status.ts';

/** Values of a template's placeholders, exactly as in the text. */
export type Parts = Readonly<Record<string, string | undefined>>;

const DIGITS_END = String.raw`(?!\d|[.,]\d)`;
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.\d{1,2})?${DIGITS_END}`;
const MONEY = String.raw`(?:(?:GHS\s*){1,2}${NUMBER}|${NUMBER}\s*GHS)`;
/** Matches a fee, with or without a currency. A dash means no fee. */
const CHARGE = String.raw`(?:GHS\s*)?(?:GHS\s*)?(?:${NUMBER}|-(?!\s*\d))(?:\s*GHS)?`;

const PATTERNS: Parts = {
  amount: MONEY,
  balance: MONEY,
  refused: MONEY,
  money: MONEY,
  phone: String.raw`(?<!\d)(?:233|0)\d{9}(?!\d)`,
  digits: String.raw`(?<!\d)\d{3,16}(?!\d)`,
  /** A required full stop. */
  stop: String.raw`\.`,
  date: String.raw`\d{4}-\d\d-\d\d`,
  time: String.raw`\d\d:\d\d(?::\d\d)?`,
  /** Id or account number of the other party, possibly masked, or a dash. */
  token: String.raw`(?:-|[a-z]*[\d*][\w*]*)`,
};

/**
 * Placeholders for free text. `true`: the value ends at the last match of the words that follow. `false`: at the first.
 */
const FREE_PARTS: Readonly<Record<string, boolean | undefined>> = {
  name: false,
  institution: false,
  anything: false,
  advert: false,
  reference: true,
  message: true,
};

const FREE_PART = new RegExp(`\\{(${Object.keys(FREE_PARTS).join('|')})\\}`);

/** Free text that a payer types. A name is registered with the network instead. */
const TYPED_PARTS: ReadonlySet<string> = new Set(['reference', 'message', 'anything']);

interface FreePart {
  readonly part: string;
  /** The template's words after the placeholder. Undefined at the end of the template. */
  readonly next: RegExp | undefined;
  /** True if the template has a full stop after the placeholder. */
  readonly endsWithStop: boolean;
}

interface Matcher {
  readonly head: RegExp;
  readonly steps: readonly FreePart[];
}

const matchers = new WeakMap<Shape, Matcher>();

/** A network's sentence, found in a text. */
export interface Fit {
  readonly parts: Parts;
  /** The parts before the payer's words, which these words cannot change. */
  readonly ownParts: Parts;
  /** Words that neither the template nor the payer accounts for. */
  readonly outside: string;
  /** True if the lists of known words account for all words outside the sentence and for the reference's end. */
  readonly isSure: boolean;
  /** True if a part may belong to another text, or to what the payer typed. */
  readonly isUnclear: boolean;
}

/** Finds the network's sentence in a text, once for each template that fits. */
export function* fitsOf(texts: NetworkTexts, text: string): Generator<{ readonly shape: Shape; readonly fit: Fit }> {
  const start = startOfSentence(texts, text);
  for (const shape of Object.values(texts.shapes)) {
    const fit = fitShape(texts, shape, text, start);
    if (fit) yield { shape, fit };
  }
}

/** Finds a template's sentence at `start`. Runs in linear time, without backtracking. */
function fitShape(texts: NetworkTexts, shape: Shape, text: string, start: number): Fit | undefined {
  const { head: pattern, steps } = matcherOf(texts, shape);
  pattern.lastIndex = start;
  const head = pattern.exec(text);
  if (!head) return undefined;
  const parts: Record<string, string | undefined> = { ...head.groups };
  const outside = [text.slice(0, start)];
  let [at, isSure, isUnclear] = [start + head[0].length, start === 0, false];
  let ownParts: Parts | undefined;
  for (const step of steps) {
    const { part, next } = step;
    const isTyped = TYPED_PARTS.has(part);
    if (isTyped) ownParts ??= { ...parts };
    const match = next && search(next, text, at, FREE_PARTS[part] === true);
    if (next && !match) return undefined;
    const end = match?.index ?? text.length;
    const free = readFree(texts, step, text.slice(at, end));
    if (!free) return undefined;
    Object.assign(parts, { [part]: free.words }, match?.groups);
    outside.push(free.outside);
    isSure &&= free.isSure;
    isUnclear ||= free.isUnclear;
    // A payer may have typed one of two fees.
    if (isTyped && holdsCharge(texts, text.slice(at, end))) parts.charges = ownParts?.charges;
    at = match ? end + match[0].length : end;
  }
  const behind = unmasked(text.slice(at));
  isSure &&= isAdvert(texts, behind);
  isUnclear ||= !isSure && holdsOther(texts, behind);
  return { parts, ownParts: ownParts ?? parts, outside: [...outside, behind].join('\n'), isSure, isUnclear };
}

type Free = Pick<Fit, 'outside' | 'isSure' | 'isUnclear'> & { readonly words: string };

/** Reads a free part. Returns undefined for a name that contains parts of a network's text. */
function readFree(texts: NetworkTexts, step: FreePart, between: string): Free | undefined {
  const { part, next, endsWithStop } = step;
  const isUnclear = holdsOther(texts, unmasked(between), step);
  const outside = '';
  if (part === 'reference' && !next) return { ...readLastReference(texts, between), isUnclear };
  const words = between.trim();
  if (part === 'advert') return { words, outside: words, isSure: isAdvert(texts, unmasked(words)), isUnclear };
  if (!TYPED_PARTS.has(part)) {
    const name = endsWithStop ? words.replace(/(?<![\s.,])[\s.,]+$/, '') : words;
    return isUnclear ? undefined : { words: name, outside, isSure: true, isUnclear };
  }
  const isOdd = endsWithStop && /[,;:]$/.test(words);
  const typed = isOdd ? words.slice(0, -1) : endsWithStop || !next ? withoutStop(words) : words;
  return { words: typed, outside, isSure: !isOdd, isUnclear };
}

/**
 * Reads a reference that an advert or a status may follow. If nobody can tell where it ends, ends it behind a charge
 * reference, or with the line.
 */
function readLastReference(texts: NetworkTexts, rest: string): Omit<Free, 'isUnclear'> {
  const sure = endOfReference(texts, unmasked(rest));
  const [whole, line, sentence] = [endOfWhole(rest), endBefore(rest, /[\r\n]/), endBefore(rest, /[.?!]\s/)];
  const words = withoutStop(rest.slice(0, sure ?? whole ?? line).trim());
  const outside = rest.slice(sure ?? Math.min(whole ?? line, line, sentence));
  return { words, outside, isSure: sure !== undefined };
}

function endBefore(words: string, pattern: RegExp): number {
  const at = words.replace(ABBREVIATION, '$1_').search(pattern);
  return at < 0 ? words.length : at;
}

/** Replaces masked digits by digits of the same length, so that a stored text is read as it was when it arrived. */
function unmasked(words: string): string {
  return words.replace(/\*(?!\d)/g, '0');
}

/** Removes the network's full stop after a value. */
function withoutStop(words: string): string {
  return words.endsWith('.') ? words.slice(0, -1).trimEnd() : words;
}

/** True if a text's sentence starts with a template's words up to its first free text, including the amount. */
export function beginsWithAmountOf(texts: NetworkTexts, shape: Shape, text: string): boolean {
  const { head } = matcherOf(texts, shape);
  head.lastIndex = startOfSentence(texts, text);
  return head.exec(text)?.groups?.amount !== undefined;
}

/** Matches figures, labels and verbs behind which a payer's words may follow. No greeting contains them. */
const NO_GREETING =
  /GHS|GH[¢₵]|[¢₵]|cedi|\d{9}|\d\.\d\d|\b(?:ref(?:erence)?|message|note|narration|description|remarks?|comments?)\b(?! from)|\bfrom\b(?! (?:mtn|momo|mobile|telecel|t-?cash))|\b(?:sent|says|wrote)\b/i;
const GREETS = /^(?:dear|hello|hi|y['’]?ello|good)\b/i;

/**
 * Returns where the first sentence that starts with an amount begins: a known sentence behind it is part of it, or of
 * another text. Returns 0 if the words before the sentence are not merely a greeting or an advert.
 */
function startOfSentence(texts: NetworkTexts, text: string): number {
  const start = Math.min(...startsOfTexts(texts, text).map(({ index }) => index), text.length);
  const before = text.slice(0, start);
  const words = before.trimEnd();
  const isEnded = /\p{P}$/u.test(words) || before.slice(words.length).includes('\n');
  const isGreeting = !NO_GREETING.test(before) && (isEnded || GREETS.test(before));
  return start < text.length && isGreeting ? start : 0;
}

function matcherOf(texts: NetworkTexts, shape: Shape): Matcher {
  let matcher = matchers.get(shape);
  if (!matcher) {
    matcher = compile(texts, shape.text);
    matchers.set(shape, matcher);
  }
  return matcher;
}

/** Returns the sum of a fee and a tax in pesewas. Returns undefined if there is more than one of either. */
export function sumOfCharges(texts: NetworkTexts, charges: string): number | undefined {
  const found = [...charges.matchAll(new RegExp(labelledCharge(texts, '(?<label>', '(?<charge>'), 'giu'))];
  const taxes = found.filter(({ groups }) => /tax|levy/i.test(groups?.label ?? ''));
  if (taxes.length > 1 || found.length - taxes.length > 1) return undefined;
  return found.reduce((sum, { groups }) => sum + pesewasOf(groups?.charge ?? ''), 0);
}

/** Parses an amount such as `GHS 1,234.5` to pesewas. Parses `-` to 0. */
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

/** Matches the label of an id with its id. The network's adverts may mention ids, too. */
const LABELLED_ID = /transaction\s+id\W*\d|\d{16}\s+confirmed/i;

/**
 * Matches the label of an id, even an incomplete one: a phone may have truncated the text there and joined another one.
 */
const ANY_ID_LABEL = /transaction\s+id|\d{16}\s+confirmed|\.\s*(?:financial\s+)?transa(?!ctions?\b(?!\s*$))/i;

/** Matches a stated balance. */
const BALANCE = new RegExp(
  `(?:(?:current|available|new|cash|money)\\s+balance(?:\\s+is)?|(?:your|wallet|account|organi[sz]ation)\\s+balance\\s+is)(?:\\s*:)?\\s*${MONEY}`,
  'iu',
);

/** Matches the rest of a template from the label of its id onwards. */
const ID_TO_END = /(?:(?:\[? )?\[[^[\]]*\]|\[|(?<![^.[\]]))[^.[\]]*\{id\}.*$/;

/** A wallet text that a phone may have joined to the start of this text. */
interface OtherText {
  /** The template's words up to the id, in order. */
  readonly words: readonly RegExp[];
  readonly isPayment: boolean;
  readonly beginsWithAmount: boolean;
  readonly beginsWithId: boolean;
  readonly endsWithId: boolean;
}

const otherTexts = new WeakMap<NetworkTexts, readonly OtherText[]>();

/**
 * True if words contain a labelled part of a network's text. A payer may have typed it, or a phone may have joined two
 * texts: the result then has the first text's amount and the last text's id.
 */
function holdsOther(texts: NetworkTexts, words: string, free?: FreePart): boolean {
  if (BALANCE.test(words) || holdsText(texts, words)) return true;
  const isTyped = free !== undefined && TYPED_PARTS.has(free.part);
  if (isTyped && free.next) return ANY_ID_LABEL.test(words);
  return LABELLED_ID.test(words) || (!isTyped && holdsCharge(texts, words));
}

function holdsCharge(texts: NetworkTexts, words: string): boolean {
  return new RegExp(labelledCharge(texts), 'iu').test(words);
}

/** True if words contain the start of another wallet text: up to its amount, or else up to its id. */
function holdsText(texts: NetworkTexts, words: string): boolean {
  return otherTextsOf(texts).some((other) => {
    if (other.beginsWithAmount) return holdsInOrder(words, other.words.slice(0, 1));
    return other.endsWithId && holdsInOrder(words, other.words);
  });
}

/** Start of a wallet text within another text. */
interface Start {
  readonly index: number;
  /** True if the text starts with its id. */
  readonly isId: boolean;
  readonly isPayment: boolean;
}

/** Returns where wallet texts that start with an amount begin. */
export function startsOfTexts(texts: NetworkTexts, words: string): Start[] {
  const idBefore = new RegExp(`${texts.transactionId}\\s*$`);
  return otherTextsOf(texts).flatMap(({ words: [first], beginsWithAmount, beginsWithId, isPayment }) =>
    [...(first && beginsWithAmount ? words.matchAll(first) : [])].flatMap(({ index }) => {
      const start = beginsWithId ? words.slice(0, index).search(idBefore) : index;
      return start < 0 ? [] : [{ index: start, isId: beginsWithId, isPayment }];
    }),
  );
}

function holdsInOrder(words: string, patterns: readonly RegExp[]): boolean {
  let at = 0;
  for (const pattern of patterns) {
    const match = search(pattern, words, at, false);
    if (!match) return false;
    at = match.index + match[0].length;
  }
  return patterns.length > 0;
}

function otherTextsOf(texts: NetworkTexts): readonly OtherText[] {
  let others = otherTexts.get(texts);
  if (!others) {
    others = Object.values(texts.shapes).map(({ kind, text }) => {
      const beginsWithId = text.startsWith('{id}');
      const own = text.replace(/^(?:\{id\}|\[[^\]]*\{id\}[^\]]*\]|[^{]*\{id\} confirmed from \{digits\}\.)/, '');
      const [head = '', ...more] = own
        .replace(ID_TO_END, '')
        .split(FREE_PART)
        .filter((_, n) => n % 2 === 0);
      return {
        words: [head, ...more].flatMap((one) =>
          /\p{L}/u.test(one) ? new RegExp(patternOf(texts, withoutStart(one)), 'giu') : [],
        ),
        isPayment: kind === 'payment',
        beginsWithAmount: /\{(?:amount|money)\}/.test(head),
        beginsWithId,
        endsWithId: own.includes('{id}'),
      };
    });
    otherTexts.set(texts, others);
  }
  return others;
}

function withoutStart(words: string): string {
  return words.replace(/^[\s.,]+/, '');
}

/** Matches words about money. A sentence that contains any of them is never ignored as an advert. */
const SAYS_SOMETHING =
  /:(?!\/\/)|\d{6}|\d\.\d|GHS|GH[¢₵]|¢|₵|cedi|balance|\bfees?\b|\btax|levy|charg|commission|transaction|\bref\b|reference|\bhold\b|debit|credit|\bloan|success/i;

/** Matches a warning that networks add to any text. */
const WARNING =
  /(?:never|do not|don['’]t) share your \w+(?: (?:or|and) (?:your )?\w+)? with (?:anyone|anybody)(?: or click unknown links)?/gi;

/** True if the words are only adverts, known or likely, and do not mention a payment. */
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

/** Matches words of adverts and greetings. Networks never use these words about a payment. */
const SELLS =
  /https?:|www\.|\*\d+#|%|\b(?:download|dial|app|click|enjoy|free|bonus|win|offer|promo|visit|call|customers?|invite|save|borrow|bundles|mtn|momo|telecel|t-?cash|easy|easier|faster|happy|merry|thank(?:s| you)|welcome|god bless|stay alert|y['’]ello)\b|^\s*i\s/iu;

/** Matches words after a reference that may be an advert. */
const READS_AS_ADVERT =
  /https?:|www\.|\*\d+#|[!%]|\b(?:download|dial|app|click|enjoy|free|bonus|win|offer|promo|visit|call|customers?|never share|your pin|(?<=\S\s)thank you)\b|[.?]\s+\p{L}[^:]*$/iu;

/** Abbreviations whose full stop does not end a sentence, as in `St. Mary` and `A. B. Mensah`. */
const ABBREVIATION =
  /(?<![\p{L}\p{N}])(st|mr|mrs|ms|messrs|dr|prof|rev|hon|jnr|snr|sis|bro|pst|alh|apt|no|fr|mt|capt|ps|apst|\p{L})\.(?=\s)/giu;

/** Matches the places where a reference can end: after a sentence or before `thank you`. */
const MAY_END = /[.?!]\s+(?=\p{L})|\s(?=thank you(?!\p{L}))/iu;

/** Matches phrases such as `I have paid`, which payers type after a reference. */
const TYPED_BEHIND =
  /(?<!\p{L})(?:please|pls|kindly|(?:i|we) (?:have )?(?:paid|sent)(?: it)?|i will (?:come|pay|pick|collect|call))(?!\p{L})/giu;

/** Matches words such as `for tomorrow` if they are all that follows a reference, on the same line. */
const TYPED_TIME =
  /^ *for (?:today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the|this|next) (?:week|weekend|month)|\d+ ?(?:hours?|days?|nights?|weeks?))(?: (?:morning|afternoon|evening|please|pls|thanks))*\.?$/i;

/** Matches a figure from the network, such as a fee. */
const LABELLED_FIGURE =
  /\d{6}|(?:(?:\bfees?|\btax|levy|commission|balance|transaction|\bloan|debit|credit)(?: \w+)?(?:\s*:|\s+(?:is|was))|charged?(?: is)?:?)\s*(?:(?:GHS|GH[¢₵]|[¢₵])\s*)?\d/i;

const PHONE = /(?<!\d)(?:\+?233|0)(?:[ -]?\d){9}(?![ -]?\d)/g;

/** Matches a complete charge reference, with or without separators. */
const WHOLE_REFERENCE =
  /MK[^A-Z0-9]{0,3}(?:\d{10}(?![0-9OIL])|\d(?:[^A-Z0-9]{0,2}\d){9}(?![^A-Z0-9]{0,2}\d))|^\s*[1-9]\d{9}(?![^A-Z0-9]{0,2}\d)/gi;

/**
 * Returns where a typed reference ends and an advert or status begins. Returns undefined if unclear: a status must
 * never be ignored as an advert.
 */
function endOfReference(texts: NetworkTexts, behind: string): number | undefined {
  const known = knownAdverts(texts);
  for (let advert = known.exec(behind); advert; advert = known.exec(behind)) {
    const next = known.lastIndex;
    if (isAdvert(texts, behind.slice(advert.index)))
      return mayHaveStatusBehind(behind.slice(0, advert.index)) ? undefined : advert.index;
    known.lastIndex = next;
  }
  const rest = behind.replace(ABBREVIATION, '$1_');
  const end = endOfWhole(rest);
  const sentence = rest.slice(end).search(MAY_END);
  const ends = sentence < 0 ? rest.length : (end ?? 0) + sentence;
  if (mayBeStatus(rest.slice(0, end ?? ends), false) || mayBeStatus(rest.slice(ends), true)) return undefined;
  const typed = end === undefined ? '' : rest.slice(end).replace(TYPED_TIME, '');
  const others = withoutPhone(unknownWords(texts, typed).replace(TYPED_BEHIND, ' '));
  if (LABELLED_FIGURE.test(others) || mentionsStatus(others)) return undefined;
  if (!READS_AS_ADVERT.test(rest)) return rest.length;
  return end === undefined || /MK[^A-Z0-9]{0,3}\d/i.test(rest.slice(end)) ? undefined : end;
}

/** Maximum number of words beside a phone number that a payer typed. */
const MAX_WORDS_OF_SENTENCE = 2;

/** Removes a phone number that a payer typed after the reference. */
function withoutPhone(words: string): string {
  const others = words.replace(PHONE, ' ');
  return (others.match(/[\p{L}\p{N}]+/gu) ?? []).length <= MAX_WORDS_OF_SENTENCE ? others : words;
}

function endOfWhole(words: string): number | undefined {
  const whole = [...words.matchAll(WHOLE_REFERENCE)].at(-1);
  return whole && whole.index + whole[0].length;
}

/** True if the network may have added a status after the reference. */
function mayHaveStatusBehind(words: string): boolean {
  const typed = words.trim();
  const starts = [endOfWhole(typed) ?? -1, typed.search(/[\r\n]/)].filter((at) => at >= 0);
  const rest = typed.slice(Math.min(...starts));
  const [line = ''] = rest.split(/[\r\n]|[.!?]\s/, 1);
  return mayBeStatus(line, false) || mayBeStatus(rest.slice(line.length), true);
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
    const own = withoutStart(words);
    const wordStart = /^\p{L}/u.test(own) ? '(?<![\\p{L}\\p{N}])' : '';
    const next = own ? new RegExp(`${wordStart}${patternOf(texts, own)}`, 'giu') : undefined;
    steps.push({ part, next, endsWithStop: /^\s*\./.test(words) });
  }
  return { head: new RegExp(patternOf(texts, head), 'iuy'), steps };
}

const ANY_STOP = String.raw`\s*(?:[.,]\s*)?`;

/**
 * Builds the regular expression for a template's words. Places separators so that two runs of spaces are never
 * adjacent, which would cause backtracking.
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
  if (!pattern) throw new Error(`The template contains the unknown placeholder {${part}}`);
  return ['amount', 'balance', 'refused', 'phone', 'id'].includes(part) ? `(?<${part}>${pattern})` : `(?:${pattern})`;
}

/** Returns a pattern for a fee with one of the network's labels. The pattern does not start with a word boundary. */
export function labelledCharge({ chargeLabels }: NetworkTexts, label = '(?:', charge = '(?:'): string {
  return `${label}${anyOf(chargeLabels)})(?:\\s*:)?\\s*${charge}${CHARGE})`;
}

function anyOf(words: readonly string[]): string {
  return words.map((one) => one.replaceAll(' ', '\\s+')).join('|');
}
