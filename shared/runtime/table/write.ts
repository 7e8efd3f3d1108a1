import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Connection } from './connection.ts';
import { retryWhileContended } from './contention.ts';
import { asCurrent, unlessLater } from './row-shape.ts';
import type { Item, Key, TableWrite } from './table.ts';

const ON_REFUSAL = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

export async function write(connection: Connection, writes: readonly TableWrite[]) {
  const guarded = writes.map(unlessLater);
  const [only] = guarded;
  // A conditional Put can be repeated, because `refused` recognises our own first attempt. Repeating a bare Update
  // could debit twice, so Updates are sent as transactions, which have an idempotency token.
  const isOnePut = guarded.length === 1 && only?.put?.ConditionExpression !== undefined;
  const refusals = isOnePut ? await put(connection, only) : await transact(connection, guarded);
  for (const { refused, current, error } of refusals) await throwRefusal(refused, current && asCurrent(current), error);
}

interface Refusal {
  readonly refused: TableWrite['refused'];
  readonly current: Item | undefined;
  readonly error: Error;
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

export async function update({ client, needs, tableName }: Connection, one: TableWrite) {
  const { update } = unlessLater(one);
  if (!update) throw new Error('The write has no update');
  const command = new UpdateCommand({ ...update, TableName: tableName, ReturnValues: 'ALL_NEW', ...ON_REFUSAL });
  try {
    return (await retryWhileContended(needs, () => client.send(command))).Attributes;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const current = rowOf(error.Item);
    if (current) asCurrent(current);
    return undefined;
  }
}

function rowOf(attributes: Record<string, AttributeValue> | undefined): Item | undefined {
  return attributes && unmarshall(attributes);
}

async function throwRefusal(refused: TableWrite['refused'], current: Item | undefined, error: Error) {
  if (!refused) throw error;
  const refusal = await refused(current);
  if (refusal) throw refusal;
}
