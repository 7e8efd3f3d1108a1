import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';

export function tableDefinition(): Omit<CreateTableCommandInput, 'TableName'> {
  const { partitionKey, sortKey, indexes } = tableSchema;
  const keys = [{ partitionKey, sortKey }, ...indexes];
  return {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.flatMap((key) =>
      [key.partitionKey, key.sortKey].map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
    ),
    KeySchema: keySchema(partitionKey, sortKey),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  };
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
