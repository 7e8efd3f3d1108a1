/*
 * question   QUESTION#<hash of two numbers> / QUESTION#<merchant>   what an owner was asked by text: its one-time code (hashed), the tries
 *                                                                   at it, and the owner's word. The numbers are the one that asked and
 *                                                                   the one that was asked
 *
 * A try is taken before the code is compared, so that tries at the same time gain nothing over one after the other. A merchant asks a number
 * one question at a time.
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

/** A question accepts answers for this long. */
export const QUESTION_MS = 10 * MINUTE_MS;
/** An owner who mistypes needs two tries. */
export const MAX_TRIES_OF_QUESTION = 3;
/**
 * Wrong tries per day, without those that a right code gave back. More questions do not help somebody who spoofs the
 * owner's number.
 */
export const MAX_WRONG_OF_NUMBER = 9;

/** Longer than the lifetime of its jobs. */
const KEPT_SECONDS = 3 * DAY_SECONDS;

/** The owner's answer: yes, no, or the wallet's balance in pesewas. */
const AnswerValue = z.union([z.literal('yes'), z.literal('no'), z.number()]);
export type AnswerValue = z.infer<typeof AnswerValue>;

const Question = z.object({
  merchant_id: z.string(),
  user_id: z.string(),
  /** The number that asked. */
  line: z.string(),
  /** The number that was asked. */
  number: z.string(),
  /**
   * `hello`: may questions be sent to this number? `bank`: was money sent to the bank? `balance`: what is the wallet's
   * balance?
   */
  about: z.enum(['hello', 'bank', 'balance']),
  /** The wallet, and the time in the key of its notice. */
  network: z.optional(Network),
  momo_number: z.optional(z.string()),
  notice_at: z.optional(z.string()),
  asked_at: z.string(),
  ...oneTimeCode,
  /** The phone event of the last try. Posting it again uses no further try. */
  tried: z.optional(z.string()),
  wrong: z.number(),
  /** Start of the count of wrong tries. A question a day later restarts it. */
  wrong_since_ms: z.number(),
  /** Removed once it was acted on, because it may be the wallet's balance. */
  word: z.optional(AnswerValue),
  answered_at: z.optional(z.string()),
  outcome: z.optional(z.enum(['taken', 'refused', 'late'])),
  /** The text that tells the owner the outcome. */
  reply_id: z.optional(z.string()),
});
export type Question = z.infer<typeof Question>;
export type Outcome = NonNullable<Question['outcome']>;

type Numbers = Pick<Question, 'line' | 'number'>;

/** A job contains no number, because queues must not contain any. */
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
/** The questions from one number to another: at most one of each merchant, its last. */
export const questionRows = rows(Question, {
  pk: (of: Numbers | Pick<QuestionJob, 'id'>) => `QUESTION#${'id' in of ? of.id : idOf(of)}`,
  sk: 'QUESTION#<merchant_id>',
});

/** Undefined if another question has replaced it. */
export async function getQuestion(outside: TableOutside, job: QuestionJob) {
  const question = await questionRows.find(outside, job);
  return question?.asked_at === job.asked_at ? question : undefined;
}

/** True if an answer may still arrive. Until then nobody sees texts from this number to that one. */
export function isRecent({ now }: Clock, { asked_at }: Question): boolean {
  return now() - Date.parse(asked_at) < DAY_MS;
}

/**
 * No code may be sent: the number is still being asked something else, or too many wrong codes were tried within a day.
 */
export class NotAsked extends Error {}

type Asked = Pick<
  Question,
  'merchant_id' | 'user_id' | 'line' | 'number' | 'about' | 'network' | 'momo_number' | 'notice_at'
>;

/**
 * Asks a question in place of `last`. Refused with `Changed` if the last question was tried, answered or replaced
 * meanwhile.
 * @throws NotAsked while the last question waits for its answer, or after too many wrong codes.
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

/** True if a question can still be answered, or its answer must still be acted on. After an hour nobody acts on it. */
function isWaiting({ code_hash, valid_until, tries, word, answered_at = '' }: Question, nowMs: number): boolean {
  const isOpen = code_hash !== undefined && valid_until > isoOf(nowMs) && tries < MAX_TRIES_OF_QUESTION;
  return isOpen || (word !== undefined && answered_at > isoOf(nowMs - HOUR_MS));
}

/**
 * Uses one of a question's tries, and one of its number's tries of the day, for a phone event. Refused with `NoCode`.
 */
export function takeAnswerTry(question: Question, tried: string): TableWrite {
  const upTo = { wrong: MAX_WRONG_OF_NUMBER };
  return countTry(questionRows.key(question), question, { most: MAX_TRIES_OF_QUESTION, set: { tried }, upTo });
}

/**
 * Uses up the code and gives its tries back. Stores the owner's answer, or notes that it came too late. Refused with
 * `NoCode` if another answer was first.
 */
export function recordAnswer({ now }: Clock, question: Question, value: AnswerValue, tries: number): TableWrite {
  const nowMs = now();
  const isLate = Date.parse(question.valid_until) <= nowMs;
  const set = { answered_at: isoOf(nowMs), ...(isLate ? { outcome: 'late' } : { word: value }) };
  // Only tries at codes that were never proven count as guesses.
  return useUp(questionRows.key(question), question, { set, add: { wrong: -tries } });
}

/** Notes the outcome of an answer once. Does nothing if it was noted before. */
export function noteOutcome(question: Question, outcome: Outcome): TableWrite {
  const { asked_at } = question;
  const when = 'asked_at = :asked_at AND attribute_not_exists(#outcome)';
  const once = { when, values: { ':asked_at': asked_at }, refused: () => undefined };
  return questionRows.change(question, { outcome, word: undefined }, once);
}

export class Replied extends Error {}

/**
 * Notes the text with the outcome in the transaction that debits its credit, so that it is sent once. @throws Replied.
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
