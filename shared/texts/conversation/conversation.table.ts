/*
 * conversation   CONVERSATION#<line>#<number> / CONVERSATION   who wrote last to a person from one of the stage's numbers, and what
 *                                                              came back lately. The line is that number, or in test mode the twin
 * strangers      STRANGERS#<line> / <day>                      how many texts a number kept on a day of people whom nobody wrote to
 */
import * as z from 'zod/mini';
import { isTwin } from '../../merchants/merchant/twin.ts';
import type { Clock, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { changeItem, type TableWrite } from '../../runtime/table/table.ts';

const Wrote = z.object({ merchant_id: z.string(), at: z.string(), message_id: z.string() });

/** A text that came, by which it is known again. */
const Heard = z.object({
  /** Of the event that the phone posted. */
  event: z.string(),
  words: z.string(),
  received_ms: z.number(),
  arrived_ms: z.number(),
});
export type Heard = z.infer<typeof Heard>;

const Conversation = z.object({
  line: z.string(),
  number: z.string(),
  /** Whose text to the person was the last. */
  wrote: z.optional(Wrote),
  /** Whose marketing or reminder was the last: what STOP means on a number that merchants share. */
  promoted: z.optional(Wrote),
  /** When a text of the operator's own went there. */
  operator_at: z.optional(z.string()),
  heard: z.optional(z.array(Heard)),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Conversation = z.infer<typeof Conversation>;

/** For so long an answer is taken to be one to what was written. */
export const CONVERSATION_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** After so long an answer to a number is no longer one to the operator's own text, which was a code or a question. */
const OPERATOR_MS = DAY_MS;

const keyOf = (line: string, number: string) => ({ pk: `CONVERSATION#${line}#${number}`, sk: 'CONVERSATION' });

/** What answers to a text come by: its sender's number, or for a test its twin. */
export function lineOf({ merchant_id, from }: { readonly merchant_id?: string | undefined; readonly from: string }) {
  return merchant_id !== undefined && isTwin(merchant_id) ? merchant_id : from;
}

/** A person's conversation with a number; an empty one where there is none. */
export async function getConversation(outside: TableOutside, line: string, number: string): Promise<Conversation> {
  const item = await outside.table.get(keyOf(line, number));
  return item ? z.parse(Conversation, item) : { line, number };
}

interface Written {
  readonly line: string;
  readonly number: string;
  /** Unset for the operator's own text. */
  readonly merchant_id: string | undefined;
  readonly message_id: string;
  /** Whether STOP ends texts like it. */
  readonly isPromotion: boolean;
}

/** Notes that a text leaves for a person, so that an answer finds whose it is: one write unit. */
export async function noteWritten(outside: TimedOutside, { line, number, ...written }: Written): Promise<void> {
  const at = new Date(outside.now()).toISOString();
  const { merchant_id, message_id, isPromotion } = written;
  const wrote = merchant_id === undefined ? undefined : { merchant_id, at, message_id };
  const noted = wrote ? { wrote, ...(isPromotion && { promoted: wrote }) } : { operator_at: at };
  await outside.table.update(changeItem(keyOf(line, number), { line, number, ...noted, ...endOf(outside) }));
}

function endOf({ now }: Clock) {
  return { expires_at_epoch_seconds: Math.floor((now() + CONVERSATION_DAYS * DAY_MS) / 1000) };
}

/** Whose an answer is now. */
export interface Holder {
  readonly merchant_id: string;
  /** The text of theirs that it answers; undefined where they wrote none lately. */
  readonly message_id: string | undefined;
}

/** Whose an answer is: the owner's of the number, else whoever wrote last, for thirty days. Undefined where it is nobody's. */
export function holderOf(outside: Clock, conversation: Conversation, owner: string | undefined): Holder | undefined {
  return lastOf(outside, conversation.wrote, owner);
}

/** Whose marketing a STOP ends: on a number that merchants share, of whoever sent some last. */
export function promoterOf(outside: Clock, conversation: Conversation, owner: string | undefined): Holder | undefined {
  return lastOf(outside, conversation.promoted, owner) ?? holderOf(outside, conversation, owner);
}

function lastOf({ now }: Clock, wrote: Conversation['wrote'], owner: string | undefined): Holder | undefined {
  const isRecent = wrote !== undefined && now() - Date.parse(wrote.at) < CONVERSATION_DAYS * DAY_MS;
  if (isRecent && (owner ?? wrote.merchant_id) === wrote.merchant_id) return wrote;
  return owner === undefined ? undefined : { merchant_id: owner, message_id: undefined };
}

/** Whether what a person writes now may answer a text of the operator's own, which no merchant may see. */
export function answersOperator({ now }: Clock, { operator_at, wrote }: Conversation): boolean {
  if (operator_at === undefined || now() - Date.parse(operator_at) >= OPERATOR_MS) return false;
  return wrote === undefined || wrote.at <= operator_at;
}

/** Phones post a text again for 45 hours at most. */
const KNOWN_MS = 2 * DAY_MS;
/** The same words within this are one text: an app, or a second one on the phone, tells the same text with another time and id. */
const SAME_MS = 2 * 60 * 1000;
/** More of one person in a day are not kept. */
export const MAX_ANSWERS_PER_DAY = 20;

/** Whether a text has come before. */
export function isKnown({ heard = [] }: Conversation, text: Heard): boolean {
  return heard.some(
    ({ event, words, received_ms }) =>
      event === text.event || (words === text.words && Math.abs(received_ms - text.received_ms) <= SAME_MS),
  );
}

/** Whether a person has written as much as is kept in a day. */
export function isFull({ now }: Clock, { heard = [] }: Conversation): boolean {
  return heard.filter(({ arrived_ms }) => now() - arrived_ms < DAY_MS).length >= MAX_ANSWERS_PER_DAY;
}

/** Adds to the conversation what came; refused with what `moved` gives where it has changed since it was read. */
export function noteHeard(
  outside: Clock,
  conversation: Conversation,
  text: Heard,
  moved: () => Error,
): TableWrite {
  const { line, number, heard, wrote } = conversation;
  const kept = (heard ?? []).filter(({ arrived_ms }) => outside.now() - arrived_ms < KNOWN_MS);
  const set = { line, number, heard: [...kept, text].slice(-2 * MAX_ANSWERS_PER_DAY - 2), ...endOf(outside) };
  const as = (name: string, value: unknown) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}_read`;
  const values = {
    ...(heard && { ':heard_read': heard }),
    ...(wrote && { ':wrote_read': wrote }),
  };
  const when = `${as('heard', heard)} AND ${as('wrote', wrote)}`;
  return { ...changeItem(keyOf(line, number), set, { when, values }), refused: moved };
}

/** Texts that a number keeps a day of people whom nobody wrote to: a sender's number can be made up, and so can a thousand of them. */
export const MAX_STRANGERS_PER_DAY = 200;

/** Counts a stranger's text, for the transaction that keeps it; refused with what `full` gives. */
export function countStranger({ now }: Clock, line: string, full: () => Error): TableWrite {
  const key = { pk: `STRANGERS#${line}`, sk: new Date(now()).toISOString().slice(0, 10) };
  const end = { expires_at_epoch_seconds: Math.floor((now() + 2 * DAY_MS) / 1000) };
  const when = 'attribute_not_exists(#texts) OR #texts < :most';
  return {
    ...changeItem(key, end, { when, values: { ':most': MAX_STRANGERS_PER_DAY }, add: { texts: 1 } }),
    refused: full,
  };
}
