import { currentNumber, shapeOfKind } from './row-shape.ts';
import type { RowShape, TableWrite } from './table.ts';

/**
 * Makes a write store its row in the current shape and fail if the stored row has another shape. Unconditional Puts and
 * Deletes do not check the stored row.
 */
export function inCurrentShape(shapes: readonly RowShape[], write: TableWrite): TableWrite {
  const { put, update, delete: remove } = write;
  const current = currentNumber(shapeOfKind(shapes, put?.Item ?? update?.Key ?? remove?.Key ?? {}));
  if (current === 1) return update ? { ...write, update: { ...update, ...only(update, UNNUMBERED) } } : write;
  const values = { ':row_shape': current };
  const condition = 'attribute_not_exists(pk) OR shape = :row_shape';
  if (put) {
    const guard = put.ConditionExpression ? only(put, condition, values) : {};
    return { ...write, put: { ...put, ...guard, Item: { ...put.Item, shape: current } } };
  }
  if (remove)
    return remove.ConditionExpression ? { ...write, delete: { ...remove, ...only(remove, condition, values) } } : write;
  if (!update) return write;
  return {
    ...write,
    update: { ...update, ...only(update, condition, values), UpdateExpression: numbered(update.UpdateExpression) },
  };
}

const UNNUMBERED = 'attribute_not_exists(shape)';

interface Conditional {
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

function only(
  { ConditionExpression: also, ExpressionAttributeValues: given }: Conditional,
  condition: string,
  values: Readonly<Record<string, unknown>> = {},
) {
  const all = { ...given, ...values };
  return {
    ConditionExpression: [also, condition].flatMap((one) => (one ? [asOperand(one, also)] : [])).join(' AND '),
    ...(Object.keys(all).length > 0 && { ExpressionAttributeValues: all }),
  };
}

/** Adds parentheses if the expression has an OR at the top level. DynamoDB rejects redundant parentheses. */
function asOperand(expression: string, beside: string | undefined): string {
  if (!beside || !expression.includes('OR')) return expression;
  let depth = 0;
  for (const [token] of expression.matchAll(/[()]|\bOR\b/g)) {
    if (token === 'OR' && depth === 0) return `(${expression})`;
    depth += token === '(' ? 1 : token === ')' ? -1 : 0;
  }
  return expression;
}

function numbered(expression = ''): string {
  const set = 'SET shape = :row_shape';
  return /\bSET\b/.test(expression) ? expression.replace(/\bSET\b/, `${set},`) : `${set} ${expression}`;
}
