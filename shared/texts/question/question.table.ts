/*
 * question   QUESTION#<hash of two numbers> / QUESTION#<merchant>   a question sent to an owner by SMS: its one-time
 *                                                                   code (hashed), the tries, and the owner's answer.
 *                                                                   The numbers are those of the sender and the owner
 *
 * A try is counted before the code is compared, so that simultaneous tries have no advantage over consecutive ones. A
 * merchant can have only one open question per number.
 */
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { type Clock, endsIn, type IdOutside, isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import type { Job } from '../../runtime/outside/queues.ts';
import { countTry, keepCode, oneTimeCode, useUp } from '../../runtime/table/one-time-code.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';

/** Time during which a question can be answered. */
export const QUESTION_MS = 10 * MINUTE_MS;
/** Allows the owner to mistype the code twice. */
export const MAX_TRIES_OF_QUESTION = 3;
/**
 * Maximum number of wrong codes per number and day. A correct code gives its tries back. Asking more questions does not
 * help somebody who spoofs the owner's number.
 */
export const MAX_WRONG_OF_NUMBER = 9;

/** Longer than a question's jobs can be queued. */
const KEPT_SECONDS = 3 * DAY_SECONDS;

/** The owner's answer: yes, no, or the wallet's balance in pesewas. */
const AnswerValue = z.union([z.literal('yes'), z.literal('no'), z.number()]);
export type AnswerValue = z.infer<typeof AnswerValue>;

const Question = z.object({
  merchant_id: z.string(),
  user_id: z.string(),
  /** The number that sent the question. */
  line: z.string(),
  /** The number that received the question. */
  number: z.string(),
  /**
   * `hello`: may questions be sent to this number? `bank`: was money sent to a bank account? `balance`: what is the
   * wallet's balance?
   */
  about: z.enum(['hello', 'bank', 'balance']),
  /** The wallet, and the time in its notification's key. */
  network: z.optional(Network),
  momo_number: z.optional(z.string()),
  notice_at: z.optional(z.string()),
  asked_at: z.string(),
  ...oneTimeCode,
  /** The phone event that caused the last try. Forwarding it again does not count as another try. */
  tried: z.optional(z.string()),
  wrong: z.number(),
  /** When counting of wrong codes started. A question at least a day later restarts the count. */
  wrong_since_ms: z.number(),
  /** Deleted once it has been acted on, because it may be the wallet's balance. */
  word: z.optional(AnswerValue),
  answered_at: z.optional(z.string()),
  outcome: z.optional(z.enum(['taken', 'refused', 'late'])),
  /** The text that informs the owner of the outcome. */
  reply_id: z.optional(z.string()),
});
export type Question = z.infer<typeof Question>;
export type Outcome = NonNullable<Question['outcome']>;

type Numbers = Pick<Question, 'line' | 'number'>;

/** Contains no phone number, because queues must not contain any. */
export const QuestionJob = z.object({
  kind: z.literal('question'),
  id: z.string(),
  merchant_id: z.string(),
  asked_at: z.string(),
});
export type QuestionJob = z.infer<typeof QuestionJob>;

function idOf({ line, number }: Numbers): string {
  return sha256(`${line} ${number}`).slice(0, 32);
}
/** The questions from one number to another: the latest question from each merchant. */
export const questionRows = rows(Question, {
  pk: (of: Numbers | Pick<QuestionJob, 'id'>) => `QUESTION#${'id' in of ? of.id : idOf(of)}`,
  sk: 'QUESTION#<merchant_id>',
});

/** Returns undefined if another question has replaced it. */
export async function getQuestion(outside: TableOutside, job: QuestionJob) {
  const question = await questionRows.find(outside, job);
  return question?.asked_at === job.asked_at ? question : undefined;
}

/** True if an answer may still arrive. Until then, texts from this number to the other are not shown to anyone. */
export function isRecent({ now }: Clock, { asked_at }: Question): boolean {
  return now() - Date.parse(asked_at) < DAY_MS;
}

/**
 * Thrown if no code may be sent, because another question to the number is open, or too many wrong codes were received
 * within a day.
 */
export class NotAsked extends Error {}

type Asked = Pick<
  Question,
  'merchant_id' | 'user_id' | 'line' | 'number' | 'about' | 'network' | 'momo_number' | 'notice_at'
>;

/**
 * Asks a question, replacing `last`. Refused with `Changed` if the last question was tried, answered or replaced in the
 * meantime.
 * @throws NotAsked if the last question is still open, or after too many wrong codes.
 */
export function createQuestion(outside: IdOutside, asked: Asked, code: string, last: Question | undefined): TableWrite {
  const nowMs = outside.now();
  const { network, momo_number, notice_at } = asked;
  const isNewDay = last === undefined || last.wrong_since_ms <= nowMs - DAY_MS;
  if (last && (isWaiting(last, nowMs) || (!isNewDay && last.wrong >= MAX_WRONG_OF_NUMBER))) throw new NotAsked();
  const set = {
    ...asked,
    network,
    momo_number,
    notice_at,
    ...keepCode(outside, code, isoOf(nowMs + QUESTION_MS)),
    ...(isNewDay && { wrong: 0, wrong_since_ms: nowMs }),
    tried: undefined,
    word: undefined,
    answered_at: undefined,
    outcome: undefined,
    reply_id: undefined,
    asked_at: isoOf(nowMs),
    ...endsIn(outside, KEPT_SECONDS),
  };
  const { asked_at, code_hash, tries, wrong, word } = last ?? {};
  const isUnchanged = asRead({ asked_at, code_hash, tries, wrong, word });
  return questionRows.change(asked, set, { ...isUnchanged, refused: questionRows.changed });
}

/** True if a question can still be answered, or its answer has yet to be acted on, which must happen within an hour. */
function isWaiting({ code_hash, valid_until, tries, word, answered_at = '' }: Question, nowMs: number): boolean {
  const isOpen = code_hash !== undefined && valid_until > isoOf(nowMs) && tries < MAX_TRIES_OF_QUESTION;
  return isOpen || (word !== undefined && answered_at > isoOf(nowMs - HOUR_MS));
}

/**
 * Uses up one of the question's tries, and one of the number's daily tries, for a phone event. Refused with `NoCode`.
 */
export function takeAnswerTry(question: Question, tried: string): TableWrite {
  const upTo = { wrong: MAX_WRONG_OF_NUMBER };
  return countTry(questionRows.key(question), question, { most: MAX_TRIES_OF_QUESTION, set: { tried }, upTo });
}

/**
 * Uses up the code and gives its tries back. Stores the owner's answer, or records that it came too late. Refused with
 * `NoCode` if another answer was accepted first.
 */
export function recordAnswer({ now }: Clock, question: Question, value: AnswerValue, tries: number): TableWrite {
  const nowMs = now();
  const isLate = Date.parse(question.valid_until) <= nowMs;
  const set = { answered_at: isoOf(nowMs), ...(isLate ? { outcome: 'late' } : { word: value }) };
  // Only tries for codes that were never answered correctly count as wrong.
  return useUp(questionRows.key(question), question, { set, add: { wrong: -tries } });
}

/** Records the outcome of an answer. Does nothing if an outcome is already recorded. */
export function noteOutcome(question: Question, outcome: Outcome): TableWrite {
  const { asked_at } = question;
  const when = 'asked_at = :asked_at AND attribute_not_exists(#outcome)';
  const once = { when, values: { ':asked_at': asked_at }, refused: () => undefined };
  return questionRows.change(question, { outcome, word: undefined }, once);
}

export class Replied extends Error {}

/**
 * Records the text that reports the outcome, in the transaction that debits the credit, so that only one text is sent.
 * @throws Replied.
 */
export function noteReply(question: Question, reply_id: string): TableWrite {
  const when = 'asked_at = :asked_at AND attribute_not_exists(reply_id)';
  const once = { when, values: { ':asked_at': question.asked_at }, refused: () => new Replied() };
  return questionRows.change(question, { reply_id }, once);
}

export function answerJob(before: Item | undefined, after: Item): Job | undefined {
  return after.word !== undefined && before?.word === undefined ? questionJob(questionRows.parse(after)) : undefined;
}

export function questionJob(question: Question): Job {
  const { merchant_id, asked_at } = question;
  const body: QuestionJob = { kind: 'question', id: idOf(question), merchant_id, asked_at };
  return { body, group: merchant_id };
}
