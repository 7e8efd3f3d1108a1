import { CsvError, parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { counted } from './counted.ts';
import { type FieldError, invalidRequest, refuseInvalid } from './errors.ts';

/** A row of a file: its cells by the names of its columns, and the line of the file in which it ends, counted from 1. */
interface CsvRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

export interface CsvTable {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  /** What is wrong with one of its rows. */
  readonly errorAt: (n: number, message: string) => FieldError;
}

/**
 * A table whose first line names its columns, as spreadsheets save it: with commas, semicolons (Excel's in much of the world) or tabs, as the
 * first line has them, with or without a byte order mark. Empty lines are left out, and cells are trimmed.
 * @throws PublicError `invalid_request` for `field`, with the lines.
 */
export function parseCsv(text: string, field: string): CsvTable {
  const [first = ''] = text.split(/\r?\n|\r/, 1);
  const records = recordsOf(text, delimiterOf(first), field);
  const [head, ...rest] = records;
  if (!head) throw invalidRequest([{ field, message: 'is empty: its first line must name the columns' }]);
  const columns = head.record.map((name) => name.trim());
  const bad = badColumns(columns);
  if (bad !== undefined) throw invalidRequest([{ field, message: bad }]);
  const uneven = rest.filter(({ record }) => record.length !== columns.length);
  refuseInvalid(
    uneven.map(({ record, line }) => ({
      field,
      line,
      message: `has ${counted(record.length, 'cell')}, and the first line names ${counted(columns.length, 'column')}`,
    })),
  );
  const rows = rest.map(({ record, line }) => ({
    line,
    cells: Object.fromEntries(columns.map((name, n) => [name, (record[n] ?? '').trim()])),
  }));
  return { columns, rows, errorAt: (n, message) => ({ field, line: rows[n]?.line, message }) };
}

interface Numbered {
  readonly record: readonly string[];
  readonly line: number;
}

/** With `info` each record comes with its place, which the library's type does not say. */
const Found = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

function recordsOf(text: string, delimiter: string, field: string): Numbered[] {
  try {
    const found = parse(text, {
      ...{ bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true },
      skip_records_with_empty_values: true,
    });
    return z.parse(Found, found).map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = 'lines' in error && typeof error.lines === 'number' ? `line ${error.lines}` : 'it';
    const message = `cannot be read: ${line} has a quotation mark where none may stand, or one that is not closed`;
    throw invalidRequest([{ field, message }]);
  }
}

/** What separates the names of the columns; a comma where there is one column. */
function delimiterOf(first: string): string {
  const count = (one: string) => first.split(one).length;
  return [',', ';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most));
}

function badColumns(columns: readonly string[]): string | undefined {
  if (columns.includes('')) return 'has a column without a name in its first line';
  const twice = columns.find((name, n) => columns.indexOf(name) !== n);
  return twice === undefined ? undefined : `names the column ${JSON.stringify(twice.slice(0, 40))} twice`;
}
