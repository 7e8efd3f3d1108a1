import { html } from 'hono/html';
import {
  endSharedPhone,
  requireSharedPhone,
  signOutPhone,
  unlockPhone,
} from '../../../merchants/user/manage-shared-phones.ts';
import { isLocked, isPhoneLocked } from '../../../merchants/user/pin-tries.ts';
import type { OnPhone, SharedPhone } from '../../../merchants/user/shared-phone.table.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SHARED_PHONES } from '../parts/addresses.ts';
import { ago, facts, type Html, notice, pill, section, shownDay } from '../parts/content.ts';
import { formSection } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

import { phonePill } from './shared-phones.ts';

const PHONE = '/{id}';

export async function showSharedPhone(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const phone = await phoneAt(visit, outside);
  const names = await namesOf(outside, [phone.added_by, ...Object.keys(phone.people)]);
  const list = table(Object.entries(phone.people), {
    caption: 'Who has a PIN here',
    href: ([id]) => giveAddress(phone, id),
    columns: {
      Name: ([id]) => names.get(id) ?? '–',
      PIN: ([, on]) => pinState(outside, on),
      'Last signed in': ([, { used_at }]) => (used_at ? ago(outside, used_at) : '–'),
    },
    nothing: html`<p>Nobody has a PIN here yet.</p>`,
  });
  const isLockedForSome = Object.values(phone.people).some(({ tries }) => tries && isLocked(tries));
  return {
    title: phone.name,
    main: html`${phone.copied_at && notice('look', html`<b>Another browser has signed in as this phone.</b> Nobody can sign in on either. Remove this phone and add it again.`)}
${section(
  'This phone',
  facts([
    ['State', phonePill(phone)],
    ['Browser', phone.browser],
    ['Added', `${shownDay(phone.added_at)}, by ${names.get(phone.added_by) ?? 'support'}`],
    ['Last used', phone.used_at && ago(outside, phone.used_at)],
  ]),
)}
${section('People', [
  list,
  html`<p>Each person uses a code to set their own PIN on this phone. If a PIN is forgotten or known to others, create a new code for that person. The old PIN stops working at once.</p>`,
  html`<p><a class="plain button" href="${giveAddress(phone)}">Create a code</a></p>`,
])}
${(isPhoneLocked(phone) || isLockedForSome) && formSection(visit, 'Locked after wrong PINs', { path: `${PHONE}/unlock`, submit: 'Unlock' })}
${formSection(visit, 'Is the wrong person signed in?', { path: `${PHONE}/sign-out`, submit: 'Sign everyone out' })}
${formSection(visit, 'Lost, stolen, or no longer used?', { path: `${PHONE}/end`, submit: 'Remove this phone', isDangerous: true })}`,
  };
}

function pinState({ now }: Outside, { pin, code, tries }: OnPhone): Html {
  if (tries && isLocked(tries)) return pill('look', 'Locked');
  if (pin) return pill('good', 'Set');
  const isOpen = code !== undefined && code.ends_at_epoch_seconds * 1000 > now();
  return isOpen ? pill('waiting', 'Code not used') : pill('bad', 'Code ended');
}

export async function unlock(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const phone = await phoneAt(visit, outside);
  await unlockPhone(outside, phone, by(visit));
  return { goTo: addressOf(phone), notice: 'Everyone can sign in on that phone again.' };
}

export async function signOutThere(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const phone = await phoneAt(visit, outside);
  await signOutPhone(outside, phone, by(visit));
  return { goTo: addressOf(phone), notice: 'Everyone is now signed out of this phone.' };
}

export async function endPhone(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const phone = await phoneAt(visit, outside);
  await endSharedPhone(outside, phone, by(visit));
  return { goTo: SHARED_PHONES, notice: `${phone.name} is no longer a shared phone.` };
}

function phoneAt({ path, merchant }: MerchantVisit<'id', unknown>, outside: Outside): Promise<SharedPhone> {
  return requireSharedPhone(outside, { merchant_id: merchant.merchant_id, phone_id: path.id });
}

function giveAddress({ phone_id }: SharedPhone, person?: string): string {
  return `${SHARED_PHONES}/add?${new URLSearchParams({ phone: phone_id, ...(person && { person }) })}`;
}

function addressOf({ phone_id }: SharedPhone): string {
  return `${SHARED_PHONES}/${phone_id}`;
}

function by({ user }: Pick<MerchantVisit, 'user'>) {
  return { by: user.user_id };
}
