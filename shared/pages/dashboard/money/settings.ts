import { html } from 'hono/html';
import type * as z from 'zod/mini';
import { BALANCE_LIMITS_PESEWAS } from '../../../ghana/balance-limit.ts';
import { CURRENCY } from '../../../ghana/country.ts';
import { ghsOf, shownMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { type BalanceLimitChange, requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import { confirmsUnprovenUpToPesewas, nameDecidesUpToPesewas } from '../../../merchants/merchant/merchant.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { sendingOf } from '../../../phones/sender/sender.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { choice, field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { fieldAmount } from '../parts/typed-amount.ts';
import { changeShop } from '../settings/change-shop.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { merchantAddress } from './addresses.ts';
import { accountsField, contactField, type SettingsForm } from './merchant-form.ts';

/** All that `merchant set` changes. */
export async function showSettings(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const [merchant, senders] = await Promise.all([requireMerchant(outside, visit.path.id), listSenders(outside)]);
  const above = merchant.confirm_always_above_pesewas;
  const amounts = { inputMode: 'decimal', isRequired: true } as const;
  return {
    title: `Settings of ${merchant.name}`,
    main: html`<div class="card">${form(visit, { path: '/{id}/settings', action: '', submit: 'Save' }, (filled) => [
      accountsField(filled, merchant.momo_accounts),
      contactField(filled, merchant.contact),
      choice(filled, {
        name: 'default_from',
        label: 'Texts leave from',
        value: merchant.default_from,
        options: [
          ['', merchant.default_from ? 'As before' : 'Any number'],
          ...sendingOf(senders).map(({ number }) => [number, shownNumber(number)] as const),
        ],
      }),
      field(filled, {
        name: 'match_by_name_up_to',
        label: `A name confirms up to, ${CURRENCY}`,
        value: fieldAmount(nameDecidesUpToPesewas(merchant)),
        hint: '0: a name never does.',
        ...amounts,
      }),
      field(filled, {
        name: 'confirm_unproven_up_to',
        label: `Confirmed without proof up to, ${CURRENCY}`,
        value: fieldAmount(confirmsUnprovenUpToPesewas(merchant)),
        hint: 'What a forged text may cost the shop. 0: nothing is.',
        ...amounts,
      }),
      field(filled, {
        name: 'confirm_always_above',
        label: `A person confirms above, ${CURRENCY}`,
        value: above === undefined ? '' : fieldAmount(above),
        inputMode: 'decimal',
        hint: 'Empty: nobody has to.',
      }),
      choice(filled, {
        name: 'balance_limit',
        label: 'Its wallets may hold',
        value: 'keep',
        options: [
          ['keep', 'As before'],
          ...BALANCE_LIMITS_PESEWAS.map((one) => [String(ghsOf(one)), `${shownMoney(one)} each`] as const),
          ['unknown', 'Not known'],
        ],
        hint: 'How well the network knows the owner (KYC).',
      }),
    ])}</div>
<p><a href="${merchantAddress(merchant.merchant_id)}">Back to ${merchant.name}</a></p>`,
  };
}

export async function saveSettings(
  visit: PersonVisit<'id', z.infer<typeof SettingsForm>>,
  outside: Outside,
): Promise<Going> {
  const { form, path, user, commit } = visit;
  const { momo, contact, default_from, match_by_name_up_to, confirm_unproven_up_to, confirm_always_above } = form;
  const merchant = await requireMerchant(outside, path.id);
  const changes = {
    default_from,
    momo_accounts: momo?.accounts ?? [],
    contact: contact?.contact ?? '',
    match_by_name_up_to_pesewas: match_by_name_up_to,
    confirm_unproven_up_to_pesewas: confirm_unproven_up_to,
    confirm_always_above_pesewas: confirm_always_above ?? ('off' as const),
    balance_limit: limitOf(form.balance_limit),
  };
  const going = { goTo: merchantAddress(merchant.merchant_id), notice: 'Saved. Charges made from now on have it.' };
  return changeShop({ merchant, user, commit }, outside, changes, going);
}

function limitOf(chosen: string): BalanceLimitChange | undefined {
  if (chosen === 'keep') return undefined;
  return { number: undefined, limit_pesewas: BALANCE_LIMITS_PESEWAS.find((one) => String(ghsOf(one)) === chosen) };
}
