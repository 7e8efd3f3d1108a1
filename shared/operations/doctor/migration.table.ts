/**
 * row migration   MIGRATION / MIGRATION   progress, target row shapes and end time of `table migrate`
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';

const Migration = z.object({
  shapes: z.string(),
  started_at: z.string(),
  after: z.optional(z.object({ pk: z.string(), sk: z.string() })),
  counts: z.record(z.string(), z.object({ rows: z.number(), older: z.number() })),
  left: z.number(),
  ended_at: z.optional(z.string()),
});
export type Migration = z.infer<typeof Migration>;

const migrationRows = rows(Migration, { pk: 'MIGRATION', sk: 'MIGRATION' });

export function findMigration(outside: TableOutside): Promise<Migration | undefined> {
  return migrationRows.find(outside, {});
}

export async function noteMigration({ table }: TableOutside, migration: Migration): Promise<void> {
  await table.write([{ put: { Item: migrationRows.item(migration) } }]);
}
