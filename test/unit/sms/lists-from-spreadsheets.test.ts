import { describe, expect, test } from 'vitest';
import { NUMBER_COLUMNS, numbersIn } from '../../../shared/ghana/phone-number.ts';
import { requestsOfCsv } from '../../../shared/money/request/read-requests.ts';
import { PublicError } from '../../../shared/runtime/values/errors.ts';
import { recipientsOfCsv } from '../../../shared/texts/bulk/read-recipients.ts';
import { resultsOf } from '../../../shared/texts/bulk/results.ts';
import { readContacts } from '../../../shared/texts/contact/read-contacts.ts';

const KOFI = '+233241234567';

const GOOGLE =
  'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value';
const OLD_GOOGLE =
  'Name,Given Name,Additional Name,Family Name,Notes,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value';
const OUTLOOK =
  'First Name,Middle Name,Last Name,Title,Suffix,Nickname,E-mail Address,E-mail 2 Address,Home Phone,Home Phone 2,Business Phone,Business Phone 2,Mobile Phone,Car Phone,Other Phone,Primary Phone,Birthday,Notes';

describe('an exported contact list', () => {
  test.each([
    [
      'Google Contacts',
      `${GOOGLE}\nKofi,,Mensah,,,,,,,,Ama Stores,,,1990-01-03,,,* myContacts,Home,k@example.com,Mobile,024 123 4567,Work,+44 20 7946 0000`,
    ],
    [
      'Google Contacts, with two numbers in one cell',
      `${GOOGLE}\nKofi,,Mensah,,,,,,,,,,,,,,,,,Mobile,+233 24 123 4567 ::: 020 111 2223,,`,
    ],
    ['Google Contacts before 2024', `${OLD_GOOGLE}\nKofi Mensah,Kofi,,Mensah,,* myContacts,,,Mobile,241234567`],
    [
      'Outlook',
      `${OUTLOOK}\n"Kofi","","Mensah","","","","","","030 222 2222","","","","+233 24-123-4567","","","","0/0/00",""`,
    ],
  ])('from %s yields the name and the mobile number', (_, csv) => {
    expect(readContacts(csv, 'csv', {}).all).toEqual([{ number: KOFI, name: 'Kofi Mensah' }]);
    expect(recipientsOfCsv(csv, 'csv', 'Hi').all).toEqual([{ to: KOFI }]);
  });

  test('may contain people without a name', () => {
    expect(readContacts('First Name,Last Name,Mobile Phone\n,,0241234567', 'csv', {}).all).toEqual([{ number: KOFI }]);
  });

  test('is rejected with the accepted and the found columns if no column has numbers', () => {
    const found = 'It contains "First", "Family", "Cell", "a", "b" and 2 more.';
    expect(
      errorsOf(() => readContacts('First,Family,Cell,a,b,c,d\nKofi,Mensah,0241234567,1,2,3,4', 'csv', {})),
    ).toEqual([
      {
        field: 'csv',
        message: `has no column "number". The first line must contain the column names. ${found} Accepted names: ${NUMBER_COLUMNS.join(', ')}.`,
      },
    ]);
  });
});

describe('a list from a spreadsheet', () => {
  test.each([
    ['without the leading 0 in numbers', 'to,name\n241234567,Kofi'],
    ['with numbers as formulas', 'to,name\n="0241234567",Kofi'],
    ['with numbers as quoted formulas', 'to,name\n"=""0241234567""",Kofi'],
    ['with an apostrophe before the plus', "to,name\n'+233241234567,Kofi"],
    ['with a separator line', 'sep=;\r\nto;name\r\n0241234567;Kofi'],
    ['with a separator line after a byte order mark', '\uFEFFsep=,\nto,name\n0241234567,Kofi'],
    ['with empty columns at the end', 'to,name,,\n0241234567,Kofi,,\n,,,'],
    ['with empty cells at the end', 'to,name\n0241234567,Kofi,,'],
    ['with the header MSISDN', 'MSISDN,Name\n0241234567,Kofi'],
    ['with the header Mobile No.', 'Mobile No.,Name\n0241234567,Kofi'],
  ])('is accepted %s', (_, csv) => {
    const words = csv.includes('Name') ? { Name: 'Kofi' } : { name: 'Kofi' };
    const { all } = recipientsOfCsv(csv, 'csv', `Hi {${Object.keys(words)[0]}}`);
    expect(all).toEqual([{ to: KOFI, ...words }]);
    expect(readContacts(csv, 'csv', {}).all).toMatchObject([{ number: KOFI, name: 'Kofi' }]);
  });

  test('is accepted if phone numbers lack their leading 0', () => {
    expect(numbersIn('241234567\n0201234567')).toEqual([KOFI, '+233201234567']);
  });

  test.each([
    [
      'to,name\n0241234567,Kofi\n2.33241E+11,Ama',
      3,
      'to "2.33241E+11" was shortened by a spreadsheet. Format the column as text, then enter the whole number again.',
    ],
    [
      'to,name,date\n0241234567,Kofi,46380',
      2,
      'date "46380" is a date that a spreadsheet stored as a number. Format the column as text, then write out the date.',
    ],
  ])('is rejected with the damaged cell and the cause: %j', (csv, line, message) => {
    const read = () => recipientsOfCsv(csv, 'csv', csv.includes('date') ? 'Come on {date}' : 'Hi {name}');
    expect(errorsOf(read)).toEqual([{ field: 'csv', line, message }]);
  });

  test('is rejected if the damaged column has no name', () => {
    const message = 'has no name for column 3 in its first line. The cell in line 2 is "GHS 5".';
    expect(errorsOf(() => recipientsOfCsv('to,name,\n0241234567,Kofi,GHS 5', 'csv', 'Hi'))).toEqual([
      { field: 'csv', message },
    ]);
  });

  test.each([
    ['a line has more than 100 cells', `to${',x'.repeat(100)}\n0241234567`, 1, 'has more than 100 cells'],
    [
      'a cell is too long',
      `to,name\n0241234567,${'x'.repeat(16_385)}`,
      2,
      'has a cell with more than 16384 characters',
    ],
    ['it has too many lines', `to\n${'0241234567\n'.repeat(1001)}`, undefined, 'has more than 1000 recipients'],
  ])('is rejected before its cells are read if %s', (_, csv, line, message) => {
    expect(errorsOf(() => recipientsOfCsv(csv, 'csv', 'Hi'))).toEqual([
      { field: 'csv', ...(line && { line }), message: expect.stringContaining(message) },
    ]);
  });

  test('may have hundreds of empty columns, which spreadsheets save after a column is cleared', () => {
    const csv = `to,name${','.repeat(300)}\n0241234567,Kofi`;
    expect(recipientsOfCsv(csv, 'csv', 'Hi {name}').all).toEqual([{ to: KOFI, name: 'Kofi' }]);
  });

  test('may contain serial-number dates in a date column', () => {
    expect(requestsOfCsv('title,amount,due,phone\nFees,20,46380,241234567', 'csv').all).toMatchObject([
      { due: '2026-12-24', customer_phone: KOFI },
    ]);
    const { all } = readContacts('number,consent_at,consent_how\n0241234567,46346,form', 'csv', {});
    expect(JSON.stringify(all)).toContain('2026-11-20');
  });

  test('may be a results file that the service created', () => {
    const { columns } = resultsOf([]);
    const csv = `"${[...Object.keys(columns), '{name}'].join('","')}"\r\n"id","'+233241234567","delivered","","2026-11-20 10:00:00","2026-11-20 10:00:01","Kofi"`;
    expect(recipientsOfCsv(csv, 'csv', 'Hi {name}').all).toEqual([{ to: KOFI, name: 'Kofi' }]);
  });
});

function errorsOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof PublicError) return error.errors;
    throw error;
  }
  throw new Error('It was read');
}
