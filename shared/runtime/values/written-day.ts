import { dayOf } from './calendar.ts';
import { serialDayMs } from './spreadsheet.ts';

/** `20/11/2026` and `20.11.2026`, as people write it in Ghana, and `46346`, as spreadsheets save it, as `2026-11-20`; anything else as it was written. */
export function writtenDay(written: string | undefined): string | undefined {
  const serialMs = serialDayMs(written ?? '');
  if (serialMs !== undefined) return dayOf(serialMs);
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(written ?? '') ?? [];
  return year === undefined ? written : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
}
