import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RowShape } from './table.ts';

/** A table, and how to reach it. */
export interface Connection {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly needs: TableNeeds;
  /** The kinds of row that have changed, and how. */
  readonly shapes: readonly RowShape[];
}

/** What a table needs from `Outside`. */
export interface TableNeeds {
  randomBytes(length: number): Buffer;
  sleep(ms: number): Promise<void>;
}

/** For one request to DynamoDB on AWS, which normally takes a few milliseconds. Below the timeout of every function. */
export const TABLE_TIMEOUT_MS = 3_000;

/** `endpoint` is the local database's; on AWS it is left out. */
export function newDynamoDbClient(endpoint?: string): DynamoDBClient {
  return new DynamoDBClient({
    ...(endpoint && { endpoint }),
    // Without these a connection that went dead holds a request until the function's own timeout. They count the wait for a
    // socket too, and a laptop's one process has 50 for all its requests, where a function on AWS has one request: a busy laptop took
    // longer than 15 seconds for 200 at once.
    requestHandler: endpoint
      ? { connectionTimeout: 60_000, requestTimeout: 60_000, throwOnRequestTimeout: true }
      : { connectionTimeout: 1_000, requestTimeout: TABLE_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
}
