import { html } from 'hono/html';
import * as z from 'zod/mini';
import { BALANCE_LIMITS_PESEWAS } from '../../../ghana/balance-limit.ts';
import { CURRENCY } from '../../../ghana/country.ts';
import { ghsOf, shownMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { addedMerchant, numbersNote } from '../../../merchants/merchant/add-merchant.ts';
import { type BalanceLimitChange, requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import type { MomoAccount } from '../../../merchants/merchant/merchant.ts';
import {
  confirmsUnprovenUpToPesewas,
  MAX_MOMO_ACCOUNTS,
  nameDecidesUpToPesewas,
  newWalletDailyLimitPesewas,
  parseMomoAccount,
} from '../../../merchants/merchant/merchant.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { sendingOf } from '../../../phones/sender/sender.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { merchantAddress } from '../parts/addresses.ts';
import { changeShop } from '../parts/change-shop.ts';
import type { Html } from '../parts/content.ts';
import { choice, type Filled, field, form, textField } from '../parts/form.ts';
import { AmountFromZero, fieldAmount, typed } from '../parts/typed.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { TypedContact } from '../settings/contact.ts';
import { supportNote } from './invite-owner.ts';

export async function showNewMerchant(visit: PersonVisit, outside: Outside): Promise<Shown> {
  return {
    title: 'Add a merchant',
    main: html`<div class="card">${form(visit, { path: '/new', submit: 'Add the merchant' }, (filled) => [
      field(filled, { name: 'name', label: 'Name', hint: 'As customers see it.', isRequired: true, maxLength: 80 }),
      accountsField(filled),
      contactField(filled),
    ])}</div>
${supportNote(outside)}`,
  };
}

export async function addMerchant(
  { form: { name, momo, contact }, commit }: PersonVisit<never, typeof NewMerchantForm>,
  outside: Outside,
): Promise<Going> {
  const momo_accounts = momo ?? [];
  const { writes, ...added } = await addedMerchant(outside, { name: name.trim(), momo_accounts, contact });
  const { merchant_id, name: called } = added.merchant;
  const note = numbersNote(added);
  const notice = [
    `${called} was added. Invite its first owner, and add credits if it is to send texts: both below.`,
    ...(note ? [note, 'Under Phones, a number’s page says whose it is.'] : []),
  ].join(' ');
  const entry = { merchant_id, action: 'merchant create', after: { name } };
  return commit(writes, { goTo: merchantAddress(merchant_id), notice }, entry);
}

/** All that `merchant set` changes. */
export async function showSettings(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const [merchant, senders] = await Promise.all([requireMerchant(outside, visit.path.id), listSenders(outside)]);
  const above = merchant.confirm_always_above_pesewas;
  const amounts = { inputMode: 'decimal', isRequired: true } as const;
  return {
    title: `Settings of ${merchant.name}`,
    main: html`<div class="card">${form(visit, { path: '/{id}/settings', submit: 'Save' }, (filled) => [
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
        hint: '0 turns this off.',
        ...amounts,
      }),
      field(filled, {
        name: 'confirm_unproven_up_to',
        label: `Confirmed without proof up to, ${CURRENCY}`,
        value: fieldAmount(confirmsUnprovenUpToPesewas(merchant)),
        hint: 'What a forged text may cost the shop. 0 turns this off.',
        ...amounts,
      }),
      field(filled, {
        name: 'new_wallet_daily_limit',
        label: `On a new wallet, each day up to, ${CURRENCY}`,
        value: fieldAmount(newWalletDailyLimitPesewas(merchant)),
        hint: 'For how much goods leave in a day before its texts prove anything. At 0 none leave.',
        ...amounts,
      }),
      field(filled, {
        name: 'confirm_always_above',
        label: `A person confirms above, ${CURRENCY}`,
        value: above === undefined ? '' : fieldAmount(above),
        inputMode: 'decimal',
        hint: 'Leave it empty to turn this off.',
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

export async function saveSettings(visit: PersonVisit<'id', typeof SettingsForm>, outside: Outside): Promise<Going> {
  const { form, path, user, commit } = visit;
  const { momo, contact = '', default_from, match_by_name_up_to, confirm_unproven_up_to } = form;
  const { new_wallet_daily_limit, confirm_always_above } = form;
  const merchant = await requireMerchant(outside, path.id);
  const changes = {
    default_from,
    momo_accounts: momo ?? [],
    contact,
    match_by_name_up_to_pesewas: match_by_name_up_to,
    confirm_unproven_up_to_pesewas: confirm_unproven_up_to,
    new_wallet_daily_limit_pesewas: new_wallet_daily_limit,
    confirm_always_above_pesewas: confirm_always_above ?? ('off' as const),
    balance_limit: limitOf(form.balance_limit),
  };
  const going = { goTo: merchantAddress(merchant.merchant_id), notice: 'Saved. New charges use these settings.' };
  return changeShop({ merchant, user, commit }, outside, changes, going);
}

function limitOf(chosen: string): BalanceLimitChange | undefined {
  if (chosen === 'keep') return undefined;
  return { number: undefined, limit_pesewas: BALANCE_LIMITS_PESEWAS.find((one) => String(ghsOf(one)) === chosen) };
}

/** A merchant's wallets, one a line, as the command line writes them. */
const Accounts = typed('must be one wallet a line', (written, refuse): MomoAccount[] => {
  const accounts: MomoAccount[] = [];
  for (const line of written.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const account = parseMomoAccount(line);
    if (typeof account === 'string') return refuse(`is not understood. ${account}`);
    accounts.push(account);
  }
  return accounts.length > MAX_MOMO_ACCOUNTS ? refuse(`has more than ${MAX_MOMO_ACCOUNTS} wallets`) : accounts;
});

export const NewMerchantForm = z.object({
  name: z.string().check(z.maxLength(80)),
  momo: z.optional(Accounts),
  contact: z.optional(TypedContact),
});

export const SettingsForm = z.object({
  momo: z.optional(Accounts),
  contact: z.optional(TypedContact),
  default_from: z.optional(z.string().check(z.maxLength(64))),
  match_by_name_up_to: AmountFromZero,
  confirm_unproven_up_to: AmountFromZero,
  new_wallet_daily_limit: z.optional(AmountFromZero),
  confirm_always_above: z.optional(AmountFromZero),
  balance_limit: z.enum(
    ['keep', 'unknown', ...BALANCE_LIMITS_PESEWAS.map((one) => String(ghsOf(one)))],
    'must be one of the limits',
  ),
});

function accountsField(filled: Filled, accounts: readonly MomoAccount[] = []): Html {
  return textField(filled, {
    name: 'momo',
    label: 'Paid on',
    rows: 3,
    value: accounts.map(({ number, network, account_name }) => `${number}:${network}:${account_name}`).join('\n'),
    hint: 'One wallet a line: 0241234567:MTN:AMA STORES, with the name that payers see. Customers see the first one by default.',
  });
}

function contactField(filled: Filled, contact?: string): Html {
  return field(filled, {
    name: 'contact',
    label: 'Whom customers ask',
    value: contact,
    hint: 'A number, an e-mail address or a WhatsApp link; leave it empty for none. New charges show it.',
  });
}
