import { NUMBER_COLUMNS, numberInCell } from '../../ghana/phone-number.ts';
import { type Given, givenAs, readCsv } from '../../runtime/values/read-csv.ts';
import { placeholdersOf } from '../sms/personal-text.ts';
import { type BulkRequest, MAX_BULK_RECIPIENTS, Recipient } from './bulk-request.ts';

/** `ignored` lists the CSV columns that the message does not use. */
type GivenRecipients = Given<Recipient> & { readonly ignored?: readonly string[] };

export interface BulkToMany extends Omit<BulkRequest, 'recipients' | 'csv'> {
  readonly begins_from?: string | undefined;
  readonly recipients: GivenRecipients;
}

/**
 * Parses the recipients of a bulk request.
 * @throws PublicError `invalid_request` if there are no recipients or the CSV file has invalid lines.
 */
export function readRecipients({ recipients: list, csv, ...asked }: BulkRequest): BulkToMany {
  const ofCsv = (text: string) => recipientsOfCsv(text, 'csv', asked.message);
  return { ...asked, recipients: givenAs('recipients', { list, csv }, ofCsv) };
}

/**
 * Parses recipients and their placeholder values from a CSV file.
 * @throws PublicError `invalid_request` for `field`, with a list of the invalid lines.
 */
export function recipientsOfCsv(csv: string, field: string, message: string): GivenRecipients {
  const words = placeholdersOf(message);
  return readCsv<string, typeof Recipient>(csv, field, {
    columns: {
      ...Object.fromEntries(words.map((name) => [name, [name]])),
      to: ['to', ...NUMBER_COLUMNS],
    },
    required: ['to', ...words],
    missingHint: (column) => (words.includes(column) ? `, but the text contains {${column}}` : undefined),
    noun: 'recipient',
    most: MAX_BULK_RECIPIENTS,
    schema: Recipient,
    given: (cell) => ({
      ...Object.fromEntries(words.map((name) => [name, cell(name) ?? ''])),
      to: numberInCell(cell('to') ?? ''),
    }),
    called: (name) => (name === 'to' ? '' : name),
  });
}
