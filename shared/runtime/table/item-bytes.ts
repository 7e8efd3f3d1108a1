import type { Item } from './table.ts';

/**
 * Returns an item's size as DynamoDB counts it, without storage overhead.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Item): number {
  return Object.entries(item)
    .filter(([, value]) => value !== undefined)
    .reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (typeof value === 'boolean' || value === null) return 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, member) => sum + 1 + valueBytes(member), 3);
  if (typeof value === 'object') return 3 + Object.keys(value).length + itemBytes({ ...value });
  throw new Error(`The table cannot store values of type ${typeof value}`);
}

function numberBytes(value: number): number {
  const digits = Math.abs(value).toExponential().replace(/e.*/, '').replace('.', '').length;
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0);
}
