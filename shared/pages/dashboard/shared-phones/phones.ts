import { html } from 'hono/html';
import * as z from 'zod/mini';
import { prepareSharedPhone } from '../../../merchants/user/manage-shared-phones.ts';
import { isPhoneLocked } from '../../../merchants/user/pin-tries.ts';
import { LINK_SECONDS, listSharedPhones, type SharedPhone } from '../../../merchants/user/shared-phone.table.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { text } from '../../../runtime/values/text.ts';
import { qrCode } from '../../checkout/qr-code.ts';
import { ON_PHONE, SHARED_PHONES } from '../addresses.ts';
import { age, copyable, emptyState, type Html, pill } from '../parts/content.ts';
import { field, form } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../visit.ts';

/** The phones on which the people of a shop sign in by PIN. */
export async function showSharedPhones({ merchant }: MerchantVisit, outside: Outside): Promise<Shown> {
  const phones = await listSharedPhones(outside, merchant.merchant_id);
  const names = await namesOf(
    outside,
    phones.map(({ added_by }) => added_by),
  );
  const rows = phones.map((phone) => ({
    href: `${SHARED_PHONES}/${phone.phone_id}`,
    cells: [
      phone.name,
      phone.browser ?? '–',
      names.get(phone.added_by) ?? 'Support',
      phone.used_at ? age(outside, phone.used_at) : '–',
      stateOf(phone),
    ],
  }));
  return {
    title: 'Shared phones',
    main: html`<p>On a shared phone, people change by a PIN of six digits. Each has a cashier’s rights there, whatever their role. A phone that nobody uses for 30 days ends by itself.</p>
<p><a class="button" href="${SHARED_PHONES}/add">Add a phone</a></p>
${phones.length > 0 ? table('The shared phones of this shop', ['Name', 'Browser', 'Added by', 'Last used', 'State'], rows) : emptyState('None yet', 'Everybody signs in with a passkey.')}`,
  };
}

export function stateOf(phone: SharedPhone): Html {
  if (phone.link_hash !== undefined) return pill('waiting', 'Link not opened');
  if (phone.copied_at !== undefined) return pill('look', 'Copied');
  return isPhoneLocked(phone) ? pill('look', 'Locked') : pill('good', 'In use');
}

const MAX_NAME_CHARACTERS = 40;
export const AddForm = z.object({ name: text(MAX_NAME_CHARACTERS) });

export async function showAdd(visit: MerchantVisit): Promise<Shown> {
  return {
    title: 'Add a shared phone',
    main: html`<div class="card">${form(visit, { path: '/add', submit: 'Make the link' }, (filled) =>
      field(filled, {
        name: 'name',
        label: 'Name',
        hint: 'So that people know it, such as “Till at the door”.',
        maxLength: MAX_NAME_CHARACTERS,
        isRequired: true,
      }),
    )}</div>`,
  };
}

/** Shows the link that makes a browser a shared phone, once. */
export async function addPhone(visit: MerchantVisit<never, typeof AddForm>, outside: Outside): Promise<Shown> {
  const { merchant, user, form, commit } = visit;
  const phone = { merchant_id: merchant.merchant_id, name: form.name.trim() };
  const { token, writes } = await prepareSharedPhone(outside, phone, { by: user.user_id });
  await commit(writes, { goTo: SHARED_PHONES, notice: 'The link was shown once. Add the phone again if you need it.' });
  const url = `${outside.baseUrl}${ON_PHONE}/add/${token}`;
  return {
    title: `A link for ${phone.name}`,
    main: html`<section>
<p>Open it on the phone that is to be shared, within ${LINK_SECONDS / 60} minutes. It works once.</p>
<p>${qrCode(url, 'QR code of the link')}</p>
<p>${copyable(url, 'link')}</p>
<p class="hint">By itself it opens nothing: each person also needs a code from you, on the phone’s page.</p></section>
<p><a class="plain button" href="${SHARED_PHONES}">Back to the shared phones</a></p>`,
  };
}
