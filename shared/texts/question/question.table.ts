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

/** For so long an answer is taken. */
export const QUESTION_MS = 10 * MINUTE_MS;
/** An owner who mistypes needs two. */
export const MAX_TRIES_OF_QUESTION = 3;
/** Of a day, beside those that a right code gave back: whoever spoofs the owner's number gains nothing by more questions. */
export const MAX_WRONG_OF_NUMBER = 9;

/** Longer than its jobs live. */
const KEPT_SECONDS = 3 * DAY_SECONDS;

/** What the owner says: yes, no, or what the wallet holds, in pesewas. */
const AnswerValue = z.union([z.literal('yes'), z.literal('no'), z.number()]);
export type AnswerValue = z.infer<typeof AnswerValue>;

const Question = z.object({
  merchant_id: z.string(),
  user_id: z.string(),
  /** The number that asked. */
  line: z.string(),
  /** The number that was asked. */
  number: z.string(),
  /** `hello`: whether questions may be asked there; `bank`: whether money was sent to the bank; `balance`: what a wallet holds. */
  about: z.enum(['hello', 'bank', 'balance']),
  /** The wallet, and the time in the key of the notice about it. */
  network: z.optional(Network),
  momo_number: z.optional(z.string()),
  notice_at: z.optional(z.string()),
  asked_at: z.string(),
  ...oneTimeCode,
  /** The phone's event that was tried last: where it is posted again, it takes no other try. */
  tried: z.optional(z.string()),
  wrong: z.number(),
  /** Since when those are counted: until a question a day later. */
  wrong_since_ms: z.number(),
  /** Unset again once it was acted on: it may say what the wallet holds. */
  word: z.optional(AnswerValue),
  answered_at: z.optional(z.string()),
  /** What became of the answer. */
  outcome: z.optional(z.enum(['taken', 'refused', 'late'])),
  /** The text that says so. */
  reply_id: z.optional(z.string()),
});
export type Question = z.infer<typeof Question>;
export type Outcome = NonNullable<Question['outcome']>;

type Numbers = Pick<Question, 'line' | 'number'>;

/** What a job names: no number, which must not stand in a queue. */
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
/** What a number was asked by another is one list: one question of each merchant at most, its last. */
export const questionRows = rows(Question, {
  pk: (of: Numbers | Pick<QuestionJob, 'id'>) => `QUESTION#${'id' in of ? of.id : idOf(of)}`,
  sk: 'QUESTION#<merchant_id>',
});

/** Undefined where another question has taken its place. */
export async function getQuestion(outside: TableOutside, job: QuestionJob) {
  const question = await questionRows.find(outside, job);
  return question?.asked_at === job.asked_at ? question : undefined;
}

/** Whether an answer to it may still arrive: until then nobody is shown what this number writes to that one. */
export function isRecent({ now }: Clock, { asked_at }: Question): boolean {
  return now() - Date.parse(asked_at) < DAY_MS;
}

/** The number was asked something else, or too many wrong codes were tried in a day: it is asked without a code. */
export class NotAsked extends Error {}

type Asked = Pick<
  Question,
  'merchant_id' | 'user_id' | 'line' | 'number' | 'about' | 'network' | 'momo_number' | 'notice_at'
>;

/**
 * Asks a question in place of the `last` one. Refused with `Changed` if that one was tried, answered or replaced
 * meanwhile.
 * @throws NotAsked while the last question waits for its answer, or too many wrong codes were tried.
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

/** Whether a question can still be answered, or its answer is still to be acted on. After an hour nobody acts on it. */
function isWaiting({ code_hash, valid_until, tries, word, answered_at = '' }: Question, nowMs: number): boolean {
  const isOpen = code_hash !== undefined && valid_until > isoOf(nowMs) && tries < MAX_TRIES_OF_QUESTION;
  return isOpen || (word !== undefined && answered_at > isoOf(nowMs - HOUR_MS));
}

/** Takes a try at a question for an event of a phone's, and one of its number's of the day. Refused with `NoCode`. */
export function takeAnswerTry(question: Question, tried: string): TableWrite {
  const upTo = { wrong: MAX_WRONG_OF_NUMBER };
  return countTry(questionRows.key(question), question, { most: MAX_TRIES_OF_QUESTION, set: { tried }, upTo });
}

/** Uses the code up and gives its tries back: keeps the owner's word, or notes that it came too late. Refused with `NoCode` where another answer was first. */
export function recordAnswer({ now }: Clock, question: Question, value: AnswerValue, tries: number): TableWrite {
  const nowMs = now();
  const isLate = Date.parse(question.valid_until) <= nowMs;
  const set = { answered_at: isoOf(nowMs), ...(isLate ? { outcome: 'late' } : { word: value }) };
  // Only codes that were never proven count as guessed at.
  return useUp(questionRows.key(question), question, { set, add: { wrong: -tries } });
}

/** Notes what became of an answer, once; nothing where that was done. */
export function noteOutcome(question: Question, outcome: Outcome): TableWrite {
  const { asked_at } = question;
  const when = 'asked_at = :asked_at AND attribute_not_exists(#outcome)';
  const once = { when, values: { ':asked_at': asked_at }, refused: () => undefined };
  return questionRows.change(question, { outcome, word: undefined }, once);
}

/** Its owner was told already. */
export class Replied extends Error {}

/** Notes the text that tells the owner, for the transaction that debits it: once. @throws Replied. */
export function noteReply(question: Question, reply_id: string): TableWrite {
  const when = 'asked_at = :asked_at AND attribute_not_exists(reply_id)';
  const once = { when, values: { ':asked_at': question.asked_at }, refused: () => new Replied() };
  return questionRows.change(question, { reply_id }, once);
}

/** The job of an answer that was taken just now and is to be acted on; undefined for any other change of its row. */
export function answerJob(before: Item | undefined, after: Item): Job | undefined {
  return after.word !== undefined && before?.word === undefined ? questionJob(questionRows.parse(after)) : undefined;
}

export function questionJob(question: Question): Job {
  const { merchant_id, asked_at } = question;
  const body: QuestionJob = { kind: 'question', id: idOf(question), merchant_id, asked_at };
  return { body, group: merchant_id };
}
