import { DescribeTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';

const clients = new Map<string, DynamoDBClient>();

/** Returns the endpoint's shared client, which does not retry. */
export function databaseOfEndpoint(endpoint: string): DynamoDBClient {
  const client = clients.get(endpoint) ?? new DynamoDBClient({ endpoint, maxAttempts: 1 });
  clients.set(endpoint, client);
  return client;
}

export async function everyRow(endpoint: string, TableName: string) {
  return (await databaseOfEndpoint(endpoint).send(new ScanCommand({ TableName }))).Items;
}

export async function everyRecord(endpoint: string, TableName: string) {
  const { Table } = await databaseOfEndpoint(endpoint).send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  const streams = new DynamoDBStreamsClient({ endpoint, maxAttempts: 1 });
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const found: { sequence: string | undefined; before: unknown; after: unknown }[] = [];
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
    let { ShardIterator } = await streams.send(new GetShardIteratorCommand(start));
    for (let more = true; more; ) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator }));
      for (const { dynamodb } of Records) {
        found.push({ sequence: dynamodb?.SequenceNumber, before: dynamodb?.OldImage, after: dynamodb?.NewImage });
      }
      ShardIterator = NextShardIterator;
      more = Records.length > 0;
    }
  }
  return found;
}
