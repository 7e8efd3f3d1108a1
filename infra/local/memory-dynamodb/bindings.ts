import { invalid, notCovered } from './errors.ts';
import {
  type Condition,
  type ExpressionKind,
  type Operand,
  type Parsed,
  type Path,
  type Placeholder,
  parseCondition,
  parseUpdate,
  type Update,
} from './expressions.ts';
import { type Attributes, checkValue, compareValues, isRecord, typeOf, type Value } from './values.ts';

/**
 * A request's parsed expressions, with the values of their placeholders. Parsing reports every error that does not
 * depend on the item.
 */
export interface Expressions {
  readonly condition?: Condition;
  readonly filter?: Condition;
  readonly keyCondition?: Condition;
  readonly update?: Update;
  readonly bindings: Bindings;
}

export class Bindings {
  readonly #names: Readonly<Record<string, unknown>>;
  readonly #values: Readonly<Record<string, Value>>;

  constructor(names: Readonly<Record<string, unknown>>, values: Readonly<Record<string, Value>>) {
    this.#names = names;
    this.#values = values;
  }

  attribute({ name }: Path): string {
    if (!name.startsWith('#')) return name;
    return String(this.#names[name]);
  }

  value({ name }: Placeholder): Value {
    const value = this.#values[name];
    if (!value) throw new Error(`${name} was not checked`);
    return value;
  }
}

type Input = Readonly<Record<string, unknown>>;
const NOTHING = {};

export function readExpressions(input: Input, kinds: readonly ExpressionKind[]): Expressions {
  const names = readNames(input.ExpressionAttributeNames);
  const values = readValues(input.ExpressionAttributeValues);
  const bindings = new Bindings(names ?? NOTHING, values ?? NOTHING);
  const used = { names: new Set<string>(), values: new Set<string>() };
  const known = { names: names ?? NOTHING, values: values ?? NOTHING };
  const found: { -readonly [Name in keyof Expressions]: Expressions[Name] } = { bindings };
  let isAny = false;
  for (const kind of kinds) {
    const text = input[kind];
    if (text === undefined) continue;
    isAny = true;
    if (typeof text !== 'string') throw invalid(`${kind} is not a string`);
    if (kind === 'UpdateExpression') {
      const parsed = parseUpdate(text);
      use(parsed, kind, known, used);
      checkUpdate(parsed.tree, bindings);
      found.update = parsed.tree;
    } else {
      const parsed = parseCondition(text, kind);
      use(parsed, kind, known, used);
      checkCondition(parsed.tree, bindings, kind);
      if (kind === 'ConditionExpression') found.condition = parsed.tree;
      else if (kind === 'FilterExpression') found.filter = parsed.tree;
      else found.keyCondition = parsed.tree;
    }
  }
  if (names) allUsed('ExpressionAttributeNames', names, used.names, isAny);
  if (values) allUsed('ExpressionAttributeValues', values, used.values, isAny);
  return found;
}

function readNames(names: unknown): Readonly<Record<string, unknown>> | undefined {
  if (names === undefined) return undefined;
  if (!isRecord(names)) throw invalid('ExpressionAttributeNames is not a map');
  if (Object.keys(names).length === 0) throw invalid('ExpressionAttributeNames must not be empty');
  for (const [placeholder, name] of Object.entries(names)) {
    if (!/^#\w+$/.test(placeholder)) {
      throw invalid(`ExpressionAttributeNames contains invalid key: Syntax error; key: "${placeholder}"`);
    }
    if (typeof name !== 'string' || name === '') {
      throw invalid(`ExpressionAttributeNames contains invalid value: Empty attribute name for key ${placeholder}`);
    }
    if (name === '__proto__') throw notCovered('an attribute named __proto__ in an expression');
  }
  return names;
}

function readValues(values: unknown): Readonly<Record<string, Value>> | undefined {
  if (values === undefined) return undefined;
  if (!isRecord(values)) throw invalid('ExpressionAttributeValues is not a map');
  const checked: Attributes = {};
  for (const placeholder in values) {
    if (!/^:\w+$/.test(placeholder)) {
      throw invalid(`ExpressionAttributeValues contains invalid key: Syntax error; key: "${placeholder}"`);
    }
    const value = values[placeholder];
    checkValue(value);
    checked[placeholder] = value;
  }
  if (Object.keys(checked).length === 0) throw invalid('ExpressionAttributeValues must not be empty');
  return checked;
}

function use(
  parsed: Parsed<unknown>,
  kind: ExpressionKind,
  known: { names: object; values: object },
  used: { names: Set<string>; values: Set<string> },
): void {
  for (const name of parsed.names) {
    if (!Object.hasOwn(known.names, name)) {
      throw invalid(
        `Invalid ${kind}: An expression attribute name used in the document path is not defined; attribute name: ${name}`,
      );
    }
    used.names.add(name);
  }
  for (const value of parsed.values) {
    if (!Object.hasOwn(known.values, value)) {
      throw invalid(
        `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${value}`,
      );
    }
    used.values.add(value);
  }
}

function allUsed(parameter: string, given: object, used: ReadonlySet<string>, isAny: boolean): void {
  if (!isAny) throw invalid(`${parameter} can only be specified when using expressions`);
  const unused = Object.keys(given).filter((placeholder) => !used.has(placeholder));
  if (unused.length > 0) {
    throw invalid(`Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`);
  }
}

const isOrdered = (value: Value) => 'S' in value || 'N' in value;

function checkCondition(condition: Condition, bindings: Bindings, kind: ExpressionKind): void {
  switch (condition.is) {
    case 'and':
    case 'or':
      checkCondition(condition.left, bindings, kind);
      checkCondition(condition.right, bindings, kind);
      return;
    case 'not':
      checkCondition(condition.condition, bindings, kind);
      return;
    case 'exists':
      return;
    case 'compare': {
      const { comparator, left, right } = condition;
      const place = { operator: comparator, bindings, kind };
      mustDiffer(place, left, [right]);
      if (comparator !== '=' && comparator !== '<>') {
        for (const operand of [left, right]) mustBe(place, operand, isOrdered);
      }
      return;
    }
    case 'begins_with': {
      const { operand, prefix } = condition;
      const place = { operator: 'begins_with', bindings, kind };
      mustDiffer(place, operand, [prefix]);
      for (const each of [operand, prefix]) mustBe(place, each, (value) => 'S' in value);
      return;
    }
    case 'in':
      mustDiffer({ operator: 'IN', bindings, kind }, condition.operand, condition.among);
      return;
    case 'between': {
      const { operand, low, high } = condition;
      const place = { operator: 'BETWEEN', bindings, kind };
      mustDiffer(place, operand, [low, high]);
      for (const each of [operand, low, high]) mustBe(place, each, isOrdered);
      if (low.is !== 'value' || high.is !== 'value') return;
      const order = compareValues(bindings.value(low), bindings.value(high));
      if (order === undefined || order > 0) {
        const rule = order === undefined ? 'same data type for lower and upper bounds' : NOT_BELOW;
        const bounds = [low, high].map((bound) => JSON.stringify(bindings.value(bound)));
        throw invalid(
          `Invalid ${kind}: The BETWEEN operator requires ${rule}; lower bound operand: ${bounds[0]}, upper bound operand: ${bounds[1]}`,
        );
      }
      return;
    }
  }
}

const NOT_BELOW = 'upper bound to be greater than or equal to lower bound';

interface OperatorContext {
  readonly operator: string;
  readonly bindings: Bindings;
  readonly kind: ExpressionKind;
}

function mustDiffer({ operator, bindings, kind }: OperatorContext, operand: Operand, others: readonly Operand[]): void {
  if (operand.is !== 'path') return;
  const name = bindings.attribute(operand);
  if (others.some((other) => other.is === 'path' && bindings.attribute(other) === name)) {
    throw invalid(
      `Invalid ${kind}: The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: [${name}]`,
    );
  }
}

function mustBe(
  { operator, bindings, kind }: OperatorContext,
  operand: Operand,
  isRight: (value: Value) => boolean,
): void {
  if (operand.is !== 'value') return;
  const value = bindings.value(operand);
  if (!isRight(value)) {
    throw invalid(
      `Invalid ${kind}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(value)}`,
    );
  }
}

const isNumber = (value: Value) => 'N' in value;

function checkUpdate({ set, remove, add }: Update, bindings: Bindings): void {
  const names = [...set, ...add].map(({ path }) => bindings.attribute(path));
  names.push(...remove.map((path) => bindings.attribute(path)));
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) {
    throw invalid(
      `Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [${twice}], path two: [${twice}]`,
    );
  }
  for (const { to } of set) checkSums(to, bindings);
  for (const { value } of add) mustBe({ operator: 'ADD', bindings, kind: 'UpdateExpression' }, value, isNumber);
}

function checkSums(operand: Operand, bindings: Bindings): void {
  if (operand.is === 'if_not_exists') checkSums(operand.otherwise, bindings);
  if (operand.is !== 'sum') return;
  const operator = operand.sign === 1 ? '+' : '-';
  for (const side of [operand.left, operand.right]) {
    mustBe({ operator, bindings, kind: 'UpdateExpression' }, side, isNumber);
    checkSums(side, bindings);
  }
}
