import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { TRY_AGAIN } from '../values/errors.ts';
import type { Connection } from './connection.ts';
import { busy, retryWhileContended, TRIES } from './contention.ts';
import { asCurrent, carriedOver, isOlder, shapeOfKind } from './row-shape.ts';
import type { Item, Key, TableWrite } from './table.ts';
import { inCurrentShape } from './write-shape.ts';

const ON_REFUSAL = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

export async function write(connection: Connection, writes: readonly TableWrite[]) {
  const shaped = writes.map((one) => inCurrentShape(connection.shapes, one));
  const [only] = shaped;
  // A conditional Put can be repeated, because `refused` recognises our own first attempt. Repeating a bare Update
  // could debit twice, so Updates are sent as transactions, which have an idempotency token.
  const send = () =>
    shaped.length === 1 && only?.put?.ConditionExpression ? put(connection, only) : transact(connection, shaped);
  for (const { refused, current, error } of await carryingOver(connection, send)) {
    await throwRefusal(refused, current && asCurrent(connection.shapes, current), error);
  }
}

interface Refusal {
  readonly refused: TableWrite['refused'];
  readonly current: Item | undefined;
  readonly error: Error;
}

/** Upgrades older rows that make a write fail, then retries the write. */
async function carryingOver(connection: Connection, send: () => Promise<Refusal[]>): Promise<Refusal[]> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const refusals = await send();
    const older = refusals.flatMap(({ current }) => (current && isOlder(connection.shapes, current) ? [current] : []));
    if (older.length === 0) return refusals;
    for (const row of older) await carryOver(connection, row);
  }
  throw busy(`The same data is being upgraded, so nothing was done. ${TRY_AGAIN}`);
}

async function put({ client, needs, tableName }: Connection, { put, refused }: TableWrite): Promise<Refusal[]> {
  const command = new PutCommand({ ...put, Item: put?.Item, TableName: tableName, ...ON_REFUSAL });
  try {
    await retryWhileContended(needs, () => client.send(command));
    return [];
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return [{ refused, current: rowOf(error.Item), error }];
  }
}

async function transact({ client, needs, tableName }: Connection, writes: readonly TableWrite[]): Promise<Refusal[]> {
  const command = new TransactWriteCommand({
    TransactItems: writes.map(({ put, update, delete: remove, check }) => ({
      ...(put && { Put: { ...put, TableName: tableName, ...ON_REFUSAL } }),
      ...(update && { Update: { ...update, TableName: tableName, ...ON_REFUSAL } }),
      ...(remove && { Delete: { ...remove, TableName: tableName, ...ON_REFUSAL } }),
      ...(check && { ConditionCheck: { ...check, TableName: tableName, ...ON_REFUSAL } }),
    })),
    ClientRequestToken: needs.randomBytes(18).toString('base64url'),
  });
  const contended = writes.find((one) => one.contended)?.contended;
  try {
    await retryWhileContended(needs, () => client.send(command), contended);
    return [];
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const refusals = writes.flatMap(({ refused }, leg) => {
      const reason = error.CancellationReasons?.[leg];
      return reason?.Code === 'ConditionalCheckFailed' ? [{ refused, current: rowOf(reason.Item), error }] : [];
    });
    if (refusals.length === 0) throw error;
    return refusals;
  }
}

export async function remove({ client, needs, tableName }: Connection, key: Key): Promise<void> {
  await retryWhileContended(needs, () => client.send(new DeleteCommand({ TableName: tableName, Key: key })));
}

export async function update(connection: Connection, one: TableWrite) {
  const { client, needs, tableName, shapes } = connection;
  const { update } = inCurrentShape(shapes, one);
  if (!update) throw new Error('The write has no update');
  const command = new UpdateCommand({ ...update, TableName: tableName, ReturnValues: 'ALL_NEW', ...ON_REFUSAL });
  let after: Item | undefined;
  const refusals = await carryingOver(connection, async () => {
    try {
      after = (await retryWhileContended(needs, () => client.send(command))).Attributes;
      return [];
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return [{ refused: undefined, current: rowOf(error.Item), error }];
    }
  });
  // Throws for a row from a later release, which `refused` must not receive.
  for (const { current } of refusals) if (current) asCurrent(shapes, current);
  return after;
}

/** Upgrades a row. Retries if an input field has changed. Safe to repeat and to run alongside other writes. */
export async function carryOver({ client, needs, tableName, shapes }: Connection, row: Item): Promise<boolean> {
  let current: Item | undefined = row;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (!current || !isOlder(shapes, current)) return false;
    const { update } = carriedOver(shapeOfKind(shapes, current), current);
    const command = new UpdateCommand({ ...update, TableName: tableName, ...ON_REFUSAL });
    try {
      await retryWhileContended(needs, () => client.send(command));
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      current = rowOf(error.Item);
    }
  }
  throw busy(`Other requests keep changing the same data, so nothing was done. ${TRY_AGAIN}`);
}

function rowOf(attributes: Record<string, AttributeValue> | undefined): Item | undefined {
  return attributes && unmarshall(attributes);
}

async function throwRefusal(refused: TableWrite['refused'], current: Item | undefined, error: Error) {
  if (!refused) throw error;
  const refusal = await refused(current);
  if (refusal) throw refusal;
}
