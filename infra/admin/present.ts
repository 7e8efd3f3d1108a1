/** A command's result for a person: a field per line, a list as a table. */
export function asText(result: object): string {
  return Object.entries(result)
    .map(([name, value]) => (Array.isArray(value) ? table(name, value) : `${name}: ${cell(value)}`))
    .join('\n');
}

function table(name: string, rows: readonly object[]): string {
  const [first] = rows;
  if (!first) return `no ${name.replaceAll('_', ' ')}`;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    columns,
    ...rows.map((row) => columns.map((column) => cell(Object.entries(row).find(([name]) => name === column)?.[1]))),
  ];
  const widths = columns.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, n) => text.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
