/**
 * Runs `check` for each row, in order, and then fails once, with the name and message of every row that failed. Makes
 * one test of a loop over names, routes or wordings.
 *
 * @throws Error if a row failed, or if there are no rows.
 */
export async function everyRow<Row>(
  rows: Iterable<Row>,
  nameOf: (row: Row) => string,
  check: (row: Row) => unknown,
): Promise<void> {
  const all = [...rows];
  if (all.length === 0) throw new Error('There are no rows to check. Correct the list or filter that selects them.');
  const failures: { line: string; error: unknown }[] = [];
  for (const row of all) {
    try {
      await check(row);
    } catch (error) {
      failures.push({ line: `- ${nameOf(row)}: ${messageOf(error)}`, error });
    }
  }
  const [first] = failures;
  if (!first) return;
  const lines = failures.map(({ line }) => line).join('\n');
  throw new Error(`${failures.length} of ${all.length} rows failed:\n${lines}`, { cause: first.error });
}

/** Returns the message in one line, since an assertion may quote a whole page. Nested loops keep their lines. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, 600).replaceAll('\n', '\n  ');
}
