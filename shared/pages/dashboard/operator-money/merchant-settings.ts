import { html } from 'hono/html';
import * as z from 'zod/mini';
import { BALANCE_LIMITS_PESEWAS } from '../../../ghana/balance-limit.ts';
import { ghsOf, shownMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { typed } from '../../../ghana/typed.ts';
import { addedMerchant, MerchantName, numbersNote } from '../../../merchants/merchant/add-merchant.ts';
import { type BalanceLimitChange, requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import type { MomoAccount } from '../../../merchants/merchant/merchant.ts';
import { MAX_MOMO_ACCOUNTS, parseMomoAccount } from '../../../merchants/merchant/merchant.ts';
import { changesIn, settingNames, settings, settingsForm } from '../../../operations/settings/settings.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { sendingOf } from '../../../phones/sender/sender.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { merchantAddress } from '../parts/addresses.ts';
import { changeShop, settingField } from '../parts/change-shop.ts';
import { choice, type Field, field, form, textField } from '../parts/form.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { supportNote } from './invite-owner.ts';

export async function showNewMerchant(visit: PersonVisit, outside: Outside): Promise<Shown> {
  return {
    title: 'Add a merchant',
    main: html`<div class="card">${form(visit, { path: '/new', submit: 'Add the merchant' }, [
      field('name', 'Name', { hint: 'The name that customers see.', isRequired: true, maxLength: 80 }),
      accountsField(),
      field('contact', 'Contact for customers', { hint: settings.contact.hint }),
    ])}</div>
${supportNote(outside)}`,
  };
}

export async function addMerchant(
  { form: { name, momo, contact }, commit }: PersonVisit<never, typeof NewMerchantForm>,
  outside: Outside,
): Promise<Going> {
  const momo_accounts = momo ?? [];
  const { writes, entry, ...added } = await addedMerchant(outside, { name, momo_accounts, contact });
  const { merchant_id, name: called } = added.merchant;
  const note = numbersNote(added);
  const notice = [
    `${called} was added. Invite its first owner below. Add credits too, if it will send texts.`,
    ...(note ? [note, 'To set who owns a number, open it under Phones.'] : []),
  ].join(' ');
  return commit(writes, { goTo: merchantAddress(merchant_id), notice }, entry);
}

export async function showSettings(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const [merchant, senders] = await Promise.all([requireMerchant(outside, visit.path.id), listSenders(outside)]);
  const { default_from = '' } = merchant;
  // Keep the current sender selectable, even if it cannot send now.
  const numbers = new Set([default_from, ...sendingOf(senders).map(({ number }) => number)].filter(Boolean));
  return {
    title: `Settings of ${merchant.name}`,
    back: { name: merchant.name, path: merchantAddress(merchant.merchant_id) },
    main: html`<div class="card">${form(visit, { path: '/{id}/settings', submit: 'Save' }, [
      accountsField(merchant.momo_accounts),
      choice('balance_limit', 'Balance limit for its wallets', {
        value: 'keep',
        options: [
          ['keep', 'Unchanged'],
          ...BALANCE_LIMITS_PESEWAS.map((one) => [String(ghsOf(one)), `${shownMoney(one)} each`] as const),
          ['unknown', 'Not known'],
        ],
        hint: 'The limit depends on the owner’s KYC level.',
      }),
      choice('default_from', settings.default_from.label, {
        value: default_from,
        options: [['', 'Any number'], ...[...numbers].map((number) => [number, shownNumber(number)] as const)],
      }),
      ...settingNames.filter((name) => name !== 'default_from').map((name) => settingField(merchant, name)),
    ])}</div>`,
  };
}

export async function saveSettings(visit: PersonVisit<'id', typeof SettingsForm>, outside: Outside): Promise<Going> {
  const { form, path, user, commit } = visit;
  const merchant = await requireMerchant(outside, path.id);
  const balance_limit = limitOf(form.balance_limit);
  const changes = { ...changesIn(settingNames, form), momo_accounts: form.momo ?? [], balance_limit };
  const going = { goTo: merchantAddress(merchant.merchant_id), notice: 'Saved. New charges will use these settings.' };
  return changeShop({ merchant, user, commit }, outside, changes, going);
}

function limitOf(chosen: string): BalanceLimitChange | undefined {
  if (chosen === 'keep') return undefined;
  return { number: undefined, limit_pesewas: BALANCE_LIMITS_PESEWAS.find((one) => String(ghsOf(one)) === chosen) };
}

/** A merchant's wallets, one per line, in the command line's format. */
const Accounts = typed('must have one wallet per line', (written, refuse): MomoAccount[] => {
  const accounts: MomoAccount[] = [];
  for (const line of written.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const account = parseMomoAccount(line);
    if (typeof account === 'string') return refuse(`could not be read. ${account}`);
    accounts.push(account);
  }
  return accounts.length > MAX_MOMO_ACCOUNTS ? refuse(`has more than ${MAX_MOMO_ACCOUNTS} wallets`) : accounts;
});

export const NewMerchantForm = z.object({
  name: MerchantName,
  momo: z.optional(Accounts),
  contact: z.optional(settings.contact.read),
});

export const SettingsForm = z.extend(settingsForm(settingNames), {
  momo: z.optional(Accounts),
  balance_limit: z.enum(
    ['keep', 'unknown', ...BALANCE_LIMITS_PESEWAS.map((one) => String(ghsOf(one)))],
    'must be one of the limits',
  ),
});

function accountsField(accounts: readonly MomoAccount[] = []): Field {
  return textField('momo', 'Paid on', {
    rows: 3,
    value: accounts.map(({ number, network, account_name }) => `${number}:${network}:${account_name}`).join('\n'),
    hint: 'One wallet per line: 0241234567:MTN:AMA STORES, with the name that payers see. Customers see the first one by default.',
  });
}
