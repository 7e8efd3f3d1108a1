import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Connection } from './connection.ts';
import { retryWhileContended } from './contention.ts';
import type { TableWrite } from './table.ts';

const ON_REFUSAL = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

export async function write(connection: Connection, writes: readonly TableWrite[]) {
  const [only] = writes;
  // A conditional Put is safe to repeat: when it fails because of our own first try, `refused` sees that. A bare Update
  // is not: the SDK repeats a request whose answer was lost, and would debit twice. So updates always go as transactions,
  // which carry a token.
  if (writes.length === 1 && only?.put?.ConditionExpression) await put(connection, only);
  else await transact(connection, writes);
}

async function put({ client, needs, tableName }: Connection, { put, refused }: TableWrite) {
  const command = new PutCommand({ ...put, Item: put?.Item, TableName: tableName, ...ON_REFUSAL });
  try {
    await retryWhileContended(needs, () => client.send(command));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throwRefusal(refused, error.Item, error);
  }
}

async function transact({ client, needs, tableName }: Connection, writes: readonly TableWrite[]) {
  const command = new TransactWriteCommand({
    TransactItems: writes.map(({ put, update, delete: remove }) => ({
      ...(put && { Put: { ...put, TableName: tableName, ...ON_REFUSAL } }),
      ...(update && { Update: { ...update, TableName: tableName, ...ON_REFUSAL } }),
      ...(remove && { Delete: { ...remove, TableName: tableName, ...ON_REFUSAL } }),
    })),
    ClientRequestToken: needs.randomBytes(18).toString('base64url'),
  });
  try {
    await retryWhileContended(needs, () => client.send(command));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const refusals = writes.flatMap(({ refused }, leg) => {
      const reason = error.CancellationReasons?.[leg];
      return reason?.Code === 'ConditionalCheckFailed' ? [{ refused, current: reason.Item }] : [];
    });
    if (refusals.length === 0) throw error;
    for (const { refused, current } of refusals) throwRefusal(refused, current, error);
  }
}

export async function update({ client, needs, tableName }: Connection, { update }: TableWrite) {
  if (!update) throw new Error('update() takes a write with an update');
  const command = new UpdateCommand({ ...update, TableName: tableName, ReturnValues: 'ALL_NEW' });
  try {
    const { Attributes } = await retryWhileContended(needs, () => client.send(command));
    return Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

function throwRefusal(
  refused: TableWrite['refused'],
  current: Record<string, AttributeValue> | undefined,
  error: Error,
) {
  if (!refused) throw error;
  const refusal = refused(current && unmarshall(current));
  if (refusal) throw refusal;
}
