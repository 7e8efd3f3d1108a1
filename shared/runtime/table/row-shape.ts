/**
 * Schema versions of rows. Each row stores its version in `shape`; a missing `shape` means 1. A release can read the
 * previous release's rows: `asCurrent` converts them when read, and `write.ts` upgrades them before a write.
 */
import type { Item, Key, RowShape } from './table.ts';

/**
 * Kinds of row that changed since 1.0.0. The release that adds an upgrade step reads both shapes and writes the new
 * one. After `admin table migrate`, the next release removes the step and raises `oldest`.
 */
export const rowShapes: readonly RowShape[] = [];

export function shapeOfKind(shapes: readonly RowShape[], { pk, sk }: Item): RowShape | undefined {
  return shapes.find((one) => String(pk).startsWith(one.pk) && String(sk).startsWith(one.sk));
}

export function currentNumber(kind: RowShape | undefined): number {
  return kind ? kind.oldest + kind.steps.length : 1;
}

/** Returns this release's row shape numbers as a string. A migration is stored under this string. */
export function numbersOf(shapes: readonly RowShape[]): string {
  return shapes.map((kind) => `${kind.pk} / ${kind.sk}: ${currentNumber(kind)}`).join(', ');
}

function numberOf({ shape = 1 }: Item): number {
  return Number(shape);
}

export function isOlder(shapes: readonly RowShape[], row: Item): boolean {
  return numberOf(row) < currentNumber(shapeOfKind(shapes, row));
}

/** Converts a row to this release's shape. @throws RowOfAnotherRelease */
export function asCurrent(shapes: readonly RowShape[], row: Item): Item {
  if (row.shape === undefined && shapes.length === 0) return row;
  const kind = shapeOfKind(shapes, row);
  return numberOf(row) === currentNumber(kind) ? row : carriedOver(kind, row).row;
}

/**
 * Returns the upgraded row, and the update that stores it. The update fails if a field that the upgrade reads has
 * changed.
 */
export function carriedOver(kind: RowShape | undefined, row: Item): { row: Item; update: ReturnType<typeof updateOf> } {
  const { oldest = 1, steps = [] } = kind ?? {};
  const [number, current] = [numberOf(row), currentNumber(kind)];
  if (number > current) throw new RowOfLaterRelease(row, oldest, current);
  if (number < oldest) throw new RowOfAnotherRelease(row, oldest, current);
  const reads = new Set<string>();
  let changes: Item = {};
  for (const step of steps.slice(number - oldest)) {
    const known = { ...row, ...changes };
    for (const name of step.reads) reads.add(name);
    changes = { ...changes, ...step.change(pick(known, step.reads)) };
  }
  if ('pk' in changes || 'sk' in changes) throw new Error('An upgrade step changed a row’s key');
  changes.shape = current;
  const present = Object.entries({ ...row, ...changes }).filter(([, value]) => value !== undefined);
  return { row: Object.fromEntries(present), update: updateOf(row, changes, reads) };
}

function updateOf(row: Item, changes: Item, reads: ReadonlySet<string>) {
  const names = [...new Set([...reads, ...Object.keys(changes)])];
  const indexOf = (name: string) => names.indexOf(name);
  const set = Object.keys(changes).filter((name) => changes[name] !== undefined);
  const remove = Object.keys(changes).filter((name) => changes[name] === undefined);
  return {
    Key: keyOf(row),
    UpdateExpression: [
      `SET ${set.map((name) => `#n${indexOf(name)} = :new${indexOf(name)}`).join(', ')}`,
      ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#n${indexOf(name)}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: [
      'attribute_exists(pk)',
      ...names.map((name, n) => (row[name] === undefined ? `attribute_not_exists(#n${n})` : `#n${n} = :was${n}`)),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#n${n}`, name])),
    ExpressionAttributeValues: Object.fromEntries([
      ...set.map((name) => [`:new${indexOf(name)}`, changes[name]]),
      ...names.flatMap((name, n) => (row[name] === undefined ? [] : [[`:was${n}`, row[name]]])),
    ]),
  };
}

function keyOf({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

export function pick(row: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}

/**
 * Thrown if this release does not know the row's shape. The whole row is rejected, because a partial read would lose
 * data.
 */
export class RowOfAnotherRelease extends Error {
  constructor({ sk, shape = 1 }: Item, oldest: number, current: number) {
    const known = oldest === current ? `shape ${current}` : `shapes ${oldest} to ${current}`;
    const kind = String(sk).replace(/#.*/, '');
    super(
      `A row ${kind} has shape ${shape}, but this release reads ${known}. See docs/operate/runbooks.md, "Deploy a release that changes rows".`,
    );
  }
}

/**
 * Thrown for a row from a release that is still being deployed. Callers can retry in a minute and workers retry
 * automatically. No alarm rolls back the deployment.
 */
export class RowOfLaterRelease extends RowOfAnotherRelease {}

export const LATER_RELEASE_SECONDS = 60;
