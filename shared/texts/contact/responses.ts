import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

const count = (description: string, example: number) => described(z.int(), description, { examples: [example] });

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
  name: described(z.nullable(z.string()), 'What you call them.', { examples: ['Ama'] }),
  consent: described(
    z.nullable(
      z.object({
        at: time('When they agreed.'),
        how: described(z.string(), 'How they agreed.', { examples: ['Ticked the box on our form'] }),
        stored_by: described(z.string(), 'Who stored it: a key, or a person of your team.', {
          examples: ['key …1a2B'],
        }),
        stored_at: time('When it was stored.'),
      }),
    ),
    'That they agreed to marketing; null if that is not stored.',
  ),
  withdrawn_at: timeOrNull('When they last withdrew a consent; null if they never did.'),
  gets_marketing: described(
    z.boolean(),
    'Whether marketing goes to them: their consent is stored, and they have written no `STOP` since.',
  ),
  created_at: time('When the contact was stored first.'),
});
export type ContactResponse = z.infer<typeof ContactResponse>;

export const ContactsResponse = z.object({ contacts: z.array(ContactResponse) });
export type ContactsResponse = z.infer<typeof ContactsResponse>;
