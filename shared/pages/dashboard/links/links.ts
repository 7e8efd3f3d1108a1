import { html } from 'hono/html';
import { may } from '../../../merchants/user/permissions.ts';
import { madeWith } from '../../../money/link/change-link.ts';
import { type Link, linkRows } from '../../../money/link/link.table.ts';
import { shownAmount } from '../../../money/link/link.ts';
import { makeLink } from '../../../money/link/make-link.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { LINKS, linkAddress } from '../parts/addresses.ts';
import { emptyState, type Html, noNumberYet, pill, shownDay } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { listPage } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { addedInWords, codesIn, linkFields, type NewLinkForm, requestOf } from './link-form.ts';
import { stateOf } from './link-view.ts';

export function showLinks(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  return listPage(visit, {
    title: 'Payment links',
    caption: 'Payment links, newest first',
    actions: [may(user, 'links:write') && { name: 'New link', address: `${LINKS}/new` }],
    perPage: 25,
    read: (page) => linkRows.page(outside, merchant, page),
    href: ({ slug }) => linkAddress(slug),
    columns: {
      For: ({ title }) => title,
      Created: ({ created_at }) => html`<time datetime="${created_at}">${shownDay(created_at)}</time>`,
      State: (link) => statePill(outside, link),
      Amount: { figure: shownAmount },
    },
    isCompact: true,
    nothing: emptyState('No payment links yet', 'A link is a page, shared or printed, where anyone can pay you.'),
  });
}

function statePill(outside: Outside, link: Link): Html {
  const { tone, label } = stateOf(outside, link);
  return pill(tone, label);
}

export async function showNewLink(visit: MerchantVisit): Promise<Shown> {
  const title = 'New payment link';
  if (visit.merchant.momo_accounts.length === 0) return { title, main: noNumberYet() };
  const fields = form(visit, { path: '/new', submit: 'Create link' }, linkFields(visit.merchant));
  return { title, main: html`<div class="card">${fields}</div>` };
}

export function addLink(visit: MerchantVisit<never, typeof NewLinkForm>, outside: Outside): Promise<Going> {
  const { merchant, form: typed, commit } = visit;
  const codes = typed.codes === undefined ? undefined : codesIn(typed.codes, 'codes');
  return makeLink(outside, merchant, { ...requestOf(typed), codes }, (link, writes) => {
    const { slug, codes_stocked: added = 0 } = link;
    const stocked = codes ? ` ${addedInWords(codes, added)}` : '';
    const notice = `The link is ready. Share its address with customers, or print its QR code.${stocked}`;
    const stock = codes ? [{ action: 'codes add', about: slug, after: { added } }] : [];
    const entry = { action: 'link create', about: slug, ...madeWith(link) };
    return commit(writes, { goTo: linkAddress(slug), notice }, entry, ...stock);
  });
}
