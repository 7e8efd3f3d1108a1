import type { DynamoDBRecord } from 'aws-lambda';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';
import { type Capacity, OverCapacity } from './memory-dynamodb/capacity.ts';
import { DynamoDbError } from './memory-dynamodb/errors.ts';
import {
  batchGetItem,
  cancelled,
  type Input,
  NO_REASON,
  operations,
  type Table,
} from './memory-dynamodb/operations.ts';
import { Store, type Write } from './memory-dynamodb/store.ts';
import { attributeOf, checkAttributes } from './memory-dynamodb/values.ts';

/**
 * An in-memory DynamoDB with the service's single table. Handles a million requests in a test, and can fail in ways
 * that DynamoDB Local never does. `serve-memory.ts` adds HTTP.
 *
 * Unsupported features are rejected by name: other tables and operations, sets and binary values, document paths
 * (`a.b`, `a[0]`), the functions size, contains, attribute_type and list_append, DELETE in updates, projections,
 * consumed capacity, and the parameters that predate expressions.
 *
 * Transactions never conflict and capacity never runs out unless `onRequest` or `Capacity` simulates it. Reads are
 * always consistent, except on indexes (`indexLag`). Items do not expire until `expire` is called. Error messages are
 * similar to DynamoDB's but not identical.
 *
 * Follows AWS's documentation where DynamoDB Local differs: an item that does not allow its write cancels a transaction
 * with the reason ValidationError, two writes to one item are always rejected, a token is never empty, and numbers
 * inside lists and maps are normalised.
 */

export type Fate =
  | 'pass'
  /** The connection fails before the request arrives. */
  | 'lose-request'
  /** The request takes effect, but its response is lost. */
  | 'lose-answer'
  | 'throttle'
  /** Another transaction holds the item (in a transaction, the first write's item). Reads succeed. */
  | 'conflict'
  | 'internal'
  /** BatchGetItem returns only half of its items. Other requests succeed. */
  | 'unprocessed';

export interface MemoryRequest {
  readonly operation: string;
  /** The request in DynamoDB's wire format. Must not be modified. */
  readonly input: Input;
  /** The attempt's number, starting at 1. */
  readonly attempt: number;
}

export interface MemoryOptions {
  readonly tableName?: string;
  /** Returns milliseconds since 1970. Used for the stream, and for tokens, which are valid for ten minutes. */
  readonly now?: () => number;
  readonly indexLag?: number;
}

export function createMemoryDynamoDb(options: MemoryOptions = {}): MemoryDynamoDb {
  return new MemoryDynamoDb(options);
}

export class MemoryDynamoDb {
  readonly tableName: string;
  /** Decides the outcome of each attempt. Other requests can overtake an attempt that is waiting. */
  onRequest: ((request: MemoryRequest) => Fate | Promise<Fate>) | undefined;
  readonly requestHandler = {
    handle: (request: HttpRequest) => this.#handle(request),
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  };
  readonly #now: () => number;
  #store = new Store();
  #tokens: Table['tokens'] = new Map();
  #requests = 0;

  constructor({ tableName = 'memory', now = Date.now, indexLag = 0 }: MemoryOptions) {
    this.tableName = tableName;
    this.#now = now;
    this.#store.indexLag = indexLag;
  }

  /** The table's stream in write order, as Lambda receives it. Must not be modified. */
  get records(): readonly DynamoDBRecord[] {
    return this.#store.records;
  }

  get trimmed(): number {
    return this.#store.trimmed;
  }

  trimStream(): void {
    this.#store.trim((this.#now() - DAY_MS) / 1000);
  }

  *contents(): Generator<Kept> {
    for (const { pk, sk, item } of this.#rows()) yield { item: { pk, sk, item } };
    yield { gone: this.trimmed, records: [] };
    for (const record of this.records) yield { gone: this.trimmed, records: [record] };
  }

  restore(lines: Iterable<Kept>): void {
    let gone = 0;
    const records: DynamoDBRecord[] = [];
    for (const line of lines) {
      if ('item' in line) this.#store.restore(line.item);
      else {
        records.push(...line.records);
        if ('gone' in line) gone = line.gone;
        else for (const record of line.records) this.#store.restore(writeOf(record));
      }
    }
    this.#store.restoreRecords(records, gone);
  }

  get indexLag(): number {
    return this.#store.indexLag;
  }

  /**
   * Sets the number of writes by which the indexes lag behind the table. A smaller lag takes effect at the next index
   * read.
   */
  set indexLag(writes: number) {
    this.#store.indexLag = writes;
  }

  /** Limits each key's throughput per second. Unlimited by default. */
  set capacity(capacity: Capacity) {
    this.#store.capacity = capacity;
  }

  /** Returns all items, in order within each partition. Must not be modified. */
  items(): Readonly<Record<string, unknown>>[] {
    return this.#rows().map(({ plain }) => plain);
  }

  catchUpIndexes(): void {
    this.#store.catchUpIndexes(0);
  }

  expire(nowSeconds: number): number {
    const expired = this.#rows().filter(({ item }) => {
      const end = attributeOf(item, tableSchema.timeToLiveAttribute);
      return end !== undefined && 'N' in end && Number(end.N) < nowSeconds;
    });
    for (const { pk, sk } of expired) this.#store.write({ pk, sk, item: undefined }, this.#now(), true);
    return expired.length;
  }

  /** Returns an independent copy. Copying is cheap regardless of size. */
  clone(): MemoryDynamoDb {
    const clone = new MemoryDynamoDb({ tableName: this.tableName, now: this.#now });
    clone.reset(this);
    return clone;
  }

  /** Empties the database, or replaces its contents with those of a different database. Clients stay connected. */
  reset(to?: MemoryDynamoDb): void {
    const { indexLag } = this;
    this.#store = to ? to.#store.copy() : new Store();
    if (!to) this.#store.indexLag = indexLag;
    this.#tokens = new Map(to ? to.#tokens : []);
  }

  #rows() {
    return [...this.#store.partitionNames()].flatMap((name) => this.#store.partition(name));
  }

  async #handle({ headers, body }: HttpRequest): Promise<{ response: HttpResponse }> {
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    const response = await this.ask({ operation, input: JSON.parse(textOf(body)), attempt: attemptOf(headers) });
    return { response: { ...response, body: Buffer.from(response.body) } };
  }

  /** Processes one attempt of a request. @throws if the connection fails. */
  async ask(request: MemoryRequest): Promise<HttpResponse & { readonly body: string }> {
    const fate = this.onRequest ? await this.onRequest(request) : 'pass';
    if (fate === 'lose-request') throw connectionReset();
    const answer = this.#answer(request.operation, request.input, fate);
    if (fate === 'lose-answer') throw connectionReset();
    return answer;
  }

  #answer(operation: string, input: Input, fate: Fate): HttpResponse & { readonly body: string } {
    const requestId = String(++this.#requests);
    try {
      return httpResponse(200, this.#perform(operation, input, fate), requestId);
    } catch (error) {
      if (!(error instanceof DynamoDbError)) throw error;
      return httpResponse(error.statusCode, error.body(), requestId);
    }
  }

  #perform(operation: string, input: Input, fate: Fate): string {
    const perform = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (!perform)
      throw new DynamoDbError('UnknownOperationException', `The in-memory DynamoDB does not support ${operation}`);
    const failure = failureOf(fate, operation, input);
    if (failure) throw failure;
    const table = { name: this.tableName, store: this.#store, tokens: this.#tokens, nowMs: this.#now() };
    try {
      return fate === 'unprocessed' && operation === 'BatchGetItem'
        ? batchGetItem(table, input, 0.5)
        : perform(table, input);
    } catch (error) {
      throw (error instanceof OverCapacity && failureOf('throttle', operation, input)) || error;
    }
  }
}

/** A line of a saved file: an item, part of the stream, or the changes of a later request. */
export type Kept =
  | { readonly item: Write }
  | { readonly gone: number; readonly records: readonly DynamoDBRecord[] }
  | { readonly records: readonly DynamoDBRecord[] };

function writeOf({ dynamodb }: DynamoDBRecord): Write {
  const [pk, sk, image]: unknown[] = [dynamodb?.Keys?.pk?.S, dynamodb?.Keys?.sk?.S, dynamodb?.NewImage];
  if (typeof pk !== 'string' || typeof sk !== 'string') throw new Error('A saved stream record has no key');
  if (image === undefined) return { pk, sk, item: undefined };
  checkAttributes(image);
  return { pk, sk, item: image };
}

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string;
}

function httpResponse(statusCode: number, body: string, requestId: string) {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': requestId };
  return { statusCode, headers, body };
}

function attemptOf(headers: HttpRequest['headers']): number {
  return Number(/attempt=(\d+)/.exec(headers['amz-sdk-request'] ?? '')?.[1] ?? 1);
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', name: 'TimeoutError' });
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);

function failureOf(fate: Fate, operation: string, input: Input): DynamoDbError | undefined {
  const inTransaction = operation === 'TransactWriteItems';
  switch (fate) {
    case 'throttle': {
      const message = 'The level of configured provisioned throughput for the table was exceeded';
      return inTransaction
        ? cancelledAtFirst(input, 'ThrottlingError', message)
        : new DynamoDbError('ProvisionedThroughputExceededException', message);
    }
    case 'conflict': {
      const message = 'Transaction is ongoing for the item';
      if (inTransaction) return cancelledAtFirst(input, 'TransactionConflict', message);
      return READS.has(operation) ? undefined : new DynamoDbError('TransactionConflictException', message);
    }
    case 'internal':
      return new DynamoDbError('InternalServerError', 'The request could not be processed', {}, 500);
    default:
      return undefined;
  }
}

function cancelledAtFirst({ TransactItems }: Input, Code: string, Message: string): DynamoDbError {
  const legs: unknown[] = Array.isArray(TransactItems) ? TransactItems : [];
  return cancelled(legs.map((_, n) => (n === 0 ? { Code, Message } : NO_REASON)));
}
