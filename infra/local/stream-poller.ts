import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { StreamRow } from '../../shared/runtime/triggers/row.ts';
import type { StreamHandler } from '../../shared/runtime/triggers/stream.ts';
import { asLambda, isWanted } from '../../shared/runtime/triggers/stream-change.ts';

const BATCH = 100;
const IDLE_MS = 200;
const RETRY_MS = 1_000;

/**
 * Does what Lambda's event source mapping does for the table's stream: from its beginning, in order, filtered, and again from
 * the change that failed until it succeeds. Starting over is harmless: each change takes effect once.
 */
export async function pollStream(
  client: DynamoDBStreamsClient,
  streamArn: string,
  row: StreamRow,
  handler: StreamHandler,
  signal: AbortSignal,
): Promise<void> {
  const iterators = new Map<string, string | undefined>();
  while (!signal.aborted) {
    let busy = false;
    for (const shard of await shardsOf(client, streamArn)) {
      // A shard's children hold what came after it, so they wait until it is read to its end.
      if (shard.parent !== undefined && iterators.has(shard.parent) && iterators.get(shard.parent) !== undefined)
        continue;
      if (!iterators.has(shard.id)) iterators.set(shard.id, await firstIterator(client, streamArn, shard.id));
      const iterator = iterators.get(shard.id);
      if (iterator === undefined) continue;
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: BATCH }),
      );
      await deliver(
        Records.filter((record) => isWanted(record, row)),
        handler,
        signal,
      );
      iterators.set(shard.id, NextShardIterator);
      busy ||= Records.length > 0;
    }
    if (!busy) await sleep(IDLE_MS);
  }
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
    // Lambda halves a batch that fails at its first change, so that in the end only that one waits.
    batchSize = failed === 0 ? Math.ceil(batch.length / 2) : records.length;
    if (failed !== undefined) await sleep(RETRY_MS);
  }
}

/** The place of the first change that failed. */
async function firstFailed(batch: readonly StreamRecord[], handler: StreamHandler): Promise<number | undefined> {
  try {
    const { batchItemFailures } = await handler({ Records: batch.map(asLambda) } as unknown as DynamoDBStreamEvent);
    const failed = batchItemFailures[0]?.itemIdentifier;
    return failed === undefined ? undefined : batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
  } catch {
    // The function has logged why.
    return 0;
  }
}
