import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isRecord } from '../../../infra/local/memory-dynamodb/values.ts';

/** Replaces `DynamoDBDocumentClient`, which needs the middleware stack that `wirelessClient` bypasses. */

type Part = Record<string, unknown>;

const IN_REQUESTS = new Set(['Key', 'Keys', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);
const IN_ANSWERS = new Set(['Key', 'Keys', 'Item', 'Items', 'Attributes', 'LastEvaluatedKey']);

export function marshalled(request: Part, options?: Parameters<typeof marshall>[1]): Part {
  const one = (value: unknown) => marshall(value, { ...options, convertTopLevelContainer: true });
  return withRows(request, IN_REQUESTS, (row) => mapValues(row, one));
}

export function unmarshalled({ Responses, ...answer }: Part): Part {
  const plain = withRows(answer, IN_ANSWERS, unmarshall);
  return isRecord(Responses)
    ? { ...plain, Responses: mapValues(Responses, (rows) => eachRow(rows, unmarshall)) }
    : plain;
}

/** Transforms the rows in these fields, at any depth. */
function withRows(part: Part, names: ReadonlySet<string>, change: (row: never) => Part): Part {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isRecord(value) ? withRows(value, names, change) : value;
  };
  return mapValues(part, (value, name) => (names.has(name) ? eachRow(value, change) : inner(value)));
}

function eachRow(rows: unknown, change: (row: never) => Part): unknown {
  return Array.isArray(rows) ? rows.map((row) => change(row as never)) : change(rows as never);
}

function mapValues(part: Part, change: (value: unknown, name: string) => unknown): Part {
  const changed: Part = {};
  for (const [name, value] of Object.entries(part)) if (value !== undefined) changed[name] = change(value, name);
  return changed;
}
