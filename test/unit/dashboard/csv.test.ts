import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvAmount, csvFile, csvTime } from '../../../shared/pages/dashboard/parts/csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+233241234567', "'+233241234567"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1+1', "' =1+1"],
  ['  =1+1', "'  =1+1"],
  ['＝1+1', "'＝1+1"],
  ['Kofi;=1+1', "Kofi;'=1+1"],
  ['Kofi|=1+1', "Kofi|'=1+1"],
  // In a file separated by semicolons, a quotation mark may open the next field.
  ['Kofi;"=1+1;', `Kofi;'"=1+1;`],
  ['"=1+1', `'"=1+1`],
  ['two\r\n=lines', 'two =lines'],
  ['say "hi", Ama', 'say "hi", Ama'],
  ['Adjoa Ɔkɔ 😀', 'Adjoa Ɔkɔ 😀'],
])('the cell %j is exported as text instead of a formula: %j', (given, read) => {
  const { body } = csvFile('a.csv', [given], { text: (one) => one });
  expect(parse(body, { bom: true })).toEqual([['text'], [read]]);
  // Each entry must fit on one line, because not every spreadsheet supports quoted line breaks.
  expect(body.split('\r\n')).toHaveLength(3);
});

test('numbers are exported as numbers and times in ISO 8601', () => {
  const at = '2026-11-20T14:03:05.123Z';
  const { body, headers } = csvFile('a.csv', [at], { n: () => csvAmount(-36_50), at: csvTime, none: () => undefined });
  expect(body).toBe('\ufeff"n","at","none"\r\n-36.5,"2026-11-20 14:03:05",\r\n');
  const file = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="a.csv"' };
  expect(headers).toMatchObject({ ...file, 'cache-control': 'no-store' });
});
