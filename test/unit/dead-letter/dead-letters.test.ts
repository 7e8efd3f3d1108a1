import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as deliverSms } from '../../../functions/work/deliver-sms.ts';
import { handler as relay } from '../../../functions/work/relay.ts';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import {
  dropDeadLetters,
  listDeadLetters,
  retryDeadLetters,
} from '../../../shared/operations/dead-letter/dead-letters.ts';
import { urlOf } from '../../../shared/operations/dead-letter/letter-queue.ts';
import type { Aws } from '../../../shared/runtime/stage/aws.ts';
import type { Deployment } from '../../../shared/runtime/stage/deployment.ts';
import { deadLettersOf } from '../../../shared/runtime/stage/names.ts';
import { deploymentOf, healthyAws, startQueues } from '../../support/deployment.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { queueEvent, type StreamRecords } from '../../support/world.ts';

const SENT_AT = expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/);
const RECEIVED = { gateway: 'phone', device_id: 'device-1', event_id: 'E1' };
const LETTER = expect.stringMatching(/^[\da-f-]{36}$/);
let world: Scene;
let deployment: Deployment;
beforeEach(async () => {
  // Only DynamoDB Local supports streams.
  world = await scene({ inMemory: false });
  await world.createSender('+233241234567');
  deployment = deploymentOf(world, { queues: await startQueues() });
});

describe('listing dead letters', () => {
  test('hides phone numbers and message texts', async () => {
    const { job, id } = await refundedText();
    await bury('deliver-sms', job);
    await bury('settle-receipt', RECEIVED);
    await buryEvents(1);
    await bury('deliver-webhook', { about: 'something else' });
    await bury('settle-receipt', { receipt_id: 'MTN-233551112223-1' });
    const fall = { kind: 'fall', network: 'MTN', momo_number: '+233551112223', since: '2026-01-05' };
    await bury('settle-receipt', fall);
    await bury('settle-receipt', { kind: 'unexplained', receipt: 'MTN-233551112223-1' });
    await bury('settle-receipt', { ...fall, kind: 'suspected', transaction_id: '1' });

    const letters = await listDeadLetters(deployment);

    expect(letters).toEqual([
      { queue: 'deliver-sms', queued_at: SENT_AT, letter: LETTER, id, state: 'failed, refunded' },
      { queue: 'settle-receipt', queued_at: SENT_AT, letter: LETTER, id: 'E1', state: 'unknown' },
      { queue: 'settle-receipt', queued_at: SENT_AT, letter: LETTER, id: null, state: 'a payment to settle again' },
      { queue: 'settle-receipt', queued_at: SENT_AT, letter: LETTER, id: null, state: 'reversals to settle again' },
      { queue: 'settle-receipt', queued_at: SENT_AT, letter: LETTER, id: null, state: 'an unexplained reversal' },
      {
        queue: 'settle-receipt',
        queued_at: SENT_AT,
        letter: LETTER,
        id: null,
        state: 'a payment that may have been reversed',
      },
      { queue: 'deliver-webhook', queued_at: SENT_AT, letter: LETTER, id: 'W1', state: 'unknown' },
      { queue: 'deliver-webhook', queued_at: SENT_AT, letter: LETTER, id: null, state: 'unreadable' },
    ]);
    expect(JSON.stringify(letters)).not.toMatch(/551112223|order is ready/);
  });

  test('shows a letter with an unreadable row', async () => {
    const put = { Item: { pk: 'EVENT#W1', sk: 'EVENT', state: 7 } };
    await world.outside.table.write([{ put }]);
    await buryEvents(2);
    const states = (await listDeadLetters(deployment)).map(({ id, state }) => `${id}: ${state}`);
    expect(states.toSorted()).toEqual(['W1: its row cannot be read', 'W2: unknown']);
    const retried = await retry('deliver-webhook');
    expect(retried).toMatchObject([{ retried: 2, left: 0 }]);
  });

  test('leaves the letters in the queue', async () => {
    await buryEvents(25);
    await bury('settle-receipt', RECEIVED);
    for (let time = 0; time < 2; time++) {
      const ids = (await listed('deliver-webhook')).map(({ id }) => id);
      expect(ids.toSorted()).toEqual(eventIds(25).toSorted());
    }
  });
});

describe('table changes abandoned by the relay', () => {
  const SEQUENCE = /^\d+ to \d+$/;
  let buried = 0;
  beforeEach(() => {
    buried = 0;
  });

  test('are retried in stream order', async () => {
    const invoked: { Records: StreamRecords }[] = [];
    const there = await placeWithRelay(async (functionId, event) => {
      expect(functionId).toBe('work-relay');
      invoked.push(JSON.parse(JSON.stringify(event)));
      return relay.with(world.outside)(JSON.parse(JSON.stringify(event)));
    });
    const sendIds = await sendTwice();
    await buryChanges(there);

    const letter = { queue: 'work-relay', queued_at: SENT_AT, letter: LETTER, id: expect.stringMatching(SEQUENCE) };
    expect(await listed('work-relay', there)).toEqual([{ ...letter, state: 'not relayed' }]);
    expect(await retry('work-relay', { from: there })).toEqual([{ queue: 'work-relay', retried: 1, left: 0 }]);

    expect(world.queued.map(({ queue, job }) => ({ queue, ...job.body }))).toEqual(
      sendIds.map((send_id) => ({ queue: 'deliver-sms', send_id, index: 0 })),
    );
    const sortKeys = invoked.flatMap(({ Records }) => Records.map(({ dynamodb }) => dynamodb?.Keys?.sk?.S));
    // The relay ignores balances and key use.
    expect(sortKeys).toEqual(['SEND', 'SEND']);
    expect(await listed('work-relay', there)).toEqual([]);
  });

  test('stay listed if the relay fails again', async () => {
    const there = await placeWithRelay(async () => ({ batchItemFailures: [{ itemIdentifier: '1' }] }));
    await sendTwice();
    await buryChanges(there);
    await expect(retry('work-relay', { from: there })).rejects.toThrow(
      /failed again.*The dead letter stays in the queue\.$/,
    );
    expect(await waiting(deadLettersOf('work-relay'))).toBe(1);
  });

  test('can be dropped after they leave the stream', async () => {
    const there = await placeWithRelay(async (_functionId, event) =>
      relay.with(world.outside)(JSON.parse(JSON.stringify(event))),
    );
    await sendTwice();
    const forgotten = await buryChanges(there);
    await buryChanges(there);
    there.streams.middlewareStack.add(
      (next) => (args) => {
        if (!JSON.stringify(args.input).includes(`"${forgotten}"`)) return next(args);
        throw new TrimmedDataAccessException({ $metadata: {}, message: 'trimmed' });
      },
      { step: 'initialize' },
    );
    expect(await retry('work-relay', { from: there })).toEqual([{ queue: 'work-relay', retried: 1, left: 1 }]);
    expect(await listed('work-relay', there)).toMatchObject([{ state: 'no longer in the stream' }]);
    await drop(there, { isForReal: true });
    expect(await waiting(deadLettersOf('work-relay'))).toBe(0);
  });

  test('can be dropped after their table is replaced', async () => {
    const there = await placeWithRelay(async () => ({ batchItemFailures: [] }));
    const letter = { shardId: 'shard', startSequenceNumber: '1', endSequenceNumber: '2' };
    const streamArn = `arn:aws:dynamodb:eu-west-1:1:table/${there.table.name}.former/stream/2026-11-20T00:00:00.000`;
    await bury('work-relay', { DDBStreamBatchInfo: { ...letter, streamArn } });
    there.streams.middlewareStack.add(() => () => Promise.reject(new Error('AccessDenied')), { step: 'initialize' });
    expect(await listed('work-relay', there)).toMatchObject([{ state: 'no longer in the stream' }]);
    expect(await drop(there, { isForReal: true })).toHaveLength(1);
  });

  test('do not exist on the local stack', async () => {
    await expect(listed('work-relay')).rejects.toThrow(/local stack has no dead letters/);
  });

  async function placeWithRelay(invoke: Aws['invoke']): Promise<Deployment> {
    for (const reader of ['work-relay', 'work-follow-up'])
      await deployment.queues.client.send(new CreateQueueCommand({ QueueName: deadLettersOf(reader) }));
    return { ...deployment, aws: healthyAws({ invoke }) };
  }

  async function sendTwice(): Promise<string[]> {
    const merchant = await world.createMerchant({ credits: 10 });
    return [(await merchant.text()).id, (await merchant.text()).id];
  }

  /** Creates a dead letter for every change of the table, as Lambda does. */
  async function buryChanges({ table, streams }: Deployment): Promise<string | undefined> {
    const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
    const streamArn = Table?.LatestStreamArn;
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    const shardId = StreamDescription?.Shards?.[0]?.ShardId;
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    const startSequenceNumber = Records[buried++]?.dynamodb?.SequenceNumber;
    const endSequenceNumber = Records.at(-1)?.dynamodb?.SequenceNumber;
    expect(Records.length).toBeGreaterThan(2);
    const requestContext = { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 };
    const numbers = { startSequenceNumber, endSequenceNumber };
    const DDBStreamBatchInfo = { shardId, ...numbers, batchSize: Records.length, streamArn };
    await bury('work-relay', { requestContext, version: '1.0', DDBStreamBatchInfo });
    return startSequenceNumber;
  }
});

describe('dropping dead letters', () => {
  test('requires confirmation', async () => {
    await buryEvents(1);
    await bury('deliver-webhook', { phone: '0551112223' });
    await bury('settle-receipt', { about: 'something else' });
    const unread = { queued_at: SENT_AT, letter: LETTER, id: null, state: 'unreadable' };
    const hopeless = ['settle-receipt', 'deliver-webhook'].map((queue) => ({ queue, ...unread }));

    const shown = await drop(deployment, { isForReal: false });
    expect(shown).toEqual(hopeless);
    expect(JSON.stringify(shown)).not.toContain('551112223');
    expect(await listDeadLetters(deployment)).toHaveLength(3);

    expect(await drop(deployment, { isForReal: true })).toEqual(hopeless);
    expect(await listDeadLetters(deployment)).toMatchObject([{ id: 'W1' }]);
  });

  test('deletes a letter by id', async () => {
    await buryEvents(2);
    const [first] = await listed('deliver-webhook');
    expect(await drop(deployment, { letter: first?.letter, isForReal: true })).toEqual([first]);
    expect(await listDeadLetters(deployment)).toHaveLength(1);
    await expect(drop(deployment, { letter: first?.letter, isForReal: true })).rejects.toThrow(
      /no dead letter .*dead-letters list/,
    );
  });

  test('reports letters that SQS failed to delete', async () => {
    await bury('deliver-webhook', { about: 'something else' });
    answerOf(DeleteMessageBatchCommand.name, () => ({ Failed: [{ Id: '0', Code: 'Busy', SenderFault: false }] }));
    await expect(drop(deployment, { isForReal: true })).rejects.toThrow('SQS did not delete 1 dead letter (Busy)');
  });

  test('is the only way to remove an unreadable letter', async () => {
    await bury('deliver-webhook', { about: 'something else' });
    await buryEvents(12);
    expect(await retry('deliver-webhook')).toEqual([{ queue: 'deliver-webhook', retried: 12, left: 1 }]);
    expect(await listDeadLetters(deployment)).toMatchObject([{ state: 'unreadable' }]);
    expect(await drain('deliver-webhook')).toHaveLength(12);
  });
});

function retry(only: string, { from = deployment, ...more }: { from?: Deployment; by?: string; forMs?: number } = {}) {
  return retryDeadLetters(from, { only, by: 'command line', ...more });
}

function listed(only: string, from = deployment) {
  return listDeadLetters(from, { only });
}

function drop(from: Deployment, { letter, isForReal }: { letter?: string | undefined; isForReal: boolean }) {
  return dropDeadLetters(from, { letter, isForReal, by: 'command line' });
}

describe('retrying dead letters', () => {
  test('sends the letters of one queue as new jobs', async () => {
    await buryEvents(12);
    await bury('settle-receipt', RECEIVED);

    expect(await retry('deliver-webhook')).toEqual([{ queue: 'deliver-webhook', retried: 12, left: 0 }]);

    expect(await listDeadLetters(deployment)).toMatchObject([{ queue: 'settle-receipt' }]);
    const jobs = await drain('deliver-webhook');
    const ids = jobs.map(({ Body }) => JSON.parse(Body ?? '').event_id);
    expect(ids.toSorted()).toEqual(eventIds(12).toSorted());
    expect(new Set(jobs.map(({ Attributes }) => Attributes?.ApproximateReceiveCount))).toEqual(new Set(['1']));
  });

  test('preserves each letter’s message group', async () => {
    await buryEvents(1);
    const groups: unknown[] = [];
    deployment.queues.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === SendMessageBatchCommand.name) groups.push(args.input);
          const answer = await next(args);
          if ('Messages' in answer.output) {
            answer.output.Messages = answer.output.Messages?.map((message) => ({
              ...message,
              Attributes: { ...message.Attributes, MessageGroupId: 'ama' },
            }));
          }
          return answer;
        },
      { step: 'initialize' },
    );
    await retry('deliver-webhook');
    expect(groups).toMatchObject([{ Entries: [{ MessageGroupId: 'ama' }] }]);
  });

  test('loses no letter if the queue fails', async () => {
    await buryEvents(1);
    takesBatches(0);
    await expect(retry('deliver-webhook')).rejects.toThrow('SQS is away');
    deployment.queues.client.middlewareStack.remove('away');
    // The message reappears after its visibility timeout.
    expect(await waiting(deadLettersOf('deliver-webhook'))).toBe(1);
    expect(await waiting('deliver-webhook')).toBe(0);
  });

  test('records the letters retried so far in the audit log if it is interrupted', async () => {
    await buryEvents(15);
    takesBatches(1);
    await expect(retry('deliver-webhook', { by: 'ama' })).rejects.toThrow('SQS is away');
    expect(await audit()).toMatchObject([{ by: 'ama', action: 'dead-letters retry', after: { retried: 10 } }]);
  });

  test('records only accepted letters in the audit log', async () => {
    await buryEvents(3);
    const Failed = [{ Id: '1', Code: 'Busy', SenderFault: false }];
    answerOf(SendMessageBatchCommand.name, () => ({ Successful: [{ Id: '0' }], Failed }));
    await expect(retry('deliver-webhook', { by: 'ama' })).rejects.toThrow('rejected 1 job (Busy)');
    expect(await audit()).toMatchObject([{ after: { retried: 1 } }]);
  });

  test('leaves the remaining letters in the queue when its time runs out', async () => {
    await buryEvents(1);
    expect(await retry('deliver-webhook', { forMs: 0 })).toEqual([{ queue: 'deliver-webhook', retried: 0, left: 0 }]);
    expect(await listDeadLetters(deployment)).toMatchObject([{ id: 'W1' }]);
  });

  test('does not resend a refunded text', async () => {
    const { job, merchant, id } = await refundedText();
    await bury('deliver-sms', job);
    await retry('deliver-sms');
    const [again] = await drain('deliver-sms');
    const receives = Number(again?.Attributes?.ApproximateReceiveCount);

    world.gateway = async () => Response.json({ state: 'Pending' }, { status: 202 });
    world.fetched.length = 0;
    const result = await deliverSms.with(world.outside)(queueEvent([JSON.parse(again?.Body ?? '')], receives));

    expect(result).toEqual({ batchItemFailures: [] });
    expect(world.fetched).toEqual([]);
    expect(await merchant.balance()).toBe(10);
    expect(await world.messageRow(id)).toMatchObject({ state: 'failed' });
  });
});

/** Creates a text that was refunded because its gateway was unreachable. */
async function refundedText() {
  const merchant = await world.createMerchant({ credits: 10 });
  const { id } = await merchant.text({ message: 'Your order is ready' });
  const job = { send_id: id, index: 0 };
  world.gateway = async () => new Response('', { status: 502 });
  await deliverSms.with(world.outside)(queueEvent([job], 17));
  expect(await merchant.balance()).toBe(10);
  return { job, merchant, id };
}

async function buryEvents(count: number): Promise<void> {
  for (const event_id of eventIds(count)) await bury('deliver-webhook', { event_id, tries: 1 });
}

/** Returns event ids that start with W1. */
function eventIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `W${n + 1}`);
}

async function bury(queue: string, job: object): Promise<void> {
  const QueueUrl = await urlOf(deployment, deadLettersOf(queue));
  await deployment.queues.client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(job) }));
}

/** Replaces SQS's response to a command. */
function answerOf(command: string, answer: () => object): void {
  deployment.queues.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        if (commandName === command) Object.assign(result.output, answer());
        return result;
      },
    { step: 'initialize' },
  );
}

/** Makes SQS fail after this many batches. */
function takesBatches(most: number): void {
  let batches = 0;
  deployment.queues.client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === SendMessageBatchCommand.name && ++batches > most) throw new Error('SQS is away');
        return next(args);
      },
    { step: 'initialize', name: 'away' },
  );
}

async function audit() {
  const month = world.iso().slice(0, 7);
  return (await listAudit(world.outside, undefined, month, { newestFirst: false })).entries;
}

async function drain(queue: string) {
  const found = [];
  for (;;) {
    const asked = { QueueUrl: await urlOf(deployment, queue), MaxNumberOfMessages: 10 };
    const command = new ReceiveMessageCommand({ ...asked, MessageSystemAttributeNames: ['All'] });
    const { Messages = [] } = await deployment.queues.client.send(command);
    if (Messages.length === 0) return found;
    found.push(...Messages);
  }
}

/** Returns the number of messages in a queue, including hidden ones. */
async function waiting(queue: string): Promise<number> {
  const { Attributes = {} } = await deployment.queues.client.send(
    new GetQueueAttributesCommand({ QueueUrl: await urlOf(deployment, queue), AttributeNames: ['All'] }),
  );
  return Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible);
}
