import { type DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { leaseKey } from './lease.ts';

const Noted = z.object({ format: z._default(z.number(), 1) });

/**
 * Returns the major version of the release that last worked on a table, as its housekeeping noted in its lease. Releases
 * 1.x noted nothing. Returns undefined if there is no such table.
 */
export async function formatOfTable(
  dynamoDb: DynamoDBClient,
  TableName: string,
): Promise<number | 'empty' | undefined> {
  const client = DynamoDBDocumentClient.from(dynamoDb);
  const Key = leaseKey('housekeeping');
  try {
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1, ConsistentRead: true }));
    return Count === 0 ? 'empty' : z.parse(Noted, Item ?? {}).format;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
