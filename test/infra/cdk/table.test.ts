import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tableSchema } from '../../../shared/runtime/table/table-schema.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise().the('AWS::DynamoDB::Table', 'momo-kiosk-dev');
const prod = synthesise({ stage: 'prod' }).the('AWS::DynamoDB::Table', 'momo-kiosk-prod');

describe('the table', () => {
  test('has the schema’s keys, indexes and time to live', () => {
    const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableSchema;
    const key = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });
    const keys = (hash: string, range: string) => [key(hash, 'HASH'), key(range, 'RANGE')];
    expect(dev.Properties.KeySchema).toEqual(keys(partitionKey, sortKey));
    const Projection = { ProjectionType: 'KEYS_ONLY' };
    const named = indexes.map((index) => [index.name, keys(index.partitionKey, index.sortKey)] as const);
    const Indexes = named.map(([IndexName, KeySchema]) => ({ IndexName, KeySchema, Projection }));
    expect(dev.Properties.GlobalSecondaryIndexes).toEqual(Indexes);
    expect(dev.Properties.TimeToLiveSpecification).toEqual({ AttributeName: timeToLiveAttribute, Enabled: true });
  });

  test('is billed per request', () => {
    expect(dev.Properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(dev.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });

  test('can be restored to any second of the last 35 days', () => {
    for (const { Properties } of [dev, prod])
      expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  });
});

test('the prod table is protected against deletion', () => {
  expect(prod.Properties.DeletionProtectionEnabled).toBe(true);
  expect(prod.DeletionPolicy).toBe('Retain');
});

test('the dev table is deleted with its stack', () => {
  expect(dev.Properties.DeletionProtectionEnabled).toBe(false);
  expect(dev.DeletionPolicy).toBe('Delete');
});

describe('a restored table', () => {
  const tableName = 'momo-kiosk-prod.restored';
  const stack = synthesise({ stage: 'prod', tableName });
  const restored = stack.the('AWS::DynamoDB::Table', tableName);

  test('is the stack’s only table', () => {
    expect(stack.all('AWS::DynamoDB::Table')).toHaveLength(1);
    expect(restored.DeletionPolicy).toBe('Retain');
    expect(restored.Properties).toEqual({ ...prod.Properties, TableName: tableName });
  });

  test('has its own logical id', () => {
    const before = synthesise({ stage: 'prod' });
    expect(stack.idOf(restored)).not.toBe(before.idOf(before.the('AWS::DynamoDB::Table', 'momo-kiosk-prod')));
  });

  test('is used by all functions', () => {
    const functions = stack.all('AWS::Lambda::Function').map(({ Properties }) => Properties.Environment.Variables);
    expect(new Set(functions.map(({ TABLE_NAME }) => stack.text(TABLE_NAME)))).toEqual(new Set([tableName]));
    const lines = stack.all('AWS::IAM::Role').flatMap((role) => stack.grantsOf(role));
    const tables = lines.flatMap((line) => /^dynamodb:\w+ (?:arn:\S+:table\/)?([^ /]+)/.exec(line)?.[1] ?? []);
    expect(new Set(tables)).toEqual(new Set([tableName, `${tableName}.StreamArn`]));
    const sources = stack
      .all('AWS::Lambda::EventSourceMapping')
      .map(({ Properties }) => stack.text(Properties.EventSourceArn));
    expect(sources).toContain(`${tableName}.StreamArn`);
  });

  test('has the settings from the runbook', () => {
    const runbook = readFileSync('docs/operate/runbooks.md', 'utf8');
    const { TimeToLiveSpecification, StreamSpecification } = restored.Properties;
    expect(runbook).toContain(`Enabled=true,AttributeName=${TimeToLiveSpecification.AttributeName}`);
    expect(runbook).toContain(`StreamEnabled=true,StreamViewType=${StreamSpecification.StreamViewType}`);
    expect(runbook).toContain('--deletion-protection-enabled');
    expect(runbook).toContain('PointInTimeRecoveryEnabled=true');
    for (const { Key, Value } of restored.Properties.Tags ?? []) expect(runbook).toContain(`Key=${Key},Value=${Value}`);
  });

  test('is listed in an output', () => {
    const names = (one: typeof stack) => one.all('AWS::SQS::Queue').map((queue) => one.nameOf(queue));
    expect(names(stack)).toEqual(names(synthesise({ stage: 'prod' })));
    expect(stack.outputs.TableName).toBe(tableName);
  });
});
