import type { Operation } from '../../runtime/http/operation.ts';
import { pageParameters } from '../../runtime/http/query-parameters.ts';
import { NoData } from '../../runtime/http/responses.ts';
import { ContactRequest, MAX_CONTACTS } from './contact-request.ts';
import { type ContactResponse, ContactsResponse, ContactsStoredResponse } from './responses.ts';

const ama: ContactResponse = {
  livemode: true,
  number: '+233551112223',
  name: 'Ama',
  consent: {
    at: '2026-11-20T00:00:00.000Z',
    how: 'Ticked the box on our order form',
    stored_by: 'key …1a2B',
    stored_at: '2026-11-20T08:30:00.000Z',
  },
  withdrawn_at: null,
  gets_marketing: true,
  created_at: '2026-11-20T08:30:00.000Z',
};

export const contactOperations = {
  'contact/store': {
    tag: 'Texts',
    summary: 'Store contacts',
    description: `Stores up to ${MAX_CONTACTS} contacts: numbers with a name and a consent to marketing. Only people with a stored consent get \`marketing\`.

- A known contact is updated: an omitted field stays, and \`null\` removes it. Removing a consent also cancels and refunds waiting
  marketing.
- A consent given before a withdrawal is not stored (see \`withdrawn\`), even for a removed or unknown contact, so an old list brings nobody
  back. A new consent needs a later time. A date means midnight: give the time if somebody withdrew and agreed on the same day.
- \`STOP\` ends marketing, whatever you store later, until the person writes \`START\`.
- If any contact is invalid, none is stored; \`errors\` names each.`,
    path: {},
    body: {
      schema: ContactRequest,
      examples: {
        consent: {
          summary: 'Two customers who agreed to marketing',
          value: {
            contacts: [
              {
                number: '0551112223',
                name: 'Ama',
                consent: { at: '2026-11-20', how: 'Ticked the box on our order form' },
              },
              { number: '0201112223', consent: { at: '2026-11-19T16:00:00Z', how: 'Asked for it in the shop' } },
            ],
          },
        },
        withdrawn: {
          summary: 'One who does not want it any more',
          value: { contacts: [{ number: '0551112223', consent: null }] },
        },
      },
    },
    success: {
      message: 'Stored 2 contacts',
      data: ContactsStoredResponse,
      example: {
        livemode: true,
        added: 2,
        updated: 0,
        unchanged: 0,
        withdrawn: 0,
        merged: 0,
      } satisfies ContactsStoredResponse,
    },
    errors: ['busy'],
  },
  'contact/list': {
    tag: 'Texts',
    summary: 'List contacts',
    description: 'Your contacts by number, with their stored consent.',
    path: {},
    query: {
      number: {
        description: 'Only the contact with this number, in any form.',
        schema: { type: 'string' },
        example: '0551112223',
      },
      ...pageParameters,
    },
    success: { message: 'Contacts', data: ContactsResponse, example: { contacts: [ama] }, isPage: true },
  },
  'contact/remove': {
    tag: 'Texts',
    summary: 'Remove a contact',
    description: 'Removes a contact and its consent, which ends marketing. A `STOP` or withdrawal stays stored.',
    path: {
      number: {
        description: 'The number of the contact, in any form.',
        schema: { type: 'string' },
        example: '0551112223',
      },
    },
    success: { message: 'Contact removed', data: NoData, example: {} },
    errors: ['not_found'],
  },
} satisfies Record<string, Operation>;
