import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { MemoryDynamoDb } from '../../../infra/local/memory-dynamodb.ts';
import { MAX_TRIES, withoutWaiting } from './retry.ts';

/**
 * The real SDK client on a database in memory. It serialises, parses and repeats as on AWS; what is left out is signing, finding
 * the endpoint, both of which take longer than the request itself, and waiting before a repetition. So a request needs no turn
 * of the event loop, and a simulation's steps happen in the same order in each run.
 */
export function memoryClient(memory: MemoryDynamoDb, retryStrategy = withoutWaiting()): DynamoDBClient {
  const client = new DynamoDBClient({
    requestHandler: memory.requestHandler,
    region: 'us-east-1',
    endpoint: 'https://dynamodb.memory.invalid',
    credentials: { accessKeyId: 'memory', secretAccessKey: 'memory' },
    retryStrategy,
    maxAttempts: MAX_TRIES,
  });
  const { middlewareStack } = client;
  for (const name of UNREAD) middlewareStack.remove(name);
  const { concat } = middlewareStack;
  middlewareStack.concat = (command) => {
    command.remove('endpointV2Middleware');
    const stack = concat(command);
    stack.concat = middlewareStack.concat;
    return stack;
  };
  // The SDK copies its whole configuration twice for each request. Of one that inherits everything nothing is copied.
  return Object.assign(client, { config: Object.create(client.config) });
}

/** Steps of the SDK that sign, or make nothing but headers and log lines. */
const UNREAD = [
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
  'getUserAgentMiddleware',
  'recursionDetectionMiddleware',
  'hostHeaderMiddleware',
  'contentLengthMiddleware',
  'loggerMiddleware',
];
