import * as z from 'zod';
import type { CompleteRow, Rights, TableRights } from '../../shared/runtime/triggers/row.ts';
import { recordCall } from './recorded-calls.ts';

/**
 * Simulates IAM's authorization of table requests, which the databases do not perform. Checks each part of a request
 * against the rights for its action and partition keys. A transaction has one part per write.
 */

/** Lists the parts of a request that `functions/rights.ts` does not allow. */
export function notGranted(row: CompleteRow, operation: string, input: unknown): string[] {
  const parts = partsOf(operation, input);
  recordCall(row, operation, parts);
  return parts.flatMap(({ action, index, partition }) => {
    const granted = index === undefined ? row.table[action] : row.indexes?.[index];
    if (granted?.some((pattern) => matches(pattern, partition))) return [];
    return [`may not ${action} ${partition}${index ? ` in ${index}` : ''}`];
  });
}

interface Part {
  readonly action: keyof TableRights;
  readonly index?: keyof NonNullable<Rights['indexes']> | undefined;
  readonly partition: string;
}

function partsOf(operation: string, input: unknown): Part[] {
  switch (operation) {
    case 'GetItem':
    case 'UpdateItem':
    case 'DeleteItem':
    case 'ConditionCheckItem':
      return [{ action: operation, partition: WithKey.parse(input).Key.pk.S }];
    case 'PutItem':
      return [{ action: operation, partition: WithItem.parse(input).Item.pk.S }];
    case 'BatchGetItem':
      return Object.values(Batch.parse(input).RequestItems).flatMap(({ Keys }) =>
        Keys.map(({ pk }) => ({ action: operation, partition: pk.S })),
      );
    case 'Query': {
      const { IndexName: index, ExpressionAttributeValues: values } = Query.parse(input);
      return [{ action: operation, index, partition: values[':pk'].S }];
    }
    case 'TransactWriteItems':
      return Charge.parse(input).TransactItems.flatMap((leg) =>
        Object.entries(leg).flatMap(([kind, content]) => partsOf(`${kind}Item`, content)),
      );
    default:
      throw new Error(`No permissions are known for ${operation}`);
  }
}

export function exampleOf(pattern: string): string {
  return pattern.replaceAll('*', '1');
}

/** Implements IAM's StringLike for the wildcard `*`. */
export function matches(pattern: string, text: string): boolean {
  return regExpOf(pattern).test(text);
}

function regExpOf(pattern: string): RegExp {
  const known = regExps.get(pattern);
  if (known) return known;
  const literal = pattern.split('*').map((part) => RegExp.escape(part));
  const regExp = new RegExp(`^${literal.join('.*')}$`, 's');
  regExps.set(pattern, regExp);
  return regExp;
}

const regExps = new Map<string, RegExp>();

const Key = z.object({ pk: z.object({ S: z.string() }) });
const WithKey = z.object({ Key });
const WithItem = z.object({ Item: Key });
const Batch = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Key) })) });
const Query = z.object({
  IndexName: z.enum(['gsi1', 'gsi2']).optional(),
  ExpressionAttributeValues: z.object({ ':pk': z.object({ S: z.string() }) }),
});
const Charge = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) });
