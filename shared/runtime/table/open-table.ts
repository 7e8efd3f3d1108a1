import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableNeeds } from './connection.ts';
import { get, getMany, list, listIndex, listIndexKeys, listPage } from './read.ts';
import { asCurrent, rowShapes } from './row-shape.ts';
import type { RowShape, Table } from './table.ts';
import { carryOver, remove, update, write } from './write.ts';

/** Tests pass `shapes` to try out row shapes that are not released yet. */
export function openTable(
  dynamoDb: DynamoDBClient,
  tableName: string,
  needs: TableNeeds,
  shapes: readonly RowShape[] = rowShapes,
): Table {
  const client = DynamoDBDocumentClient.from(dynamoDb, { marshallOptions: { removeUndefinedValues: true } });
  const connection = { client, tableName, needs, shapes };
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
    shapes,
    asCurrent: (row) => asCurrent(shapes, row),
    carryOver: (row) => carryOver(connection, row),
  };
}
