import type { NetworkTexts } from '../network-facts.ts';
import { pesewasOf } from './shape.ts';

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
export function readReversal(
  texts: NetworkTexts,
  text: string,
): { transactionIds: readonly string[]; isCertain: boolean; toldPesewas: number | null } | undefined {
  const [own = ''] = text.split(TYPED, 1);
  if (BEGINS_AS_RECEIVED.test(text)) {
    // A payment's own text names no other: what else looks like an id is in the payer's name or reference.
    const last = ownId(texts, text);
    const isTakenBack = last && (TAKEN_BACK.test(own) || TAKEN_BACK.test(last.behind));
    return isTakenBack ? { transactionIds: [last.id], isCertain: true, toldPesewas: balanceIn(own) } : undefined;
  }
  if (!(BEGINS_AS_OTHER.test(text) ? TAKEN_BACK : /\brevers/i).test(own)) return undefined;
  const named = idsIn(texts, own);
  const last = ownId(texts, text)?.id;
  const transactionIds = named.length === 0 && last ? [last] : named;
  if (transactionIds.length === 0 || transactionIds.length > MAX_IDS) return undefined;
  return { transactionIds, isCertain: BEGINS_AS_REVERSAL.test(text), toldPesewas: balanceIn(own) };
}

/**
 * What remains of a name in front of `has been reversed`, as a network might put it right behind the name; undefined where
 * the name says no such thing.
 */
export function nameOfReversed(name: string): string | undefined {
  const [, before] = /^(.*?)\s(?:(?:has|have|had)\s+been|was|is|is\s+being)(?:\s[a-z]+)?\s+reversed$/i.exec(name) ?? [];
  return before;
}

const BALANCE = /\bbalance(?:\s+is)?\s*:?\s*((?:GHS\s*)*\d[\d,]*(?:\.\d{1,2})?)(?![\d,.]*\d)/gi;

/** The balance that the network's words tell; null where they tell none, or two. */
function balanceIn(words: string): number | null {
  const told = new Set([...words.matchAll(BALANCE)].map(([, money = '']) => pesewasOf(money)));
  const [only = null] = told;
  return told.size === 1 ? only : null;
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

/** Every transaction id, once. A phone number has as many digits as some ids, but never stands behind "transaction". */
function idsIn({ transactionId }: NetworkTexts, words: string): string[] {
  const ids = words.matchAll(
    new RegExp(`(transaction(?: id)?\\s*:?\\s*)?(?<![\\d+])(${transactionId})(?![\\d]|[.,]\\d)`, 'gi'),
  );
  const isPhone = /^(?:233[2-5]\d{8}|0\d{9})$/;
  return [...new Set([...ids].flatMap(([, label, id = '']) => (!label && isPhone.test(id) ? [] : [id])))];
}
