import { NUMBER_COLUMNS, numberInCell } from '../../ghana/phone-number.ts';
import { type Given, readCsv } from '../../runtime/values/read-csv.ts';
import { writtenDay } from '../../runtime/values/written-day.ts';
import { ContactGiven, MAX_CONTACTS } from './contact-request.ts';

export interface AgreedTo {
  readonly at?: string | undefined;
  readonly how?: string | undefined;
}

/**
 * Parses contacts from a CSV file, such as one exported by Google Contacts or Outlook. Ignores unknown columns. The
 * header is optional if the first line starts with a phone number.
 * @throws PublicError `invalid_request` for `field`, with a list of the invalid lines.
 */
export function readContacts(csv: string, field: string, agreed: AgreedTo): Given<ContactGiven> {
  return readCsv(csv, field, {
    columns: {
      number: NUMBER_COLUMNS,
      name: ['name'],
      first_name: ['first_name'],
      last_name: ['last_name'],
      at: ['agreed_on', 'consent_at'],
      how: ['agreed_how', 'consent_how'],
    },
    required: ['number'],
    unnamed: ([one = '', other = '', ...more]) => {
      if (more.length > 0) return undefined;
      if (LIKE_A_NUMBER.test(one)) return ['number', 'name'];
      return LIKE_A_NUMBER.test(other) ? ['name', 'number'] : undefined;
    },
    days: ['at'],
    noun: 'contact',
    most: MAX_CONTACTS,
    schema: ContactGiven,
    given: (cell) => {
      const [at, how] = [writtenDay(cell('at')) ?? agreed.at, cell('how') ?? agreed.how];
      return {
        number: numberInCell(cell('number') ?? ''),
        name: cell('name') ?? ([cell('first_name'), cell('last_name')].filter(Boolean).join(' ') || undefined),
        consent: at === undefined && how === undefined ? undefined : { at: at ?? '', how: how ?? '' },
      };
    },
    called: (name) => CALLED[name] ?? '',
  });
}

/** Matches cells that look like a phone number, including invalid numbers and scientific notation. */
const LIKE_A_NUMBER = /^(?:\+?[\d\s()-]+|\d[\d.,]*E\+\d+)$/i;

const CALLED: Readonly<Record<string, string>> = {
  name: 'the name',
  'consent.at': 'when they agreed',
  'consent.how': 'how they agreed',
};
