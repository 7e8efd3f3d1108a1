import * as z from 'zod/mini';
import { counted } from '../../runtime/values/counted.ts';
import { type FieldError, invalidRequest, refuseInvalid } from '../../runtime/values/errors.ts';
import { parseCsv } from '../../runtime/values/parse-csv.ts';
import { writtenDay } from '../../runtime/values/written-day.ts';
import { ContactGiven, MAX_CONTACTS } from './contact-request.ts';

/** Which column holds what: the first of these names that is there, whatever its case. */
const COLUMNS = {
  number: ['number', 'phone', 'phone number', 'mobile', 'to'],
  name: ['name'],
  at: ['agreed_on', 'agreed on', 'consent_at'],
  how: ['agreed_how', 'agreed how', 'consent_how'],
} as const;

/** Contacts as they were given, whichever way they came. */
export interface ManyContacts {
  readonly contacts: readonly ContactGiven[];
  /** What is wrong with the time at which one of them agreed, as whoever gave them has to find it. */
  readonly errorAt: (n: number, message: string) => FieldError;
}

/** What holds for every line of a file that does not say it itself. */
export interface AgreedTo {
  /** A day, such as `2026-11-20`. */
  readonly at?: string | undefined;
  readonly how?: string | undefined;
}

/**
 * The contacts of a CSV file, of which other columns are ignored. Days may be as `20/11/2026`, too, since people write them so.
 * @throws PublicError `invalid_request` for `field`, with each bad line.
 */
export function readContacts(csv: string, field: string, agreed: AgreedTo): ManyContacts {
  const { columns, rows, errorAt: errorOf } = parseCsv(csv, field);
  const column = (what: keyof typeof COLUMNS) =>
    COLUMNS[what].flatMap((name) => columns.find((one) => one.toLowerCase() === name) ?? [])[0];
  if (column('number') === undefined)
    throw invalidRequest([{ field, message: 'has no column "number": the first line must name the columns' }]);
  if (rows.length === 0) throw invalidRequest([{ field, message: 'has no contact below its first line' }]);
  if (rows.length > MAX_CONTACTS)
    throw invalidRequest([
      { field, message: `has ${counted(rows.length, 'line')}, and takes ${MAX_CONTACTS}: divide it` },
    ]);
  const errors: FieldError[] = [];
  const contacts: ContactGiven[] = [];
  for (const [n, { cells }] of rows.entries()) {
    const cell = (what: keyof typeof COLUMNS) => cells[column(what) ?? ''] || undefined;
    const at = writtenDay(cell('at')) ?? agreed.at;
    const how = cell('how') ?? agreed.how;
    const read = contactOf({ number: cell('number') ?? '', name: cell('name'), at, how });
    if (typeof read === 'string') errors.push(errorOf(n, read));
    else contacts.push(read);
  }
  refuseInvalid(errors);
  return { contacts, errorAt: (n, message) => errorOf(n, `${WHEN}${message}`) };
}

const WHEN = 'when they agreed ';

function contactOf({
  number,
  name,
  at,
  how,
}: AgreedTo & { number: string; name: string | undefined }): ContactGiven | string {
  if (at !== undefined && how === undefined) return 'says when they agreed, and not how';
  if (how !== undefined && at === undefined) return 'says how they agreed, and not when';
  const consent = at === undefined ? undefined : { at, how };
  const parsed = z.safeParse(ContactGiven, { number, name, consent });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const what = issue?.path.includes('at') ? WHEN : issue?.path[0] === 'name' ? 'the name ' : '';
  return `${what}${issue?.message}`;
}
