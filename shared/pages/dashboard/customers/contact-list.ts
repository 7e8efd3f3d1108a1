import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { listContactsByQuery } from '../../../texts/contact/list-contacts.ts';
import { presentContacts } from '../../../texts/contact/present-contact.ts';
import type { ContactResponse } from '../../../texts/contact/responses.ts';
import { contactAddress } from '../parts/addresses.ts';
import { emptyState, type Html, pill, shownDay } from '../parts/content.ts';
import { BY_NUMBER } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { peoplePage } from './people.ts';

export async function showContacts(visit: MerchantVisit, outside: Outside, number: string | undefined): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  const { contacts, next } = await listContactsByQuery(outside, merchant_id, { number, cursor: visit.query.cursor });
  const entries = await presentContacts(outside, merchant_id, contacts);
  return peoplePage(visit, {
    caption: 'Your contacts',
    read: async () => ({ entries, next }),
    href: ({ number }) => contactAddress(number),
    columns: {
      Number: ({ number }) => html`<span class="number">${shownNumber(number)}</span>`,
      How: ({ consent }) => consent?.how ?? '',
      'Agreed on': ({ consent }) =>
        consent ? html`<time datetime="${consent.at}">${shownDay(consent.at)}</time>` : '',
      Name: ({ name }) => name ?? '',
      Marketing: marketingPill,
    },
    isCompact: true,
    nothing: number
      ? emptyState('You have no contact with this number', 'Try another number, or clear the field.')
      : emptyState(
          'No contacts yet',
          'Offers and news go only to people who agreed to get them. Add those people here, and say when and how they agreed.',
        ),
    order: BY_NUMBER,
  });
}

export function marketingPill({ consent, withdrawn_at, gets_marketing }: ContactResponse): Html {
  if (gets_marketing) return pill('good', 'Agreed');
  if (consent) return pill('look', 'Wrote STOP');
  return withdrawn_at ? pill('look', 'Withdrew') : pill('plain', 'Not agreed');
}
