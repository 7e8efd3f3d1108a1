import { describe, expect, test } from 'vitest';
import { readStatement } from '../../../infra/admin/statement.ts';

/** The columns in MTN Ghana's statements. */
const MTN_COLUMNS =
  'TRANSACTION DATE,FROM ACCT,FROM NAME,FROM NO.,TRANS. TYPE,AMOUNT,FEES,E-LEVY,BAL BEFORE,BAL AFTER,TO NO.,TO NAME,TO ACCT,F_ID,REF,OVA';
const mtnRow = ({
  time = '20-Nov-2026 10:01:40 AM',
  before = '1,000.00',
  after = '1,036.00',
  id = '90901234567',
} = {}) =>
  `${time},1,KOFI MENSAH,233241112223,PAYMENT,36,0,0,"${before}","${after}",233241234567,AMA STORES,2,${id},"kente, blue",-`;
const mtn = (...rows: string[]) => [MTN_COLUMNS, ...rows].join('\n');

test('columns of an MTN statement are found by name', () => {
  expect(readStatement(`﻿Statement of AMA STORES\n\n${mtn(mtnRow())}\n`)).toEqual([
    {
      line: 4,
      transaction_id: '90901234567',
      id: 90_901_234_567,
      before: 1_000_00,
      after: 1_036_00,
      at_ms: Date.parse('2026-11-20T10:01:40Z'),
    },
  ]);
});

test('the balance before each line of a Telecel statement is computed', () => {
  const columns = 'Receipt No.;Completion Time;Details;Transaction Status;Paid In;Withdrawn;Balance';
  const rows = readStatement(
    [
      columns,
      '0000014592375973;2026-11-20 10:01:40;a payment;Completed;36.00;;1,036.00',
      '0000014592375974;2026-11-20 10:02:40;a withdrawal;Completed;;-16.00;1,020.00',
      '0000014592375975;2026-11-20 10:03:40;refused;Failed;;-16.00;1,020.00',
    ].join('\n'),
  );
  expect(rows).toMatchObject([
    { transaction_id: '0000014592375973', before: 1_000_00, after: 1_036_00 },
    { transaction_id: '0000014592375974', before: 1_036_00, after: 1_020_00 },
  ]);
});

test.each([
  ['2026-11-20 10:01:40', '2026-11-20T10:01:40Z'],
  ['2026-11-20T10:01:40.000Z', '2026-11-20T10:01:40Z'],
  ['20/11/2026 10:01', '2026-11-20T10:01:00Z'],
  ['20-Nov-26 10:01:40 PM', '2026-11-20T22:01:40Z'],
  ['5 November 2026 12:01 AM', '2026-11-05T00:01:00Z'],
])('the time %s in a statement is parsed as %s', (time, read) => {
  expect(readStatement(mtn(mtnRow({ time })))).toMatchObject([{ at_ms: Date.parse(read) }]);
});

test('a total at the end of a statement is skipped', () => {
  expect(readStatement(mtn(mtnRow(), 'TOTAL,,,,,36,0,0,,,,,,,,'))).toHaveLength(1);
});

describe('statement import', () => {
  test.each([
    [
      'an id rounded by a spreadsheet',
      mtnRow({ id: '9.09012E+10' }),
      /Line 3 .*spreadsheet has rounded the transaction id to 9\.09012E\+10/,
    ],
    ['an id made of letters', mtnRow({ id: 'ABC' }), /Line 3 .*"ABC" is not a transaction id/],
    ['a missing id', mtnRow({ id: '' }), /Line 3 .*"" is not a transaction id/],
    ['an invalid time', mtnRow({ time: '31/11/2026 10:01' }), /Line 3 .*time "31\/11\/2026 10:01" cannot be read/],
    ['the month before the day', mtnRow({ time: '11/20/2026 10:01' }), /Line 3 .*cannot be read/],
    ['a missing balance', mtnRow({ after: '' }), /Line 3 .*"" is not an amount in cedis/],
    ['an amount with three decimals', mtnRow({ before: '1.005' }), /Line 3 .*"1\.005" is not an amount/],
    ['an extra cell', `${mtnRow()},more`, /Line 3 .*it has 17 cells, but the line with the column names has 16/],
  ])('rejects a line with %s', (_, row, message) => {
    expect(() => readStatement(mtn(mtnRow(), row))).toThrow(message);
  });

  test('lists missing columns', () => {
    expect(() => readStatement('Date,Amount\n2026-11-20,36')).toThrow(/needs a transaction id \(F_ID\)/);
  });

  test('rejects a file without transactions', () => {
    expect(() => readStatement(MTN_COLUMNS)).toThrow('The statement has no transactions.');
    expect(() => readStatement('a,"b\nc')).toThrow(/The file is not CSV/);
  });
});
