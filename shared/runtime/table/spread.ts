import type { TableOutside } from '../outside/outside.ts';
import { FIRST_TIME, type Item } from './table.ts';

/** Distributes a list over several partitions, because one partition accepts only 1,000 write units per second. */
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

/** Lists up to `limit` rows with sort keys (ISO times) up to and including `until`, earliest first. */
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
