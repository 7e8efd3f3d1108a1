import { noun, optional, verb } from '../command.ts';
import { migrateRows } from '../migrate-rows.ts';
import { positiveInteger } from '../options.ts';

/**
 * Maximum number of rows to rewrite per second. The table accepts thousands, so most capacity is left for customers.
 */
const ROWS_PER_SECOND = 200;

export const tables = noun('table', 'the rows of the table', {
  migrate: verb(
    'after an upgrade, rewrite the rows written by the previous release and make old charges searchable by new terms; reads the whole table, which costs about three cents a gigabyte',
    {
      dryRun: { description: 'only count the rows' },
      rowsPerSecond: {
        ...optional('<number>', 'rows written per second', positiveInteger),
        standard: ROWS_PER_SECOND,
      },
    },
    async (place, { dryRun = false, rowsPerSecond }, { progress }) => {
      const { counts, isContinued, left } = await migrateRows(place, { isForReal: !dryRun, rowsPerSecond, progress });
      const kinds = Object.entries(counts).map(([kind, { rows, older }]) => ({
        kind,
        rows,
        [dryRun ? 'to_write' : 'written']: older,
      }));
      if (left.length > 0) process.exitCode = 1;
      return {
        ...(isContinued && { continued: 'An earlier run was stopped; this one resumed it.' }),
        kinds,
        left,
        ...(dryRun && { nothing_was_changed: 'Leave out --dry-run to write them.' }),
      };
    },
  ),
});
