import type { Bindings } from './bindings.ts';
import { ItemError } from './errors.ts';
import type { Comparator, Condition, Operand, Update } from './expressions.ts';
import { addNumbers } from './numbers.ts';
import { type Attributes, areEqual, attributeOf, compareValues, type Value } from './values.ts';

export function holds(condition: Condition, item: Attributes | undefined, bindings: Bindings): boolean {
  const of = (operand: Operand) => read(operand, item, bindings);
  switch (condition.is) {
    case 'and':
      return holds(condition.left, item, bindings) && holds(condition.right, item, bindings);
    case 'or':
      return holds(condition.left, item, bindings) || holds(condition.right, item, bindings);
    case 'not':
      return !holds(condition.condition, item, bindings);
    case 'exists':
      return (of(condition.path) !== undefined) === condition.wanted;
    case 'compare':
      return compares(of(condition.left), condition.comparator, of(condition.right));
    case 'between': {
      const value = of(condition.operand);
      return compares(of(condition.low), '<=', value) && compares(value, '<=', of(condition.high));
    }
    case 'in': {
      const value = of(condition.operand);
      return condition.among.some((operand) => compares(value, '=', of(operand)));
    }
    case 'begins_with': {
      const [value, prefix] = [of(condition.operand), of(condition.prefix)];
      return (
        value !== undefined && prefix !== undefined && 'S' in value && 'S' in prefix && value.S.startsWith(prefix.S)
      );
    }
  }
}

/** Compares two values. A missing attribute equals nothing, not even another missing attribute. */
function compares(left: Value | undefined, comparator: Comparator, right: Value | undefined): boolean {
  if (comparator === '=') return left !== undefined && right !== undefined && areEqual(left, right);
  if (comparator === '<>') return !compares(left, '=', right);
  const order = left && right && compareValues(left, right);
  if (order === undefined) return false;
  switch (comparator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/**
 * Returns the item after the update, which starts from `before` or, if there is no item yet, from only the key.
 * @throws ItemError if the item does not allow the update.
 */
export function updated(
  { set, remove, add }: Update,
  before: Attributes | undefined,
  key: Attributes,
  bindings: Bindings,
): Attributes {
  const after = { ...(before ?? key) };
  // Operands come from the old item: `SET a = b, b = a` swaps two attributes.
  for (const { path, to } of set) after[bindings.attribute(path)] = mustRead(to, before, bindings);
  for (const path of remove) delete after[bindings.attribute(path)];
  for (const { path, value } of add) {
    const name = bindings.attribute(path);
    const current = attributeOf(before, name);
    after[name] = current ? sum(current, bindings.value(value), 1) : bindings.value(value);
  }
  return after;
}

function mustRead(operand: Operand, item: Attributes | undefined, bindings: Bindings): Value {
  const value = read(operand, item, bindings);
  if (value) return value;
  throw new ItemError('The provided expression refers to an attribute that does not exist in the item');
}

function read(operand: Operand, item: Attributes | undefined, bindings: Bindings): Value | undefined {
  switch (operand.is) {
    case 'path':
      return attributeOf(item, bindings.attribute(operand));
    case 'value':
      return bindings.value(operand);
    case 'if_not_exists':
      return read(operand.path, item, bindings) ?? read(operand.otherwise, item, bindings);
    case 'sum':
      return sum(mustRead(operand.left, item, bindings), mustRead(operand.right, item, bindings), operand.sign);
  }
}

function sum(left: Value, right: Value, sign: 1 | -1): Value {
  if ('N' in left && 'N' in right) return { N: addNumbers(left.N, right.N, sign) };
  throw new ItemError('An operand in the update expression has an incorrect data type');
}
