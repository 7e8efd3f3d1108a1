/*
 * conversation   CONVERSATION#<line>#<number> / CONVERSATION   who wrote last to a person from one of the stage's numbers, and what
 *                                                              came back lately. The line is that number, or in test mode the twin
 * strangers      STRANGERS#<line> / <day>                      how many texts a number kept on a day of people whom nobody wrote to
 */
import * as z from 'zod/mini';
import { isTwin } from '../../merchants/merchant/twin.ts';
import type { Clock, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { changeItem, type TableWrite } from '../../runtime/table/table.ts';

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
  /** Whose text to the person was the last, when and which it was, and since when nobody else wrote. */
  wrote_by: z.optional(z.string()),
  wrote_at: z.optional(z.string()),
  wrote_id: z.optional(z.string()),
  wrote_since: z.optional(z.string()),
  /** The same of the last marketing or reminder: what STOP means on a number that merchants share. */
  promoted_by: z.optional(z.string()),
  promoted_at: z.optional(z.string()),
  promoted_id: z.optional(z.string()),
  /** When a text of the operator's own went there. */
  operator_at: z.optional(z.string()),
  heard: z.optional(z.array(Heard)),
  expires_at_epoch_seconds: z.optional(z.number()),
});
export type Conversation = z.infer<typeof Conversation>;

/** For so long an answer is taken to be one to what was written. */
const CONVERSATION_MS = 30 * 24 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** After so long an answer to a number is no longer one to the operator's own text, which was a code or a question. */
const OPERATOR_MS = DAY_MS;
/** How far a phone's clock may be from ours. */
const SKEW_MS = 2 * 60 * 1000;

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

/**
 * Notes that a text leaves for a person, so that an answer finds whose it is: one write unit, and another one where somebody else wrote
 * last. A text that is tried again may note it again.
 */
export async function noteWritten(outside: TimedOutside, { line, number, ...written }: Written): Promise<void> {
  const at = new Date(outside.now()).toISOString();
  const { merchant_id: by, message_id: id, isPromotion } = written;
  const always = { line, number, ...endOf(outside) };
  const note = (set: object, condition = {}) =>
    outside.table.update(changeItem(keyOf(line, number), { ...always, ...set }, condition));
  if (by === undefined) {
    await note({ operator_at: at });
    return;
  }
  const promoted = isPromotion ? { promoted_by: by, promoted_at: at, promoted_id: id } : {};
  const wrote = { wrote_by: by, wrote_at: at, wrote_id: id, ...promoted };
  if (await note(wrote, { when: '#wrote_by = :wrote_by' })) return;
  await note({ ...wrote, wrote_since: at });
}

function endOf({ now }: Clock) {
  return { expires_at_epoch_seconds: Math.floor((now() + CONVERSATION_MS) / 1000) };
}

/** Whose an answer is. */
export interface Holder {
  readonly merchant_id: string;
  /** The text of theirs that it answers; undefined where they wrote none lately, or wrote it since. */
  readonly message_id: string | undefined;
  /** Whether they wrote nothing to this person within thirty days: it is their number. */
  readonly isStranger: boolean;
}

/** When a text came, by the clock of the phone that got it: a phone that was offline posts it hours later. */
interface Came {
  readonly receivedMs: number;
  /** Whose number it came to, if it is one merchant's alone. */
  readonly owner: string | undefined;
}

/**
 * Whose an answer is: the owner's of the number, else whoever had written last, for thirty days. Undefined where it is nobody's, or it
 * came before they wrote: it may be an answer to somebody else.
 */
export function holderOf(conversation: Conversation, { receivedMs, owner }: Came): Holder | undefined {
  const { wrote_by, wrote_at, wrote_id, wrote_since = wrote_at } = conversation;
  const isTheirs = wrote_since !== undefined && Date.parse(wrote_since) <= receivedMs + SKEW_MS;
  const last = isTheirs ? lastOf(wrote_by, wrote_at, wrote_id, receivedMs) : undefined;
  return ofOwner(last, owner);
}

/** Whose marketing a STOP ends: on a number that merchants share, of whoever sent some last. */
export function promoterOf(conversation: Conversation, came: Came): Holder | undefined {
  const { promoted_by, promoted_at, promoted_id } = conversation;
  const last = ofOwner(lastOf(promoted_by, promoted_at, promoted_id, came.receivedMs), came.owner);
  return last === undefined || last.isStranger ? holderOf(conversation, came) : last;
}

function lastOf(by: string | undefined, at: string | undefined, id: string | undefined, receivedMs: number) {
  if (by === undefined || at === undefined || receivedMs - Date.parse(at) >= CONVERSATION_MS) return undefined;
  const message_id = Date.parse(at) <= receivedMs + SKEW_MS ? id : undefined;
  return { merchant_id: by, message_id, isStranger: false };
}

function ofOwner(last: Holder | undefined, owner: string | undefined): Holder | undefined {
  if (owner === undefined || last?.merchant_id === owner) return last;
  return { merchant_id: owner, message_id: undefined, isStranger: true };
}

/** Whether what a person wrote may answer a text of the operator's own, which no merchant may see: none of theirs went between the two. */
export function answersOperator({ operator_at, wrote_at }: Conversation, { receivedMs }: Came): boolean {
  const askedMs = Date.parse(operator_at ?? '');
  if (!(askedMs <= receivedMs + SKEW_MS && receivedMs - askedMs < OPERATOR_MS)) return false;
  const wroteMs = Date.parse(wrote_at ?? '');
  return !(wroteMs > askedMs && wroteMs <= receivedMs + SKEW_MS);
}

/** Phones post a text again for 45 hours at most. */
const KNOWN_MS = 2 * DAY_MS;
/** The same words within this are one text: an app, or a second one on the phone, tells the same text with another time and id. */
const SAME_MS = 2 * 60 * 1000;
/** More of one person in a day are not kept. */
export const MAX_ANSWERS_PER_DAY = 20;

/** Whether a text has come before. Who wrote something else in between has written the same again: STOP, START, STOP. */
export function isKnown({ heard = [] }: Conversation, text: Heard): boolean {
  const isBetween = (other: Heard, [from, to]: readonly [number, number]) =>
    other.words !== text.words && from < other.received_ms && other.received_ms < to;
  return heard.some(({ event, words, received_ms }) => {
    if (event === text.event) return true;
    const [from = 0, to = 0] = [received_ms, text.received_ms].toSorted((a, b) => a - b);
    return words === text.words && to - from <= SAME_MS && !heard.some((other) => isBetween(other, [from, to]));
  });
}

/** Whether a person has written as much as is kept in a day. */
export function isFull({ now }: Clock, { heard = [] }: Conversation): boolean {
  return heard.filter(({ arrived_ms }) => now() - arrived_ms < DAY_MS).length >= MAX_ANSWERS_PER_DAY;
}

/** Adds to the conversation what came; refused with what `moved` gives where it has changed since it was read. */
export function noteHeard(outside: Clock, conversation: Conversation, text: Heard, moved: () => Error): TableWrite {
  const { line, number, heard, wrote_by } = conversation;
  const kept = (heard ?? []).filter(({ arrived_ms }) => outside.now() - arrived_ms < KNOWN_MS);
  const set = { line, number, heard: [...kept, text].slice(-2 * MAX_ANSWERS_PER_DAY - 2), ...endOf(outside) };
  const as = (name: string, value: unknown) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}_read`;
  const values = {
    ...(heard && { ':heard_read': heard }),
    ...(wrote_by && { ':wrote_by_read': wrote_by }),
  };
  const when = `${as('heard', heard)} AND ${as('wrote_by', wrote_by)}`;
  return { ...changeItem(keyOf(line, number), set, { when, values }), refused: moved };
}

/** Texts that a number keeps a day of people whom nobody wrote to: a sender's number can be made up, and so can a thousand of them. */
const MAX_STRANGERS_PER_DAY = 200;

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
