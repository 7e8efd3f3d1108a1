import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { findMigration, type Migration, noteMigration } from '../../shared/care/doctor/migration.table.ts';
import type { Place, Progress } from '../../shared/runtime/stage/place.ts';
import { isOlder, numbersOf } from '../../shared/runtime/table/row-shape.ts';
import type { Item, Table } from '../../shared/runtime/table/table.ts';
import { kindOf } from './row-kinds.ts';

interface Options {
  /** Without it rows are only counted. */
  readonly isForReal: boolean;
  /** How many rows are rewritten in a second. */
  readonly rowsPerSecond: number;
  readonly progress?: Progress;
}

interface Migrated {
  readonly counts: Migration['counts'];
  /** Whether an earlier run was stopped, and this one went on where it was. */
  readonly isContinued: boolean;
  /** Rows that could not be carried over, each with the reason. */
  readonly left: readonly { readonly key: string; readonly why: string }[];
}

/** About half a megabyte, and less than a minute until the place is noted. */
const PAGE_ROWS = 500;

/**
 * Carries the rows of the release before over into the shapes of this one, page by page. Safe beside running functions: a row is rewritten
 * only as it was read. A run that is stopped goes on where it was; one that ended begins anew, and finds nothing to do.
 */
export async function migrateRows(
  { outside, table }: Pick<Place, 'outside' | 'table'>,
  { isForReal, rowsPerSecond, progress = () => undefined }: Options,
): Promise<Migrated> {
  const shapes = numbersOf(outside.table.shapes);
  const stopped = isForReal ? await findStopped(outside, shapes) : undefined;
  const started_at = stopped?.started_at ?? new Date(outside.now()).toISOString();
  const counts: Migration['counts'] = { ...stopped?.counts };
  let after = stopped?.after;
  const left: Migrated['left'][number][] = [];
  // Of an earlier part of this run; its keys are told by that one.
  const leftBefore = stopped?.left ?? 0;
  const client = DynamoDBDocumentClient.from(table.client);

  for (;;) {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, Limit: PAGE_ROWS, ExclusiveStartKey: after }),
    );
    let rewritten = 0;
    for (const row of Items) {
      const kind = kindOf(row) ?? 'unknown';
      const count = counts[kind] ?? { rows: 0, older: 0 };
      counts[kind] = count;
      count.rows += 1;
      const why = unreadable(outside.table, row);
      if (why !== undefined) left.push({ key: `${row.pk} / ${row.sk}`, why });
      else if (isOlder(outside.table.shapes, row)) {
        count.older += 1;
        if (isForReal && (await outside.table.carryOver(row))) rewritten += 1;
      }
    }
    progress(`Read ${Object.values(counts).reduce((sum, { rows }) => sum + rows, 0)} rows`);
    after = LastEvaluatedKey && placeOf(LastEvaluatedKey);
    if (isForReal) {
      const ended = after ? { after } : { ended_at: new Date(outside.now()).toISOString() };
      await noteMigration(outside, { shapes, started_at, counts, left: leftBefore + left.length, ...ended });
    }
    if (!after) return { counts, isContinued: stopped !== undefined, left };
    if (rewritten > 0) await outside.sleep((rewritten * 1000) / rowsPerSecond);
  }
}

async function findStopped(outside: Place['outside'], shapes: string): Promise<Migration | undefined> {
  const last = await findMigration(outside);
  return last?.shapes === shapes && last.ended_at === undefined ? last : undefined;
}

/** Why this release cannot read a row; also seen where nothing is written. */
function unreadable(table: Table, row: Item): string | undefined {
  try {
    table.asCurrent(row);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function placeOf({ pk, sk }: Item) {
  return { pk: String(pk), sk: String(sk) };
}
