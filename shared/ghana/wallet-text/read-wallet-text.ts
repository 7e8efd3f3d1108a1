import { Network, networks, networkTexts } from '../network.ts';
import type { NetworkTexts, Shape } from '../network-facts.ts';
import { parsePhoneNumber } from '../phone-number.ts';
import { cleanName } from './clean-name.ts';
import {
  isCounterparty,
  isInstitution,
  isOwnAccount,
  isPayerName,
  isSureCounterparty,
  isSurePayerName,
} from './names.ts';
import type { Reading, WalletMovement, WalletPayment } from './reading.ts';
import {
  holdsSecret,
  holdsWalletSecret,
  mayBePayment,
  withFiguresAlone,
  withoutDigits,
  withoutFigures,
} from './secret.ts';
import {
  beginsWithAmountOf,
  type Fit,
  fitsOf,
  labelledCharge,
  type Parts,
  pesewasOf,
  startsOfTexts,
  sumOfCharges,
} from './shape.ts';
import { denies, holdsState, mentionsStatus } from './status.ts';

const SENDERS = new Map(
  Network.options.flatMap((network) => networks[network].senders.map((sender) => [sender.toLowerCase(), network])),
);

/** Maximum length of a text to parse. */
const MAX_CHARACTERS = 2000;

/** Maximum length of a stored text. Must exceed `MAX_CHARACTERS`, so that a truncated text is not parsed either. */
const MAX_STORED_CHARACTERS = MAX_CHARACTERS + 100;

/**
 * Parses a text received by a merchant's phone. Never throws. A text without a network's complete sentence is `unread`.
 * Payers control only the name and the reference.
 */
export function readWalletText(sender: string, text: string): Reading {
  const network = networkOfSender(sender);
  const words = wordsIn(text);
  const isLong = words.length > MAX_CHARACTERS;
  if (!network) {
    const looksLikePayment =
      !isLong && Network.options.some((one) => readShapes(one, words)?.reading.kind === 'payment');
    return { kind: 'stranger', looksLikePayment };
  }
  const texts = networkTexts[network];
  const found = isLong ? undefined : readShapes(network, words);
  if (found && !found.mayBeReversal) return withoutCut(words, text.length, found);
  const reversed = !isLong && texts && (readReversal(texts, words) ?? readReworded(texts, words));
  if (reversed && !isJoined(texts, words)) return { kind: 'reversal', network, ...reversed };
  return found?.reading ?? { kind: holdsWalletSecret(words) ? 'secret' : 'unread', network };
}

/**
 * True if an unread or unclear text starts as the network's texts about outgoing money do. The sender of the money
 * chooses the reference, and can thereby make the text unclear.
 */
export function mayBeMoneyOut(reading: Reading, text: string): boolean {
  if (reading.kind !== 'unread' && reading.kind !== 'secret' && reading.kind !== 'unclear') return false;
  const texts = networkTexts[reading.network];
  const shapes = Object.values(texts?.shapes ?? {}).filter(({ kind }) => kind === 'money_out');
  return texts !== undefined && shapes.some((shape) => beginsWithAmountOf(texts, shape, wordsIn(text)));
}

/** Matches a space or an invisible character. An app may add them around a text. */
const BLANK = /[\s\p{Cc}\p{Cf}]/u;

/**
 * Removes blanks around a text. If the text is too long, also collapses spaces and truncates the rest, which is never
 * stored.
 */
function wordsIn(text: string): string {
  const words = text.length > MAX_CHARACTERS ? text.replace(/\s+/g, ' ') : text;
  let [start, end] = [0, words.length];
  while (BLANK.test(words.charAt(start))) start++;
  while (BLANK.test(words.charAt(end - 1))) end--;
  return words.slice(start, Math.min(end, start + MAX_STORED_CHARACTERS));
}

/** Length of a single SMS. `PART_CHARACTERS` is the length of one part of a longer SMS. */
const SMS_CHARACTERS = 160;
const PART_CHARACTERS = 153;
const SIGN = '(?:GH[SC¢₵]|[¢₵])\\s*';
const CUT_AMOUNT = new RegExp(`${SIGN}([\\d,]+(?:\\.\\d?)?)$`, 'i');
const WHOLE_AMOUNT = new RegExp(`${SIGN}[\\d,]+\\.\\d\\d\\.?$`, 'i');

/** Matches an incomplete reference at the end of a text. */
const CUT_REFERENCE = /(?:\bMK\W{0,3}\d{0,9}|[.\s]R(?:e|ef|efe|efer|efere|eferen|eferenc|eference)?:?\s*)$/i;

/** Matches what an app writes behind a text that it shortened or split. A whole text may end like this, too. */
const CUT_MARK = /(?<![\s([])[\s([]*(?:(?<!\.)\.\.|…|\b\d{1,2}\s*\/\s*\d{1,2})[\s)\].]*$/;

/** Returns what remains certain of a text that may be truncated. */
function withoutCut(words: string, receivedLength: number, { reading, unclear }: Found): Reading {
  if (!('transactionId' in reading) || !isCut(words, receivedLength, reading)) return reading;
  return unclear ?? { kind: 'unread', network: reading.network };
}

/** True if a text may be truncated. Its balance or id could then be wrong. */
function isCut(words: string, receivedLength: number, reading: WalletPayment | WalletMovement): boolean {
  const { balancePesewas, transactionId } = reading;
  const typed = 'reference' in reading ? reading.reference : reading.message;
  const isTyped = typed != null && words.replace(/(?<!\s)\s*\.$/, '').endsWith(typed);
  const left = isTyped ? words : words.replace(CUT_MARK, '');
  const [, cutAmount] = (!isTyped && CUT_AMOUNT.exec(left)) || [];
  // Other texts may end with a fee without decimals.
  if (cutAmount && (reading.kind === 'payment' || pesewasOf(cutAmount) === balancePesewas)) return true;
  // A complete text has at least a full stop after the id.
  if (transactionId && left.endsWith(transactionId)) return true;
  if (reading.kind !== 'payment') return false;
  const isSms = receivedLength === SMS_CHARACTERS || receivedLength % PART_CHARACTERS === 0;
  return (isSms || left !== words) && (WHOLE_AMOUNT.test(left) || CUT_REFERENCE.test(left));
}

/**
 * Returns the network with this sender name, ignoring case and surrounding spaces. Returns undefined for any other
 * sender.
 */
export function networkOfSender(sender: string): Network | undefined {
  return SENDERS.get(sender.trim().toLowerCase());
}

/**
 * Masks possible codes in a text and truncates it for storage. An unparsed text still cannot be parsed after storage.
 */
export function wordsToStore(sender: string, received: string): string {
  const text = received.length > MAX_CHARACTERS ? wordsIn(received) : received;
  const read = readWalletText(sender, text);
  const { kind } = read;
  if (kind === 'reversal') return reversalToStore(text, read);
  if (kind === 'money_in' || kind === 'money_out' || kind === 'no_money')
    return movementToStore(read.network, withoutJoinedCodes(sender, text, read));
  if (kind === 'payment' || kind === 'unclear') return withoutJoinedCodes(sender, text, read);
  if (kind !== 'secret' && kind !== 'unread') return text;
  if (kind === 'secret' || !mayBePayment(text)) return withoutDigits(text);
  const masked = withFiguresAlone(text);
  return readWalletText(sender, masked).kind === 'unread' ? masked : withoutDigits(text);
}

/** Matches where a text that a phone joined to this one may begin. */
const JOIN = /(?<=\n|[.!?]\s|\.\d\d\s)|(?<=\s)(?=\d{4,8} is your)/iu;

/** Matches words of texts about codes. Payers type other words beside `code`. */
const OF_CODE_TEXT =
  /(?<!\p{L})(?:your|dear|hello|otp|one[- ]time|log[- ]?in|verification|(?:do not|don.t) share|is the|use \d{4,8})(?!\p{L})/iu;

/**
 * Masks codes in later sentences of a text that was read, because a phone may have joined a text about a code. Keeps
 * the first sentence, which contains the name, and what the payer seems to have typed.
 */
function withoutJoinedCodes(sender: string, text: string, read: Reading): string {
  const typed = ('reference' in read && read.reference) || ('message' in read && read.message) || '';
  const isOwn = (sentence: string, n: number) =>
    n === 0 ||
    /^\s*ref(?:erence)?\b/i.test(sentence) ||
    (typed.includes(sentence.trim().replace(/(?<!\s)\s*\.$/, '')) &&
      !OF_CODE_TEXT.test(sentence) &&
      !text.includes(`\n${sentence}`));
  const mayJoin = (sentence: string, n: number) => !isOwn(sentence, n) && holdsSecret(withoutFigures(sentence));
  const masked = text
    .split(JOIN)
    .map((one, n) => (mayJoin(one, n) ? exceptMatches(one, TYPED_REFERENCE, withoutCodes) : one))
    .join('');
  return masked === text || readsAlike(read, readWalletText(sender, masked)) ? masked : text;
}

/** True if two readings differ at most in the words that somebody typed. */
function readsAlike(one: Reading, other: Reading): boolean {
  const facts = (reading: Reading) => JSON.stringify({ ...reading, reference: undefined, message: undefined });
  return facts(one) === facts(other);
}

/** Matches a charge reference, even with a wrong character, or its ten digits alone, which payers may type. */
const TYPED_REFERENCE = /(\bMK\S+|(?<![\d-])[1-9]\d(?:[ -]?\d){8}(?!\d))/iu;

/** Matches a complete charge reference. More digits behind the reference's ten may be a code. */
const CHARGE_REFERENCE = /(MK[^\p{L}\p{N}]{0,3}(?:\d{10}(?!\d)|\d(?:[ -]?\d){9}(?![ -]?\d)))/iu;

/**
 * Masks names, references and messages that may contain a code, such as a prepaid meter token. Keeps charge references,
 * because a bank's message may name the bill that it pays.
 */
function movementToStore(network: Network, text: string): string {
  const texts = networkTexts[network];
  const fits = texts ? [...fitsOf(texts, wordsIn(text))] : [];
  const written = fits.flatMap(({ fit: { parts } }) => [parts.name, parts.reference, parts.message, parts.anything]);
  const secrets = written.flatMap((part) => (part && holdsSecret(part) ? part : []));
  return secrets.reduce((masked, part) => masked.replaceAll(part, () => withoutCodes(part)), text);
}

function withoutCodes(written: string): string {
  return exceptMatches(written.normalize('NFKC'), CHARGE_REFERENCE, withoutDigits);
}

/** Changes the words between the matches of a pattern with one group. */
function exceptMatches(words: string, pattern: RegExp, change: (words: string) => string): string {
  const parts = words.split(pattern);
  return parts.map((part, n) => (n % 2 === 0 ? change(part) : part)).join('');
}

/** Matches an amount with a currency and decimals, which is never a code. */
const WHOLE_MONEY = `${SIGN}\\d[\\d,]*\\.\\d\\d(?!\\d)|(?<![\\d,.])\\d[\\d,]*\\.\\d\\d\\s*${SIGN}`;

/**
 * Masks all digits and codes except the ids and amounts if a reversal's text may contain a code, or has unknown wording.
 */
function reversalToStore(text: string, { transactionIds, isReworded }: ReversalReading): string {
  const id = `(?<!\\d)(?:${transactionIds.join('|')})(?!\\d)`;
  if (!isReworded && !holdsWalletSecret(text.split(new RegExp(id)).join('…'))) return text;
  return exceptMatches(text, new RegExp(`(${id}|${WHOLE_MONEY})`, 'i'), withoutDigits);
}

/** True if a text may contain a code or matches a template of any network. */
export function isPrivateText(text: string): boolean {
  const words = text.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARACTERS);
  return holdsSecret(words) || Network.options.some((network) => readShapes(network, words) !== undefined);
}

interface Found {
  readonly reading: Reading;
  /** True if the lists of known words account for the whole text. */
  readonly isSure: boolean;
  /** The figures before the payer's words, if they suffice to continue a balance. */
  readonly unclear?: Reading | undefined;
  /** True if the words around the sentence may report a reversal. */
  readonly mayBeReversal: boolean;
}

function readShapes(network: Network, text: string): Found | undefined {
  const texts = networkTexts[network];
  if (!texts) return undefined;
  let best: Found | undefined;
  let isPaymentOfImpossibleName = false;
  for (const { shape, fit } of fitsOf(texts, text)) {
    const found = read(network, texts, shape, fit);
    if (found?.isSure) return found;
    best ??= found;
    if (found || shape.kind !== 'payment' || isNameSure(fit)) continue;
    isPaymentOfImpossibleName = true;
    if (shape.isFinal) break;
  }
  // Do not check for a reversal, because the payer's name could imitate a reversal.
  return best ?? (isPaymentOfImpossibleName ? foundUnread(network) : undefined);
}

function foundUnread(network: Network): Found {
  return { reading: { kind: 'unread', network }, isSure: true, mayBeReversal: false };
}

function isNameSure({ parts }: Fit): boolean {
  const name = nameIn(parts);
  const before = nameOfReversed(name);
  return before === undefined ? isSurePayerName(name) : isPayerName(before);
}

function read(network: Network, texts: NetworkTexts, shape: Shape, fit: Fit): Found | undefined {
  const { parts } = fit;
  const name = nameIn(parts);
  const charges = chargesOf(texts, shape, parts);
  if (charges === undefined) return undefined;
  const reported = {
    network,
    chargesPesewas: charges,
    balancePesewas: parts.balance ? pesewasOf(parts.balance) : null,
  };
  if (REVERSED.test(name) && OUTCOME.test(shape.text)) return foundUnread(network);
  const nameBefore = nameOfReversed(name);
  if (nameBefore !== undefined) return readReversed(fit, nameBefore, reported);
  const kind = shape.kind === 'payment' && isOwnAccount(name) ? 'money_in' : shape.kind;
  const reading = kind === 'payment' ? readPayment(texts, parts, reported) : readMovement(texts, kind, parts, reported);
  return reading && judge(reading, fit, unclearOf(network, texts, shape, fit));
}

/** Reads a payment whose name ends in `has been reversed`. */
function readReversed({ parts, isSure, isUnclear }: Fit, nameBefore: string, reported: ReportedAmounts) {
  if (!isSure || isUnclear || !parts.id || !isPayerName(nameBefore)) return undefined;
  const reading: Reading = {
    kind: 'reversal',
    network: reported.network,
    transactionIds: [parts.id],
    isInOwnWords: true,
    isCertain: reportsDone(nameIn(parts)),
    amountsPesewas: parts.amount ? [pesewasOf(parts.amount)] : [],
    reportedPesewas: reported.balancePesewas,
  };
  return { reading, isSure: true, mayBeReversal: false };
}

/** Decides how far a text counts: by itself, with proof, or only for the balances in `unclear`. */
function judge(reading: WalletPayment | WalletMovement, fit: Fit, unclear: Reading | undefined): Found | undefined {
  const { kind, transactionId, amountPesewas, balancePesewas } = reading;
  const name = nameIn(fit.parts);
  const isKnown = fit.isSure && !fit.isUnclear;
  const isSure = isKnown && (kind === 'payment' ? isNameSure(fit) : isSureCounterparty(name));
  if (isSure) return { reading, isSure, unclear, mayBeReversal: false };
  const rest = { isSure, unclear, mayBeReversal: /\brevers/i.test(fit.outside) };
  const ofNetwork = smallWords(name);
  const isOther = denies(fit.outside) || denies(ofNetwork) || (kind === 'payment' && OTHER_MONEY.test(ofNetwork));
  if (fit.isUnclear || isOther) return unclear && { reading: unclear, ...rest };
  const isProvable = transactionId !== null && amountPesewas !== null && balancePesewas !== null;
  return isProvable && kind !== 'no_money' ? { reading: { ...reading, needsProof: true }, ...rest } : undefined;
}

/** Returns the words in small letters. Networks write names in capitals, and may add a status to a name. */
function smallWords(name: string): string {
  return (name.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}'’]*/gu) ?? []).join(' ');
}

/** Matches words of a network that say that incoming money is no customer's payment. */
const OTHER_MONEY =
  /(?<!\p{L})(?:loans?|interest|cash|deposit|refund|bonus|cashback|commission|reward|winnings|voucher|airtime|agent|your)(?!\p{L})/u;

/** Matches a template whose fees follow the payer's words. */
const CHARGED_LAST = /\{(?:reference|message|anything)\}.*\{charges\}/;

/** Reads the figures before the payer's words. Returns undefined if they do not suffice to continue a balance. */
function unclearOf(network: Network, texts: NetworkTexts, shape: Shape, { ownParts }: Fit): Reading | undefined {
  const { amount, balance } = ownParts;
  const charges = chargesOf(texts, shape, ownParts);
  const isOut = shape.kind === 'money_out';
  if (!amount || !balance || shape.kind === 'no_money' || charges === undefined) return undefined;
  if (isOut && charges === null && CHARGED_LAST.test(shape.text)) return undefined;
  const movedPesewas = pesewasOf(amount) * (isOut ? -1 : 1) - (charges ?? 0);
  const afterPesewas = pesewasOf(balance);
  return { kind: 'unclear', network, beforePesewas: afterPesewas - movedPesewas, afterPesewas };
}

const REVERSED = /\breversed\b/i;

/** Matches a template that states the outcome after the name. The name then contains no status, only a payee's words. */
const OUTCOME = /\{name\} has (?:failed|been completed)\b/;

function nameIn({ name, institution }: Parts): string {
  return cleanName(name ?? institution ?? '');
}

type ReportedAmounts = Pick<WalletPayment, 'network' | 'chargesPesewas' | 'balancePesewas'>;

function readPayment({ systems }: NetworkTexts, parts: Parts, reported: ReportedAmounts): WalletPayment | undefined {
  const { amount, id, phone } = parts;
  const payerName = nameIn(parts);
  if (!amount || !id || !isPayerName(payerName)) return undefined;
  const typed = parts.reference ?? '';
  const delivered = readDelivered(systems, payerName, typed);
  return {
    kind: 'payment',
    ...reported,
    amountPesewas: pesewasOf(amount),
    payerName,
    payerIsInstitution: isInstitution(payerName),
    payerPhone: (phone ? parsePhoneNumber(phone) : delivered?.payerPhone) ?? null,
    via: delivered?.via ?? null,
    reference: (delivered?.reference ?? typed) || null,
    transactionId: id,
  };
}

function readMovement(
  { systems }: NetworkTexts,
  kind: WalletMovement['kind'],
  parts: Parts,
  reported: ReportedAmounts,
): WalletMovement | undefined {
  const name = nameIn(parts);
  const hasName = parts.name !== undefined || parts.institution !== undefined;
  if (hasName && (!isCounterparty(name) || REVERSED.test(name))) return undefined;
  // A payment from a person could match this template, so require an institution's name.
  if (parts.institution !== undefined && !isInstitution(name)) return undefined;
  const sentTo = kind === 'money_out' ? readSentTo(systems, name, parts.reference ?? '') : undefined;
  return {
    kind,
    ...reported,
    amountPesewas: parts.amount ? pesewasOf(parts.amount) : null,
    transactionId: parts.id ?? null,
    counterparty: name || null,
    ...(kind === 'money_in' && parts.message && { message: parts.message }),
    ...(sentTo && { sentTo }),
    ...(parts.refused && { refusedPayment: { payerName: name, amountPesewas: pesewasOf(parts.refused) } }),
  };
}

/**
 * Parses a reference such as `KOFI MENSAH ,233209876543,MK-0123456789 from VODAFONE`. The name must match the payer's.
 */
function readDelivered(systems: readonly string[], payerName: string, typed: string) {
  const [, name = '', number = '', reference = '', system] = DELIVERED.exec(typed) ?? [];
  const via = systems.find((known) => known.toLowerCase() === system?.trim().toLowerCase());
  if (!via || cleanName(name).toLowerCase() !== payerName.toLowerCase()) return undefined;
  return { via, reference: reference.trim(), payerPhone: parsePhoneNumber(number) };
}

const DELIVERED = /^([^,]*),\s*(\d{9,15}),((?:.*\s)?)from\s+([a-z]+(?: bank)?)$/is;

/** Parses the recipient of a transfer to another network from a reference such as `KOFI MENSAH,233209876543,1`. */
function readSentTo(systems: readonly string[], counterparty: string, reference: string) {
  if (!systems.some((system) => `${system} push`.toLowerCase() === counterparty.toLowerCase())) return undefined;
  const [, name = '', number = ''] = /^([^,]*),\s*(\d{9,15}),/.exec(reference) ?? [];
  const phone = parsePhoneNumber(number);
  return phone && isSurePayerName(cleanName(name)) ? { name: cleanName(name), phone } : undefined;
}

function chargesOf(texts: NetworkTexts, { isFree }: Shape, { charges }: Parts): number | null | undefined {
  return charges ? sumOfCharges(texts, charges) : isFree ? 0 : null;
}

/** Labels before a payer's own words. The colon is required, because `REF KONADU` is a name. */
const TYPED = /\b(?:reference|ref|message(?: from sender)?|note|narration|description|remarks?|comments?)\s*[:=]/i;

const TAKEN_BACK = /\b(?:(?:has|have|had)\s+been|was|were|is|is\s+being|got)(?:\s+[a-z]+)?\s+reversed\b/i;

const HAS_BEEN =
  '(?:(?:has|have|had)\\s+(?:successfully\\s+)?been|was|were|is|are|got)\\s+(?:(?:successfully|fully|now|already)\\s+)?';
/** Statements that a reversal happened, without a word such as `nearly` before the verb. */
const DONE = new RegExp(
  [
    `\\b${HAS_BEEN}(?:reversed(?:\\s+successfully)?|completed|done|made|processed|successful|taken\\s+back)\\b`,
    '\\b(?:reversed\\s+successfully|completed|successful|successfully\\s+processed)\\b|^reversed\\b|\\d\\s+reversed\\b',
  ].join('|'),
  'gi',
);

const CONFIRMED = /^\d{16} confirmed\b/i;

/**
 * Wording that denies, limits or only announces a reversal, in addition to the vocabulary of statuses. A reversal claim
 * or a reversal notice is not a reversal either.
 */
const NOT_DONE = new RegExp(
  [
    '\\?|\\b(?:no(?!\\.?\\s*\\d)|if|only|nearly|almost|in\\s+part|half|in\\s+case|agree|consent|wants)\\b|\\bdial',
    '\\d\\s*%|\\b(?:partly|temporarily|for\\s+now|except|(?:less|minus)\\s+(?:an?|the)|as\\s+a\\s+(?:test|drill)|test\\s+message)\\b',
    '\\b(?:fees?|tax|levy)\\s+(?:of|for|on|has|was|is)\\b',
    '\\b(?:commission|bonus|cashback|in\\s+your\\s+favou?r|(?:in)?to\\s+(?:(?:a|the)\\s+)?suspense)\\b',
    '\\b(?:in)?to\\s+your\\s+(?:[a-z]+\\s+){0,3}(?:wallet|account)\\b',
    '\\breversal\\s+of\\s+(?:the\\s+)?(?:transaction\\s+)?(?:fees?|tax|(?:e-?)?levy)\\b',
    `${SIGN}[\\d,.]+\\s+(?:out\\s+)?of\\s+(?:the\\s+)?${SIGN}`,
    '\\breversal\\s+(?:of|for)\\b[^:;,]*\\b(?:been|was|is)\\s+(?:[a-z]+\\s+)?reversed\\b',
    '\\b(?:would|could|should|might|may|must|can|will|shall|to)\\s+have\\b',
    '\\breversal\\s+(?!(?:of|for|to|is|was|has|done|successful|completed|processed)\\b)[a-z]',
  ].join('|'),
  'i',
);

/**
 * Start of a payment text. The payer's name that follows can imitate a reversal, so a reversal needs a full sentence.
 */
const BEGINS_AS_RECEIVED =
  /^(?:payment received for|cash in received for|you have received (?:GHS|\d)|\d{16} confirmed\. ?you have received)/i;
/** Matches the end of a sentence or line, and the spaces behind it. */
const SENTENCE_BEFORE = '(?<!confirmed)(?:[.!?]\\s*|\\n[^\\S\\n]*)';
const RECEIVED_LATER = new RegExp(`${SENTENCE_BEFORE}${BEGINS_AS_RECEIVED.source.slice(1)}`, 'i');
const BEGINS_AS_OTHER =
  /^(?:payment (?:made )?for|your payment of|cash out|deposit made|you have (?:transferred|withdrawn|paid|sent|bought)|\d{16} confirmed\. ?(?:GHS|you))/i;

/** Captures the words behind the first sentence. Telecel's texts start with the id and `Confirmed.` */
const BEHIND_FIRST = /^(?:\d{16} confirmed\.|(?!\d{16})).*?[.!?\n](?!\d)(.*)/is;

/** Words directly behind a payment's id that continue its sentence. */
const CONTINUES = /^\s*(?::|(?:has|have|was|is)\b)/i;
/** Start of a sentence of its own, and of one that may still be about the same payment. */
const BEGINS_ANEW = /^\W*(?:dear|y'ello|your|the|an?|this|transaction|ref)\b/i;
const MAY_BE_SAME = /^\W*(?:(?:this|the|your) )?(?:transaction|payment) (?:has|have|was|is)\b/i;
const FEE_BEHIND = /^\W*transaction fee:?\s*[\d.,]+/i;

/** Start of a network's sentence about a reversal. Names never start with these words. */
const BEGINS_AS_REVERSAL =
  /^(?:dear customer,? ?)?(?:(?:your|the|this|a) )?(?:transaction|payment|transfer|reversal|reversed|amount|sum|gh[s¢₵]|\d{10,16}\b)/i;

/** Statements that a payment was taken back, in words other than `reversed`. */
const REWORDED =
  /\b(?:(?:has|have|had)\s+been|was|were|got)(?:\s+(?!not\b|never\b|nearly\b|almost\b)[a-z]+)?\s+(?:rolled\s+back|recalled|charged\s+back|taken\s+back|refunded|returned|cancell?ed)\b(?!\s+(?:in)?to\s+you)/i;

/** Wording that is not about the payment itself. A payer may have typed the words behind a colon. */
const NOT_REWORDED = /\brequest|\b(?:fees?|tax|levy|commission|bonus|cashback)\b|(?<!\bid\s?):(?!\d\d)/i;

/** Maximum number of ids in a reversal's text: the payment's id and the reversal's own id. */
const MAX_IDS = 2;

type ReversalReading = Extract<Reading, { kind: 'reversal' }>;
type Reversal = Omit<ReversalReading, 'kind' | 'network'>;

/**
 * Returns the ids of the payments that a text reports as reversed. Returns undefined if there are none, or if a payer
 * may have typed the words.
 */
function readReversal(texts: NetworkTexts, text: string): Reversal | undefined {
  const [own = ''] = text.split(TYPED, 1);
  if (BEGINS_AS_RECEIVED.test(text)) {
    // A payment text has only one id. Any other id comes from the payer's name or reference.
    const last = ownId(texts, text);
    const isTakenBack = last && (TAKEN_BACK.test(own) || TAKEN_BACK.test(last.behind));
    if (!isTakenBack) return undefined;
    const ids = [...idsIn(texts, own), ...labelledIds(texts, text).map(([, id]) => id)];
    const behind = behindPayment(texts, text);
    const isOwn = TAKEN_BACK.test(own.replace(behind, '')) || CONTINUES.test(behind) || behind.includes(last.id);
    const isCertain = isOwn && ids.every((id) => id === last.id) && reportsDone(own + last.behind);
    const { amountsPesewas } = moneyIn(texts, `${own} ${last.behind}`);
    return { transactionIds: [last.id], isInOwnWords: true, isCertain, ...moneyIn(texts, own), amountsPesewas };
  }
  if (!(BEGINS_AS_OTHER.test(text) ? TAKEN_BACK : /\brevers/i).test(own)) return undefined;
  const named = idsIn(texts, own);
  const last = ownId(texts, text)?.id;
  const transactionIds = named.length === 0 && last ? [last] : named;
  if (transactionIds.length === 0 || transactionIds.length > MAX_IDS) return undefined;
  const isInOwnWords = BEGINS_AS_REVERSAL.test(text);
  return {
    transactionIds,
    isInOwnWords,
    isCertain: isInOwnWords && reportsDone(own),
    ...moneyIn(texts, own),
  };
}

/** Returns the only id in a text whose first sentence may report in unknown words that a payment was taken back. */
function readReworded(texts: NetworkTexts, text: string): Reversal | undefined {
  if (!BEGINS_AS_REVERSAL.test(text) || BEGINS_AS_RECEIVED.test(text) || BEGINS_AS_OTHER.test(text)) return undefined;
  const [own = ''] = text.split(TYPED, 1);
  const [first = ''] = sentencesIn(own);
  const transactionIds = idsIn(texts, own);
  // A second id shows that a payer may have typed the first one.
  if (transactionIds.length !== 1 || idsIn(texts, text).length !== 1) return undefined;
  if (!REWORDED.test(first) || NOT_REWORDED.test(first)) return undefined;
  return { transactionIds, isInOwnWords: false, isCertain: false, isReworded: true, ...moneyIn(texts, own) };
}

/**
 * True if a phone may have joined two texts: one begins after the first words or the id of the other. Ignores first
 * words that a payer can type into a reference without making the payment itself unread.
 */
function isJoined(texts: NetworkTexts, text: string): boolean {
  const [own = ''] = text.split(TYPED, 1);
  const { transactionId } = texts;
  if (new RegExp(`^${transactionId}.*${SENTENCE_BEFORE}${transactionId}(?!\\d)`, 'is').test(own)) return true;
  const labelled = labelledIds(texts, text);
  const last = labelled.at(-1)?.[1];
  if (!BEGINS_AS_RECEIVED.test(text) && RECEIVED_LATER.test(own)) return true;
  if (BEGINS_AS_RECEIVED.test(text)) {
    if (labelled.some(([, id]) => id !== last)) return true;
    // An id in the first sentence may come from the payer's name.
    const [, behind = ''] = BEHIND_FIRST.exec(own) ?? [];
    const its = ownId(texts, text);
    if (idsIn(texts, behind).some((id) => id !== its?.id)) return true;
    const isOther = (sentence: string) =>
      BEGINS_ANEW.test(sentence) && !MAY_BE_SAME.test(sentence) && !(its && sentence.includes(its.id));
    if (sentencesIn(behindPayment(texts, text)).some((one) => TAKEN_BACK.test(one) && isOther(one))) return true;
  }
  const endOfTyped = labelled.find(({ index }) => index >= own.length)?.index ?? text.length;
  const starts = startsOfTexts(texts, text);
  return starts.some(({ index, isId, isPayment }) => {
    const mayBeTyped = index >= own.length && index < endOfTyped && !isId && !isPayment;
    if (mayBeTyped) return false;
    if (starts.some((first) => first.index < index)) return true;
    return idsIn(texts, text.slice(0, index)).some((id) => isId || (last && id !== last));
  });
}

/** Returns the words behind a payment's own sentences: behind its id or, if the text starts with the id, its first one. */
function behindPayment(texts: NetworkTexts, text: string): string {
  const [own = ''] = text.split(TYPED, 1);
  const { behind = '' } = ownId(texts, text) ?? {};
  return behind.replace(FEE_BEHIND, '') || BEHIND_FIRST.exec(own)?.[1] || '';
}

/** True if the text says that the reversal is complete, and does not deny or merely announce a reversal. */
function reportsDone(own: string): boolean {
  const rest = (words: string) =>
    words
      .replace(CONFIRMED, '')
      .replace(DONE, '')
      .replace(/\b(?:reversal|reversed|received)\b/gi, '');
  const about = sentencesIn(own).filter(isAboutReversal);
  const isDone = CONFIRMED.test(own) || about.some((sentence) => sentence.search(DONE) >= 0);
  return isDone && !holdsState(rest(own)) && !about.some((one) => NOT_DONE.test(one) || mentionsStatus(rest(one)));
}

function sentencesIn(words: string): string[] {
  return words.split(/(?<=[.!?])\s+/);
}

function isAboutReversal(sentence: string): boolean {
  return /\brevers/i.test(sentence);
}

/**
 * Returns the cleaned name without a trailing `has been reversed`, or undefined if the name does not end this way.
 * Networks write names in capitals, so only words in small letters are the network's own.
 */
function nameOfReversed(name: string): string | undefined {
  const [, before] = /^(.*?) (?:(?:has|have|had) been|was|is|is being)(?: [a-z]+)? reversed$/.exec(name) ?? [];
  return before;
}

/** Matches a figure that is not an id, a phone number, a date or a time. */
const FIGURE = '(?!\\d{10})(\\d[\\d,]*(?![\\d,])(?:\\.\\d{1,2})?)(?![\\d,.]*\\d|(?:[-/]\\d{1,4}){2}|:\\d\\d\\b)';
const MONEY = `(?:\\s*:)?\\s*(?:${SIGN})*${FIGURE}(?:\\s*${SIGN})?`;
const BALANCE = new RegExp(`(\\bavailable\\s*)?\\bbalance(?:\\s+is)?${MONEY}`, 'gi');
const FEE = `(?:fees?|tax|levy)(?:\\s+(?:charged|was|is))?${MONEY}`;
const CURRENCY = `(?:${SIGN}|cedis?\\s*)`;
/** Matches a figure with a currency before or after it, and a figure with decimals. */
const AMOUNT = new RegExp(
  `${CURRENCY}${FIGURE}|(?<!\\d[.,]?)${FIGURE}(?:(?<=\\.\\d{1,2})(?:\\s*${CURRENCY})?|\\s*(?:GH[SC¢₵]|[¢₵]|cedis?)(?!\\s*${FIGURE}))`,
  'gi',
);

/**
 * Returns the text's amounts, except balances and fees, and its balance (null unless the text has exactly one). Ignores
 * the available balance, which is also lower while money is on hold. In a sentence about a reversal, a fee counts as an
 * amount, because the fee may be all that was reversed.
 */
function moneyIn(texts: NetworkTexts, words: string): { amountsPesewas: number[]; reportedPesewas: number | null } {
  const found = [...words.matchAll(BALANCE)].filter(([, available]) => available === undefined);
  const balances = new Set(found.map(([, , money = '']) => pesewasOf(money)));
  const fee = new RegExp(`\\b(?:${labelledCharge(texts)}|${FEE})`, 'gi');
  const amounts = sentencesIn(words.replace(BALANCE, ''))
    .map((sentence) => (isAboutReversal(sentence) ? sentence : sentence.replace(fee, '')))
    .flatMap((sentence) => [...sentence.matchAll(AMOUNT)])
    .map(([, before, money = before ?? '']) => pesewasOf(money));
  const [only = null] = balances;
  return { amountsPesewas: amounts, reportedPesewas: balances.size === 1 ? only : null };
}

/** Returns the text's own transaction id: the leading id, otherwise the last labelled id. */
function ownId(texts: NetworkTexts, text: string): { id: string; behind: string } | undefined {
  const [leading] = new RegExp(`^${texts.transactionId}(?!\\d)`).exec(text) ?? [];
  if (leading) return { id: leading, behind: '' };
  const labelled = labelledIds(texts, text).at(-1);
  if (!labelled?.[1]) return undefined;
  const behind = text.slice(labelled.index + labelled[0].length);
  return /\d{6}/.test(behind) ? undefined : { id: labelled[1], behind };
}

function labelledIds({ transactionId }: NetworkTexts, text: string): RegExpExecArray[] {
  return [...text.matchAll(new RegExp(`\\btransaction id(?:\\s*:)?\\s*(${transactionId})(?!\\d)`, 'gi'))];
}

/** Returns the distinct transaction ids in a text. Skips unlabelled phone numbers. */
function idsIn({ transactionId }: NetworkTexts, words: string): string[] {
  const ids = words.matchAll(
    new RegExp(`(transaction(?: id)?(?:\\s*:)?\\s*)?(?<![\\d+])(${transactionId})(?![\\d]|[.,]\\d)`, 'gi'),
  );
  const isPhone = /^(?:233[2-5]\d{8}|0\d{9})$/;
  return [...new Set([...ids].flatMap(([, label, id = '']) => (!label && isPhone.test(id) ? [] : [id])))];
}
