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
    // Without these timeouts, a dead connection blocks a request until the function times out. They include the wait
    // for a socket: a process on a laptop has 50 sockets, and took more than 15 seconds for 200 simultaneous requests.
    requestHandler: endpoint
      ? { connectionTimeout: MINUTE_MS, requestTimeout: MINUTE_MS, throwOnRequestTimeout: true }
      : { connectionTimeout: 1_000, requestTimeout: TABLE_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
}
