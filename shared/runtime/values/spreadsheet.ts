import { DAY_MS } from './calendar.ts';

/** Removes the characters that mark a cell as text: `="0241234567"`, `'+233241234567`. */
export function cellText(cell: string): string {
  const [, formula = cell] = /^="(.*)"$/s.exec(cell.trim()) ?? [];
  return formula.replace(/(^|[;|])'(?=[\s"]*[=+\-@＝＋－＠])/g, '$1').trim();
}

/** Unwraps cells with text formulas (`,="0241234567",`), which are not valid CSV. */
export function withoutFormulas(csv: string): string {
  return csv.replace(/(^|[,;\t\r\n])="([^"\r\n]*)"(?=[,;\t\r\n]|$)/g, '$1"$2"');
}

/** Reads the separator from Excel's special first line (`sep=;`) and clears the line. */
export function separatorLine(csv: string): { readonly separator: string | undefined; readonly rest: string } {
  const [line = '', separator] = /^\uFEFF?"?sep=([,;\t|])"?[,;\t]*(?=\r|\n|$)/i.exec(csv) ?? [];
  return { separator, rest: csv.slice(line.length) };
}

export function damageOf(column: string, cell: string): string | undefined {
  const shown = JSON.stringify(cell.slice(0, 40));
  if (/^[+-]?\d+(?:[.,]\d+)?E\+\d+$/.test(cell))
    return `${shown} was shortened by a spreadsheet. Format the column as text, then enter the whole number again.`;
  if (/date|birthday/i.test(column) && isSerialDay(cell))
    return `${shown} is a date that a spreadsheet stored as a number. Format the column as text, then write out the date.`;
  return undefined;
}

/**
 * Smallest serial number that is accepted as a date (in 2009). The largest is in 2064. Excel counts days from the end
 * of 1899.
 */
const FIRST_SERIAL_DAY = 40_000;
const LAST_SERIAL_DAY = 60_000;
const SERIAL_ZERO_MS = Date.UTC(1899, 11, 30);

function isSerialDay(cell: string): boolean {
  return /^\d{5}$/.test(cell) && Number(cell) >= FIRST_SERIAL_DAY && Number(cell) <= LAST_SERIAL_DAY;
}

/** Converts a serial-number date, such as 46380, to epoch milliseconds. Returns undefined for other strings. */
export function serialDayMs(cell: string): number | undefined {
  return isSerialDay(cell) ? SERIAL_ZERO_MS + Number(cell) * DAY_MS : undefined;
}
