import * as z from 'zod/mini';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { trimmedText } from '../../runtime/values/text.ts';

export const MAX_CONTACTS = 1000;
export const MAX_NAME_CHARACTERS = 100;
export const MAX_HOW_CHARACTERS = 200;

const CONSENT_TIME = 'must be a day or a time with a UTC offset, such as 2026-11-20 or 2026-11-20T08:30:00Z';

export const How = trimmedText(MAX_HOW_CHARACTERS);

const ConsentGiven = z.strictObject(
  {
    at: described(
      z.union([z.iso.date(), z.iso.datetime({ offset: true })], CONSENT_TIME),
      'When they agreed: a day, or an ISO 8601 time with a UTC offset. Not in the future.',
      { examples: ['2026-11-20'] },
    ),
    how: described(How, 'How they agreed, in your words, as you would explain it if asked.', {
      examples: ['Ticked the box on our order form'],
      maxLength: MAX_HOW_CHARACTERS,
    }),
  },
  'must be an object with "at" and "how", or null',
);

export const ContactGiven = z.strictObject(
  {
    number: PhoneNumber,
    name: z.optional(
      described(z.nullable(trimmedText(MAX_NAME_CHARACTERS)), 'Their name; null removes it.', { examples: ['Ama'] }),
    ),
    consent: z.optional(described(z.nullable(ConsentGiven), 'Their consent to marketing; null withdraws it at once.')),
  },
  'must be an object with the "number"',
);
export type ContactGiven = z.infer<typeof ContactGiven>;

export const ContactRequest = requestBody('ContactRequest', {
  contacts: described(
    z
      .array(ContactGiven, 'must be a list')
      .check(
        z.minLength(1, 'must have at least one contact'),
        z.maxLength(MAX_CONTACTS, `must have at most ${MAX_CONTACTS} contacts`),
      ),
    `Up to ${MAX_CONTACTS} contacts. If a number is repeated, the last value of each field is stored.`,
  ),
});
