import type { TableOutside } from '../outside/outside.ts';
import { FIRST_TIME, type Item } from './table.ts';

/**
 * Distributes the rows of one list over several partitions, because a single partition accepts only 1,000 write units a
 * second.
 */
export interface Spread {
  readonly partitions: readonly string[];
  of(id: string): string;
}

export function spread(name: string, count: number): Spread {
  return {
    partitions: Array.from({ length: count }, (_, n) => `${name}#${n}`),
    of: (id) => `${name}#${hashOf(id) % count}`,
  };
}

/**
 * Lists rows whose sort keys begin with a time (ISO) up to and including `until`, earliest first. Returns at most
 * `limit` rows.
 */
export async function listUntil(
  { table }: TableOutside,
  { partitions }: Spread,
  until: string,
  limit: number,
): Promise<Item[]> {
  const range = { between: [FIRST_TIME, `${until}~`], limit } as const;
  const found = await Promise.all(partitions.map((partition) => table.list(partition, range)));
  return found
    .flat()
    .toSorted((one, other) => (String(one.sk) < String(other.sk) ? -1 : 1))
    .slice(0, limit);
}

function hashOf(id: string): number {
  return Array.from(id).reduce((hash, letter) => (hash * 31 + Number(letter.codePointAt(0))) >>> 0, 0);
}
