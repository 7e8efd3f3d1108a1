import type { Item, TableWrite } from './table.ts';

/**
 * Returns a row of this release, which has no `shape`. A later release numbers the rows whose fields it changes. While
 * both run, this one refuses such rows, because a partial read would lose data.
 * @throws RowOfLaterRelease
 */
export function asCurrent(row: Item): Item {
  if (row.shape !== undefined) throw new RowOfLaterRelease(row);
  return row;
}

/** Makes an update fail if a later release wrote the row. Unconditional Puts and Deletes do not check the row. */
export function unlessLater(write: TableWrite): TableWrite {
  const { update } = write;
  if (!update) return write;
  const { ConditionExpression: given } = update;
  const ConditionExpression = given ? `${asOperand(given)} AND ${OF_THIS_RELEASE}` : OF_THIS_RELEASE;
  return { ...write, update: { ...update, ConditionExpression } };
}

const OF_THIS_RELEASE = 'attribute_not_exists(shape)';

/** Adds parentheses if the expression has an OR at the top level. DynamoDB rejects redundant parentheses. */
function asOperand(expression: string): string {
  let depth = 0;
  for (const [token] of expression.matchAll(/[()]|\bOR\b/g)) {
    if (token === 'OR' && depth === 0) return `(${expression})`;
    depth += token === '(' ? 1 : token === ')' ? -1 : 0;
  }
  return expression;
}

/**
 * Thrown for a row from a release that is still being deployed. Callers can retry in a minute and workers retry
 * automatically. No alarm rolls back the deployment.
 */
export class RowOfLaterRelease extends Error {
  constructor({ sk, shape }: Item) {
    super(`A row ${String(sk).replace(/#.*/, '')} has shape ${shape}, which this release does not know.`);
  }
}

export const LATER_RELEASE_SECONDS = 60;
