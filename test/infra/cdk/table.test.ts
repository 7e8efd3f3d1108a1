import { describe, expect, test } from 'vitest';
import { tableSchema } from '../../../shared/runtime/table/table-schema.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise().the('AWS::DynamoDB::Table', 'momo-kiosk-dev');
const prod = synthesise({ stage: 'prod' }).the('AWS::DynamoDB::Table', 'momo-kiosk-prod');

describe('the table of every stage', () => {
  test('has the keys, indexes and time to live of the schema', () => {
    const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableSchema;
    const keys = (hash: string, range: string) => [
      { AttributeName: hash, KeyType: 'HASH' },
      { AttributeName: range, KeyType: 'RANGE' },
    ];
    expect(dev.Properties.KeySchema).toEqual(keys(partitionKey, sortKey));
    expect(dev.Properties.GlobalSecondaryIndexes).toEqual(
      indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keys(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    );
    expect(dev.Properties.TimeToLiveSpecification).toEqual({ AttributeName: timeToLiveAttribute, Enabled: true });
  });

  test('is paid by request and streams both images', () => {
    expect(dev.Properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(dev.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });

  test('can be restored to any second of the last 35 days', () => {
    for (const { Properties } of [dev, prod]) {
      expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    }
  });
});

test('nobody can delete the table of prod by mistake', () => {
  expect(prod.Properties.DeletionProtectionEnabled).toBe(true);
  expect(prod.DeletionPolicy).toBe('Retain');
});

test('dev leaves nothing behind', () => {
  expect(dev.Properties.DeletionProtectionEnabled).toBe(false);
  expect(dev.DeletionPolicy).toBe('Delete');
});
