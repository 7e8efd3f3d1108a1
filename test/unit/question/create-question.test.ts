import { beforeEach, describe, expect, test } from 'vitest';
import { Changed } from '../../../shared/runtime/table/contention.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  createQuestion,
  MAX_TRIES_OF_QUESTION,
  MAX_WRONG_OF_NUMBER,
  NotAsked,
  noteOutcome,
  QUESTION_MS,
  type Question,
  questionRows,
  recordAnswer,
  takeAnswerTry,
} from '../../../shared/texts/question/question.table.ts';
import { createWorld, type World } from '../../support/world.ts';

const ASKED = {
  merchant_id: 'shop',
  user_id: 'owner',
  line: '+233241234567',
  number: '+233551112223',
  about: 'hello',
} as const;

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await ask('FIRST222', undefined);
});

describe('a new question to an owner', () => {
  test.each<[what: string, afterMs: number, last: Partial<Question>]>([
    ['was answered and acted on', 0, { code_hash: undefined, answered_at: undefined }],
    ['is more than ten minutes old', QUESTION_MS, {}],
    ['has no attempts left', 0, { tries: MAX_TRIES_OF_QUESTION }],
    ['was answered an hour ago', HOUR_MS, { code_hash: undefined, word: 'yes' }],
    ['had nine wrong codes a day ago', DAY_MS, { wrong: MAX_WRONG_OF_NUMBER }],
  ])('replaces a previous question that %s', async (_, afterMs, changed) => {
    expect(await isAsked(afterMs, changed)).toBe(true);
  });

  test.each<[what: string, afterMs: number, last: Partial<Question>]>([
    ['can still be answered', QUESTION_MS - 1, {}],
    ['has one attempt left', 0, { tries: MAX_TRIES_OF_QUESTION - 1 }],
    ['has an answer that has not been acted on', HOUR_MS - 1, { code_hash: undefined, word: 'no' }],
    ['had nine wrong codes within a day', DAY_MS - 1, { wrong: MAX_WRONG_OF_NUMBER }],
  ])('does not replace a previous question that %s', async (_, afterMs, changed) => {
    expect(await isAsked(afterMs, changed)).toBe(false);
  });

  test.each<[what: string, change: (last: Question) => Promise<void>]>([
    ['attempted', (last) => world.outside.table.write([takeAnswerTry(last, 'event')])],
    ['answered', (last) => world.outside.table.write([recordAnswer(world.outside, last, 'yes', 1)])],
    ['replaced', (last) => ask('OTHER333', last)],
  ])('fails if the previous question is %s concurrently', async (_, change) => {
    const last = await lastQuestion();
    world.clock.nowMs += QUESTION_MS;
    await change(last);
    await expect(ask('SECOND44', last)).rejects.toThrow(Changed);
  });

  test('succeeds if an earlier result is recorded concurrently', async () => {
    const last = await lastQuestion();
    world.clock.nowMs += QUESTION_MS;
    await world.outside.table.write([noteOutcome(last, 'late')]);
    await ask('SECOND44', last);
    expect((await lastQuestion()).outcome).toBeUndefined();
  });
});

/** Returns true if a second question is sent after this time. `changed` overrides fields of the first question. */
async function isAsked(afterMs: number, changed: Partial<Question>): Promise<boolean> {
  const last = { ...(await lastQuestion()), answered_at: new Date(world.clock.nowMs).toISOString(), ...changed };
  await world.outside.table.write([questionRows.put(last)]);
  world.clock.nowMs += afterMs;
  try {
    await ask('SECOND44', last);
    return true;
  } catch (error) {
    if (error instanceof NotAsked) return false;
    throw error;
  }
}

async function ask(code: string, last: Question | undefined): Promise<void> {
  await world.outside.table.write([createQuestion(world.outside, ASKED, code, last)]);
}

async function lastQuestion(): Promise<Question> {
  const [last] = await questionRows.list(world.outside, ASKED);
  if (!last) throw new Error('Nothing was asked');
  return last;
}
