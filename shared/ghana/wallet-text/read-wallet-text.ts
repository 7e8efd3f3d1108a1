import { Network, networks, networkTexts } from '../network.ts';
import type { NetworkTexts, Shape } from '../network-facts.ts';
import { parsePhoneNumber } from '../phone-number.ts';
import { cleanName, isCounterparty, isInstitution, isPayerName } from './names.ts';
import type { Reading, WalletMovement, WalletPayment } from './reading.ts';
import { holdsSecret, holdsWalletSecret, mayBePayment, withFiguresAlone, withoutDigits } from './secret.ts';
import { fitShape, type Parts, pesewasOf, sumOfCharges } from './shape.ts';

const SENDERS = new Map(
  Network.options.flatMap((network) => networks[network].senders.map((sender) => [sender.toLowerCase(), network])),
);

/** Longer than any wallet's text. */
const MAX_CHARACTERS = 2000;

/** Enough for the cut text to be too long to be read. DynamoDB takes items of 400 KB. */
const MAX_STORED_CHARACTERS = MAX_CHARACTERS + 100;

/**
 * Reads a text message that arrived at a merchant's phone. Never throws, and never guesses: a text that fits no known wording
 * from beginning to end is unread. A payer writes the name and the reference, and can change nothing else with them.
 */
export function readWalletText(sender: string, text: string): Reading {
  const network = networkOfSender(sender);
  const words = wordsIn(text);
  const isLong = words.length > MAX_CHARACTERS;
  if (!network) {
    const looksLikePayment = !isLong && Network.options.some((one) => readShapes(one, words)?.kind === 'payment');
    return { kind: 'stranger', looksLikePayment };
  }
  const texts = networkTexts[network];
  const reading = isLong ? undefined : readShapes(network, words);
  if (reading && isCut(text, reading)) return { kind: 'unread', network };
  if (reading) return reading;
  const reversed = !isLong && texts && readReversal(texts, words);
  if (reversed) return { kind: 'reversal', network, ...reversed };
  return { kind: holdsWalletSecret(words) ? 'secret' : 'unread', network };
}

/** A text that is longer only by its blanks is read without them. */
function wordsIn(text: string): string {
  return text.length > MAX_CHARACTERS ? text.replace(/\s+/g, ' ').trim() : text.trim();
}

/** The characters of one SMS, and of a part of a longer one. */
const SMS_CHARACTERS = 160;
const PART_CHARACTERS = 153;
const SIGN = '(?:GHS|GH[¢₵]|[¢₵])\\s*';
const CUT_AMOUNT = new RegExp(`${SIGN}[\\d,]+(?:\\.\\d?)?$`, 'i');
const WHOLE_AMOUNT = new RegExp(`${SIGN}[\\d,]+\\.\\d\\d\\.?$`, 'i');

/** The label of a reference, or one of ours with too few digits. */
const CUT_REFERENCE = /(?:\bMK\W{0,3}\d{0,9}|[.\s]R(?:e|ef|efe|efer|efere|eferen|eferenc|eference)?:?\s*)$/i;

/**
 * True if a payment's text may be the first part of one: it ends within an amount or behind an id's digits, of which there may have been more, or as an SMS does with
 * a balance, behind which a reference may have stood. Its balance or its id would be another one's.
 */
function isCut(text: string, reading: Reading): boolean {
  if (reading.kind !== 'payment') return false;
  const words = text.trimEnd();
  if (CUT_AMOUNT.test(words)) return true;
  // The network writes at least a full stop behind it.
  if (words.endsWith(reading.transactionId)) return true;
  const isSms = text.length === SMS_CHARACTERS || text.length % PART_CHARACTERS === 0;
  return isSms && (WHOLE_AMOUNT.test(words) || CUT_REFERENCE.test(words));
}

/** The network whose texts come from this sender, ignoring case and blanks around the name; undefined for any other. */
export function networkOfSender(sender: string): Network | undefined {
  return SENDERS.get(sender.trim().toLowerCase());
}

/**
 * Masks a text for storage. A text that is not understood may hold a code in unforeseen words, so only a payment's figures keep their
 * digits. If the masked text would be read as something else, it keeps none. A text that is too long to be read is cut, and still is.
 */
export function wordsToStore(sender: string, received: string): string {
  const text = received.length > MAX_CHARACTERS ? wordsIn(received).slice(0, MAX_STORED_CHARACTERS) : received;
  const read = readWalletText(sender, text);
  const { kind } = read;
  if (kind === 'reversal') return reversalToStore(text, read.transactionIds);
  if (kind !== 'secret' && kind !== 'unread') return text;
  if (kind === 'secret' || !mayBePayment(text)) return withoutDigits(text);
  const masked = withFiguresAlone(text);
  return readWalletText(sender, masked).kind === 'unread' ? masked : withoutDigits(text);
}

/** A reversal that may hold a code beside its ids keeps their digits alone. */
function reversalToStore(text: string, ids: readonly string[]): string {
  const parts = text.split(new RegExp(`(?<!\\d)(${ids.join('|')})(?!\\d)`));
  const isBeside = (_: string, n: number) => n % 2 === 0;
  if (!holdsWalletSecret(parts.filter(isBeside).join('…'))) return text;
  return parts.map((part, n) => (isBeside(part, n) ? withoutDigits(part) : part)).join('');
}

/** True if a text, from any sender, may hold a code, or is worded as a network words what it tells of a wallet. */
export function isPrivateText(text: string): boolean {
  const words = text.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARACTERS);
  return holdsSecret(words) || Network.options.some((network) => readShapes(network, words) !== undefined);
}

function readShapes(network: Network, text: string): Reading | undefined {
  const texts = networkTexts[network];
  if (!texts) return undefined;
  let isPaymentOfImpossibleName = false;
  for (const shape of Object.values(texts.shapes)) {
    const parts = fitShape(texts, shape, text);
    const reading = parts && read(network, texts, shape, parts);
    if (reading) return reading;
    if (!parts || shape.kind !== 'payment') continue;
    isPaymentOfImpossibleName = true;
    if (shape.isFinal) break;
  }
  // Nothing else is looked for in it: the name might hold the words of a reversal.
  return isPaymentOfImpossibleName ? { kind: 'unread', network } : undefined;
}

function read(network: Network, texts: NetworkTexts, shape: Shape, parts: Parts): Reading | undefined {
  const name = nameIn(parts);
  const charges = chargesOf(texts, shape, parts);
  if (charges === undefined) return undefined;
  const reported = {
    network,
    chargesPesewas: charges,
    balancePesewas: parts.balance ? pesewasOf(parts.balance) : null,
  };
  const nameBefore = nameOfReversed(name);
  if (nameBefore !== undefined) {
    return parts.id && isPayerName(nameBefore, true)
      ? {
          kind: 'reversal',
          network,
          transactionIds: [parts.id],
          isCertain: true,
          reportedPesewas: reported.balancePesewas,
        }
      : undefined;
  }
  return shape.kind === 'payment' ? readPayment(texts, parts, reported) : readMovement(texts, shape, parts, reported);
}

/** Who paid, or was paid: a person, or what they paid through. */
function nameIn({ name, institution }: Parts): string {
  return cleanName(name ?? institution ?? '');
}

type ReportedAmounts = Pick<WalletPayment, 'network' | 'chargesPesewas' | 'balancePesewas'>;

function readPayment({ systems }: NetworkTexts, parts: Parts, reported: ReportedAmounts): WalletPayment | undefined {
  const { amount, id, phone } = parts;
  const payerName = nameIn(parts);
  if (!amount || !id || !isPayerName(payerName, parts.balance !== undefined)) return undefined;
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
  shape: Shape,
  parts: Parts,
  reported: ReportedAmounts,
): WalletMovement | undefined {
  if (shape.kind === 'payment') return undefined;
  const name = nameIn(parts);
  const hasName = parts.name !== undefined || parts.institution !== undefined;
  if (hasName && (!isCounterparty(name) || /\breversed\b/i.test(name))) return undefined;
  // The same words from a person might be a customer's payment.
  if (parts.institution !== undefined && !isInstitution(name)) return undefined;
  const sentTo = shape.kind === 'money_out' ? readSentTo(systems, name, parts.reference ?? '') : undefined;
  return {
    kind: shape.kind,
    ...reported,
    amountPesewas: parts.amount ? pesewasOf(parts.amount) : null,
    transactionId: parts.id ?? null,
    counterparty: name || null,
    ...(sentTo && { sentTo }),
    ...(parts.refused && { refusedPayment: { payerName: name, amountPesewas: pesewasOf(parts.refused) } }),
  };
}

/** `KOFI MENSAH ,233209876543,MK-0123456789 from VODAFONE`, the name being the payer's. */
function readDelivered(systems: readonly string[], payerName: string, typed: string) {
  const [, name = '', number = '', reference = '', system] = DELIVERED.exec(typed) ?? [];
  const via = systems.find((known) => known.toLowerCase() === system?.trim().toLowerCase());
  if (!via || cleanName(name).toLowerCase() !== payerName.toLowerCase()) return undefined;
  return { via, reference: reference.trim(), payerPhone: parsePhoneNumber(number) };
}

const DELIVERED = /^([^,]*),\s*(\d{9,15}),((?:.*\s)?)from\s+([a-z]+(?: bank)?)$/is;

/** `TELECEL PUSH`, with the reference `KOFI MENSAH,233209876543,1`: money that leaves for another network. */
function readSentTo(systems: readonly string[], counterparty: string, reference: string) {
  if (!systems.some((system) => `${system} push`.toLowerCase() === counterparty.toLowerCase())) return undefined;
  const [, name = '', number = ''] = /^([^,]*),\s*(\d{9,15}),/.exec(reference) ?? [];
  const phone = parsePhoneNumber(number);
  return phone && isPayerName(cleanName(name), false) ? { name: cleanName(name), phone } : undefined;
}

function chargesOf(texts: NetworkTexts, { isFree }: Shape, { charges }: Parts): number | null | undefined {
  return charges ? sumOfCharges(texts, charges) : isFree ? 0 : null;
}

/** Behind these a payer's words stand. Without the colon they are the network's prose, or part of a name: `REF KONADU`. */
const TYPED = /\b(?:reference|ref|message(?: from sender)?|note|narration|description|remarks?|comments?)\s*[:=]/i;

const TAKEN_BACK = /\b(?:(?:has|have|had)\s+been|was|were|is|is\s+being|got)(?:\s+[a-z]+)?\s+reversed\b/i;

/** Who receives or pays may be called anything: only a sentence counts in a text that begins like one of these. */
const BEGINS_AS_RECEIVED =
  /^(?:payment received for|cash in received for|you have received (?:GHS|\d)|\d{16} confirmed\. ?you have received)/i;
const BEGINS_AS_OTHER =
  /^(?:payment (?:made )?for|your payment of|cash out|deposit made|you have (?:transferred|withdrawn|paid|sent|bought)|\d{16} confirmed\. ?(?:GHS|you))/i;

/** How the network itself begins a sentence about a payment; a person's name or greeting begins otherwise. */
const BEGINS_AS_REVERSAL =
  /^(?:dear customer,? ?)?(?:(?:your|the|this|a) )?(?:transaction|payment|transfer|reversal|reversed|amount|sum|gh[s¢₵]|\d{10,16}\b)/i;

/** The payment and the reversal itself. Who names more writes no text of a network's. */
const MAX_IDS = 2;

/**
 * The payments that a text, which fits no shape, says were taken back, by their ids; undefined where it does not say so, or
 * only where a payer may have written it.
 */
function readReversal(
  texts: NetworkTexts,
  text: string,
): { transactionIds: readonly string[]; isCertain: boolean; reportedPesewas: number | null } | undefined {
  const [own = ''] = text.split(TYPED, 1);
  if (BEGINS_AS_RECEIVED.test(text)) {
    // A payment's own text names no other: what else looks like an id is in the payer's name or reference.
    const last = ownId(texts, text);
    const isTakenBack = last && (TAKEN_BACK.test(own) || TAKEN_BACK.test(last.behind));
    return isTakenBack ? { transactionIds: [last.id], isCertain: true, reportedPesewas: balanceIn(own) } : undefined;
  }
  if (!(BEGINS_AS_OTHER.test(text) ? TAKEN_BACK : /\brevers/i).test(own)) return undefined;
  const named = idsIn(texts, own);
  const last = ownId(texts, text)?.id;
  const transactionIds = named.length === 0 && last ? [last] : named;
  if (transactionIds.length === 0 || transactionIds.length > MAX_IDS) return undefined;
  return { transactionIds, isCertain: BEGINS_AS_REVERSAL.test(text), reportedPesewas: balanceIn(own) };
}

/**
 * What remains of a name in front of `has been reversed`, as a network might put it right behind the name; undefined where
 * the name says no such thing.
 */
function nameOfReversed(name: string): string | undefined {
  const [, before] = /^(.*?)\s(?:(?:has|have|had)\s+been|was|is|is\s+being)(?:\s[a-z]+)?\s+reversed$/i.exec(name) ?? [];
  return before;
}

const BALANCE = /\bbalance(?:\s+is)?\s*:?\s*((?:GHS\s*)*\d[\d,]*(?:\.\d{1,2})?)(?![\d,.]*\d)/gi;

/** The balance that the network's words tell; null where they tell none, or two. */
function balanceIn(words: string): number | null {
  const balances = new Set([...words.matchAll(BALANCE)].map(([, money = '']) => pesewasOf(money)));
  const [only = null] = balances;
  return balances.size === 1 ? only : null;
}

/** The id of the text itself: where it begins with it, or the last that is labelled, with nothing like an id behind it. */
function ownId({ transactionId }: NetworkTexts, text: string): { id: string; behind: string } | undefined {
  const [leading] = new RegExp(`^${transactionId}(?!\\d)`).exec(text) ?? [];
  if (leading) return { id: leading, behind: '' };
  const labelled = [...text.matchAll(new RegExp(`\\btransaction id\\s*:?\\s*(${transactionId})(?!\\d)`, 'gi'))].at(-1);
  if (!labelled?.[1]) return undefined;
  const behind = text.slice(labelled.index + labelled[0].length);
  return /\d{6}/.test(behind) ? undefined : { id: labelled[1], behind };
}

/** Every transaction id, once. A phone number has as many digits as some ids, but never comes after "transaction". */
function idsIn({ transactionId }: NetworkTexts, words: string): string[] {
  const ids = words.matchAll(
    new RegExp(`(transaction(?: id)?\\s*:?\\s*)?(?<![\\d+])(${transactionId})(?![\\d]|[.,]\\d)`, 'gi'),
  );
  const isPhone = /^(?:233[2-5]\d{8}|0\d{9})$/;
  return [...new Set([...ids].flatMap(([, label, id = '']) => (!label && isPhone.test(id) ? [] : [id])))];
}
