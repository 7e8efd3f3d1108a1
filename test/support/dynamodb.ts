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
    /** The database that answers there. */
    database: DatabaseKind;
    /** For what tests write to disk. */
    folder: string;
  }
}

/**
 * DynamoDB Local wherever it can run, and the in-memory one where neither Java nor Docker is there: `DATABASE` names another. One line says
 * which, because tests that prove DynamoDB Local are skipped without it.
 */
function databaseOfTests(): DatabaseKind {
  const named = process.env.DATABASE;
  const kind = named ? databaseKind(named) : javaOrDocker() ? 'dynamodb-local' : 'memory';
  const why = named ? `DATABASE=${named}` : 'neither Java nor Docker was found';
  if (kind === 'dynamodb-local') console.log('The tests use DynamoDB Local.');
  else console.log(`The tests use DynamoDB in memory (${why}): those that prove DynamoDB Local are skipped.`);
  return kind;
}

/** Before the first test: one database on a free port, and a folder. After the last: the figures that tests reported, and their end. */
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
