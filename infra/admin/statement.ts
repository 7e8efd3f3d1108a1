import { parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { CURRENCY } from '../../shared/ghana/country.ts';
import { pesewasOf } from '../../shared/ghana/money.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';

/** A movement in a network's wallet statement. Amounts are in pesewas. */
export interface StatementRow {
  readonly line: number;
  readonly transaction_id: string;
  readonly id: number;
  readonly before: number;
  readonly after: number;
  readonly at_ms: number;
}

/** Column names in lower case without spaces or full stops: MTN's, then Telecel's. */
const COLUMNS = {
  id: ['fid', 'transactionid', 'financialtransactionid', 'receiptno', 'receiptnumber'],
  time: ['transactiondate', 'completiontime', 'transactiontime', 'datetime', 'date'],
  before: ['balbefore', 'balancebefore'],
  after: ['balafter', 'balanceafter', 'balance'],
  paidIn: ['paidin', 'moneyin', 'credit'],
  withdrawn: ['withdrawn', 'moneyout', 'debit'],
  status: ['transactionstatus', 'status'],
} as const;
type Column = keyof typeof COLUMNS;
type Places = ReadonlyMap<Column, number>;

interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Parses a network's statement (CSV with named columns). Rejects ambiguous input.
 * @throws OperatorError that names the invalid line.
 */
export function readStatement(csv: string): StatementRow[] {
  for (const delimiter of DELIMITERS) {
    const lines = csvLines(csv, delimiter);
    const headerAt = lines.findIndex(({ cells }) => isHeader(placesOf(cells)));
    const header = lines[headerAt];
    if (!header) continue;
    const rows = lines.slice(headerAt + 1).flatMap((line) => rowOf(line, header) ?? []);
    if (rows.length === 0) throw new OperatorError('The statement has no transactions.');
    return rows;
  }
  throw new OperatorError(
    'No line in the file contains a statement’s column names. It needs a transaction id (F_ID), a time (TRANSACTION DATE), and the balances BAL BEFORE and BAL AFTER, or PAID IN, WITHDRAWN and BALANCE.',
  );
}

/** Spreadsheets use semicolons where the comma is the decimal separator. */
const DELIMITERS = [',', ';', '\t'];

const Records = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

function csvLines(csv: string, delimiter: string): Line[] {
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true, info: true, delimiter };
  try {
    return z.parse(Records, parse(csv, options)).map(({ record, info }) => ({ number: info.lines, cells: record }));
  } catch (error) {
    throw new OperatorError(
      `The file is not CSV. Export the statement as CSV. ${error instanceof Error ? error.message : error}`,
    );
  }
}

function placesOf(cells: readonly string[]): Places {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''));
  const places = new Map<Column, number>();
  const isColumn = (name: string): name is Column => name in COLUMNS;
  for (const [column, aliases] of Object.entries(COLUMNS)) {
    const found = aliases.map((alias) => names.indexOf(alias)).find((n) => n >= 0);
    if (isColumn(column) && found !== undefined) places.set(column, found);
  }
  return places;
}

function isHeader(places: Places): boolean {
  const has = (...columns: Column[]) => columns.every((column) => places.has(column));
  return has('id', 'time', 'after') && (has('before') || has('paidIn', 'withdrawn'));
}

/** Returns undefined for a line that is not a transaction, such as a total. */
function rowOf({ number: line, cells }: Line, header: Line): StatementRow | undefined {
  const places = placesOf(header.cells);
  const cellOf = (column: Column) => cells[places.get(column) ?? -1] ?? '';
  const wrong = (what: string) => new OperatorError(`Line ${line} of the statement: ${what}`);
  const transaction_id = cellOf('id').replace(/^'/, '');
  if (transaction_id === '' && timeInStatement(cellOf('time')) === undefined) return undefined;
  if (cells.length !== header.cells.length) {
    throw wrong(`it has ${cells.length} cells, but the line with the column names has ${header.cells.length}.`);
  }
  if (/^\d(?:\.\d+)?E\+\d+$/i.test(transaction_id)) {
    throw wrong(`a spreadsheet has rounded the transaction id to ${transaction_id}. Use the network’s original file.`);
  }
  if (!/^\d{1,16}$/.test(transaction_id)) throw wrong(`"${transaction_id}" is not a transaction id.`);
  if (places.has('status') && !/^(?:completed|success(?:ful)?)$/i.test(cellOf('status'))) return undefined;
  const at_ms = timeInStatement(cellOf('time'));
  if (at_ms === undefined)
    throw wrong(`the time "${cellOf('time')}" cannot be read. Use the format 2026-11-20 10:01:40.`);
  const amount = (column: Column) => {
    const pesewas = pesewasIn(cellOf(column));
    if (pesewas === undefined) throw wrong(`"${cellOf(column)}" is not an amount in cedis.`);
    return pesewas;
  };
  const after = amount('after');
  // One of the two amounts is empty. Some networks write outgoing amounts with a minus sign.
  const part = (column: Column) => (cellOf(column) === '' ? 0 : Math.abs(amount(column)));
  const moved = () => part('paidIn') - part('withdrawn');
  const before = places.has('before') ? amount('before') : after - moved();
  return { line, transaction_id, id: Number(transaction_id), before, after, at_ms };
}

function pesewasIn(written: string): number | undefined {
  const [, minus = '', digits] = AMOUNT.exec(written) ?? [];
  if (digits === undefined) return undefined;
  const pesewas = pesewasOf(Number(digits.replaceAll(',', '')));
  return pesewas === undefined ? undefined : minus ? -pesewas : pesewas;
}

const AMOUNT = new RegExp(String.raw`^(-?)(?:${CURRENCY}|GH¢|₵)? *([\d,]*\d(?:\.\d{1,2})?)$`, 'i');

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AP]M))?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T]${TIME}Z?$`, 'i');
/** Matches dates with the day first, as in Ghana. The month is a number or a name. */
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})[-/ ](\d{1,2}|[a-z]{3,9})[-/ ](\d{4}|\d{2}),? ${TIME}$`, 'i');

/** Converts a time to milliseconds since 1970 (Ghana is on UTC). Returns undefined if it is invalid. */
function timeInStatement(written: string): number | undefined {
  const [, year, month, day, ...yearFirst] = YEAR_FIRST.exec(written.trim()) ?? [];
  if (year && month && day) return momentOf(Number(year), Number(month), Number(day), yearFirst);
  const [, first, second, third, ...dayFirst] = DAY_FIRST.exec(written.trim()) ?? [];
  if (!first || !second || !third) return undefined;
  const named = MONTHS.indexOf(second.slice(0, 3).toLowerCase()) + 1;
  const monthNumber = /^\d/.test(second) ? Number(second) : named;
  return momentOf(Number(third.length === 2 ? `20${third}` : third), monthNumber, Number(first), dayFirst);
}

function momentOf(
  year: number,
  month: number,
  day: number,
  [hour = '', minute = '', second = '0', half]: readonly (string | undefined)[],
): number | undefined {
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour);
  const ms = Date.UTC(year, month - 1, day, hours, Number(minute), Number(second));
  const at = new Date(ms);
  // JavaScript turns 31 November into 1 December.
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hours;
  return isReal && Number(minute) < 60 && Number(second) < 60 ? ms : undefined;
}
