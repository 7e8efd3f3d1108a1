import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { manifest } from '../../../../functions/manifest.ts';
import { pauseSeconds, queue, RetryLater } from '../../../../shared/runtime/triggers/queue.ts';
import { createWorld, queueEvent } from '../../../support/world.ts';

const world = await createWorld();

/** A job such as `{ fails: 'why', retryIn: 5 }`. */
const Job = z.object({ fails: z.optional(z.string()), retryIn: z.optional(z.number()) });
const handler = queue(manifest['work/deliver-sms'], Job, async ({ fails, retryIn }) => {
  if (retryIn !== undefined) throw new RetryLater(retryIn, 'later');
  if (fails) throw new Error(fails);
}).with(world.outside);

test('the retry delay doubles with every attempt, up to 15 minutes', () => {
  const pauses = Array.from({ length: 20 }, (_, n) => pauseSeconds(n + 1));
  expect(pauses.slice(0, 11)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  expect(new Set(pauses.slice(9))).toEqual(new Set([900]));
});

test('a failed job does not affect other jobs', async () => {
  world.postponed.length = 0;
  const answer = await handler(queueEvent([{}, { fails: 'no' }, {}, { fails: 'no' }], 3));
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }, { itemIdentifier: '3' }] });
  expect(world.postponed).toEqual([
    { queue: 'deliver-sms', receiptHandle: '1', seconds: 8 },
    { queue: 'deliver-sms', receiptHandle: '3', seconds: 8 },
  ]);
});

test('a job can choose its own retry delay', async () => {
  world.postponed.length = 0;
  expect((await handler(queueEvent([{ retryIn: 77 }], 3))).batchItemFailures).toHaveLength(1);
  expect(world.postponed).toMatchObject([{ seconds: 77 }]);
});

test('a malformed job does not affect other jobs', async () => {
  const event = queueEvent([{}, { fails: 4 }, {}]);
  const [, , third] = event.Records;
  if (third) third.body = 'not JSON';
  expect(await handler(event)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }, { itemIdentifier: '2' }] });
});

test('jobs that share a failed preparation fail together', async () => {
  const done: unknown[] = [];
  let end = () => {};
  const slow = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = async () => (job: z.infer<typeof Job>) => {
    if (job.fails) return Promise.reject(new Error(job.fails));
    return job.retryIn ? slow : undefined;
  };
  const work = queue(manifest['work/deliver-sms'], Job, async (job) => void done.push(job), { first });
  const event = queueEvent([{ retryIn: 1 }, {}, { fails: 'no' }, { retryIn: 2 }, {}]);
  const [, , , , last] = event.Records;
  if (last) last.body = 'not JSON';
  const answer = work.with(world.outside)(event);
  await expect.poll(() => done).toEqual([{}]);
  end();
  expect(await answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }, { itemIdentifier: '4' }] });
  expect(done).toEqual([{}, { retryIn: 1 }, { retryIn: 2 }]);
});

test('jobs are processed if their preparation cannot start', async () => {
  const done: unknown[] = [];
  const first = () => Promise.reject(new Error('no'));
  const work = queue(manifest['work/deliver-sms'], Job, async (job) => void done.push(job), { first });
  expect(await work.with(world.outside)(queueEvent([{}, {}]))).toEqual({ batchItemFailures: [] });
  expect(done).toHaveLength(2);
});

test('a job fails if its retry delay cannot be set', async () => {
  const other = await createWorld();
  other.outside.queues.postpone = async () => Promise.reject(new Error('The queue is away'));
  const failing = queue(manifest['work/deliver-sms'], Job, async () => Promise.reject(new Error('no')));
  expect(await failing.with(other.outside)(queueEvent([{}, {}]))).toEqual({
    batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '1' }],
  });
});

test('a failure is logged without the job’s contents', async () => {
  world.logged.length = 0;
  const event = queueEvent([{ fails: 'no' }], 5);
  for (const { attributes } of event.Records) attributes.MessageGroupId = 'merchant-1';
  await handler(event);
  const fields = { function: 'deliver-sms', attempt: 5, group: 'merchant-1', error: new Error('no') };
  expect(world.logged).toEqual([{ level: 'warn', event: 'job_failed', fields }]);
});
