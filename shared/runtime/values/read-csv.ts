import { CsvError, parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { counted } from './counted.ts';
import { type FieldError, inList, invalidRequest, refuseInvalid } from './errors.ts';
import { cellText, damageOf, separatorLine, withoutFormulas } from './spreadsheet.ts';
import { MAX_TEXT_CHARACTERS } from './text.ts';

export interface Given<One> {
  readonly all: readonly One[];
  readonly errorAt: (n: number, field: string | undefined, message: string) => FieldError;
}

interface FileOf<Column extends string, Schema extends z.ZodMiniType> {
  /** Accepted names for each column. Case is ignored. Characters other than letters and digits count as underscores. */
  readonly columns: Readonly<Record<Column, readonly string[]>>;
  readonly required: readonly NoInfer<Column>[];
  /**
   * Returns the column names for a file without a header, given its first line. Returns undefined if that line is a
   * header.
   */
  readonly unnamed?: (first: readonly string[]) => readonly NoInfer<Column>[] | undefined;
  readonly missingHint?: (column: NoInfer<Column>) => string | undefined;
  readonly noun: string;
  readonly most: number;
  readonly schema: Schema;
  /** Converts a line to the schema's input. `cell` returns undefined for an empty cell. */
  readonly given: (cell: (column: NoInfer<Column>) => string | undefined) => unknown;
  readonly called: (field: string) => string;
  readonly days?: readonly NoInfer<Column>[];
}

/** @throws PublicError `invalid_request` unless either a list or a file is given. */
export function givenAs<One, Many extends Given<One>>(
  name: string,
  { list, csv }: { readonly list: readonly One[] | undefined; readonly csv: string | undefined },
  ofCsv: (csv: string) => Many,
): Many | Given<One> {
  if (csv !== undefined && list !== undefined)
    throw invalidRequest([{ field: 'csv', message: `cannot be combined with ${name}` }]);
  if (csv !== undefined) return ofCsv(csv);
  if (list === undefined) throw invalidRequest([{ field: name, message: 'is missing. Send a list, or CSV in `csv`.' }]);
  return givenInList(name, list);
}

export function givenInList<One>(name: string, all: readonly One[]): Given<One> {
  const placed = inList(name);
  const errorAt: Given<One>['errorAt'] = (n, field, message) => {
    const at = placed(n, message);
    return field === undefined ? at : { ...at, field: `${at.field}.${field}` };
  };
  return { all, errorAt };
}

/**
 * Parses a CSV file. `ignored` lists the unused columns.
 * @throws PublicError `invalid_request` for `field`, listing the missing columns or every invalid line.
 */
export function readCsv<Column extends string, Schema extends z.ZodMiniType>(
  csv: string,
  field: string,
  { columns: names, required, unnamed, noun, most, days = [], ...file }: FileOf<Column, Schema>,
): Given<z.infer<Schema>> & { readonly ignored: readonly string[] } {
  const { missingHint, called } = file;
  const { columns, rows } = parseCsv(csv, field, { unnamed, noun, most });
  const found = new Map<Column, string>();
  for (const column of Object.keys(names) as Column[]) {
    const name = names[column].flatMap((one) => columnOf(columns, one) ?? [])[0];
    if (name !== undefined) found.set(column, name);
  }
  const missing = required.filter((column) => !found.has(column));
  refuseInvalid(
    missing.map((column) => {
      const hint = missingHint?.(column) ?? namesHint(names[column], columns);
      return { field, message: `has no column "${column}"${hint}` };
    }),
  );
  if (rows.length === 0) throw invalidRequest([{ field, message: `has no ${noun} after the header row` }]);
  const errorAt: Given<unknown>['errorAt'] = (n, name, wrong) => {
    const what = name === undefined ? '' : called(name);
    return { field, line: rows[n]?.line, message: what === '' ? wrong : `${what} ${wrong}` };
  };
  const errors: FieldError[] = [];
  const all = rows.flatMap(({ cells }, n) => {
    const damaged = [...found].flatMap(([column, name]) => {
      const message = damageOf(days.includes(column) ? '' : name, cells[name] ?? '');
      return message === undefined ? [] : [{ field, line: rows[n]?.line, message: `${name} ${message}` }];
    });
    if (damaged.length > 0) {
      errors.push(...damaged);
      return [];
    }
    const parsed = z.safeParse(
      file.schema,
      file.given((column) => cells[found.get(column) ?? ''] || undefined),
    );
    if (parsed.success) return [parsed.data];
    for (const { path, message } of parsed.error.issues) errors.push(errorAt(n, path.join('.'), message));
    return [];
  });
  refuseInvalid(errors);
  const used = new Set(found.values());
  return { all, errorAt, ignored: columns.filter((column) => !used.has(column)) };
}

/** Maximum number of the file's columns that an error names. */
const NAMED_COLUMNS = 5;

function namesHint(accepted: readonly string[], found: readonly string[]): string {
  const named = found.slice(0, NAMED_COLUMNS).map((name) => JSON.stringify(name.slice(0, 40)));
  const more = found.length > NAMED_COLUMNS ? ` and ${found.length - NAMED_COLUMNS} more` : '';
  const others = accepted.length > 1 ? ` Accepted names: ${accepted.join(', ')}.` : '';
  return `. The first line must contain the column names. It contains ${named.join(', ')}${more}.${others}`;
}

function columnOf(columns: readonly string[], name: string): string | undefined {
  // In our own exports, a placeholder's column is called `{name}`, with the braces.
  const plain = (column: string) =>
    column
      .replace(/\W+/g, '_')
      .replace(/(?<=[^_])_+$/, '')
      .replace(/^_+(?=.)/, '');
  return (
    columns.find((column) => plain(column) === name) ??
    columns.find((column) => plain(column).toLowerCase() === name.toLowerCase())
  );
}

interface CsvRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Parses a table separated by commas, semicolons (common in Excel) or tabs. Skips empty lines and trims cells.
 * @throws PublicError `invalid_request` for `field`, listing the line numbers.
 */
function parseCsv(
  text: string,
  field: string,
  { unnamed, noun, most }: Pick<FileOf<string, z.ZodMiniType>, 'unnamed' | 'noun' | 'most'>,
): { columns: readonly string[]; rows: readonly CsvRow[] } {
  const { separator, rest: table } = separatorLine(text);
  const [first = ''] = table.trimStart().split(/\r?\n|\r/, 1);
  const read = recordsOf(table, { delimiter: separator ?? delimiterOf(first), most, field });
  const records = withoutEmptyColumns(withinLimits(read, field));
  const [head, ...below] = records;
  if (!head) throw invalidRequest([{ field, message: 'is empty. Its first line must contain the column names.' }]);
  const named = head.record.map((name) => name.trim());
  const given = unnamed?.(named);
  const [columns, rest] = given ? [given, records] : [named, below];
  const tooMany = `has more than ${counted(most, noun)}. Split the file.`;
  const bad = rest.length > most ? tooMany : badColumns(columns, rest);
  if (bad !== undefined) throw invalidRequest([{ field, message: bad }]);
  const uneven = rest.filter(
    ({ record: { length } }) => length > columns.length || (!given && length < columns.length),
  );
  refuseInvalid(
    uneven.map(({ record, line }) => ({
      field,
      line,
      message: `has ${counted(record.length, 'cell')}, but there ${columns.length === 1 ? 'is' : 'are'} ${counted(columns.length, 'column')}`,
    })),
  );
  const rows = rest.map(({ record, line }) => ({
    line,
    cells: Object.fromEntries(columns.map((name, n) => [name, (record[n] ?? '').trim()])),
  }));
  return { columns, rows };
}

interface Numbered {
  readonly record: readonly string[];
  readonly line: number;
}

/** With `info`, the library returns line numbers, which its type does not declare. */
const Records = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

interface RecordsRead {
  readonly delimiter: string;
  readonly most: number;
  readonly field: string;
}

/** Stops after the header and one line too many, so that no later step handles a longer list. */
function recordsOf(text: string, { delimiter, most, field }: RecordsRead): Numbered[] {
  try {
    const found = parse(withoutFormulas(text), {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: most + 2,
    });
    return z.parse(Records, found).map(({ record, info }) => ({ record: record.map(cellText), line: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = 'lines' in error && typeof error.lines === 'number' ? `line ${error.lines}` : 'it';
    const message = `cannot be read, because ${line} has a misplaced or unclosed quotation mark`;
    throw invalidRequest([{ field, message }]);
  }
}

const MAX_COLUMNS = 100;

/** @throws PublicError `invalid_request` for `field`, listing the lines with too many or too long cells. */
function withinLimits(records: readonly Numbered[], field: string): Numbered[] {
  const isFilled = (cell: string) => cell.trim() !== '';
  refuseInvalid(
    records.flatMap(({ record, line }) => {
      if (record.findLastIndex(isFilled) >= MAX_COLUMNS)
        return [{ field, line, message: `has more than ${MAX_COLUMNS} cells` }];
      if (record.every((cell) => cell.length <= MAX_TEXT_CHARACTERS)) return [];
      return [{ field, line, message: `has a cell with more than ${MAX_TEXT_CHARACTERS} characters` }];
    }),
  );
  return records.map(({ record, line }) => ({ line, record: record.slice(0, MAX_COLUMNS) }));
}

function delimiterOf(first: string): string {
  const count = (one: string) => first.split(one).length;
  return [',', ';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most));
}

/** Drops columns without a name or content, which spreadsheets save after a column is cleared. */
function withoutEmptyColumns(records: readonly Numbered[]): Numbered[] {
  const count = Math.max(0, ...records.map(({ record }) => record.length));
  const isEmpty = Array.from({ length: count }, (_, n) =>
    records.every(({ record }) => (record[n] ?? '').trim() === ''),
  );
  return records.map(({ record, line }) => ({ line, record: record.filter((_, n) => !isEmpty[n]) }));
}

function badColumns(columns: readonly string[], rows: readonly Numbered[]): string | undefined {
  const unnamed = columns.indexOf('');
  if (unnamed >= 0) {
    const filled = rows.find(({ record }) => (record[unnamed] ?? '').trim() !== '');
    const where = filled
      ? `. The cell in line ${filled.line} is ${JSON.stringify(filled.record[unnamed]?.slice(0, 40))}.`
      : '';
    return `has no name for column ${unnamed + 1} in its first line${where}`;
  }
  const twice = columns.find((name, n) => columns.indexOf(name) !== n);
  return twice === undefined ? undefined : `contains the column ${JSON.stringify(twice.slice(0, 40))} twice`;
}
