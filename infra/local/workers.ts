import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent, SQSRecord } from 'aws-lambda';
import { manifest } from '../../functions/manifest.ts';
import { environment, queueUrlVariable } from '../../shared/runtime/outside/environment.ts';
import type { QueueHandler } from '../../shared/runtime/triggers/queue.ts';
import type { StreamRow } from '../../shared/runtime/triggers/row.ts';
import type { ScheduleHandler } from '../../shared/runtime/triggers/schedule.ts';
import { asLambda, isWanted, type StreamHandler } from '../../shared/runtime/triggers/stream.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';

const POLLERS_PER_QUEUE = 4;

export async function startWorkers(endpoints: {
  dynamodb: string;
  sqs: string;
  tableName: string;
}): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const streams = new DynamoDBStreamsClient({ endpoint: endpoints.dynamodb });
  const sqs = new SQSClient({ endpoint: endpoints.sqs });
  const loops: Promise<void>[] = [];
  for (const [name, row] of Object.entries(manifest)) {
    if (row.on === 'stream') {
      const { handler }: { handler: StreamHandler } = await import(`../../functions/${name}.ts`);
      const streamArn = await streamOf(endpoints.dynamodb, endpoints.tableName);
      loops.push(forever(name, signal, () => pollStream(streams, { streamArn, row }, handler, signal)));
    }
    if (row.on === 'schedule') {
      const { handler }: { handler: ScheduleHandler } = await import(`../../functions/${name}.ts`);
      loops.push(forever(name, signal, () => callEvery(row.everyMinutes, handler, signal)));
    }
    if (row.on === 'queue') {
      const { handler }: { handler: QueueHandler } = await import(`../../functions/${name}.ts`);
      const url = environment(queueUrlVariable(row.queue));
      for (let n = 0; n < POLLERS_PER_QUEUE; n++) {
        loops.push(
          forever(name, signal, () => pollQueue(sqs, { queueUrl: url, batchSize: row.batchSize }, handler, signal)),
        );
      }
    }
  }
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      streams.destroy();
      sqs.destroy();
    },
  };
}

/** A "minute" of scheduled work, shortened for people at a terminal. */
const LOCAL_MINUTE_MS = 5_000;

async function callEvery(minutes: number, handler: ScheduleHandler, signal: AbortSignal): Promise<void> {
  await sleep(minutes * LOCAL_MINUTE_MS, undefined, { signal });
  await handler();
}

async function streamOf(endpoint: string, tableName: string): Promise<string> {
  const { Table } = await new DynamoDBClient({ endpoint }).send(new DescribeTableCommand({ TableName: tableName }));
  if (!Table?.LatestStreamArn) throw new Error(`The table ${tableName} has no stream`);
  return Table.LatestStreamArn;
}

/** Polls until stopped. Prints errors and continues. */
async function forever(name: string, signal: AbortSignal, poll: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await poll();
    } catch (error) {
      if (signal.aborted) return;
      console.error(`${name}:`, error);
      await sleep(1_000);
    }
  }
}

/** Simulates Lambda's event source mapping for a queue: delivers batches and deletes the successful jobs. */
async function pollQueue(
  client: SQSClient,
  { queueUrl, batchSize }: { readonly queueUrl: string; readonly batchSize: number },
  handler: QueueHandler,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: batchSize,
        WaitTimeSeconds: 5,
        MessageSystemAttributeNames: ['All'],
      }),
      { abortSignal: signal },
    );
    if (Messages.length === 0) continue;
    const { batchItemFailures } = await handler({ Records: Messages.map((message) => recordOf(message)) });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const done = Messages.filter(({ MessageId }) => MessageId !== undefined && !failed.has(MessageId));
    if (done.length === 0) continue;
    await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: done.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle })),
      }),
    );
  }
}

function recordOf({ MessageId = '', ReceiptHandle = '', Body = '', Attributes, MD5OfBody = '' }: Message): SQSRecord {
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: {
      ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1',
      SentTimestamp: Attributes?.SentTimestamp ?? '0',
      SenderId: Attributes?.SenderId ?? '',
      ApproximateFirstReceiveTimestamp: Attributes?.ApproximateFirstReceiveTimestamp ?? '0',
    },
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: 'us-east-1',
  };
}

const BATCH = 100;
const IDLE_MS = 200;
const RETRY_MS = 1_000;

/**
 * Simulates Lambda's event source mapping for the stream: filters changes, delivers them in order, and retries a failed
 * change until it succeeds. Starts at the oldest record, which is harmless because nothing takes effect twice.
 */
async function pollStream(
  client: DynamoDBStreamsClient,
  { streamArn, row }: { readonly streamArn: string; readonly row: StreamRow },
  handler: StreamHandler,
  signal: AbortSignal,
): Promise<void> {
  const iterators = new Map<string, string | undefined>();
  while (!signal.aborted) {
    let busy = false;
    for (const shard of await shardsOf(client, streamArn)) {
      // Child shards contain later records. Read the parent first.
      if (shard.parent !== undefined && iterators.get(shard.parent) !== undefined) continue;
      if (!iterators.has(shard.id)) iterators.set(shard.id, await firstIterator(client, streamArn, shard.id));
      const iterator = iterators.get(shard.id);
      if (iterator === undefined) continue;
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: BATCH }),
      );
      const wanted = Records.filter((record) => isWanted(record, row));
      const readMs = Date.now();
      const timed = wanted.map((record) => withSeconds(record, readMs));
      await deliver(timed, handler, signal);
      iterators.set(shard.id, NextShardIterator);
      busy ||= Records.length > 0;
    }
    if (!busy) await sleep(IDLE_MS);
  }
}

/**
 * Restores the seconds in a change's time, because DynamoDB Local reports only the minute. Uses the time of reading if
 * it is in the same minute.
 */
export function withSeconds({ dynamodb, ...record }: StreamRecord, readMs: number): StreamRecord {
  const minuteMs = dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0;
  if (minuteMs % MINUTE_MS !== 0) return { ...record, dynamodb };
  const madeAt = new Date(Math.min(readMs, minuteMs + 59_999));
  return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: madeAt } };
}

async function shardsOf(client: DynamoDBStreamsClient, streamArn: string) {
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
  return (StreamDescription?.Shards ?? []).flatMap(({ ShardId, ParentShardId }) =>
    ShardId ? [{ id: ShardId, parent: ParentShardId }] : [],
  );
}

async function firstIterator(client: DynamoDBStreamsClient, streamArn: string, shardId: string) {
  const { ShardIterator } = await client.send(
    new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shardId, ShardIteratorType: 'TRIM_HORIZON' }),
  );
  return ShardIterator;
}

async function deliver(records: readonly StreamRecord[], handler: StreamHandler, signal: AbortSignal): Promise<void> {
  let left = records;
  let batchSize = records.length;
  while (left.length > 0 && !signal.aborted) {
    const batch = left.slice(0, batchSize);
    const failed = await firstFailed(batch, handler);
    left = left.slice(failed === undefined ? batch.length : failed);
    // Lambda halves a batch whose first change fails, until only that change is held up.
    batchSize = failed === 0 ? Math.ceil(batch.length / 2) : records.length;
    if (failed !== undefined) await sleep(RETRY_MS);
  }
}

async function firstFailed(batch: readonly StreamRecord[], handler: StreamHandler): Promise<number | undefined> {
  try {
    const { batchItemFailures } = await handler({ Records: batch.map(asLambda) } as unknown as DynamoDBStreamEvent);
    const failed = batchItemFailures[0]?.itemIdentifier;
    return failed === undefined ? undefined : batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
  } catch {
    return 0;
  }
}
