import { html } from 'hono/html';
import type { KeyHolder } from '../../../merchants/merchant/key-holder.ts';
import { choiceOf, metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { keyKinds } from '../../../runtime/triggers/row.ts';
import { listWebhookEvents, newestEventKey } from '../../../webhook/event.table.ts';
import type { WebhookEvent } from '../../../webhook/event.ts';
import { DEVELOPERS, eventAddress } from '../addresses.ts';
import type { Html } from '../html.ts';
import { pageVersion } from '../page-version.ts';
import { choice } from '../parts/field.ts';
import { filters } from '../parts/filters.ts';
import { pagination } from '../parts/pagination.ts';
import { emptyState, pill } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { kindNames } from './key-kind.ts';
import { developerTabs } from './tabs.ts';

const columns = [{ name: 'Event' }, { name: 'When' }, { name: 'Tries', isNumber: true }, { name: 'State' }];

/** Moves with each new event, and now and then besides. */
export async function versionOfEvents(visit: MerchantVisit, outside: Outside): Promise<string> {
  return pageVersion(outside, [await newestEventKey(outside, holderIn(visit))]);
}

function holderIn({ merchant, query }: MerchantVisit): KeyHolder {
  return { merchant_id: merchant.merchant_id, key_kind: choiceOf(query, 'kind', keyKinds) ?? 'live' };
}

/** What a merchant's server was told, newest first. */
export async function listEvents(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { query } = visit;
  const page = pageOf({ cursor: query.cursor });
  const holder = holderIn(visit);
  const { events, next } = await listWebhookEvents(outside, holder, page);
  const rows = events.map((event) => ({
    href: eventAddress(event.event_id),
    cells: [event.type, shownTime(event.created_at), String(event.tries), eventState(event)],
  }));
  const nothing = emptyState(
    'No events',
    html`Once a <a href="${DEVELOPERS}/webhooks">webhook</a> is set, what it was told in the last 30 days shows here.`,
  );
  return {
    title: 'Events',
    main: html`${developerTabs(visit)}
${filters(visit, (filled) =>
  choice(filled, {
    name: 'kind',
    label: 'Webhook',
    value: holder.key_kind,
    options: keyKinds.map((one) => [one, kindNames[one]]),
  }),
)}
${rows.length > 0 ? table('Events', columns, rows) : nothing}
${pagination(visit, metaOf(page, next))}`,
  };
}

export function eventState({ state, tries }: Pick<WebhookEvent, 'state' | 'tries'>): Html {
  if (state === 'delivered') return pill('good', 'Delivered');
  if (state === 'gave_up') return pill('bad', 'Given up');
  return tries > 0 ? pill('look', 'Failing') : pill('waiting', 'On its way');
}
