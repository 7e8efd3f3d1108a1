/** `20/11/2026` and `20.11.2026`, as people and their spreadsheets write it in Ghana, as `2026-11-20`; anything else as it was written. */
export function writtenDay(written: string | undefined): string | undefined {
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(written ?? '') ?? [];
  return year === undefined ? written : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
}
