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
  readonly before?: Item;
  readonly after?: Item;
}

/**
 * Runs a function and measures its use of a world's table. Units are computed from the items' bytes by AWS's rules,
 * because DynamoDB Local's figure for transactions is wrong. Only successful requests count.
 * - A write costs one unit per started KB of the larger of the item before and after; in a transaction two.
 * - An index costs one unit per started KB of an entry that appears or disappears: two if its key changes, none if the
 * entry is unchanged. Indexes are written after the transaction, not in it.
 * - A strongly consistent read costs one unit per started 4 KB of each item, or of a query's items together; an index
 * read is eventually consistent and costs half.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html and
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
    const answer = await really();
    requests.push(command.constructor.name.replace(/Command$/, ''));
    readUnits += readUnitsOf(command, answer);
    for (const [n, { key, isCharge }] of writes.entries()) {
      const change = { before: before[n], after: await read(key) };
      changes.push(change);
      writeUnits += writeUnitsOf(change, isCharge);
    }
    return answer;
  }, run);
  return { requests: requests.map(operationOf), readUnits, writeUnits, changes };

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

function writesOf(command: object): { key: Key; isCharge: boolean }[] {
  if (command instanceof PutCommand) return [{ key: keyOf(command.input.Item), isCharge: false }];
  if (command instanceof UpdateCommand || command instanceof DeleteCommand)
    return [{ key: keyOf(command.input.Key), isCharge: false }];
  if (command instanceof TransactWriteCommand) {
    return (command.input.TransactItems ?? []).map(({ Put, Update, Delete, ConditionCheck }) => ({
      key: keyOf(Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key),
      isCharge: true,
    }));
  }
  if (isRead(command)) return [];
  throw new Error(`The meter does not know ${command.constructor.name}. Add its rule to meter.ts.`);
}

function isRead(command: object): boolean {
  return command instanceof GetCommand || command instanceof BatchGetCommand || command instanceof QueryCommand;
}

function writeUnitsOf({ before, after }: Change, isCharge: boolean): number {
  const table = units(Math.max(bytesOf(before), bytesOf(after)), WRITE_UNIT_BYTES) * (isCharge ? 2 : 1);
  const indexes = tableSchema.indexes.map(({ partitionKey, sortKey }) => {
    const [old, now] = [before, after].map((item) => entryOf(item, [partitionKey, sortKey]));
    if (JSON.stringify(old) === JSON.stringify(now)) return 0;
    return [old, now].reduce((sum, entry) => sum + (entry ? units(itemBytes(entry), WRITE_UNIT_BYTES) : 0), 0);
  });
  return indexes.reduce((sum, units) => sum + units, table);
}

/** An item's index entry: the keys of both. Undefined without the index's attributes. */
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
  // A missing item costs as much as a small one.
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
