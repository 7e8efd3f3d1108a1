import { dayOf } from './calendar.ts';
import { serialDayMs } from './spreadsheet.ts';

/**
 * Converts `20/11/2026`, `20.11.2026` and serial-number dates (`46346`) to `2026-11-20`. Returns other strings
 * unchanged.
 */
export function writtenDay(written: string | undefined): string | undefined {
  const serialMs = serialDayMs(written ?? '');
  if (serialMs !== undefined) return dayOf(serialMs);
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(written ?? '') ?? [];
  return year === undefined ? written : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
}
