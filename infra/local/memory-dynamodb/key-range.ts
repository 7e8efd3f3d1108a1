import type { Bindings } from './bindings.ts';
import { invalid } from './errors.ts';
import type { Comparator, Condition, Operand, Path } from './expressions.ts';
import { compareTexts, type Value } from './values.ts';

export interface KeyRange {
  readonly partition: string;
  readonly isReached: (row: { sort: string }) => boolean;
  readonly isPast: (row: { sort: string }) => boolean;
  /** Lowest and highest sort keys that the condition allows, inclusive. */
  readonly lowest?: string | undefined;
  readonly highest?: string | undefined;
}

const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

export function keyRange(condition: Condition, names: { pk: string; sk: string }, bindings: Bindings): KeyRange {
  const parts = condition.is === 'and' ? [condition.left, condition.right] : [condition];
  const keys = parts.map((part) => keyPart(part, bindings));
  const [partition, ...twice] = keys.filter(({ name }) => name === names.pk);
  const [sort, ...sortTwice] = keys.filter(({ name }) => name === names.sk);
  if (twice.length + sortTwice.length > 0) {
    throw invalid('KeyConditionExpressions must only contain one condition per key');
  }
  if (!partition || (keys.length === 2 && !sort)) throw invalid('Query condition missed key schema element');
  if (partition.operator !== '=') throw invalid('Query key condition not supported');
  const [name = ''] = partition.operands.map((value) => keyText(value, names.pk));
  const bounds = sort?.operands.map((value) => keyText(value, names.sk)) ?? [];
  return { partition: name, ...sortRange(sort?.operator, bounds) };
}

function sortRange(
  operator: string | undefined,
  [low = '', high = low]: readonly string[],
): Omit<KeyRange, 'partition'> {
  const from = (row: { sort: string }) => compareTexts(row.sort, low) >= 0;
  const behind = (row: { sort: string }) => compareTexts(row.sort, low) > 0;
  switch (operator) {
    case undefined:
      return { isReached: () => true, isPast: () => false };
    case '=':
      return { isReached: from, isPast: behind };
    case '<':
      return { isReached: () => true, isPast: from };
    case '<=':
      return { isReached: () => true, isPast: behind, highest: low };
    case '>':
      return { isReached: behind, isPast: () => false };
    case '>=':
      return { isReached: from, isPast: () => false, lowest: low };
    case 'BETWEEN':
      return { isReached: from, isPast: (row) => compareTexts(row.sort, high) > 0, lowest: low, highest: high };
    case 'begins_with':
      return { isReached: from, isPast: (row) => from(row) && !row.sort.startsWith(low) };
    default:
      throw invalid(`Invalid operator used in KeyConditionExpression: ${operator}`);
  }
}

interface KeyPart {
  readonly name: string;
  readonly operator: string;
  readonly operands: readonly Value[];
}

function keyPart(condition: Condition, bindings: Bindings): KeyPart {
  switch (condition.is) {
    case 'compare': {
      const { left, comparator, right } = condition;
      return left.is === 'value'
        ? keyPartOf(right, MIRRORED[comparator], [left], bindings)
        : keyPartOf(left, comparator, [right], bindings);
    }
    case 'between':
      return keyPartOf(condition.operand, 'BETWEEN', [condition.low, condition.high], bindings);
    case 'begins_with':
      return keyPartOf(condition.operand, 'begins_with', [condition.prefix], bindings);
    case 'and':
      throw invalid('Conditions can be of length 1 or 2 only');
    case 'exists':
      throw invalid('Invalid operator used in KeyConditionExpression: attribute_exists');
    default:
      throw invalid(`Invalid operator used in KeyConditionExpression: ${condition.is.toUpperCase()}`);
  }
}

function keyPartOf(key: Operand, operator: string, operands: readonly Operand[], bindings: Bindings): KeyPart {
  const values = operands.flatMap((operand) => (operand.is === 'value' ? [bindings.value(operand)] : []));
  if (key.is !== 'path' || values.length < operands.length) {
    throw invalid('Invalid condition in KeyConditionExpression: a key is compared to values');
  }
  return { name: bindings.attribute(key), operator, operands: values };
}

/** Returns a key's string value. Rejects an empty string. */
function keyText(value: Value, name: string): string {
  if (!('S' in value)) {
    throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
  }
  if (value.S !== '') return value.S;
  throw invalid(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
  );
}

export function* pathsOf(condition: Condition): Generator<Path> {
  const isPath = (operand: Operand) => operand.is === 'path';
  switch (condition.is) {
    case 'and':
    case 'or':
      yield* pathsOf(condition.left);
      yield* pathsOf(condition.right);
      return;
    case 'not':
      yield* pathsOf(condition.condition);
      return;
    case 'exists':
      yield condition.path;
      return;
    case 'compare':
      yield* [condition.left, condition.right].filter(isPath);
      return;
    case 'between':
      yield* [condition.operand, condition.low, condition.high].filter(isPath);
      return;
    case 'in':
      yield* [condition.operand, ...condition.among].filter(isPath);
      return;
    case 'begins_with':
      yield* [condition.operand, condition.prefix].filter(isPath);
  }
}
