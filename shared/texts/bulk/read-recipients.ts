import * as z from 'zod/mini';
import { counted } from '../../runtime/values/counted.ts';
import { type FieldError, invalidRequest, refuseInvalid } from '../../runtime/values/errors.ts';
import { parseCsv } from '../../runtime/values/parse-csv.ts';
import { placeholdersOf } from '../sms/personal-text.ts';
import { type BulkRequest, MAX_BULK_RECIPIENTS, Recipient } from './bulk-request.ts';

/** A bulk as it was asked for, whichever way its recipients came. */
export interface BulkToMany extends Omit<BulkRequest, 'recipients' | 'csv'> {
  /** The number that a preview has shown. */
  readonly begins_from?: string | undefined;
  readonly recipients: readonly Recipient[];
  /** What is wrong with one of them, or with one of its words, as whoever asked has to find it. */
  readonly errorAt: (n: number, name: string | undefined, message: string) => FieldError;
}

/** @throws PublicError `invalid_request` where there are no recipients, or with the lines of a CSV file that are wrong. */
export function readRecipients({ recipients, csv, ...asked }: BulkRequest): BulkToMany {
  if (csv !== undefined && recipients !== undefined)
    throw invalidRequest([{ field: 'csv', message: 'is there beside recipients: give one of the two' }]);
  if (csv !== undefined) return { ...asked, ...recipientsOfCsv(csv, 'csv', asked.message) };
  if (recipients === undefined)
    throw invalidRequest([{ field: 'recipients', message: 'is missing: give a list, or a file as csv' }]);
  const errorAt: BulkToMany['errorAt'] = (n, name, message) => ({
    field: `recipients[${n}]${name === undefined ? '' : `.${name}`}`,
    message,
  });
  return { ...asked, recipients, errorAt };
}

/** The names that the column with the numbers may have, the first of them that is there. */
const NUMBERS = ['to', 'number', 'phone', 'phone_number', 'mobile'];

/**
 * The recipients of a CSV file. Columns are found by their names in any case, with underscores for what can be in no placeholder; those
 * that the message does not use are not read. @throws PublicError `invalid_request` for `field`, with the lines.
 */
export function recipientsOfCsv(
  csv: string,
  field: string,
  message: string,
): Pick<BulkToMany, 'recipients' | 'errorAt'> {
  const { columns, rows, errorAt: errorOf } = parseCsv(csv, field);
  const columnOf = (name: string) =>
    columns.find((one) => plain(one) === name) ??
    columns.find((one) => plain(one).toLowerCase() === name.toLowerCase());
  const numbers = NUMBERS.flatMap((name) => columnOf(name) ?? [])[0];
  const words = placeholdersOf(message).flatMap((name) => {
    const column = columnOf(name);
    return column === undefined ? [] : [[name, column] as const];
  });
  if (numbers === undefined)
    throw invalidRequest([{ field, message: 'has no column "to": the first line must name the columns' }]);
  const missing = placeholdersOf(message).filter((name) => columnOf(name) === undefined);
  refuseInvalid(missing.map((name) => ({ field, message: `has no column "${name}", and the text has {${name}}` })));
  if (rows.length === 0) throw invalidRequest([{ field, message: 'has no recipient below its first line' }]);
  if (rows.length > MAX_BULK_RECIPIENTS)
    throw invalidRequest([
      { field, message: `has ${counted(rows.length, 'recipient')}, and takes ${MAX_BULK_RECIPIENTS}` },
    ]);
  const errorAt: BulkToMany['errorAt'] = (n, name, wrong) =>
    errorOf(n, name === undefined || name === 'to' ? wrong : `${name} ${wrong}`);
  const errors: FieldError[] = [];
  const recipients = rows.flatMap(({ cells }, n) => {
    const own = words.map(([name, column]) => [name, cells[column] ?? '']);
    const parsed = z.safeParse(Recipient, { ...Object.fromEntries(own), to: cells[numbers] });
    if (parsed.success) return [parsed.data];
    for (const { path, message } of parsed.error.issues) errors.push(errorAt(n, String(path[0]), message));
    return [];
  });
  refuseInvalid(errors);
  return { recipients, errorAt };
}

function plain(column: string): string {
  return column.replace(/\W+/g, '_');
}
