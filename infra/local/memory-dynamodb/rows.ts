import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Attributes, attributesBytes, compareTexts } from './values.ts';

/** A row's position in its partition: by the sort key of the table or index, then by its own key. */
export interface RowPosition {
  readonly sort: string;
  readonly pk: string;
  readonly sk: string;
}

/** An item in the table or in an index. Immutable, so derived values are computed only once. */
export class Row implements RowPosition {
  readonly sort: string;
  readonly pk: string;
  readonly sk: string;
  readonly item: Attributes;
  readonly bytes: number;
  #json: string | undefined;
  #plain: Record<string, unknown> | undefined;

  constructor({ sort, pk, sk }: RowPosition, item: Attributes) {
    this.sort = sort;
    this.pk = pk;
    this.sk = sk;
    this.item = item;
    this.bytes = attributesBytes(item);
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.item);
    return this.#json;
  }

  get plain(): Readonly<Record<string, unknown>> {
    this.#plain ??= unmarshall(this.item);
    return this.#plain;
  }
}

/** Partitions and their rows, in order. Copying is cheap: a copy shares the rows until either side writes. */
export class Partitions {
  #partitions = new Map<string, { readonly owner: object; readonly rows: Row[] }>();
  #owner = {};

  copy(): Partitions {
    const copy = new Partitions();
    copy.#partitions = new Map(this.#partitions);
    this.#owner = {};
    return copy;
  }

  rows(partition: string): readonly Row[] {
    return this.#partitions.get(partition)?.rows ?? NO_ROWS;
  }

  names(): Iterable<string> {
    return this.#partitions.keys();
  }

  put(partition: string, row: Row): void {
    const rows = this.#own(partition);
    const at = firstNotBefore(rows, row);
    const current = rows[at];
    rows.splice(at, current && comparePositions(current, row) === 0 ? 1 : 0, row);
  }

  remove(partition: string, place: RowPosition): void {
    const rows = this.#own(partition);
    const at = firstNotBefore(rows, place);
    const current = rows[at];
    if (current && comparePositions(current, place) === 0) rows.splice(at, 1);
    if (rows.length === 0) this.#partitions.delete(partition);
  }

  #own(partition: string): Row[] {
    const current = this.#partitions.get(partition);
    if (current?.owner === this.#owner) return current.rows;
    const rows = current ? [...current.rows] : [];
    this.#partitions.set(partition, { owner: this.#owner, rows });
    return rows;
  }
}

const NO_ROWS: readonly Row[] = [];

export function comparePositions(one: RowPosition, other: RowPosition): number {
  return compareTexts(one.sort, other.sort) || compareTexts(one.pk, other.pk) || compareTexts(one.sk, other.sk);
}

export function firstNotBefore(rows: readonly Row[], place: RowPosition): number {
  return firstWhere(rows, (row) => comparePositions(row, place) >= 0);
}

/**
 * Returns the position of the first row for which `isPast` is true. `isPast` must then also be true for all later rows.
 */
export function firstWhere(rows: readonly Row[], isPast: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row && isPast(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}
