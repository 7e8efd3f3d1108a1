import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type DatabaseKind, databaseKind } from '../../infra/local/database-names.ts';
import { javaOrDocker, startDatabase } from '../../infra/local/dynamodb.ts';
import { figuresIn } from './figures.ts';
import { QUICK_JAVA } from './quick-start.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamoDbEndpoint: string;
    database: DatabaseKind;
    folder: string;
  }
}

/**
 * Chooses the tests' database. Uses `DATABASE` if it is set. Otherwise, uses DynamoDB Local if Java or Docker is
 * available, or else the in-memory database. Prints the choice, because some tests are skipped without DynamoDB Local.
 */
function databaseOfTests(): DatabaseKind {
  const named = process.env.DATABASE;
  const kind = named ? databaseKind(named) : javaOrDocker() ? 'dynamodb-local' : 'memory';
  const cause = named ? `DATABASE=${named}` : 'neither Java nor Docker was found';
  if (kind === 'dynamodb-local') console.log('The tests use DynamoDB Local.');
  else console.log(`The tests use DynamoDB in memory (${cause}): tests of DynamoDB Local itself are skipped.`);
  return kind;
}

/**
 * Global setup: starts a database on a free port and creates a temporary folder. The teardown removes both and prints
 * the reported figures.
 */
export default async function setup(project: TestProject) {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' });
  Object.assign(process.env, QUICK_JAVA);
  const database = databaseOfTests();
  const dynamodb = await startDatabase(database);
  project.provide('database', database);
  project.provide('dynamoDbEndpoint', dynamodb.endpoint);
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-test-'));
  project.provide('folder', folder);
  return async () => {
    await dynamodb.stop();
    process.stdout.write(`\n${figuresIn(folder)}`);
    rmSync(folder, { recursive: true, force: true });
  };
}
