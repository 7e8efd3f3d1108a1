import { html } from 'hono/html';
import * as z from 'zod/mini';
import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import { giverOf } from '../../../merchants/user/giver.ts';
import { prepareInvitation } from '../../../merchants/user/manage-users.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { merchantAddress } from '../parts/addresses.ts';
import { facts, type Html, section } from '../parts/content.ts';
import { field, form } from '../parts/form.ts';
import type { PersonVisit, Shown } from '../parts/visit.ts';
import { giveLink, LinkForm, linkField, MAX_NAME_CHARACTERS, PersonName } from '../sign-in/invitation-link.ts';

export const OwnerForm = z.extend(LinkForm, { name: PersonName });

export function peopleSection(merchantId: string, people: readonly User[]): Html {
  const hasPeople = people.length > 0;
  return section('People', [
    hasPeople
      ? facts(people.map(({ name, role }) => [name, role]))
      : html`<p>Nobody can open this shop’s dashboard yet. The first owner invites the others.</p>`,
    html`<p><a class="${hasPeople && 'plain '}button" href="${merchantAddress(merchantId)}/invite">Invite an owner</a></p>`,
  ]);
}

/** Warns that no operator name is set for the shop's team to contact. */
export function supportNote({ operator }: Outside): Html | false {
  return (
    !operator &&
    html`<p class="hint">Shops’ pages say “Ask support” without a name. Deploy with <code>operatorContact</code> to show your name and number.</p>`
  );
}

export async function showInviteOwner(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const { name } = await requireMerchant(outside, visit.path.id);
  return {
    title: `Invite an owner of ${name}`,
    main: html`<div class="card">${form(visit, { path: '/{id}/invite', submit: 'Create the link' }, [
      field('name', 'Name', { maxLength: MAX_NAME_CHARACTERS, isRequired: true }),
      linkField,
    ])}</div>
${supportNote(outside)}`,
  };
}

/** Invites an owner, like the `user invite --merchant` command. */
export async function inviteOwner(visit: PersonVisit<'id', typeof OwnerForm>, outside: Outside): Promise<Shown> {
  const { path, form } = visit;
  const merchant = await requireMerchant(outside, path.id);
  const { merchant_id } = merchant;
  const person = { name: form.name, role: 'owner', merchant_id } as const;
  const invited = await prepareInvitation(outside, person, giverOf(visit));
  const back = { path: merchantAddress(merchant_id), name: `Back to ${merchant.name}` };
  return giveLink(visit, outside, invited, { merchant, to: form.to, back });
}
