import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { typed } from '../../../ghana/typed.ts';
import { MAX_LOGO_BYTES, readImage } from '../../../merchants/logo/image.ts';
import { logoUrl } from '../../../merchants/logo/logo-url.ts';
import { setLogo } from '../../../merchants/logo/set-logo.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { changesIn, settingsForm } from '../../../operations/settings/settings.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { longText } from '../../../runtime/values/text.ts';
import { SETTINGS } from '../parts/addresses.ts';
import { changeShop, settingField } from '../parts/change-shop.ts';
import { type Html, section } from '../parts/content.ts';
import { fileField, form, formSection } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { CONTACT, shownContact } from './contact.ts';

const PATH = '/checkout';
export const CHECKOUT = `${SETTINGS}${PATH}`;

/** Uploaded files arrive as base64. */
const TypedImage = typed('must be an image', (base64, refuse) => {
  const image = readImage(Buffer.from(base64, 'base64'));
  return typeof image === 'string' ? refuse(image) : image;
});
export const LogoForm = z.object({ logo: longText(TypedImage) });

export const TextsForm = settingsForm(['pay_texts_per_day']);

export async function showCheckout(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const mayChange = may(user, 'settings:write');
  const contact = shownContact(merchant.contact);
  return {
    title: 'Checkout page',
    main: html`${section('Logo', [
      merchant.logo === undefined
        ? html`<p>The page shows the first letter of ${merchant.name}.</p>`
        : html`<p><img class="monogram" src="${logoUrl(outside, merchant.logo)}" alt="The logo of ${merchant.name}"></p>`,
      html`<p class="hint">Customers see the logo on every bill, next to ${contact ? `the contact ${contact}` : 'the contact, which you have not set'}. The logo shows that the number is yours. <a href="${CONTACT}">Contact</a></p>`,
      ...(mayChange && merchant.logo !== undefined
        ? [form(visit, { path: `${PATH}/logo/remove`, submit: 'Remove the logo', isDangerous: true, isSmall: true })]
        : []),
    ])}
${
  mayChange &&
  formSection(
    visit,
    'Change the logo',
    { path: `${PATH}/logo`, submit: 'Set the logo', hasFile: true },
    fileField('logo', 'Picture', {
      accept: 'image/png,image/jpeg,image/webp',
      attributes: raw(` data-shrink="${MAX_LOGO_BYTES}"`),
      hint: `A PNG, JPEG or WebP image of at most ${MAX_LOGO_BYTES / 1024} KB and 512 pixels a side. Your browser shrinks larger images. Anyone with the link to a bill can see it.`,
    }),
  )
}
${textsSection(visit)}`,
  };
}

const TEXTS = 'Texts to customers';

function textsSection(visit: MerchantVisit): Html {
  const { pay_texts_per_day: now = 0 } = visit.merchant;
  const sentence =
    now === 0
      ? 'Customers can get the number, the amount and the reference by text. This is turned off.'
      : `${now} a day. The page texts customers the number, the amount and the reference.`;
  if (!may(visit.user, 'settings:write')) return section(TEXTS, html`<p>${sentence}</p>`);
  return formSection(visit, TEXTS, { path: `${PATH}/texts`, submit: 'Save' }, [
    html`<p>${sentence}</p>`,
    settingField(visit.merchant, 'pay_texts_per_day'),
  ]);
}

export function changeTexts(visit: MerchantVisit<never, typeof TextsForm>, outside: Outside): Promise<Going> {
  const changes = changesIn(['pay_texts_per_day'], visit.form);
  const { pay_texts_per_day } = changes;
  const notice =
    pay_texts_per_day === 0
      ? 'Customers will not get these texts.'
      : `${pay_texts_per_day} customers a day can get a text.`;
  return changeShop(visit, outside, changes, { goTo: CHECKOUT, notice });
}

export function changeLogo(visit: MerchantVisit<never, typeof LogoForm>, outside: Outside): Promise<Going> {
  const { writes } = setLogo(outside, visit.merchant, visit.form.logo);
  const entry = { action: 'merchant set', after: { logo: 'changed' } };
  return visit.commit(writes, { goTo: CHECKOUT, notice: 'Customers will see the new logo within a minute.' }, entry);
}

export function removeLogo(visit: MerchantVisit, outside: Outside): Promise<Going> {
  const { writes } = setLogo(outside, visit.merchant, undefined);
  const entry = { action: 'merchant set', after: { logo: 'removed' } };
  return visit.commit(writes, { goTo: CHECKOUT, notice: 'The logo was removed.' }, entry);
}
