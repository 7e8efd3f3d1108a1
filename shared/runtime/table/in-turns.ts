import { FIRST_TIME, type Item, LAST_SORT, type PageStart, type Table } from './table.ts';

/** Number of keys per read: enough for many owners, but few compared with the longest lists. */
const KEYS_A_READ = 100;

/**
 * Lists about `limit` items that were due before `at` (ISO), from gsi2 partitions with sort keys `<owner>#<time>#…`.
 * Rotates between owners, most overdue first, so that no owner delays another.
 */
export async function listInTurns(
  table: Table,
  partitions: readonly string[],
  at: string,
  limit: number,
): Promise<Item[]> {
  const found = await Promise.all(partitions.map((partition) => listKeysDue(table, partition, at, limit)));
  const owners = [...new Set(found.flatMap((due) => [...due.keys()]))].sort();
  const ofOwners = owners.map((owner) => found.flatMap((due) => due.get(owner) ?? []).toSorted(bySort));
  const share = shareOf(limit, ofOwners.length);
  const turns = Math.max(0, ...ofOwners.map((keys) => Math.min(share, keys.length)));
  const keys = Array.from({ length: turns }, (_, turn) => ofOwners.flatMap((one) => one.slice(turn, turn + 1))).flat();
  const items = new Map((await table.getMany(keys)).map((item): [string, Item] => [`${item.pk}/${item.sk}`, item]));
  // Indexes lag behind the table and may list deleted items.
  return keys.map(({ pk, sk }) => items.get(`${pk}/${sk}`)).filter((item) => item !== undefined);
}

async function listKeysDue(
  table: Table,
  partition: string,
  at: string,
  limit: number,
): Promise<ReadonlyMap<string, readonly PageStart[]>> {
  const ofOwners = new Map<string, PageStart[]>();
  for (let after = FIRST_TIME; ; ) {
    const between = [after, LAST_SORT] as const;
    const { keys, next } = await table.listIndexKeys('gsi2', partition, { between, limit: KEYS_A_READ });
    for (const key of keys) {
      const [owner = '', dueAt = ''] = key.sort.split('#');
      const due = ofOwners.get(owner) ?? [];
      const isWanted = dueAt < at && due.length < shareOf(limit, ofOwners.size);
      if (isWanted) {
        due.push(key);
        ofOwners.set(owner, due);
      }
      after = isWanted ? `${key.sort}${FIRST_TIME}` : `${owner}#${LAST_SORT}`;
    }
    if (!next) return ofOwners;
  }
}

function bySort(one: PageStart, other: PageStart): number {
  return one.sort < other.sort ? -1 : 1;
}

function shareOf(limit: number, owners: number): number {
  return Math.ceil(limit / Math.max(1, owners));
}
