import * as z from 'zod/mini';
import { counted } from '../../runtime/values/counted.ts';
import { type FieldError, invalidRequest, refuseInvalid } from '../../runtime/values/errors.ts';
import { type CsvTable, parseCsv } from '../../runtime/values/parse-csv.ts';
import { writtenDay } from '../../runtime/values/written-day.ts';
import { MAX_REQUESTS, type ManyRequestsBody, RequestBody } from './request-body.ts';
import { amountIn, daysIn } from './written.ts';

/** Many requests as they were asked for, whichever way they came. */
export interface ManyRequests {
  readonly bodies: readonly RequestBody[];
  /** What is wrong with one of them, as whoever asked has to find it. */
  readonly errorAt: (n: number, field: string, message: string) => FieldError;
}

/** @throws PublicError `invalid_request` where there are none, or with the lines of a CSV file that are wrong. */
export function readRequests({ requests, csv }: ManyRequestsBody): ManyRequests {
  if (csv !== undefined && requests !== undefined)
    throw invalidRequest([{ field: 'csv', message: 'is there beside requests: give one of the two' }]);
  if (csv !== undefined) return requestsOfCsv(csv, 'csv');
  if (requests === undefined)
    throw invalidRequest([{ field: 'requests', message: 'is missing: give a list, or a file as csv' }]);
  return {
    bodies: requests,
    errorAt: (n, field, message) => ({ field: `requests[${n}].${field}`, message }),
  };
}

/** The names that a column may have, in any case and with spaces for underscores; the first that is there counts. */
const COLUMNS = {
  title: ['title'],
  description: ['description', 'item'],
  quantity: ['quantity'],
  amount: ['amount'],
  customer_name: ['customer_name', 'name', 'customer'],
  customer_phone: ['customer_phone', 'number', 'phone', 'phone_number', 'mobile', 'to'],
  due: ['due', 'due_date', 'due_on'],
  reminders: ['reminders'],
  note: ['note'],
  merchant_reference: ['merchant_reference', 'reference', 'invoice'],
} as const;
type Column = keyof typeof COLUMNS;

/** What holds for each line that does not say it itself. */
export interface ForAllLines {
  readonly title?: string | undefined;
  /** A day, such as `2026-12-24`. */
  readonly due?: string | undefined;
  /** Such as `-3, 0, 7`. */
  readonly reminders?: string | undefined;
}

/**
 * The requests of a CSV file, one a line; other columns are not read, and `ignored` names them. Days may be as `20/11/2026` and amounts as
 * `GHS 1,200.50`, too. @throws PublicError `invalid_request` for `field`, with each bad line.
 */
export function requestsOfCsv(
  csv: string,
  field: string,
  forAll: ForAllLines = {},
): ManyRequests & { readonly ignored: readonly string[] } {
  const { columns, rows, errorAt: errorOf } = parseCsv(csv, field);
  const columnOf = findColumns(columns);
  const missing = (['title', 'amount'] as const).filter(
    (name) => columnOf[name] === undefined && !(name === 'title' && forAll.title),
  );
  refuseInvalid(
    missing.map((name) => ({ field, message: `has no column "${name}": the first line must name the columns` })),
  );
  if (rows.length === 0) throw invalidRequest([{ field, message: 'has no request below its first line' }]);
  if (rows.length > MAX_REQUESTS)
    throw invalidRequest([{ field, message: `has ${counted(rows.length, 'request')}, and takes ${MAX_REQUESTS}` }]);
  const errorAt: ManyRequests['errorAt'] = (n, name, message) => errorOf(n, `${name} ${message}`);
  const errors: FieldError[] = [];
  const bodies = rows.flatMap(({ cells }, n) => {
    const parsed = z.safeParse(RequestBody, bodyOf(cells, columnOf, forAll));
    if (parsed.success) return [parsed.data];
    for (const { path, message } of parsed.error.issues) errors.push(errorAt(n, nameOf(path), message));
    return [];
  });
  refuseInvalid(errors);
  const used = new Set(Object.values(columnOf));
  return { bodies, errorAt, ignored: columns.filter((column) => !used.has(column)) };
}

type Found = Readonly<Partial<Record<Column, string>>>;

function findColumns(columns: CsvTable['columns']): Found {
  const plain = (column: string) => column.toLowerCase().replace(/\W+/g, '_');
  const found = (names: readonly string[]) =>
    names.flatMap((name) => columns.find((column) => plain(column) === name) ?? [])[0];
  return Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([what, names]) => {
      const column = found(names);
      return column === undefined ? [] : [[what, column]];
    }),
  );
}

/** A line as the API takes it: an empty cell is not there. */
function bodyOf(cells: CsvTable['rows'][number]['cells'], columnOf: Found, forAll: ForAllLines) {
  const cell = (what: Column) => cells[columnOf[what] ?? ''] || undefined;
  const title = cell('title') ?? forAll.title ?? '';
  const [quantity, reminders] = [cell('quantity'), cell('reminders') ?? forAll.reminders];
  const given = {
    customer_name: cell('customer_name'),
    customer_phone: cell('customer_phone'),
    due: writtenDay(cell('due')) ?? forAll.due,
    reminders: reminders === undefined ? undefined : daysIn(reminders),
    note: cell('note'),
    merchant_reference: cell('merchant_reference'),
  };
  return {
    title,
    lines: [
      {
        // Of a line without a title, that is what is told.
        description: cell('description') ?? (title || '?'),
        ...(quantity !== undefined && { quantity: /^\d{1,6}$/.test(quantity) ? Number(quantity) : quantity }),
        amount: amountIn(cell('amount') ?? ''),
      },
    ],
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/** The column that an issue is about: `lines[0].amount` is the amount, `reminders[1]` the reminders. */
function nameOf(path: readonly PropertyKey[]): string {
  const [first, , last = first] = path;
  return String(first === 'lines' ? last : first);
}
