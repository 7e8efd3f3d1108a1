import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MINUTE_MS } from '../values/calendar.ts';
import type { RowShape } from './table.ts';

export interface Connection {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly needs: TableNeeds;
  readonly shapes: readonly RowShape[];
}

export interface TableNeeds {
  randomBytes(length: number): Buffer;
  sleep(ms: number): Promise<void>;
}

/**
 * Timeout for one request to DynamoDB on AWS, which normally takes a few milliseconds. Shorter than every function's
 * timeout.
 */
export const TABLE_TIMEOUT_MS = 3_000;

export function newDynamoDbClient(endpoint?: string): DynamoDBClient {
  return new DynamoDBClient({
    ...(endpoint && { endpoint }),
    // Without these timeouts, a dead connection would block a request until the function times out. The timeouts
    // include the wait for a socket. On a laptop, a process has 50 sockets, and 200 simultaneous requests took more
    // than 15 seconds, so requests to a given endpoint get a minute.
    requestHandler: endpoint
      ? { connectionTimeout: MINUTE_MS, requestTimeout: MINUTE_MS, throwOnRequestTimeout: true }
      : { connectionTimeout: 1_000, requestTimeout: TABLE_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
}
