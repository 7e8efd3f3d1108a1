import { FIRST_TIME, type Item, type Key, LAST_SORT, type Table } from './table.ts';
import type { IndexName } from './table-schema.ts';

/** Keys of many owners are read together, and of an owner with thousands not many more than are taken. */
const KEYS_A_READ = 100;

/**
 * What was due before `at` (ISO) in a partition of an index whose sort keys are `<owner>#<time>#…`, about `limit` of it and one of
 * each owner at least: as much of each as of the others, alternating, each owner's most overdue first. So one owner's thousands delay
 * nobody else's.
 */
export async function listInTurns(
  table: Table,
  index: IndexName,
  partition: string,
  at: string,
  limit: number,
): Promise<Item[]> {
  const ofOwners = await listKeysDue(table, index, partition, at, limit);
  const share = shareOf(limit, ofOwners.length);
  const turns = Math.max(0, ...ofOwners.map((keys) => Math.min(share, keys.length)));
  const keys = Array.from({ length: turns }, (_, turn) => ofOwners.flatMap((one) => one.slice(turn, turn + 1))).flat();
  const found = await table.getMany(keys);
  const items = new Map(found.map((item): [string, Item] => [`${item.pk}/${item.sk}`, item]));
  // An index is a moment behind the table: an item may be gone already.
  return keys.map(({ pk, sk }) => items.get(`${pk}/${sk}`)).filter((item) => item !== undefined);
}

/** The first keys of each owner that has any due: read page by page, past what more there is of an owner. */
async function listKeysDue(table: Table, index: IndexName, partition: string, at: string, limit: number) {
  const ofOwners = new Map<string, Key[]>();
  for (let after = FIRST_TIME; ; ) {
    const between = [after, LAST_SORT] as const;
    const { keys, next } = await table.listIndexKeys(index, partition, { between, limit: KEYS_A_READ });
    for (const { pk, sk, sort } of keys) {
      const [owner = '', dueAt = ''] = sort.split('#');
      const due = ofOwners.get(owner) ?? [];
      const isWanted = dueAt < at && due.length < shareOf(limit, ofOwners.size);
      if (isWanted) {
        due.push({ pk, sk });
        ofOwners.set(owner, due);
      }
      // The last one says where to read on: behind it, or behind all of its owner's.
      after = isWanted ? `${sort}${FIRST_TIME}` : `${owner}#${LAST_SORT}`;
    }
    if (!next) return [...ofOwners.values()];
  }
}

function shareOf(limit: number, owners: number): number {
  return Math.ceil(limit / Math.max(1, owners));
}
