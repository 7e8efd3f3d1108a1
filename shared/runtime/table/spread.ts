/** Partitions among which the rows of one list are divided, because a partition carries 1,000 units written a second. */
export interface Spread {
  readonly partitions: readonly string[];
  /** The one that a row is in, by its id. */
  of(id: string): string;
}

export function spread(name: string, count: number): Spread {
  return {
    partitions: Array.from({ length: count }, (_, n) => `${name}#${n}`),
    of: (id) => `${name}#${hashOf(id) % count}`,
  };
}

function hashOf(id: string): number {
  return Array.from(id).reduce((hash, letter) => (hash * 31 + Number(letter.codePointAt(0))) >>> 0, 0);
}
