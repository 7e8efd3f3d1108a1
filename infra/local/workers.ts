import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { manifest } from '../../functions/manifest.ts';
import { environment, queueUrlVariable } from '../../shared/runtime/outside/environment.ts';
import type { QueueHandler } from '../../shared/runtime/triggers/queue.ts';
import type { ScheduleHandler } from '../../shared/runtime/triggers/schedule.ts';
import type { StreamHandler } from '../../shared/runtime/triggers/stream.ts';
import { pollQueue } from './queue-poller.ts';
import { pollStream } from './stream-poller.ts';

/** How many batches of one queue are in work at a time. */
const POLLERS_PER_QUEUE = 4;

/** Starts a poller for everything in the manifest that no HTTP request calls. */
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
      loops.push(forever(name, signal, () => pollStream(streams, streamArn, row, handler, signal)));
    }
    if (row.on === 'schedule') {
      const { handler }: { handler: ScheduleHandler } = await import(`../../functions/${name}.ts`);
      loops.push(forever(name, signal, () => callEvery(row.everyMinutes, handler, signal)));
    }
    if (row.on === 'queue') {
      const { handler }: { handler: QueueHandler } = await import(`../../functions/${name}.ts`);
      const url = environment(queueUrlVariable(row.queue));
      for (let n = 0; n < POLLERS_PER_QUEUE; n++) {
        loops.push(forever(name, signal, () => pollQueue(sqs, url, row.batchSize, handler, signal)));
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

/** Shorter than on AWS: nobody at a terminal should wait for what is looked for once a minute. */
const MINUTE_MS = 5_000;

async function callEvery(minutes: number, handler: ScheduleHandler, signal: AbortSignal): Promise<void> {
  await sleep(minutes * MINUTE_MS, undefined, { signal });
  await handler();
}

async function streamOf(endpoint: string, tableName: string): Promise<string> {
  const { Table } = await new DynamoDBClient({ endpoint }).send(new DescribeTableCommand({ TableName: tableName }));
  if (!Table?.LatestStreamArn) throw new Error(`The table ${tableName} has no stream`);
  return Table.LatestStreamArn;
}

/** Polls until it is stopped; an error is shown and polling continues, as on AWS. */
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
