import { DynamoDbError, invalid, notCovered } from './errors.ts';
import { canonicalNumber, compareNumbers, numberBytes } from './numbers.ts';

/** An attribute value in DynamoDB's JSON. The service does not use sets or binary values. */
export type Value =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { NULL: boolean }
  | { L: Value[] }
  | { M: Attributes };
/** An item or a map within an item. Immutable once stored, because stream images and responses share it. */
export type Attributes = Record<string, Value>;
export type ValueType = 'S' | 'N' | 'BOOL' | 'NULL' | 'L' | 'M';

const MAX_LEVELS = 32;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function checkValue(value: unknown, level = 1): asserts value is Value {
  if (level > MAX_LEVELS) throw invalid('Nesting Levels have exceeded supported limits');
  if (!isRecord(value)) throw unreadable('an attribute value');
  let type: string | undefined;
  for (const key in value) {
    if (type !== undefined) {
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    }
    type = key;
  }
  switch (type) {
    case 'S':
      if (typeof value.S !== 'string') throw unreadable('S');
      return;
    case 'N':
      if (typeof value.N !== 'string') throw unreadable('N');
      value.N = canonicalNumber(value.N);
      return;
    case 'BOOL':
      if (typeof value.BOOL !== 'boolean') throw unreadable('BOOL');
      return;
    case 'NULL':
      if (value.NULL !== true) {
        throw invalid(
          'One or more parameter values were invalid: Null attribute value types must have the value of true',
        );
      }
      return;
    case 'L':
      if (!Array.isArray(value.L)) throw unreadable('L');
      for (const element of value.L) checkValue(element, level + 1);
      return;
    case 'M':
      checkAttributes(value.M, level + 1);
      return;
    case 'B':
    case 'SS':
    case 'NS':
    case 'BS':
      throw notCovered(`values of type ${type}`);
    default:
      throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
}

export function checkAttributes(value: unknown, level = 1): asserts value is Attributes {
  if (!isRecord(value)) throw unreadable('attributes');
  for (const name in value) {
    if (name === '') throw invalid('One or more parameter values were invalid: Empty attribute name');
    checkValue(value[name], level);
  }
}

export function typeOf(value: Value): ValueType {
  if ('S' in value) return 'S';
  if ('N' in value) return 'N';
  if ('BOOL' in value) return 'BOOL';
  if ('NULL' in value) return 'NULL';
  return 'L' in value ? 'L' : 'M';
}

export function attributeOf(item: Attributes | undefined, name: string): Value | undefined {
  return item && Object.hasOwn(item, name) ? item[name] : undefined;
}

export function areEqual(one: Value, other: Value): boolean {
  if ('S' in one) return 'S' in other && one.S === other.S;
  if ('N' in one) return 'N' in other && one.N === other.N;
  if ('BOOL' in one) return 'BOOL' in other && one.BOOL === other.BOOL;
  if ('NULL' in one) return 'NULL' in other;
  if ('M' in one) return 'M' in other && haveEqualAttributes(one.M, other.M);
  return 'L' in other && haveEqualElements(one.L, other.L);
}

export function haveEqualAttributes(one: Attributes, other: Attributes): boolean {
  let names = 0;
  for (const name in one) {
    const [left, right] = [one[name], attributeOf(other, name)];
    if (!left || !right || !areEqual(left, right)) return false;
    names++;
  }
  return names === Object.keys(other).length;
}

function haveEqualElements(one: readonly Value[], other: readonly Value[]): boolean {
  return (
    one.length === other.length &&
    one.every((element, n) => {
      const counterpart = other[n];
      return counterpart !== undefined && areEqual(element, counterpart);
    })
  );
}

/**
 * Compares two values. Returns a negative number, zero or a positive number, or undefined if they cannot be compared.
 */
export function compareValues(one: Value, other: Value): number | undefined {
  if ('S' in one && 'S' in other) return compareTexts(one.S, other.S);
  if ('N' in one && 'N' in other) return compareNumbers(one.N, other.N);
  return undefined;
}

/**
 * Compares two strings. DynamoDB sorts by UTF-8 bytes, JavaScript by UTF-16 units. The orders differ between surrogate
 * pairs and characters from U+E000 up.
 */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let n = 0; n < length; n++) {
    const [left, right] = [one.charCodeAt(n), other.charCodeAt(n)];
    if (left === right) continue;
    const bothHigh = left >= 0xd800 && right >= 0xd800;
    return bothHigh && left >= 0xe000 !== right >= 0xe000 ? right - left : left - right;
  }
  return one.length - other.length;
}

export function attributesBytes(attributes: Attributes): number {
  let bytes = 0;
  for (const name in attributes) bytes += textBytes(name) + valueBytes(attributes[name]);
  return bytes;
}

export const textBytes = (text: string) => Buffer.byteLength(text);

function valueBytes(value: Value | undefined): number {
  if (!value || 'BOOL' in value || 'NULL' in value) return 1;
  if ('S' in value) return textBytes(value.S);
  if ('N' in value) return numberBytes(value.N);
  if ('L' in value) return value.L.reduce((bytes, element) => bytes + 1 + valueBytes(element), 3);
  return 3 + Object.keys(value.M).length + attributesBytes(value.M);
}

/** Returns the error for input that the SDK's serialisers cannot produce. */
export function unreadable(what: string): DynamoDbError {
  return new DynamoDbError('SerializationException', `The request contains something other than ${what}`);
}
