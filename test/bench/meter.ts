import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { itemBytes } from '../../shared/runtime/table/item-bytes.ts';
import type { Item, Key } from '../../shared/runtime/table/table.ts';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';
import { databaseOf, type World } from '../support/world.ts';
import { withSend } from './world.ts';

export interface Usage {
  readonly requests: readonly string[];
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly changes: readonly Change[];
}

export interface Change {
  readonly before?: Item | undefined;
  readonly after?: Item | undefined;
}

/**
 * Runs a function and measures its use of a world's table. Units are calculated from the items' sizes by AWS's rules,
 * because DynamoDB Local's figure for transactions is wrong.
 * - A write costs one unit per started KB of the larger version of the item (before or after), and two in a
 *   transaction.
 * - An index costs one unit per started KB of an entry that is added or removed: two if its key changes, none if the
 *   entry is unchanged. Index entries are written after the transaction rather than as part of it.
 * - A write whose condition is not met costs as much as a successful write, without the indexes. A cancelled
 *   transaction is counted as both of DynamoDB's writes of each item, one to prepare and one to commit, because AWS
 *   does not publish a lower figure.
 * - A strongly consistent read costs one unit per started 4 KB of each item, or of all items in a query together. The
 *   size is that of the whole item, also if a projection returns only some of its fields. An index read is eventually
 *   consistent and costs half.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html#WorkingWithItems.ConditionalUpdate,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
export async function meter(world: World, run: () => Promise<unknown>): Promise<Usage> {
  const { client, tableName } = databaseOf(world);
  const requests: string[] = [];
  const changes: Change[] = [];
  let readUnits = 0;
  let writeUnits = 0;
  const ownReads = new Set<object>();
  await withSend(async (command, really) => {
    if (ownReads.has(command)) return really();
    const writes = writesOf(command);
    const before = await Promise.all(writes.map(({ key }) => read(key)));
    requests.push(command.constructor.name.replace(/Command$/, ''));
    const answer = await really().catch((error: unknown) => {
      if (isRefusal(error))
        for (const [n, { item, inTransaction }] of writes.entries())
          writeUnits += tableUnits({ before: before[n], after: item }, inTransaction);
      throw error;
    });
    readUnits += readUnitsOf(command, isProjected(command) ? await readWhole(command) : answer);
    for (const [n, { key, inTransaction }] of writes.entries()) {
      const change = { before: before[n], after: await read(key) };
      changes.push(change);
      writeUnits += writeUnitsOf(change, inTransaction);
    }
    return answer;
  }, run);
  return { requests: requests.map(operationOf), readUnits, writeUnits, changes };

  /** Repeats a read without its projection. DynamoDB bills whole items, also if only some fields are returned. */
  async function readWhole({ input: { RequestItems = {} } }: BatchGetCommand): Promise<unknown> {
    const whole = Object.entries(RequestItems).map(([name, { Keys, ConsistentRead }]) => [
      name,
      { Keys, ConsistentRead },
    ]);
    const command = new BatchGetCommand({ RequestItems: Object.fromEntries(whole) });
    ownReads.add(command);
    return client.send(command);
  }

  async function read(key: Key): Promise<Item | undefined> {
    const command = new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true });
    ownReads.add(command);
    return (await client.send(command)).Item;
  }
}

function operationOf(command: string): string {
  return (
    {
      Get: 'GetItem',
      BatchGet: 'BatchGetItem',
      Put: 'PutItem',
      Delete: 'DeleteItem',
      Update: 'UpdateItem',
      TransactWrite: 'TransactWriteItems',
    }[command] ?? command
  );
}

interface Write {
  readonly key: Key;
  /** The new item. Undefined for an update, whose result is unknown. */
  readonly item?: Item | undefined;
  readonly inTransaction: boolean;
}

function writesOf(command: object): Write[] {
  if (command instanceof PutCommand)
    return [{ key: keyOf(command.input.Item), item: command.input.Item, inTransaction: false }];
  if (command instanceof UpdateCommand || command instanceof DeleteCommand)
    return [{ key: keyOf(command.input.Key), inTransaction: false }];
  if (command instanceof TransactWriteCommand) {
    return (command.input.TransactItems ?? []).map(({ Put, Update, Delete, ConditionCheck }) => ({
      key: keyOf(Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key),
      item: Put?.Item,
      inTransaction: true,
    }));
  }
  if (isRead(command)) return [];
  throw new Error(`The meter does not know ${command.constructor.name}. Add its rule to meter.ts.`);
}

function isRead(command: object): boolean {
  return command instanceof GetCommand || command instanceof BatchGetCommand || command instanceof QueryCommand;
}

function isProjected(command: object): command is BatchGetCommand {
  if (command instanceof BatchGetCommand)
    return Object.values(command.input.RequestItems ?? {}).some(({ ProjectionExpression }) => ProjectionExpression);
  const isOther =
    (command instanceof GetCommand || command instanceof QueryCommand) && command.input.ProjectionExpression;
  if (isOther) throw new Error('The meter knows projections only in BatchGetCommand. Add its rule to meter.ts.');
  return false;
}

/** True if DynamoDB rejected a write because of a condition or conflict. Throttled requests are free. */
function isRefusal(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException || error instanceof TransactionCanceledException;
}

/** A missing item costs as much as a small one. */
function tableUnits({ before, after }: Change, inTransaction: boolean): number {
  const bytes = Math.max(1, bytesOf(before), bytesOf(after));
  return units(bytes, WRITE_UNIT_BYTES) * (inTransaction ? 2 : 1);
}

function writeUnitsOf(change: Change, inTransaction: boolean): number {
  const { before, after } = change;
  const indexes = tableSchema.indexes.map(({ partitionKey, sortKey }) => {
    const [old, now] = [before, after].map((item) => entryOf(item, [partitionKey, sortKey]));
    if (JSON.stringify(old) === JSON.stringify(now)) return 0;
    return [old, now].reduce((sum, entry) => sum + (entry ? units(itemBytes(entry), WRITE_UNIT_BYTES) : 0), 0);
  });
  return indexes.reduce((sum, units) => sum + units, tableUnits(change, inTransaction));
}

/** Returns an item's index entry, or undefined if the item lacks the index's attributes. */
function entryOf(item: Item | undefined, names: readonly string[]): Item | undefined {
  if (!item || names.some((name) => item[name] === undefined)) return undefined;
  return Object.fromEntries([...Object.keys(keyOf(item)), ...names].map((name) => [name, item[name]]));
}

function readUnitsOf(command: object, answer: unknown): number {
  const { Item, Items, Responses } = answer as {
    Item?: Item;
    Items?: Item[];
    Responses?: Readonly<Record<string, Item[]>>;
  };
  // Reading a missing item costs as much as reading a small one.
  if (command instanceof GetCommand) return units(Math.max(1, bytesOf(Item)), READ_UNIT_BYTES);
  if (command instanceof QueryCommand) {
    const bytes = (Items ?? []).reduce((sum, item) => sum + itemBytes(item), 0);
    return units(Math.max(1, bytes), READ_UNIT_BYTES) * (command.input.ConsistentRead ? 1 : 0.5);
  }
  if (command instanceof BatchGetCommand) {
    const wanted = Object.values(command.input.RequestItems ?? {}).flatMap(({ Keys }) => Keys ?? []).length;
    const found = Object.values(Responses ?? {}).flat();
    return found.reduce((sum, item) => sum + units(itemBytes(item), READ_UNIT_BYTES), wanted - found.length);
  }
  return 0;
}

const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;

function units(bytes: number, unitBytes: number): number {
  return Math.ceil(bytes / unitBytes);
}

function bytesOf(item: Item | undefined): number {
  return item ? itemBytes(item) : 0;
}

function keyOf(item: Item | undefined): Key {
  return { pk: String(item?.pk), sk: String(item?.sk) };
}
