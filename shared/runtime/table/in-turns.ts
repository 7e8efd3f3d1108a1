import { FIRST_TIME, type Item, LAST_SORT, type Table } from './table.ts';
import type { IndexName } from './table-schema.ts';

/**
 * What was due before `at` (ISO) in a partition of an index whose sort keys are `<owner>#<time>#…`, about `limit` of it: as much
 * of each owner as of any other, and in turns, each owner's most overdue first. So one owner's thousands keep none of another's
 * waiting.
 */
export async function listInTurns(
  table: Table,
  index: IndexName,
  partition: string,
  at: string,
  limit: number,
): Promise<Item[]> {
  const owners = await listOwnersDue(table, index, partition, at);
  const share = Math.max(1, Math.floor(limit / owners.length));
  const ofOwners: Item[][] = [];
  for (const owner of owners) {
    const between = [`${owner}#${FIRST_TIME}`, `${owner}#${at}`] as const;
    ofOwners.push((await table.listIndex(index, partition, { between, limit: share })).items);
  }
  const turns = Math.max(0, ...ofOwners.map((items) => items.length));
  return Array.from({ length: turns }, (_, turn) => ofOwners.flatMap((items) => items.slice(turn, turn + 1))).flat();
}

/** The index names them: the first entry of each is looked up, and all its others are skipped. */
async function listOwnersDue(table: Table, index: IndexName, partition: string, at: string): Promise<string[]> {
  const owners: string[] = [];
  let after = FIRST_TIME;
  for (;;) {
    const { keys } = await table.listIndexKeys(index, partition, { between: [after, LAST_SORT], limit: 1 });
    const [owner, dueAt] = keys[0]?.sort.split('#') ?? [];
    if (owner === undefined || dueAt === undefined) return owners;
    if (dueAt < at) owners.push(owner);
    after = `${owner}#${LAST_SORT}`;
  }
}
