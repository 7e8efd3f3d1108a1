import * as z from 'zod/mini';
import { phoneNumber } from '../../ghana/responses.ts';
import { Livemode, time, timeOrNull } from '../../runtime/http/responses.ts';
import { answer, described } from '../../runtime/values/described.ts';

const count = (description: string, example: number) => described(z.int(), description, { examples: [example] });

export const ContactsStoredResponse = answer('ContactsStored', {
  livemode: Livemode,
  added: count('How many are new.', 2),
  updated: count('How many were changed.', 0),
  unchanged: count('How many were already the same.', 0),
  withdrawn: count(
    'How many consents were not stored, because they were withdrawn later. Other fields were stored.',
    0,
  ),
  merged: count('How many repeat another number of the request.', 0),
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
        stored_by: described(z.string(), 'The key or person that stored it.', {
          examples: ['key …1a2B'],
        }),
        stored_at: time('When it was stored.'),
      }),
    ),
    'Their stored consent to marketing.',
  ),
  withdrawn_at: timeOrNull('When they last withdrew a consent.'),
  gets_marketing: described(z.boolean(), 'Whether they get marketing: consent is stored, without a later `STOP`.'),
  created_at: time('When it was first stored.'),
});
export type ContactResponse = z.infer<typeof ContactResponse>;

export const ContactsResponse = z.object({ contacts: z.array(ContactResponse) });
export type ContactsResponse = z.infer<typeof ContactsResponse>;
