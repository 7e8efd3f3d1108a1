import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MINUTE_MS } from '../values/calendar.ts';

export interface Connection {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly needs: TableNeeds;
}

export interface TableNeeds {
  randomBytes(length: number): Buffer;
  sleep(ms: number): Promise<void>;
}

/**
 * Timeout of one request to DynamoDB on AWS, which normally takes a few milliseconds. Must be shorter than every
 * function's timeout.
 */
export const TABLE_TIMEOUT_MS = 3_000;

export function newDynamoDbClient(endpoint?: string): DynamoDBClient {
  const client = new DynamoDBClient({
    ...(endpoint && { endpoint }),
    // These timeouts include the wait for one of 50 sockets. With a custom endpoint, requests get a minute: on a
    // laptop, 200 simultaneous requests took more than 15 seconds.
    requestHandler: endpoint
      ? { connectionTimeout: MINUTE_MS, requestTimeout: MINUTE_MS, throwOnRequestTimeout: true }
      : { connectionTimeout: 1_000, requestTimeout: TABLE_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
  // This middleware copies each request and response for a logger that this client does not have.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
