import { html } from 'hono/html';
import * as z from 'zod/mini';
import { BALANCE_LIMITS_PESEWAS } from '../../../ghana/balance-limit.ts';
import { ghsOf, shownMoney } from '../../../ghana/money.ts';
import { Network, networks, unreadNote, usualNetwork } from '../../../ghana/network.ts';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { PhoneNumber } from '../../../ghana/phone-number-schema.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { othersPaidOn } from '../../../merchants/merchant/manage-merchant.ts';
import type { Merchant, MomoAccount } from '../../../merchants/merchant/merchant.ts';
import { MAX_MOMO_ACCOUNTS } from '../../../merchants/merchant/merchant.ts';
import { listChanges, numbersForOperator } from '../../../merchants/merchant/money-change.table.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside, TableOutside } from '../../../runtime/outside/outside.ts';
import { invalidRequest, PublicError } from '../../../runtime/values/errors.ts';
import { text } from '../../../runtime/values/text.ts';
import { chainRows } from '../../../wallets/chain/chain.table.ts';
import { hearingOf } from '../../../wallets/wallet/hearing.table.ts';
import type { Action } from '../parts/action.ts';
import { CHANGES, NUMBERS } from '../parts/addresses.ts';
import { askOperator, changeShop, ownerDecides } from '../parts/change-shop.ts';
import { emptyState, type Html, pill, section } from '../parts/content.ts';
import { choice, field, form, formSection } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { mayAddNumber, type NumbersView, numberAddress, numbersView } from './numbers-view.ts';

export async function showNumbers(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const { merchant_id } = merchant;
  const numbers = merchant.momo_accounts.map(({ number }) => number);
  const [others, hearings, changes] = await Promise.all([
    Promise.all(numbers.map((number) => othersPaidOn(outside, merchant_id, number))),
    hearingOf(outside, numbers),
    listChanges(outside, merchant_id),
  ]);
  const asked = numbersForOperator(merchant, changes).map(({ change }) => change.number);
  const isHeard = hearings.map(({ phones }) => phones.length > 0);
  const view = numbersView({ merchant, user, others, isHeard, asked });
  return { title: 'MoMo numbers', actions: [addNumberAction(visit)], main: renderNumbers(view) };
}

function renderNumbers({ asked, mayChange, numbers, advice, unread }: NumbersView): Html {
  const list = table(numbers, {
    caption: 'Numbers that customers pay to',
    href: ({ href }) => href,
    columns: {
      Number: ({ number }) => number,
      Network: ({ network }) => network,
      Name: ({ name }) => name,
      State: ({ remarks }) => html`<span class="pills">${remarks.map(({ tone, label }) => pill(tone, label))}</span>`,
    },
    isCompact: true,
    nothing: asked.length > 0 ? html`` : emptyState('No number yet', 'Customers cannot pay until you add one.'),
  });
  const next = mayChange ? html`<a href="${CHANGES}">what to do</a>` : 'an owner requested it';
  return html`${asked.map((number) => html`<p>${pill('look', 'Waiting')} <b class="number">${number}</b> is waiting for support: ${next}.</p>`)}
${list}
${advice.includes('order') && html`<p class="hint">Customers see the first number. If they choose another network, they see that network’s first number.</p>`}
${advice.includes('no_payment') && html`<p class="hint">“No payment yet” means that we have not seen a payment to that number. The first payment will show that its phone works.</p>`}
${advice.includes('shared') && html`<p>${SHARED}</p>`}
${unread.map((note) => html`<p>${note}</p>`)}`;
}

export function addNumberAction({ merchant, user }: Pick<MerchantVisit, 'merchant' | 'user'>): Action | undefined {
  return mayAddNumber(merchant, user) ? { name: 'Add a number', address: `${NUMBERS}/new` } : undefined;
}

const SHARED = 'Several shops can share a number. Only support then sees its balance and its payments without a bill.';

const UNKNOWN = 'unknown';
const LIMITS = BALANCE_LIMITS_PESEWAS.map((pesewas) => [String(ghsOf(pesewas)), pesewas] as const);

/** Longer than any name registered with a network. */
const MAX_ACCOUNT_NAME_CHARACTERS = 60;

/** Account name that customers see before they confirm a payment. */
const AccountName = z.pipe(
  text(MAX_ACCOUNT_NAME_CHARACTERS),
  z.transform((name) => name.trim()),
);

export const NameForm = z.object({ account_name: AccountName });

/** Limit in pesewas. Undefined if unknown. */
export const LimitForm = z.object({
  limit: z.pipe(
    z.enum([UNKNOWN, ...LIMITS.map(([ghs]) => ghs)], 'must be one of the options listed'),
    z.transform((chosen) => LIMITS.find(([ghs]) => ghs === chosen)?.[1]),
  ),
});

export async function showNumber(visit: MerchantVisit<'number'>, outside: Outside): Promise<Shown> {
  const { merchant, path } = visit;
  const account = accountOf(merchant, path.number);
  const others = await othersPaidOn(outside, merchant.merchant_id, account.number);
  const isFirst = merchant.momo_accounts[0] === account;
  const note = unreadNote(account.network);
  return {
    title: shownNumber(account.number),
    main: html`${(others.length > 0 || note) && html`<section>${others.length > 0 && html`<p>${SHARED}</p>`}${note && html`<p>${note}</p>`}</section>`}
${ownerDecides(visit)}
${nameSection(visit, account)}
${isFirst ? section('Shown first', html`<p>Customers see this number first.</p>`) : firstSection(visit)}
${limitSection(visit, account)}
${removeSection(visit)}`,
  };
}

function nameSection(visit: MerchantVisit<'number'>, account: MomoAccount): Html {
  return formSection(
    visit,
    'Name',
    { path: '/numbers/{number}/name', submit: 'Correct the name' },
    field('account_name', 'Name', {
      value: account.account_name,
      maxLength: MAX_ACCOUNT_NAME_CHARACTERS,
      hint: `As ${networks[account.network].name} shows it: customers compare it on their phone before they confirm. New bills will show what you type here.`,
      isRequired: true,
    }),
  );
}

function firstSection(visit: MerchantVisit<'number'>): Html {
  return section('Order', [
    html`<p>Customers see the first number in the list first.</p>`,
    form(visit, { path: '/numbers/{number}/first', submit: 'Show this one first' }),
  ]);
}

function limitSection(visit: MerchantVisit<'number'>, account: MomoAccount): Html {
  const { balance_limit_pesewas: limit } = account;
  return formSection(
    visit,
    'Balance limit',
    { path: '/numbers/{number}/limit', submit: 'Set the limit' },
    choice('limit', 'Maximum balance of this wallet', {
      value: limit === undefined ? UNKNOWN : String(ghsOf(limit)),
      options: [[UNKNOWN, 'I do not know'], ...LIMITS.map(([ghs, pesewas]) => [ghs, shownMoney(pesewas)] as const)],
      hint: 'A full wallet refuses payments. We notify you before it is full. The network sets the limit, depending on how you are registered.',
    }),
  );
}

function removeSection(visit: MerchantVisit<'number'>): Html {
  return section('No longer used for payments?', [
    html`<p>New bills will not show this number. Customers with unpaid bills may still send money to it. Such payments do not confirm a bill, and only support sees them. Once the number’s texts have arrived here, only support can add the number again.</p>`,
    visit.merchant.momo_accounts.length === 1
      ? html`<p>This is your only number. Add another one first.</p>`
      : form(visit, { path: '/numbers/{number}/remove', submit: 'Remove this number', isDangerous: true }),
  ]);
}

export async function correctName(visit: MerchantVisit<'number', typeof NameForm>, outside: Outside): Promise<Going> {
  const account = accountOf(visit.merchant, visit.path.number);
  const { account_name } = visit.form;
  const momo_accounts = visit.merchant.momo_accounts.map((one) => (one === account ? { ...one, account_name } : one));
  const notice = `New bills will show ${account_name}.`;
  return changeShop(visit, outside, { momo_accounts }, { goTo: numberAddress(account.number), notice });
}

export async function showFirst(visit: MerchantVisit<'number'>, outside: Outside): Promise<Going> {
  const account = accountOf(visit.merchant, visit.path.number);
  const momo_accounts = [account, ...othersThan(visit, account)];
  const notice = `Customers will now see ${shownNumber(account.number)} first.`;
  return changeShop(visit, outside, { momo_accounts }, { goTo: NUMBERS, notice });
}

export async function setLimit(visit: MerchantVisit<'number', typeof LimitForm>, outside: Outside): Promise<Going> {
  const { number } = accountOf(visit.merchant, visit.path.number);
  const balance_limit = { number, limit_pesewas: visit.form.limit };
  return changeShop(visit, outside, { balance_limit }, { goTo: numberAddress(number), notice: 'The limit was set.' });
}

/** @throws PublicError if this is the merchant's only number. */
export async function removeNumber(visit: MerchantVisit<'number'>, outside: Outside): Promise<Going> {
  const account = accountOf(visit.merchant, visit.path.number);
  const momo_accounts = othersThan(visit, account);
  if (momo_accounts.length === 0)
    throw new PublicError('invalid_request', 'This is your only number. Add another one first.');
  const notice = `${shownNumber(account.number)} was removed.`;
  return changeShop(visit, outside, { momo_accounts }, { goTo: NUMBERS, notice });
}

function othersThan({ merchant }: Pick<MerchantVisit, 'merchant'>, account: MomoAccount): MomoAccount[] {
  return merchant.momo_accounts.filter((one) => one !== account);
}

export const NewNumberForm = z.object({
  number: PhoneNumber,
  network: z.optional(z.enum(Network.options, 'must be one of the networks')),
  account_name: AccountName,
});

export async function showNewNumber(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const [first] = visit.merchant.momo_accounts;
  const facts = { path: '/numbers/new', submit: 'Add the number' };
  return {
    title: 'Add a number',
    main: html`<section>${form(visit, facts, [
      field('number', 'Number', {
        type: 'tel',
        inputMode: 'tel',
        maxLength: 20,
        hint: 'If the service already knows this number, support must first confirm that it is yours.',
        isRequired: true,
      }),
      field('account_name', 'Name on the wallet', {
        // A shop's wallets usually have the same account name.
        value: first?.account_name,
        maxLength: MAX_ACCOUNT_NAME_CHARACTERS,
        hint: 'As the network shows it. Customers check it on their phone before they confirm.',
        isRequired: true,
      }),
      choice('network', 'Network', {
        options: [
          ['', 'Detect from the number'],
          ...Network.options.map((network) => [network, networks[network].name] as const),
        ],
        hint: [
          'Choose a network if the number has moved to a different one.',
          ...Network.options.flatMap((network) => unreadNote(network) ?? []),
        ].join(' '),
      }),
    ])}</section>
${ownerDecides(visit)}
<p class="hint">${namingOperator(outside, 'Payments are confirmed automatically once the number’s SIM is in a connected phone. Ask support for a phone. Until then, confirm each one yourself under Payments, To check.')}</p>`,
  };
}

/** Adds a number at the end of the list. If the number may belong to somebody else, the operator must approve it. */
export async function addNumber(visit: MerchantVisit<never, typeof NewNumberForm>, outside: Outside): Promise<Going> {
  const { merchant, user, form: typed } = visit;
  const { momo_accounts } = merchant;
  const network = typed.network ?? usualNetwork(typed.number);
  if (!network)
    throw invalidRequest([{ field: 'network', message: 'is not clear from the first digits: choose a network' }]);
  const account = { ...typed, network };
  if (momo_accounts.some(({ number }) => number === account.number))
    throw invalidRequest([{ field: 'number', message: 'is already one of your numbers' }]);
  if (momo_accounts.length >= MAX_MOMO_ACCOUNTS)
    throw new PublicError('invalid_request', `A shop can have at most ${MAX_MOMO_ACCOUNTS} numbers. Remove one first.`);
  if (!may(user, 'operator') && isKnown(await knownAs(outside, merchant.merchant_id, account.number))) {
    if (may(user, 'settings:approve')) return askOperator(visit, outside, account);
    throw invalidRequest([{ field: 'number', message: KNOWN }]);
  }
  const notice = `${shownNumber(account.number)} was added: ${networks[network].name}, ${account.account_name}. If that network is wrong, remove the number and add it again.`;
  return changeShop(visit, outside, { momo_accounts: [...momo_accounts, account] }, { goTo: NUMBERS, notice });
}

/** Finds the account with this number. @throws PublicError `not_found` for another merchant's number. */
export function accountOf({ momo_accounts }: Merchant, written: string): MomoAccount {
  const number = parsePhoneNumber(written);
  const account = momo_accounts.find((one) => one.number === number);
  if (!account) throw new PublicError('not_found', 'This is not one of your numbers.');
  return account;
}

/** Error for people who may not ask support to add a known number. */
const KNOWN = 'is already known to this service. Only an owner can ask support to add it';

export interface KnownAs {
  readonly others: readonly string[];
  readonly isSender: boolean;
  readonly isHeard: boolean;
}

/**
 * Returns true if the number may belong to somebody else: another merchant has it, or its SIM is in one of the stage's
 * phones. Adding such a number would interfere with that merchant's payments or reveal a wallet.
 */
export function isKnown({ others, isSender, isHeard }: KnownAs): boolean {
  return others.length > 0 || isSender || isHeard;
}

export async function knownAs(outside: TableOutside, merchantId: string, number: string): Promise<KnownAs> {
  const wallets = Network.options.map((network) => ({ network, momo_number: number }));
  const [others, senders, chains] = await Promise.all([
    othersPaidOn(outside, merchantId, number),
    listSenders(outside),
    chainRows.findMany(outside, wallets),
  ]);
  return { others, isSender: senders.some((sender) => sender.number === number), isHeard: chains.length > 0 };
}
