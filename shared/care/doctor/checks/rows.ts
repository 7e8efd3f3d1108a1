import type { Place } from '../../../runtime/stage/place.ts';
import { numbersOf } from '../../../runtime/table/row-shape.ts';
import { type Finding, fine, wrong } from '../finding.ts';
import { findMigration } from '../migration.table.ts';

/** Where a release changed rows, those of the release before were carried over: the next release does not read them. */
export async function checkRows({ outside }: Place): Promise<Finding[]> {
  const { shapes } = outside.table;
  if (shapes.length === 0) return [];
  const last = await findMigration(outside);
  const isDone = last?.ended_at !== undefined && last.shapes === numbersOf(shapes) && last.left === 0;
  if (isDone) return [fine('All rows are as this release writes them.')];
  return [
    wrong(
      'Rows of the release before may be left: they are read, but some lists lack them, and the next release will not read them.',
      'table migrate',
    ),
  ];
}
