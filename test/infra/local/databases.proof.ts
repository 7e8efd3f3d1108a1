import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import {
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
} from '@aws-sdk/client-dynamodb-streams';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTable, startDatabase } from '../../../infra/local/dynamodb.ts';
import { isLocalThere, WITHOUT_LOCAL } from '../../support/needs-local.ts';

const SIGNED =
  'AWS4-HMAC-SHA256 Credential=local/20261125/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';

/** Tests everything except rows, which memory-dynamodb.test.ts covers. */
describe.each(['dynamodb-local', 'memory'] as const)('the local %s database', (kind) => {
  let endpoint: string;
  let stop: (() => Promise<void>) | undefined;
  const key = { pk: { S: 'a' }, sk: { S: 'b' } };
  const TableName = 'momo-kiosk-local';

  const isThere = kind === 'memory' || isLocalThere;
  beforeEach(({ skip }) => skip(!isThere, WITHOUT_LOCAL));
  beforeAll(async () => {
    if (!isThere) return;
    ({ endpoint, stop } = await startDatabase(kind, { hasKeys: true }));
    await createTable(endpoint, TableName);
    for (const n of ['1', '2', '3'])
      await ours().send(new PutItemCommand({ TableName, Item: { ...key, n: { N: n } } }));
  });
  afterAll(() => stop?.());

  const startedAtMs = Math.floor(Date.now() / 1000) * 1000;
  const ours = () => new DynamoDBClient({ endpoint });
  const theirs = () =>
    new DynamoDBClient({ endpoint, credentials: { accessKeyId: 'OTHER', secretAccessKey: 'local' }, maxAttempts: 1 });
  const streams = () => new DynamoDBStreamsClient({ endpoint, maxAttempts: 1 });

  test('creates one table per access key', async () => {
    await createTable(endpoint, TableName);
    expect((await ours().send(new ListTablesCommand({}))).TableNames).toEqual([TableName]);
    const { Table } = await ours().send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({
      TableName,
      TableStatus: 'ACTIVE',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      LatestStreamArn: expect.stringContaining(`:table/${TableName}/stream/`),
      ItemCount: 1,
    });
    expect(Number(Table?.CreationDateTime)).toBeGreaterThanOrEqual(startedAtMs);
  });

  test('hides the table from other access keys', async () => {
    expect((await theirs().send(new ListTablesCommand({}))).TableNames).toEqual([]);
    const named = { name: 'ResourceNotFoundException' };
    await expect(theirs().send(new GetItemCommand({ TableName, Key: key }))).rejects.toMatchObject(named);
    await expect(theirs().send(new DescribeTableCommand({ TableName }))).rejects.toMatchObject(named);
  });

  test.each([
    ['for an unknown operation', 'DynamoDB_20120810.Nothing', '{}', SIGNED, 'UnknownOperation'],
    ['for an unknown stream operation', 'DynamoDBStreams_20120810.Nothing', '{}', SIGNED, 'UnknownOperation'],
    ['without a signature', 'DynamoDB_20120810.ListTables', '{}', '', 'MissingAuthenticationToken'],
    ['without valid JSON', 'DynamoDB_20120810.ListTables', '{', SIGNED, 'Serialization'],
  ])('rejects a request %s', async (_, target, body, authorization, error) => {
    const headers = { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0', authorization };
    const answer = await fetch(endpoint, { method: 'POST', headers, body });
    expect(answer.ok).toBe(false);
    // DynamoDB Local returns 500 for some invalid requests.
    const name = kind === 'dynamodb-local' && answer.status === 500 ? 'InternalFailure' : `${error}Exception`;
    expect(await answer.text()).toContain(`#${name}`);
  });

  test('allows reading its stream from any position', async () => {
    const all = await recordsFrom({ ShardIteratorType: 'TRIM_HORIZON' });
    expect(all.map(({ n }) => n)).toEqual(['1', '2', '3']);
    const SequenceNumber = all[1]?.sequence;
    const read = async (input: Partial<GetShardIteratorCommandInput>) =>
      (await recordsFrom(input)).map(({ n }) => n).join();
    expect(await read({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber })).toBe('2,3');
    expect(await read({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber })).toBe('3');
    expect(await read({ ShardIteratorType: 'LATEST' })).toBe('');
  });

  test('rejects an unknown stream or shard', async () => {
    const { StreamArn, ShardId } = await shard();
    const other = StreamArn.replace(TableName, 'momo-kiosk-other');
    const named = { name: 'ResourceNotFoundException' };
    await expect(streams().send(new DescribeStreamCommand({ StreamArn: other }))).rejects.toMatchObject(named);
    const ask = { StreamArn, ShardId: `${ShardId.slice(0, -4)}9999`, ShardIteratorType: 'LATEST' } as const;
    await expect(streams().send(new GetShardIteratorCommand(ask))).rejects.toMatchObject(named);
  });

  test('accepts connections only from this machine', async () => {
    const { port } = new URL(endpoint);
    const others = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.flatMap(({ internal, family, address }) => (internal || family !== 'IPv4' ? [] : [address])),
    );
    expect(await Promise.all(others.map((host) => isHeard(host, port)))).toEqual(others.map(() => false));
    expect(await isHeard('127.0.0.1', port)).toBe(true);
  });

  async function shard() {
    const { Table } = await ours().send(new DescribeTableCommand({ TableName }));
    const StreamArn = Table?.LatestStreamArn ?? '';
    const { StreamDescription } = await streams().send(new DescribeStreamCommand({ StreamArn }));
    return { StreamArn, ShardId: StreamDescription?.Shards?.[0]?.ShardId ?? '' };
  }

  async function recordsFrom(input: Partial<GetShardIteratorCommandInput>) {
    const ask = { ...(await shard()), ShardIteratorType: undefined, ...input };
    const { ShardIterator } = await streams().send(new GetShardIteratorCommand(ask));
    const { Records = [] } = await streams().send(new GetRecordsCommand({ ShardIterator }));
    return Records.map(({ dynamodb }) => ({ n: dynamodb?.NewImage?.n?.N, sequence: dynamodb?.SequenceNumber }));
  }
});

function isHeard(host: string, port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host, port, timeout: 10_000 }, () => resolve(true));
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
