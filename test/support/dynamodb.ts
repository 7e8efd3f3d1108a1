import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { QUICK_JAVA } from './local-stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamoDbEndpoint: string;
  }
}

/** Before the first test: one DynamoDB Local on a free port. After the last: its end. */
export default async function setup(project: TestProject) {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' });
  Object.assign(process.env, QUICK_JAVA);
  const dynamodb = await startDynamoDb();
  project.provide('dynamoDbEndpoint', dynamodb.endpoint);
  return () => dynamodb.stop();
}
