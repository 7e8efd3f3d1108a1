/**
 * question   QUESTION#<hash of two numbers> / QUESTION#<merchant>   a question sent to an owner by SMS, with its hashed
 *                                                                   code, attempts and answer. The numbers are the
 *                                                                   sender's and the owner's
 *
 * Attempts are counted before the code is compared, so that simultaneous attempts have no advantage. A merchant can
 * have only one open question per number.
 */
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { FRESH_SECONDS } from '../../phones/gateway/fresh-callback.ts';
import { type Clock, endsIn, type IdOutside, isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import type { Job } from '../../runtime/outside/queues.ts';
import { countTry, keepCode, oneTimeCode, useUp } from '../../runtime/table/one-time-code.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';

export const QUESTION_MS = 10 * MINUTE_MS;
export const MAX_TRIES_OF_QUESTION = 3;
/** Maximum number of wrong codes per number per day, across all questions. */
export const MAX_WRONG_OF_NUMBER = 9;

/** Retention of questions. Jobs are never queued for longer. */
const KEPT_SECONDS = 3 * DAY_SECONDS;

/** Yes, no, or the wallet's balance in pesewas. */
const AnswerValue = z.union([z.literal('yes'), z.literal('no'), z.number()]);
export type AnswerValue = z.infer<typeof AnswerValue>;

const Question = z.object({
  merchant_id: z.string(),
  user_id: z.string(),
  /** The phone number that sent the question. */
  line: z.string(),
  /** The phone number that received the question. */
  number: z.string(),
  /**
   * `hello`: may we send questions to this number? `bank`: was money sent to a bank account? `balance`: what is the
   * wallet's balance?
   */
  about: z.enum(['hello', 'bank', 'balance']),
  /** The wallet's network. `momo_number` is the wallet's number. `notice_at` is when the owner was notified. */
  network: z.optional(Network),
  momo_number: z.optional(z.string()),
  notice_at: z.optional(z.string()),
  asked_at: z.string(),
  ...oneTimeCode,
  /** The phone event of the last attempt. Prevents counting a resent event twice. */
  tried: z.optional(z.string()),
  wrong: z.number(),
  /** Start of the daily count of wrong codes. A question at least a day later restarts the count. */
  wrong_since_ms: z.number(),
  /** The owner's answer. Deleted once processed, because it may be a balance. */
  word: z.optional(AnswerValue),
  answered_at: z.optional(z.string()),
  outcome: z.optional(z.enum(['taken', 'refused', 'late'])),
  /** Id of the text that informs the owner of the outcome. */
  reply_id: z.optional(z.string()),
});
export type Question = z.infer<typeof Question>;
export type Outcome = NonNullable<Question['outcome']>;

type Numbers = Pick<Question, 'line' | 'number'>;

/** A job about a question. Contains no phone numbers. */
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
/** Latest question per merchant between two phone numbers. */
export const questionRows = rows(Question, {
  pk: (of: Numbers | Pick<QuestionJob, 'id'>) => `QUESTION#${'id' in of ? of.id : idOf(of)}`,
  sk: 'QUESTION#<merchant_id>',
});

/** Returns a job's question, or undefined if the question was replaced. */
export async function getQuestion(outside: TableOutside, job: QuestionJob) {
  const question = await questionRows.find(outside, job);
  return question?.asked_at === job.asked_at ? question : undefined;
}

/** Returns true if the owner may still reply. */
export function isRecent({ now }: Clock, { asked_at }: Question): boolean {
  return now() - Date.parse(asked_at) < DAY_MS;
}

/** True if a phone received a text before the question was asked. The text may answer an earlier question. */
export function isOlderThan({ asked_at }: Question, receivedAt: string | null | undefined): boolean {
  // The comparison is false if the phone does not report the time.
  return Date.parse(receivedAt ?? '') + FRESH_SECONDS * 1000 < Date.parse(asked_at);
}

/** Thrown if another question is open, or if there were too many wrong codes that day. */
export class NotAsked extends Error {}

type Asked = Pick<
  Question,
  'merchant_id' | 'user_id' | 'line' | 'number' | 'about' | 'network' | 'momo_number' | 'notice_at'
>;

/**
 * Creates a question, replacing `last`. The write fails with `Changed` if `last` has changed.
 * @throws NotAsked if `last` is still open, or after too many wrong codes.
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

/** Returns true if a question is open or its answer is being processed. Processing takes at most an hour. */
function isWaiting({ code_hash, valid_until, tries, word, answered_at = '' }: Question, nowMs: number): boolean {
  const isOpen = code_hash !== undefined && valid_until > isoOf(nowMs) && tries < MAX_TRIES_OF_QUESTION;
  return isOpen || (word !== undefined && answered_at > isoOf(nowMs - HOUR_MS));
}

/**
 * Counts an attempt towards the limits per question and per day. The write fails with `NoCode` above a limit or if the
 * code is no longer valid.
 */
export function takeAnswerTry(question: Question, tried: string): TableWrite {
  const upTo = { wrong: MAX_WRONG_OF_NUMBER };
  return countTry(questionRows.key(question), question, { most: MAX_TRIES_OF_QUESTION, set: { tried }, upTo });
}

/**
 * Uses up the code and stores the owner's answer. If the answer is late, stores only that fact. The write fails with
 * `NoCode` if another answer was accepted first.
 */
export function recordAnswer({ now }: Clock, question: Question, value: AnswerValue, tries: number): TableWrite {
  const nowMs = now();
  const isLate = Date.parse(question.valid_until) <= nowMs;
  const set = { answered_at: isoOf(nowMs), ...(isLate ? { outcome: 'late' } : { word: value }) };
  // A correct code removes earlier attempts from the daily count.
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
 * Records the text that reports the outcome. Commit this in the same transaction as its debit.
 * @throws Replied if a text is already recorded.
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
