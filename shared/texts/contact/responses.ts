import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer } from '../../runtime/values/described.ts';

const count = (description: string, example: number) => z.int().check(z.meta({ description, examples: [example] }));

export const ContactsStoredResponse = answer('ContactsStored', {
  livemode: Livemode,
  added: count('How many are new.', 2),
  updated: count('How many were changed.', 0),
  unchanged: count('How many were stored so before.', 0),
  withdrawn: count(
    'Of how many the consent was not stored: they withdrew it after the time that you gave. Their other fields were stored.',
    0,
  ),
  merged: count('How many repeat the number of another one in the request.', 0),
});
export type ContactsStoredResponse = z.infer<typeof ContactsStoredResponse>;

export const ContactResponse = answer('Contact', {
  livemode: Livemode,
  number: phoneNumber('Their number.'),
  name: z.nullable(z.string()).check(z.meta({ description: 'What you call them.', examples: ['Ama'] })),
  consent: z
    .nullable(
      z.object({
        at: time('When they agreed.'),
        how: z.string().check(z.meta({ description: 'How they agreed.', examples: ['Ticked the box on our form'] })),
        stored_by: z
          .string()
          .check(z.meta({ description: 'Who stored it: a key, or a person of your team.', examples: ['key …1a2B'] })),
        stored_at: time('When it was stored.'),
      }),
    )
    .check(z.describe('That they agreed to marketing; null if that is not stored.')),
  withdrawn_at: timeOrNull('When they last withdrew a consent; null if they never did.'),
  gets_marketing: z
    .boolean()
    .check(
      z.describe('Whether marketing goes to them: their consent is stored, and they have written no `STOP` since.'),
    ),
  created_at: time('When the contact was stored first.'),
});
export type ContactResponse = z.infer<typeof ContactResponse>;

export const ContactsResponse = z.object({ contacts: z.array(ContactResponse) });
export type ContactsResponse = z.infer<typeof ContactsResponse>;
