import { NUMBER_COLUMNS, numberInCell } from '../../ghana/phone-number.ts';
import { type Given, givenAs, readCsv } from '../../runtime/values/read-csv.ts';
import { writtenDay } from '../../runtime/values/written-day.ts';
import { MAX_REQUESTS, type ManyRequestsBody, RequestBody } from './request-body.ts';
import { amountIn, daysIn } from './written.ts';

/**
 * @throws PublicError `invalid_request` if there are no payment requests, or with a list of the invalid lines in a CSV
 * file.
 */
export function readRequests({ requests: list, csv }: ManyRequestsBody): Given<RequestBody> {
  return givenAs('requests', { list, csv }, (text) => requestsOfCsv(text, 'csv'));
}

const COLUMNS = {
  title: ['title'],
  description: ['description', 'item'],
  quantity: ['quantity'],
  amount: ['amount'],
  customer_name: ['customer_name', 'name', 'customer'],
  customer_phone: ['customer_phone', ...NUMBER_COLUMNS],
  due: ['due', 'due_date', 'due_on'],
  reminders: ['reminders'],
  note: ['note'],
  merchant_reference: ['merchant_reference', 'reference', 'invoice'],
} as const;
type Column = keyof typeof COLUMNS;

export interface ForAllLines {
  readonly title?: string | undefined;
  readonly due?: string | undefined;
  readonly reminders?: string | undefined;
}

/**
 * Parses a CSV file with one payment request per line. `ignored`: unknown columns. Accepts days such as `20/11/2026`
 * and amounts such as `GHS 1,200.50`.
 * @throws PublicError `invalid_request` for `field`, listing every bad line.
 */
export function requestsOfCsv(csv: string, field: string, forAll: ForAllLines = {}) {
  return readCsv(csv, field, {
    columns: COLUMNS,
    required: forAll.title ? ['amount'] : ['title', 'amount'],
    days: ['due'],
    noun: 'request',
    most: MAX_REQUESTS,
    schema: RequestBody,
    given: (cell) => bodyOf(cell, forAll),
    called: columnOf,
  });
}

function bodyOf(cell: (column: Column) => string | undefined, forAll: ForAllLines) {
  const title = cell('title') ?? forAll.title ?? '';
  const phone = cell('customer_phone');
  const [quantity, reminders] = [cell('quantity'), cell('reminders') ?? forAll.reminders];
  const given = {
    customer_name: cell('customer_name'),
    customer_phone: phone === undefined ? undefined : numberInCell(phone),
    due: writtenDay(cell('due')) ?? forAll.due,
    reminders: reminders === undefined ? undefined : daysIn(reminders),
    note: cell('note'),
    merchant_reference: cell('merchant_reference'),
  };
  return {
    title,
    lines: [
      {
        description: cell('description') ?? (title || '?'),
        ...(quantity !== undefined && { quantity: /^\d{1,6}$/.test(quantity) ? Number(quantity) : quantity }),
        amount: amountIn(cell('amount') ?? ''),
      },
    ],
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/** Returns the CSV column for a field: `amount` for `lines.0.amount`, `reminders` for `reminders.1`. */
function columnOf(field: string): string {
  const [first = '', , last = first] = field.split('.');
  return first === 'lines' ? last : first;
}
