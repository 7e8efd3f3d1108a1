/**
 * conversation   CONVERSATION#<line>#<number> / CONVERSATION   the last text from this service to a person, and the
 *                                                              person's recent texts. The line is one of our numbers,
 *                                                              or the test account in test mode
 * strangers      STRANGERS#<line> / <day>                      number of texts stored that day from people whom no
 *                                                              merchant had texted
 */
import * as z from 'zod/mini';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { FRESH_SECONDS } from '../../phones/gateway/fresh-callback.ts';
import { type Clock, endsIn, nowIso, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import { countUpTo } from '../../runtime/table/limits.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';

const Heard = z.object({
  event: z.string(),
  words: z.string(),
  is_keyword: z.optional(z.boolean()),
  received_ms: z.number(),
  arrived_ms: z.number(),
});
export type Heard = z.infer<typeof Heard>;

const Conversation = z.object({
  line: z.string(),
  number: z.string(),
  /** The merchant that last texted the person. `wrote_at` and `wrote_id` are that text's time and id. */
  wrote_by: z.optional(z.string()),
  wrote_at: z.optional(z.string()),
  wrote_id: z.optional(z.string()),
  /** Merchants that sent marketing or reminders from this number, newest first. A STOP applies to all of them. */
  promoters: z.optional(z.array(z.object({ merchant_id: z.string(), at: z.string() }))),
  operator_at: z.optional(z.string()),
  heard: z.optional(z.array(Heard)),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Conversation = z.infer<typeof Conversation>;

/** Time within which a reply is attributed to a text. */
const CONVERSATION_MS = 30 * DAY_MS;
/** Time within which a reply may be meant for the operator. */
const OPERATOR_MS = DAY_MS;
export const SKEW_MS = FRESH_SECONDS * 1000;
/** Maximum number of merchants in `promoters`. A STOP must update all of them in one transaction. */
const MAX_PROMOTERS = 20;

const conversationRows = rows(Conversation, { pk: 'CONVERSATION#<line>#<number>', sk: 'CONVERSATION' });

export function lineOf({ merchant_id, from }: { readonly merchant_id?: string | undefined; readonly from: string }) {
  return merchant_id !== undefined && isTestAccount(merchant_id) ? merchant_id : from;
}

export async function getConversation(outside: TableOutside, line: string, number: string): Promise<Conversation> {
  return (await conversationRows.find(outside, { line, number })) ?? { line, number };
}

interface Written {
  readonly line: string;
  readonly number: string;
  readonly merchant_id: string | undefined;
  readonly message_id: string;
  readonly isPromotion: boolean;
}

/**
 * Records an outgoing text, so that a later reply or STOP finds the right merchant. Costs one write unit, plus a read
 * for marketing.
 */
export async function noteWritten(outside: TimedOutside, { line, number, ...written }: Written): Promise<void> {
  const at = nowIso(outside);
  const { merchant_id, message_id, isPromotion } = written;
  const wrote = merchant_id ? { wrote_by: merchant_id, wrote_at: at, wrote_id: message_id } : { operator_at: at };
  const ends = endsIn(outside, CONVERSATION_MS / 1000);
  const note = (set: object, condition = {}) =>
    outside.table.update(conversationRows.change({ line, number }, { line, number, ...set, ...ends }, condition));
  if (!merchant_id || !isPromotion) {
    await note(wrote);
    return;
  }
  await retryIfChanged(async () => {
    const conversation = await getConversation(outside, line, number);
    const { promoters: read } = conversation;
    const others = (read ?? []).filter((one) => one.merchant_id !== merchant_id);
    const promoters = [{ merchant_id, at }, ...others].slice(0, MAX_PROMOTERS);
    if (await note({ ...wrote, promoters }, asRead({ promoters: read }))) return;
    throw new Changed('busy', 'Several merchants are texting this person right now. Try again.');
  });
}

/** Time when a text was received, by the phone's clock. An offline phone may forward the text hours later. */
interface Came {
  readonly receivedMs: number;
}

/**
 * Returns the merchant that last texted the person within 30 days. `message_id` is set if the merchant's text came
 * before the person's text.
 */
export function lastWriter(
  { wrote_by, wrote_at = '', wrote_id }: Conversation,
  { receivedMs }: Came,
): { readonly merchant_id: string; readonly message_id: string | undefined } | undefined {
  if (wrote_by === undefined || !isRecent(wrote_at, receivedMs)) return undefined;
  return { merchant_id: wrote_by, message_id: Date.parse(wrote_at) <= receivedMs + SKEW_MS ? wrote_id : undefined };
}

/** Returns up to twenty merchants that sent marketing or reminders within 30 days, newest first. */
export function promotersOf({ promoters = [] }: Conversation, { receivedMs }: Came): string[] {
  return promoters.filter(({ at }) => isRecent(at, receivedMs)).map(({ merchant_id }) => merchant_id);
}

function isRecent(at: string, receivedMs: number): boolean {
  return receivedMs - Date.parse(at) < CONVERSATION_MS;
}

/** Returns true if the text may be a reply to the operator. Merchants must not see such a text. */
export function answersOperator({ operator_at, wrote_at }: Conversation, { receivedMs }: Came): boolean {
  const askedMs = Date.parse(String(operator_at));
  if (!(askedMs <= receivedMs + SKEW_MS && receivedMs - askedMs < OPERATOR_MS)) return false;
  const wroteMs = Date.parse(String(wrote_at));
  return !(wroteMs > askedMs && wroteMs <= receivedMs + SKEW_MS);
}

/** Retention of received texts. Phones resend a text for at most 45 hours. */
const KNOWN_MS = 2 * DAY_MS;
/** Identical texts within this time count as one. Two apps on a phone may report the same text with different ids. */
const SAME_MS = 2 * MINUTE_MS;
/** Maximum number of texts stored per person per day. Keywords are counted separately. */
export const MAX_ANSWERS_PER_DAY = 20;

/**
 * Returns `posted_again` or `same_words` for a repeated text, or undefined for a new text. A repeated event id alone
 * does not make a text a repeat, because a reinstalled app reuses its ids.
 */
export function cameBefore(
  conversation: Conversation,
  text: Heard,
  forms: readonly string[] = [text.words],
): 'posted_again' | 'same_words' | undefined {
  const { heard = [] } = conversation;
  if (heard.some(({ event, words }) => event === text.event && forms.includes(words))) return 'posted_again';
  const isSame = heard
    .filter(({ words }) => words === text.words)
    .flatMap((earlier) => [earlier, ...asStampedByPhone(earlier, text)])
    .some((earlier) => {
      const [from = 0, to = 0] = [earlier.received_ms, text.received_ms].toSorted((a, b) => a - b);
      const isAnyBetween = heard.some((other) => from < other.received_ms && other.received_ms < to);
      return to - from <= SAME_MS && !isAnyBetween && !isWrittenBetween(conversation, [earlier, text]);
    });
  return isSame ? 'same_words' : undefined;
}

/** Time within which an online phone posts a text. */
const POSTED_WITHIN_MS = 10_000;

/**
 * Returns an earlier text with the phone's time instead of the network's, if the given text has that time. SMSGate 1.59.0
 * to 1.65.1 posts texts from the inbox again with other event ids and with the phone's time.
 */
function asStampedByPhone(earlier: Heard, { received_ms }: Heard): Heard[] {
  const { arrived_ms } = earlier;
  const isStamped = Math.abs(arrived_ms - received_ms) <= POSTED_WITHIN_MS;
  return isStamped ? [{ ...earlier, received_ms: arrived_ms }] : [];
}

/**
 * Returns true if a text was sent to the person between the two given texts. Allows for a phone clock that is behind.
 */
function isWrittenBetween({ wrote_at, operator_at }: Conversation, texts: readonly [Heard, Heard]): boolean {
  const behindMs = Math.min(...texts.map(({ arrived_ms, received_ms }) => arrived_ms - received_ms));
  const [from = 0, to = 0] = texts.map(({ received_ms }) => received_ms).toSorted((a, b) => a - b);
  const written = [wrote_at, operator_at].map((at) => Date.parse(String(at)));
  return written.some((atMs) => [0, behindMs].some((shiftMs) => from + shiftMs < atMs && atMs < to + shiftMs));
}

export function isFull({ now }: Clock, { heard = [] }: Conversation, isKeyword: boolean): boolean {
  const today = heard.filter(({ arrived_ms }) => now() - arrived_ms < DAY_MS);
  return today.filter((one) => isOfKind(one, isKeyword)).length >= MAX_ANSWERS_PER_DAY;
}

function isOfKind({ is_keyword = false }: Heard, isKeyword = false): boolean {
  return is_keyword === isKeyword;
}

export function noteHeard(outside: Clock, conversation: Conversation, text: Heard, moved: () => Error): TableWrite {
  const { line, number, heard = [], wrote_by, promoters } = conversation;
  const kept = heard.filter(({ arrived_ms }) => outside.now() - arrived_ms < KNOWN_MS);
  const others = kept.filter((one) => !isOfKind(one, text.is_keyword));
  const same = [...kept.filter((one) => isOfKind(one, text.is_keyword)), text].slice(-2 * MAX_ANSWERS_PER_DAY - 2);
  const set = { line, number, heard: [...others, ...same], ...endsIn(outside, CONVERSATION_MS / 1000) };
  const read = asRead({ heard: conversation.heard, wrote_by, promoters });
  return conversationRows.change(set, set, { ...read, refused: moved });
}

/** Maximum number of texts from strangers stored per number per day. A sender's number is easily forged. */
export const MAX_STRANGERS_PER_DAY = 200;

/** Counts a text from a stranger. The write fails with `full` at the daily limit. */
export function countStranger(outside: Clock, line: string, full: () => Error): TableWrite {
  const key = (day: string) => ({ pk: `STRANGERS#${line}`, sk: day });
  return countUpTo(outside, { key, per: 'day', most: { counted: MAX_STRANGERS_PER_DAY }, refused: full });
}
