import { mkdirSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { Journal } from './journal.ts';
import { foreignRequest, listenHere } from './loopback.ts';
import { DynamoDbError, invalid } from './memory-dynamodb/errors.ts';
import type { Input } from './memory-dynamodb/operations.ts';
import { streamArn, streamOperations, tableOfArn } from './memory-dynamodb/streams.ts';
import { isRecord } from './memory-dynamodb/values.ts';
import { type Kept, MemoryDynamoDb } from './memory-dynamodb.ts';
import { tableDefinition } from './table-definition.ts';

interface ServeOptions {
  /** A folder with one file per table. Changes are written to disk before they are confirmed. */
  readonly keepIn?: string | undefined;
  readonly hasKeys?: boolean;
  /** Minimum growth in bytes before a file is compacted. The file must also have doubled in size. */
  readonly compactBytes?: number;
}

interface Table {
  readonly memory: MemoryDynamoDb;
  readonly createdMs: number;
  readonly journal: Journal<Line> | undefined;
}

type Line = { readonly createdMs: number } | Kept;

const COMPACT_BYTES = 4 * 1024 ** 2;

/**
 * Serves the in-memory DynamoDB and its streams over HTTP on this machine. Responds like DynamoDB Local.
 * @throws an Error with instructions if a saved table is damaged.
 */
export async function serveMemory({ keepIn, hasKeys = false, compactBytes = COMPACT_BYTES }: ServeOptions = {}) {
  const server = new MemoryServer(keepIn, hasKeys, compactBytes);
  await server.open();
  const http = createServer(async (request, response) => {
    const { statusCode, body } = await server.answer(request);
    response.writeHead(statusCode, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  const { port, stop } = await listenHere(http);
  const trimming = setInterval(() => server.trim(), HOUR_MS).unref();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      clearInterval(trimming);
      await stop();
      await server.close();
    },
  };
}

class MemoryServer {
  readonly #keepIn: string | undefined;
  readonly #hasKeys: boolean;
  readonly #compactBytes: number;
  /** Tables keyed by file name prefix: the access key, or an empty string. */
  readonly #tables = new Map<string, Table>();

  constructor(keepIn: string | undefined, hasKeys: boolean, compactBytes: number) {
    this.#keepIn = keepIn;
    this.#hasKeys = hasKeys;
    this.#compactBytes = compactBytes;
  }

  async open(): Promise<void> {
    if (!this.#keepIn) return;
    mkdirSync(this.#keepIn, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(this.#keepIn)) {
      const [, id, tableName] = /^(\w*~([\w.-]+))\.jsonl$/.exec(file) ?? [];
      if (id === undefined || tableName === undefined) continue;
      const { journal, entries } = await Journal.open<Line>(join(this.#keepIn, file));
      const [first] = entries;
      // Every file is created with its first line, so a file without that line is not ours.
      if (!first || !('createdMs' in first))
        throw new Error(`${file} is not a table of this version. Delete it, or choose another folder.`);
      const memory = new MemoryDynamoDb({ tableName });
      memory.restore(entries.flatMap((line) => ('createdMs' in line ? [] : [line])));
      const table = { memory, createdMs: first.createdMs, journal };
      this.#tables.set(id, table);
      this.#compact(table);
    }
  }

  async close(): Promise<void> {
    for (const { journal } of this.#tables.values()) await journal?.close();
  }

  trim(): void {
    for (const { memory } of this.#tables.values()) memory.trimStream();
  }

  async answer(request: IncomingMessage): Promise<{ readonly statusCode: number; readonly body: string }> {
    const foreign = foreignRequest(request);
    if (foreign !== undefined) return refused(new DynamoDbError('AccessDeniedException', foreign, {}, 403));
    try {
      const text = Buffer.concat(await request.toArray()).toString();
      const [service = '', operation = ''] = String(request.headers['x-amz-target']).split('.');
      const owner = this.#ownerOf(request.headers.authorization);
      const input = readInput(text);
      if (service.startsWith('DynamoDBStreams')) return await this.#stream(owner, operation, input);
      const perform = Object.hasOwn(tableOperations, operation) ? tableOperations[operation] : undefined;
      if (perform) return done(await perform(this, owner, input));
      const name = tableNameOf(input);
      // A request without a table is always rejected.
      if (name === undefined) return await new MemoryDynamoDb({}).ask({ operation, input, attempt: 1 });
      return await this.#ask(this.table(owner, readTableName(name)), operation, input);
    } catch (error) {
      if (error instanceof DynamoDbError) return refused(error);
      console.error('The in-memory DynamoDB:', error);
      return refused(new DynamoDbError('InternalServerError', String(error), {}, 500));
    }
  }

  /** Finds a table. @throws ResourceNotFoundException if the access key has no such table. */
  table(owner: string, name: string): Table {
    const table = this.#tables.get(`${owner}~${name}`);
    if (table) return table;
    throw new DynamoDbError('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
  }

  tableNames(owner: string): string[] {
    const ids = [...this.#tables.keys()].filter((id) => id.startsWith(`${owner}~`));
    return ids.map((id) => id.slice(owner.length + 1)).sort();
  }

  async create(owner: string, tableName: string): Promise<Table> {
    const id = `${owner}~${tableName}`;
    if (this.#tables.has(id)) throw new DynamoDbError('ResourceInUseException', 'Cannot create preexisting table');
    const journal = this.#keepIn ? (await Journal.open<Line>(join(this.#keepIn, `${id}.jsonl`))).journal : undefined;
    const table = { memory: new MemoryDynamoDb({ tableName }), createdMs: Date.now(), journal };
    this.#tables.set(id, table);
    this.#compact(table);
    await journal?.saved();
    return table;
  }

  #compact({ memory, createdMs, journal }: Table): void {
    memory.trimStream();
    journal?.compact([{ createdMs }, ...memory.contents()]);
  }

  async #ask(table: Table, operation: string, input: Input) {
    const { memory, journal } = table;
    const before = memory.trimmed + memory.records.length;
    const asked = memory.ask({ operation, input, attempt: 1 });
    // No other code in this process has run since the request took effect.
    const records = memory.records.slice(before - memory.trimmed);
    if (records.length > 0) journal?.append({ records });
    if (journal?.isGrown(this.#compactBytes)) this.#compact(table);
    const answer = await asked;
    // Reads also wait: they must not return data that a power loss would undo.
    await journal?.saved();
    return answer;
  }

  async #stream(owner: string, operation: string, input: Input) {
    const perform = Object.hasOwn(streamOperations, operation) ? streamOperations[operation] : undefined;
    if (!perform) throw unknownOperation(operation);
    const table = this.table(owner, tableOfArn(input));
    const answer = perform(table.memory, input);
    await table.journal?.saved();
    return done(answer);
  }

  #ownerOf(authorization = ''): string {
    const key = / Credential=(\w+)\//.exec(authorization)?.[1];
    if (key !== undefined) return this.#hasKeys ? key : '';
    throw new DynamoDbError('MissingAuthenticationTokenException', 'The request is not signed with an access key.');
  }
}

type TableOperation = (server: MemoryServer, owner: string, input: Input) => object | Promise<object>;

const tableOperations: Readonly<Record<string, TableOperation>> = {
  ListTables: (server, owner) => ({ TableNames: server.tableNames(owner) }),
  CreateTable: async (server, owner, { TableName, ...definition }) => {
    const name = readTableName(TableName);
    if (!isDeepStrictEqual(definition, JSON.parse(JSON.stringify(tableDefinition()))))
      throw invalid('The in-memory DynamoDB supports only the service’s table');
    return { TableDescription: description(name, await server.create(owner, name)) };
  },
  DescribeTable: (server, owner, input) => {
    const name = readTableName(input.TableName);
    return { Table: description(name, server.table(owner, name)) };
  },
};

function description(TableName: string, { memory, createdMs }: Table) {
  const { KeySchema, AttributeDefinitions, StreamSpecification } = tableDefinition();
  return {
    TableName,
    TableStatus: 'ACTIVE',
    KeySchema,
    AttributeDefinitions,
    StreamSpecification,
    LatestStreamArn: streamArn(TableName),
    CreationDateTime: createdMs / 1000,
    ItemCount: memory.items().length,
  };
}

function readTableName(name: unknown): string {
  if (typeof name === 'string' && /^[\w.-]{3,255}$/.test(name)) return name;
  throw invalid('A table name must have 3 to 255 letters, digits, dashes, dots or underscores');
}

function tableNameOf({ TableName, TransactItems, RequestItems }: Input): unknown {
  if (TableName !== undefined) return TableName;
  const [leg]: unknown[] = Array.isArray(TransactItems) ? TransactItems : [];
  const [write]: unknown[] = isRecord(leg) ? Object.values(leg) : [];
  return isRecord(write) ? write.TableName : Object.keys(isRecord(RequestItems) ? RequestItems : {})[0];
}

function readInput(text: string): Input {
  try {
    const input: unknown = JSON.parse(text);
    if (isRecord(input)) return input;
  } catch {
    // An unreadable body is rejected later.
  }
  throw new DynamoDbError('SerializationException', 'The request is not a JSON object');
}

function unknownOperation(operation: string) {
  return new DynamoDbError('UnknownOperationException', `The in-memory DynamoDB does not support ${operation}`);
}

function done(answer: object) {
  return { statusCode: 200, body: JSON.stringify(answer) };
}

function refused(error: DynamoDbError) {
  return { statusCode: error.statusCode, body: error.body() };
}
