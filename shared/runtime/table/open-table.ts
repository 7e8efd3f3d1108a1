import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableNeeds } from './connection.ts';
import { get, getMany, list, listIndex, listIndexKeys, listPage } from './read.ts';
import type { Table } from './table.ts';
import { remove, update, write } from './write.ts';

export function openTable(dynamoDb: DynamoDBClient, tableName: string, needs: TableNeeds): Table {
  const client = DynamoDBDocumentClient.from(dynamoDb, { marshallOptions: { removeUndefinedValues: true } });
  const connection = { client, tableName, needs };
  return {
    get: (key) => get(connection, key),
    getMany: (keys, fields) => getMany(connection, keys, fields),
    list: (partition, range) => list(connection, partition, range),
    listIndex: (index, partition, page) => listIndex(connection, index, partition, page),
    listPage: (partition, page) => listPage(connection, partition, page),
    listIndexKeys: (index, partition, page) => listIndexKeys(connection, index, partition, page),
    write: (writes) => write(connection, writes),
    remove: (key) => remove(connection, key),
    update: (one) => update(connection, one),
  };
}
