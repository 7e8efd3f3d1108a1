import { html } from 'hono/html';
import * as z from 'zod/mini';
import { giverOf } from '../../../merchants/user/giver.ts';
import {
  CODE_SECONDS,
  prepareCode,
  prepareSharedPhone,
  requireSharedPhone,
} from '../../../merchants/user/manage-shared-phones.ts';
import { prepareUser } from '../../../merchants/user/manage-users.ts';
import { LINK_SECONDS, listSharedPhones } from '../../../merchants/user/shared-phone.table.ts';
import { listUsers, requireUser } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { HOUR_SECONDS } from '../../../runtime/values/calendar.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { text } from '../../../runtime/values/text.ts';
import { qrCode } from '../../frame/qr-code.ts';
import { ON_PHONE, SHARED_PHONES } from '../parts/addresses.ts';
import { copyable, type Html, section } from '../parts/content.ts';
import { choice, field, form } from '../parts/form.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { MAX_NAME_CHARACTERS, PersonName } from '../sign-in/invitation-link.ts';

const MAX_PHONE_CHARACTERS = 40;
const NEW = 'new';
const IdOrNew = z.string('must be chosen').check(z.maxLength(26));

export const CodeForm = z.object({
  person: IdOrNew,
  name: z.optional(PersonName),
  phone: IdOrNew,
  phone_name: z.optional(text(MAX_PHONE_CHARACTERS)),
});
type CodeVisit = MerchantVisit<never, typeof CodeForm>;

export async function showCodeForm(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { query, merchant } = visit;
  const [users, phones] = await Promise.all([
    listUsers(outside, merchant.merchant_id),
    listSharedPhones(outside, merchant.merchant_id),
  ]);
  const people = users.map(({ user_id, name, role }) => [user_id, `${name}, ${role}`] as const);
  return {
    title: 'Who will sign in with a PIN?',
    main: html`<div class="card">${form(visit, { path: '/add', submit: 'Show the code' }, [
      choice('person', 'Person', { value: query.person, options: [[NEW, 'A new cashier'], ...people] }),
      field('name', 'Name of the new cashier', { maxLength: MAX_NAME_CHARACTERS }),
      choice('phone', 'Phone', {
        value: query.phone,
        options: [...phones.map(({ phone_id, name }) => [phone_id, name] as const), [NEW, 'A new phone']],
      }),
      field('phone_name', 'Name of the new phone', {
        value: `Phone ${phones.length + 1}`,
        maxLength: MAX_PHONE_CHARACTERS,
      }),
    ])}</div>`,
  };
}

/** Shows a sign-in code and the link that makes a browser a shared phone. Both are shown once. */
export async function giveCode(visit: CodeVisit, outside: Outside): Promise<Shown> {
  const person = await personOf(visit, outside);
  const { name } = person.user;
  const { phone, goTo, token, code, writes } = await accessOf(visit, outside, person.user);
  const notice = 'The code was shown once. Create another one if they need it.';
  await visit.commit([...person.writes, ...writes], { goTo, notice });
  return {
    title: `A code for ${name}`,
    main: html`${token && linkSection(outside, phone, token)}
${section(token ? `2. ${name}` : phone, [
  html`<p class="big-code">${code.slice(0, 4)} ${code.slice(4)}</p>`,
  html`<p>On <b>${phone}</b>, ${name} taps their name, enters this code and chooses a PIN within ${CODE_SECONDS / HOUR_SECONDS} hours.</p>`,
  html`<p class="hint">Whoever enters this code first can act in this person’s name. Do not share it with anyone else.</p>`,
])}
<p><a class="plain button" href="${goTo}">Done</a></p>`,
  };
}

/** Returns the person for the code, and the write that adds a new person to the team. */
async function personOf({ merchant, user, form: { person, name } }: CodeVisit, outside: Outside) {
  const { merchant_id } = merchant;
  if (person !== NEW && name !== undefined)
    throw invalidRequest([{ field: 'name', message: 'must be empty when you choose a person from the list' }]);
  if (person !== NEW) return { user: await requireUser(outside, person, merchant_id), writes: [] };
  if (name === undefined) throw invalidRequest([{ field: 'name', message: 'is missing' }]);
  return prepareUser(outside, { name, role: 'cashier', merchant_id }, { by: user.user_id });
}

async function accessOf(visit: CodeVisit, outside: Outside, person: { readonly user_id: string }) {
  const { phone: chosen, phone_name: name } = visit.form;
  const { merchant_id } = visit.merchant;
  const giver = giverOf(visit);
  if (chosen !== NEW) {
    const phone = await requireSharedPhone(outside, { merchant_id, phone_id: chosen });
    const goTo = `${SHARED_PHONES}/${chosen}`;
    return { phone: phone.name, goTo, token: undefined, ...prepareCode(outside, phone, person, giver) };
  }
  if (name === undefined) throw invalidRequest([{ field: 'phone_name', message: 'is missing' }]);
  const added = { merchant_id, name: name.trim() };
  return { phone: added.name, goTo: SHARED_PHONES, ...(await prepareSharedPhone(outside, added, person, giver)) };
}

function linkSection({ baseUrl }: Outside, phone: string, token: string): Html {
  const url = `${baseUrl}${ON_PHONE}/add/${token}`;
  return section(`1. ${phone}`, [
    html`<p>Scan this with the shared phone, or open the link on that phone, within ${LINK_SECONDS / 60} minutes. It works once.</p>`,
    html`<p>${qrCode(url, 'QR code of the link')}</p>`,
    html`<p>${copyable(url, 'link')}</p>`,
  ]);
}
