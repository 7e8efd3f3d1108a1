import { html } from 'hono/html';
import * as z from 'zod/mini';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import { linkUrl } from '../../../money/link/link.ts';
import { addTill, beginShift, endShift, endTill } from '../../../money/till/shift.ts';
import { liveSticker, makeSticker } from '../../../money/till/sticker.ts';
import { listOpenTills, requireTill, type Till } from '../../../money/till/till.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { text } from '../../../runtime/values/text.ts';
import { CLOSING, linkAddress, TILL, tillAddress } from '../parts/addresses.ts';
import { ago, emptyState, type Html } from '../parts/content.ts';
import { field, foldedForm, form, formSection } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

export async function showTills(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const tills = await listOpenTills(outside, merchant.merchant_id);
  const [names, stickers] = await Promise.all([
    namesOf(
      outside,
      tills.flatMap(({ shift }) => (shift ? [shift.by] : [])),
    ),
    Promise.all(tills.map((till) => liveSticker(outside, till))),
  ]);
  const hasShift = tills.some((till) => isOwnShift(visit, till));
  const cards = tills
    .map((till, n) => ({ ...till, sticker: stickers[n] }))
    .toSorted((one, other) => Number(isOwnShift(visit, other)) - Number(isOwnShift(visit, one)))
    .map((till) => tillCard(visit, outside, till, { names, hasShift }));
  const mayAdd = may(user, 'receipts:assign');
  const list =
    tills.length > 0
      ? html`<ul class="cards-list" role="list">${cards}</ul>`
      : emptyState(
          'No tills yet',
          mayAdd
            ? 'A till is where a cashier takes payments, such as a counter, table or stall.'
            : 'Ask a manager or an owner to add one.',
        );
  const main = html`${list}
${mayAdd && addSection(visit, tills.length)}`;
  return { title: 'Tills', actions: [{ name: 'Daily closing', address: CLOSING, isPlain: true }], main };
}

function isOwnShift({ user }: MerchantVisit, { shift }: Till): boolean {
  return shift?.by === user.user_id;
}

interface Around {
  readonly names: ReadonlyMap<string, string>;
  /** True if the person has a shift at one of the tills, which is then the page's main action. */
  readonly hasShift: boolean;
}

function tillCard(visit: MerchantVisit, outside: Outside, till: Till, { names, hasShift }: Around): Html {
  const { till_id, name, shift } = till;
  const ids = { till: till_id };
  if (shift && isOwnShift(visit, till))
    return html`<li class="card"><p class="head-line"><b>${name}</b><span class="hint">Your shift, started ${ago(outside, shift.began_at)}</span></p>
<p class="actions"><a class="button" href="${tillAddress(till_id)}">Continue<span class="unseen"> at ${name}</span></a></p>
${stickerOf(visit, outside, till)}</li>`;
  const who = shift && (names.get(shift.by) ?? 'A former team member');
  const state = shift ? html`${who}’s shift, started ${ago(outside, shift.began_at)}` : 'No shift now';
  const begin = { path: '/{till}/begin', ids, isPlain: hasShift || shift !== undefined };
  return html`<li class="card"><p class="head-line"><b>${name}</b><span class="hint">${state}</span></p>
${
  shift
    ? foldedForm(
        visit,
        `Take over ${name}`,
        { ...begin, submit: 'End that shift and start yours', carries: { instead_of: shift.shift_id } },
        html`<p>This ends ${who}’s shift. They can take no more payments at ${name}.</p>`,
      )
    : form(visit, { ...begin, submit: `Start your shift at ${name}` })
}
${stickerOf(visit, outside, till)}
${may(visit.user, 'receipts:assign') && removeForm(visit, till)}</li>`;
}

/** Renders the fold in a block of its own. As a card's own child, it would cover a part of the links above it. */
function removeForm(visit: MerchantVisit, { till_id, name }: Till): Html {
  return html`<div>${foldedForm(
    visit,
    `Remove ${name}`,
    { path: '/{till}/remove', ids: { till: till_id }, submit: 'Remove it', isDangerous: true },
    html`<p>No more payments can be taken at this till. Past payments still appear in the daily closings.</p>`,
  )}</div>`;
}

function stickerOf(visit: MerchantVisit, outside: Outside, { till_id, name, sticker }: Till): Html {
  if (sticker !== undefined) {
    const poster = posterUrl(outside, sticker);
    const change = html` <a href="${linkAddress(sticker)}">Change minimum amount<span class="unseen"> at ${name}</span></a>`;
    return html`<p class="actions"><a href="${poster}">Sticker to print<span class="unseen"> for ${name}</span></a>${may(visit.user, 'links:write') && change}</p>`;
  }
  if (!may(visit.user, 'links:write')) return html``;
  const facts = {
    path: '/{till}/sticker',
    ids: { till: till_id },
    submit: `Create a sticker for ${name}`,
    isSmall: true,
  };
  return form(visit, facts, html`<p class="hint">A QR code to print. Customers scan it, type the amount and pay.</p>`);
}

function posterUrl(outside: Outside, slug: string): string {
  return `${linkUrl(outside, slug)}/poster`;
}

function addSection(visit: MerchantVisit, count: number): Html {
  const value = `Counter ${count + 1}`;
  return formSection(
    visit,
    'Add a till',
    { path: '/new', submit: 'Add the till', isPlain: count > 0 },
    field('name', 'Name', { value, maxLength: 40, isRequired: true }),
  );
}

export const TillForm = z.object({ name: text(40) });

export async function addThisTill(visit: MerchantVisit<never, typeof TillForm>, outside: Outside): Promise<Going> {
  const { merchant, form: typed, commit } = visit;
  const { till, writes } = await addTill(outside, merchant.merchant_id, typed.name.trim());
  const entry = { action: 'till create', about: till.till_id, after: { name: till.name } };
  return commit(writes, { goTo: TILL, notice: `${till.name} was added.` }, entry);
}

export async function removeTill(visit: MerchantVisit<'till'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  const writes = await endTill(outside, merchant.merchant_id, path.till);
  return commit(writes, { goTo: TILL, notice: 'The till was removed.' }, { action: 'till end', about: path.till });
}

export function makeThisSticker(visit: MerchantVisit<'till'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  return makeSticker(outside, merchant, path.till, (slug, { till_id, name }, writes) => {
    const next = { href: posterUrl(outside, slug), name: 'Open it to print' };
    const going = { goTo: TILL, notice: `The sticker for ${name} is ready.`, next };
    return writes.length > 0
      ? commit(writes, going, { action: 'sticker create', about: slug, after: { till: till_id } })
      : Promise.resolve(going);
  });
}

export const BeginForm = z.object({ instead_of: z.optional(z.string()) });

export async function beginThisShift(visit: MerchantVisit<'till', typeof BeginForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form: given, commit } = visit;
  const writes = await beginShift(outside, merchant.merchant_id, path.till, {
    by: user.user_id,
    insteadOf: given.instead_of,
  });
  return commit(writes, { goTo: tillAddress(path.till) }, { action: 'shift begin', about: path.till });
}

export const EndForm = z.object({ shift: z.string() });

/** Ends a shift. Only managers can end other people's shifts. */
export async function endThisShift(visit: MerchantVisit<'till', typeof EndForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form: given, commit } = visit;
  const till = await requireTill(outside, merchant.merchant_id, path.till);
  const isOwn = till.shift?.by === user.user_id;
  const writes =
    isOwn || may(user, 'receipts:assign') ? await endShift(outside, till.merchant_id, till.till_id, given.shift) : [];
  const goTo = CLOSING;
  return commit(writes, { goTo, notice: 'The shift has ended.' }, { action: 'shift end', about: till.till_id });
}
