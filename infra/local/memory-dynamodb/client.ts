import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { MemoryDynamoDb } from '../memory-dynamodb.ts';
import { MAX_TRIES, withoutWaiting } from './retry.ts';

/**
 * Connects the real SDK client to an in-memory database. The client serialises, parses and retries as on AWS, but skips
 * signing, endpoint resolution and delays. Requests do not wait for the event loop, so a simulation is deterministic.
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
  // The SDK copies its own properties twice per request, but not inherited ones.
  return Object.assign(client, { config: Object.create(client.config) });
}

/** SDK middleware for signatures, headers and log lines. */
const UNREAD = [
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
  'getUserAgentMiddleware',
  'recursionDetectionMiddleware',
  'hostHeaderMiddleware',
  'contentLengthMiddleware',
  'loggerMiddleware',
];
