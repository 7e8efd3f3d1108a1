import { inspect } from 'node:util';

/**
 * Runs `check` for each row, in order, and then fails once, with the name and message of every row that failed. Makes
 * one test of a loop over names, routes or wordings.
 *
 * @throws Error if a row failed, or if there are no rows.
 */
export async function checkEach<const Row>(rows: readonly Row[], check: (row: Row) => unknown): Promise<void> {
  if (rows.length === 0) throw new Error('There are no rows to check. Correct the list or filter that selects them.');
  const failures: { line: string; error: unknown }[] = [];
  for (const row of rows) {
    try {
      await check(row);
    } catch (error) {
      failures.push({ line: `- ${nameOf(row)}: ${messageOf(error)}`, error });
    }
  }
  const [first] = failures;
  if (!first) return;
  const lines = failures.map(({ line }) => line).join('\n');
  throw new Error(`${failures.length} of ${rows.length} rows failed:\n${lines}`, { cause: first.error });
}

/** Returns a text itself, a row's `name`, or else the row's own fields. */
function nameOf(row: unknown): string {
  if (typeof row === 'string') return row;
  if (typeof row === 'object' && row && 'name' in row) return String(row.name);
  return inspect(row, { depth: 0, breakLength: Infinity }).slice(0, 200);
}

/** Returns the start of the message, since an assertion may quote a whole page. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, 600).replaceAll('\n', '\n  ');
}
