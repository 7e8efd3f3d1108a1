import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { figuresIn } from './figures.ts';
import { QUICK_JAVA } from './quick-start.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamoDbEndpoint: string;
    /** For what tests write to disk. */
    folder: string;
  }
}

/** Before the first test: one DynamoDB Local on a free port, and a folder. After the last: the figures that tests reported, and their end. */
export default async function setup(project: TestProject) {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' });
  Object.assign(process.env, QUICK_JAVA);
  const dynamodb = await startDynamoDb();
  project.provide('dynamoDbEndpoint', dynamodb.endpoint);
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-test-'));
  project.provide('folder', folder);
  return async () => {
    await dynamodb.stop();
    process.stdout.write(`\n${figuresIn(folder)}`);
    rmSync(folder, { recursive: true, force: true });
  };
}
