/*
 * A row outlives the release that wrote it. The number of its shape is in the row itself, in `shape`; a row without one has
 * shape 1, so a kind of row that never changed pays nothing. Each release reads the rows of the release before: `asCurrent` brings
 * a row that is read into the shape that the code knows, and a write carries the row over first (`write.ts`).
 */
import type { Item, Key, RowShape } from './table.ts';

/**
 * The kinds of row that have changed since 1.0.0, and how: none. A release that adds a step reads both shapes and writes the new one;
 * `admin table migrate` carries the rest over. The release after it removes the step, and raises `oldest`.
 */
export const rowShapes: readonly RowShape[] = [];

export function shapeOfKind(shapes: readonly RowShape[], { pk, sk }: Item): RowShape | undefined {
  return shapes.find((one) => String(pk).startsWith(one.pk) && String(sk).startsWith(one.sk));
}

/** The number that today's code writes into rows of a kind. */
export function currentNumber(kind: RowShape | undefined): number {
  return kind ? kind.oldest + kind.steps.length : 1;
}

/** Which shapes today's code writes, as text: what a migration was made for. */
export function numbersOf(shapes: readonly RowShape[]): string {
  return shapes.map((kind) => `${kind.pk} / ${kind.sk}: ${currentNumber(kind)}`).join(', ');
}

function numberOf({ shape = 1 }: Item): number {
  return Number(shape);
}

/** Whether a row has an older shape than today's code writes. */
export function isOlder(shapes: readonly RowShape[], row: Item): boolean {
  return numberOf(row) < currentNumber(shapeOfKind(shapes, row));
}

/** The row as today's code knows it. @throws RowOfAnotherRelease */
export function asCurrent(shapes: readonly RowShape[], row: Item): Item {
  if (row.shape === undefined && shapes.length === 0) return row;
  const kind = shapeOfKind(shapes, row);
  return numberOf(row) === currentNumber(kind) ? row : carriedOver(kind, row).row;
}

/** A row in today's shape, and the change that makes it so, with the condition that nothing that it rests on has changed. */
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
  if ('pk' in changes || 'sk' in changes) throw new Error('A step may not change the key of a row');
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
 * A row that this release does not know: written by a later one, or so old that the releases between should have carried it over. Refused
 * whole; read by half it would be lost.
 */
export class RowOfAnotherRelease extends Error {
  constructor({ sk, shape = 1 }: Item, oldest: number, current: number) {
    const known = oldest === current ? `shape ${current}` : `shapes ${oldest} to ${current}`;
    const kind = String(sk).replace(/#.*/, '');
    super(
      `A row ${kind} has shape ${shape}; this release reads ${known}: docs/operate/runbooks.md, "Deploy a release that changes rows"`,
    );
  }
}

/**
 * A row that a later release wrote, which is being deployed at this moment: no failure. Whoever asked may ask again in a minute, workers come
 * back to it, and no alarm rings that would take the deployment back.
 */
export class RowOfLaterRelease extends RowOfAnotherRelease {}

/** When to try again what such a row was in the way of. */
export const LATER_RELEASE_SECONDS = 60;
