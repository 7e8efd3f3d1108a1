import { html } from 'hono/html';
import type * as z from 'zod/mini';
import { recordAudit } from '../../../merchants/audit/audit.table.ts';
import { newMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import { createMerchant } from '../../../merchants/merchant/merchant.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { merchantAddress } from './addresses.ts';
import { accountsField, contactField, type NewMerchantForm } from './merchant-form.ts';

export async function showNewMerchant(visit: PersonVisit): Promise<Shown> {
  return {
    title: 'Add a merchant',
    main: html`<div class="card">${form(visit, { path: '/new', action: '', submit: 'Add the merchant' }, (filled) => [
      field(filled, { name: 'name', label: 'Name', hint: 'As customers see it.', isRequired: true, maxLength: 80 }),
      accountsField(filled),
      contactField(filled),
    ])}</div>`,
  };
}

export async function addMerchant(
  { form: { name, momo, contact }, user, commit }: PersonVisit<never, z.infer<typeof NewMerchantForm>>,
  outside: Outside,
): Promise<Going> {
  const momo_accounts = momo?.accounts ?? [];
  const merchant = newMerchant(outside, { name: name.trim(), momo_accounts, contact: contact?.contact });
  const { merchant_id } = merchant;
  const noted = recordAudit(outside, { merchant_id, by: user.user_id, action: 'merchant create', after: { name } });
  return commit([...createMerchant(merchant), noted], {
    goTo: merchantAddress(merchant_id),
    notice: `${merchant.name} was added. Its first owner can be invited now.`,
  });
}
